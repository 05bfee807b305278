//! Reading of ground with height: a mesh, whose sheets are storeys.

use throng::Edge;
use throng::parameters::Value;

use crate::document::Node;
use crate::fields::{Fields, Reader};
use crate::keys::SLOPE;
use crate::mesh::{FARTHEST, Frame, Ground, Mesh, Surface};
use crate::read_storeys::read_edge;
use crate::reason::{Cause, Reason};
use crate::storeys::Storeys;

/// Reads `ground` from the file's outermost table, after its world.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    world: &Fields<'d>,
    (dimensions, size, edge): (usize, Option<&[f32]>, &mut Vec<Edge>),
) -> Option<Storeys> {
    let entry = root.entry("ground")?;
    if dimensions != 2 {
        reader.note(entry.at, "ground".to_owned(), None, Reason::OnlyFlat);
        return None;
    }
    for key in ["storey", "stair", "lift"] {
        if let Some(entry) = root.entry(key) {
            reader.note(entry.at, key.to_owned(), None, Reason::Unused(Cause { key: "ground", value: None }));
        }
    }
    read_edge(reader, world, edge);
    let before = reader.problems.count();
    let size: [f32; 2] = size?.try_into().ok()?;
    let mut frame = Frame { origin: [0.0; 2], scale: 1.0, is_third_up: false, slope: SLOPE, size };
    let file = match entry.item.node {
        Node::Table(_) => {
            let fields = reader.inner(root, "ground")?;
            frame.is_third_up = reader.choice(&fields, "up") == Some("z");
            frame.slope = reader.number(&fields, "slope").unwrap_or(SLOPE);
            frame.scale = reader.value(&fields, "scale", 0).and_then(|scale| scale.number()).unwrap_or(1.0);
            if let Some(Value::Point(origin)) = reader.value(&fields, "origin", dimensions) {
                frame.origin = [origin[0], origin[1]];
            }
            reader.text(&fields, "file")
        }
        _ => reader.text(root, "ground"),
    };
    let file = file.filter(|_| reader.problems.count() == before)?;
    let mesh = Mesh::load(&reader.document.beside(file)).map_err(|reason| format!("{file}:{reason}"));
    let surface = mesh.and_then(|mesh| {
        let ground = Ground::new(&mesh, &frame).and_then(|ground| Surface::new(&ground, size));
        ground.map_err(|reason| format!("{file}: {reason}"))
    });
    let storeys = surface.map(|surface| Storeys::of_sheets(size, surface)).and_then(|storeys| {
        let is_too_far = storeys.world.iter().any(|&extent| extent > FARTHEST);
        let message = || format!("{file}: its sheets side by side take {:?} m, more than {FARTHEST}", storeys.world);
        if is_too_far { Err(message()) } else { Ok(storeys) }
    });
    match storeys {
        Err(reason) => {
            reader.refuse("ground".to_owned(), &entry.item, Reason::Ground(reason));
            None
        }
        Ok(storeys) => {
            if let Some((count @ 2.., [x, y, height])) = storeys.surface.as_ref().map(|surface| surface.parts) {
                let place = format!("[{x:.2}, {y:.2}] at a height of {height:.2} m");
                let message = format!("{file}: has {count} parts that no edge joins: no way leads to or from {place}");
                reader.doubt("ground".to_owned(), message);
            }
            Some(storeys)
        }
    }
}
