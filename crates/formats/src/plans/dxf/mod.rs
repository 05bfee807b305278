//! Drawings in DXF, as CAD programs write them. The crate `dxf` reads their blocks and entities.

mod sections;
mod spline;

use std::collections::HashMap;
use std::f64::consts::TAU;

use dxf::entities::{Entity, EntityType, Insert};
use dxf::{Block, Drawing, LwPolylineVertex};

use crate::plans::builder::Builder;
use crate::plans::error::{Fault, PlanError};
use crate::plans::limits::MOST_POINTS;
use crate::plans::names;
use crate::plans::plan::AreaKind;
use sections::{MOST_ENTITIES, Sections};
use spline::flat;

/// The largest depth of blocks in blocks.
const DEEPEST: usize = 16;
/// The largest number of segments of a circle.
const MOST_SEGMENTS: f64 = 4096.0;

/// Reads a drawing. Shapes on wall layers are walls; closed shapes on other layers are zones with the name of the layer.
///
/// Wall layers are those that the reader was given; else those with a word for a wall in their names; else all but those
/// with a word for a door.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    let text = builder.text;
    // A panic of the crate on a hostile file is an error of the file.
    let sections = Sections::of(text)?;
    let loaded = std::thread::scope(|scope| scope.spawn(|| Drawing::load(&mut sections.text.as_bytes())).join());
    let drawing = match loaded {
        Ok(drawing) => drawing.map_err(|error| sections.error(&error.to_string()))?,
        Err(_) => return Err(PlanError::at(text, 0, Fault::Syntax("the drawing cannot be read".to_owned()))),
    };
    builder.set_units(sections.units);
    let hidden = sections.hidden;
    // A template has layers without shapes.
    let shapes = drawing.entities().chain(drawing.blocks().flat_map(|block| &block.entities));
    let mut named_walls: Vec<String> = shapes.map(|shape| shape.common.layer.to_lowercase()).collect();
    named_walls.retain(|layer| names::is_wall(layer) && !hidden.contains(layer));
    named_walls.sort_unstable();
    named_walls.dedup();
    let given = builder.options.walls.as_ref();
    let given = given.map(|walls| walls.iter().map(|name| name.to_lowercase()).collect());
    let walls = given.or((!named_walls.is_empty()).then_some(named_walls));
    let blocks: HashMap<&str, &Block> = drawing.blocks().map(|block| (&block.name[..], block)).collect();
    let size = size(drawing.entities(), &blocks, &mut HashMap::new(), 0).map_err(PlanError::whole)?;
    if size.entities > MOST_ENTITIES {
        return Err(PlanError::whole(Fault::TooMany { what: "entities", most: MOST_ENTITIES }));
    }
    let mut reader = Reader { builder, blocks, hidden, walls, zones: HashMap::new() };
    let whole = Transform::default();
    drawing.entities().try_for_each(|entity| reader.entity(entity, None, whole))
}

/// The size of a block.
#[derive(Clone, Copy)]
struct Size {
    /// The number of its entities, with the entities of blocks that it inserts.
    entities: usize,
    /// The depth of blocks within it.
    height: usize,
}

/// The size of these entities inside this number of blocks; `sizes` has the known blocks. An empty block counts as an
/// entity each time it is inserted.
fn size<'d>(
    entities: impl Iterator<Item = &'d Entity>,
    blocks: &HashMap<&'d str, &'d Block>,
    sizes: &mut HashMap<&'d str, Size>,
    depth: usize,
) -> Result<Size, Fault> {
    let mut size = Size { entities: 0, height: 0 };
    for entity in entities {
        size.entities = size.entities.saturating_add(1);
        let EntityType::Insert(insert) = &entity.specific else { continue };
        let Some((&name, &block)) = blocks.get_key_value(&insert.name[..]) else { continue };
        let inner = match sizes.get(name) {
            Some(known) => *known,
            None if depth >= DEEPEST => return Err(Fault::TooDeep(DEEPEST)),
            None => self::size(block.entities.iter(), blocks, sizes, depth + 1)?,
        };
        sizes.insert(name, inner);
        if depth + inner.height >= DEEPEST {
            return Err(Fault::TooDeep(DEEPEST));
        }
        let [rows, columns] = [insert.row_count, insert.column_count].map(|count| count.max(1) as usize);
        size.entities = size.entities.saturating_add(inner.entities.max(1).saturating_mul(rows * columns));
        size.height = size.height.max(inner.height + 1);
    }
    Ok(size)
}

/// A linear map and a shift.
#[derive(Clone, Copy)]
struct Transform {
    x: [f64; 2],
    y: [f64; 2],
    at: [f64; 2],
}

impl Default for Transform {
    fn default() -> Self {
        Self { x: [1.0, 0.0], y: [0.0, 1.0], at: [0.0; 2] }
    }
}

impl Transform {
    fn of(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.at[axis] + x * self.x[axis] + y * self.y[axis])
    }

    /// The map that applies `inner` first.
    fn after(&self, inner: &Self) -> Self {
        let linear = |direction: [f64; 2]| {
            let [x, y] = direction;
            [0, 1].map(|axis| x * self.x[axis] + y * self.y[axis])
        };
        Self { x: linear(inner.x), y: linear(inner.y), at: self.of(inner.at) }
    }

    /// The map of shapes that are seen from below, whose first axis points the other way.
    fn seen(self, normal: f64) -> Self {
        if normal < 0.0 { self.after(&Self { x: [-1.0, 0.0], ..Self::default() }) } else { self }
    }
}

struct Reader<'b, 't, 'd> {
    builder: &'b mut Builder<'t>,
    blocks: HashMap<&'d str, &'d Block>,
    /// The layers that are switched off or frozen, in lower case.
    hidden: Vec<String>,
    /// The layers of walls, in lower case; `None` if all are.
    walls: Option<Vec<String>>,
    /// The number of zones of each name.
    zones: HashMap<String, usize>,
}

impl Reader<'_, '_, '_> {
    /// Reads an entity; `around` is the layer of the block that has it.
    fn entity(&mut self, entity: &Entity, around: Option<&str>, transform: Transform) -> Result<(), PlanError> {
        // What a block has on layer 0 is on the layer of the block.
        let own = &entity.common.layer[..];
        let layer = around.filter(|_| own == "0").unwrap_or(own);
        let is_hidden = self.hidden.contains(&layer.to_lowercase()) || !entity.common.is_visible;
        if is_hidden || entity.common.is_in_paper_space {
            self.builder.ignore(if is_hidden { "invisible shape" } else { "paper space" });
            return Ok(());
        }
        let (points, closed) = match &entity.specific {
            EntityType::Line(line) => (vec![flat(&line.p1), flat(&line.p2)], false),
            EntityType::LwPolyline(line) => {
                let corner = |vertex: &LwPolylineVertex| ([vertex.x, vertex.y], vertex.bulge);
                let corners = line.vertices.iter().map(corner).collect::<Vec<_>>();
                let transform = transform.seen(line.extrusion_direction.z);
                return self.bulged(&corners, line.is_closed(), layer, transform);
            }
            EntityType::Polyline(line) if !line.is_polyface_mesh() && !line.is_3d_polygon_mesh() => {
                let corners: Vec<_> = line.vertices().map(|vertex| (flat(&vertex.location), vertex.bulge)).collect();
                return self.bulged(&corners, line.is_closed(), layer, transform.seen(line.normal.z));
            }
            EntityType::Arc(arc) => {
                let start = arc.start_angle.to_radians();
                let sweep = (arc.end_angle - arc.start_angle).to_radians().rem_euclid(TAU);
                let transform = transform.seen(arc.normal.z);
                let points = self.arc(flat(&arc.center), [arc.radius, 0.0], 1.0, [start, sweep]);
                return self.shape(&points, false, layer, transform);
            }
            EntityType::Circle(circle) => {
                let points = self.arc(flat(&circle.center), [circle.radius, 0.0], 1.0, [0.0, TAU]);
                return self.shape(&points, true, layer, transform.seen(circle.normal.z));
            }
            EntityType::Ellipse(ellipse) => {
                let (major, ratio) = ([ellipse.major_axis.x, ellipse.major_axis.y], ellipse.minor_axis_ratio);
                let sweep = ellipse.end_parameter - ellipse.start_parameter;
                let closed = (sweep - TAU).abs() < 1e-6;
                let ratio = if ellipse.normal.z < 0.0 { -ratio } else { ratio };
                let points = self.arc(flat(&ellipse.center), major, ratio, [ellipse.start_parameter, sweep]);
                (points, closed)
            }
            EntityType::Insert(insert) => return self.insert(insert, layer, transform),
            EntityType::Spline(line) => {
                let Some(points) = spline::points(line, self.builder.tolerance()) else {
                    self.builder.ignore("spline without a curve");
                    return Ok(());
                };
                (points, line.flags & 1 == 1)
            }
            EntityType::MLine(line) => (line.vertices.iter().map(flat).collect(), line.flags & 2 == 2),
            EntityType::Solid(solid) => {
                let corners = [&solid.first_corner, &solid.second_corner, &solid.fourth_corner, &solid.third_corner];
                let transform = transform.seen(solid.extrusion_direction.z);
                return self.shape(&corners.map(flat), true, layer, transform);
            }
            EntityType::Trace(trace) => {
                let corners = [&trace.first_corner, &trace.second_corner, &trace.fourth_corner, &trace.third_corner];
                let transform = transform.seen(trace.extrusion_direction.z);
                return self.shape(&corners.map(flat), true, layer, transform);
            }
            EntityType::Text(_) | EntityType::MText(_) => {
                self.builder.ignore("text");
                return Ok(());
            }
            _ => {
                self.builder.ignore("other entity");
                return Ok(());
            }
        };
        self.shape(&points, closed, layer, transform)
    }

    /// Reads the entities of a block, once for each place of its grid.
    fn insert(&mut self, insert: &Insert, layer: &str, around: Transform) -> Result<(), PlanError> {
        let Some(&block) = self.blocks.get(&insert.name[..]) else {
            self.builder.ignore("missing block");
            return Ok(());
        };
        let (sine, cosine) = insert.rotation.to_radians().sin_cos();
        let turned = |[x, y]: [f64; 2]| [x * cosine - y * sine, x * sine + y * cosine];
        let around = around.seen(insert.extrusion_direction.z);
        let at = flat(&insert.location);
        for row in 0..insert.row_count.max(1) {
            for column in 0..insert.column_count.max(1) {
                let step = [f64::from(column) * insert.column_spacing, f64::from(row) * insert.row_spacing];
                let step = turned(step);
                let place = Transform {
                    x: turned([insert.x_scale_factor, 0.0]),
                    y: turned([0.0, insert.y_scale_factor]),
                    at: [at[0] + step[0], at[1] + step[1]],
                };
                let base = flat(&block.base_point);
                let shift = Transform { at: [-base[0], -base[1]], ..Transform::default() };
                let inner = around.after(&place.after(&shift));
                block.entities.iter().try_for_each(|entity| self.entity(entity, Some(layer), inner))?;
            }
        }
        Ok(())
    }

    /// Adds a polyline whose sides are straight, or arcs by their bulges: the tangent of a quarter of the angle.
    fn bulged(
        &mut self,
        corners: &[([f64; 2], f64)],
        closed: bool,
        layer: &str,
        transform: Transform,
    ) -> Result<(), PlanError> {
        let mut points = Vec::with_capacity(corners.len());
        for (number, &(from, bulge)) in corners.iter().enumerate() {
            points.push(from);
            let next = if number + 1 < corners.len() { number + 1 } else { 0 };
            if bulge == 0.0 || (next == 0 && !closed) {
                continue;
            }
            let (to, sweep) = (corners[next].0, 4.0 * bulge.atan());
            let [x, y] = [to[0] - from[0], to[1] - from[1]];
            // The centre lies on the bisector of the chord.
            let off = (1.0 - bulge * bulge) / (4.0 * bulge);
            let centre = [from[0] + 0.5 * x - off * y, from[1] + 0.5 * y + off * x];
            let out = [from[0] - centre[0], from[1] - centre[1]];
            let arc = self.arc(centre, out, 1.0, [0.0, sweep]);
            points.extend(&arc[1..arc.len() - 1]);
            // Each corner can have thousands of points, so the line is not left to grow to its end.
            if points.len() > MOST_POINTS {
                break;
            }
        }
        self.shape(&points, closed, layer, transform)
    }

    /// The points of an arc of an ellipse, from its half axis and the ratio of the other one.
    fn arc(&self, centre: [f64; 2], axis: [f64; 2], ratio: f64, [start, sweep]: [f64; 2]) -> Vec<[f64; 2]> {
        let radius = axis[0].hypot(axis[1]);
        let across = [-axis[1] * ratio, axis[0] * ratio];
        // The height of a segment over its chord stays within the tolerance.
        let share = (self.builder.tolerance() / radius).clamp(0.0, 1.0);
        let step = 2.0 * (1.0 - share).acos();
        let count = (sweep.abs() / step).ceil().clamp(2.0, MOST_SEGMENTS) as usize;
        let point = |number: usize| {
            let (sine, cosine) = (start + sweep * number as f64 / count as f64).sin_cos();
            [0, 1].map(|along| centre[along] + axis[along] * cosine + across[along] * sine)
        };
        (0..=count).map(point).collect()
    }

    /// Adds a wall or a zone.
    fn shape(&mut self, points: &[[f64; 2]], closed: bool, layer: &str, transform: Transform) -> Result<(), PlanError> {
        self.builder.count_points(points.len(), None)?;
        let points: Vec<[f64; 2]> = points.iter().map(|point| transform.of(*point)).collect();
        let closed = closed || (points.len() > 3 && points.first() == points.last());
        let is_wall = self.walls.as_ref().map_or(!names::is_door(layer), |walls| walls.contains(&layer.to_lowercase()));
        if is_wall {
            return self.builder.stroke(&points, closed, Some(layer), None);
        }
        let added = if closed {
            let number = self.zones.entry(layer.to_owned()).or_default();
            *number += 1;
            let name = if *number > 1 { format!("{layer}-{number}") } else { layer.to_owned() };
            self.builder.area(AreaKind::Zone, &[(points, 0)], Some(&name))
        } else {
            self.builder.ignore("line of another layer");
            Ok(())
        };
        match added {
            Err(PlanError { fault: Fault::NoRing, .. }) => self.builder.ignore("area without content"),
            Err(PlanError { fault, .. }) => return Err(PlanError::whole(fault)),
            Ok(()) => {}
        }
        Ok(())
    }
}
