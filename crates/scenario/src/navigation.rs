//! Reading of navigations.

use throng::parameters::is_name;
use throng::{MOST_CELLS, Navigation};

use crate::definition::Scenario;
use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, Scope};
use crate::reason::Reason;

/// The largest length of a name.
const MOST_LETTERS: usize = 64;

/// The number of cells along the longer side of a world: about half of the most that its ways can have.
const CELLS: f32 = 512.0;

/// Reads the navigations from the file's outermost table.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    scenario: &Scenario,
    fields: &[&str],
    scope: Scope<'_>,
) -> Vec<ItemSpec> {
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "navigation") {
        if scope.dimensions != 2 {
            reader.note(table.at, table.path.clone(), None, Reason::OnlyWith { key: "dimensions", value: "2" });
        }
        if fields.contains(&name) {
            reader.note(table.at, table.path.clone(), None, Reason::FieldTaken);
        }
        let spec = reader.item::<Navigation<2>, Navigation<3>>(&table, Some(name), scope);
        check_cell(reader, &table, spec.as_ref().and_then(|spec| spec.number("cell")), scenario.size.as_deref());
        specs.extend(spec.filter(|_| is_name(name)).map(|spec| with_cell(spec, scenario)));
    }
    specs
}

/// Gives ways of a building cells that divide the offsets of its storeys, unless the file has another size.
fn with_cell(spec: ItemSpec, scenario: &Scenario) -> ItemSpec {
    match (&scenario.storeys, scenario.size.as_deref()) {
        (Some(_), Some(&[x, y])) if spec.number("cell").is_none() => {
            let (longer, mut cell) = (if x < y { y } else { x }, 4.0);
            while cell * CELLS > longer {
                cell *= 0.5;
            }
            spec.with("cell", cell)
        }
        _ => spec,
    }
}

/// Refuses a cell size that gives the world too many cells.
fn check_cell<'d>(reader: &mut Reader<'d>, table: &Fields<'d>, cell: Option<f32>, size: Option<&[f32]>) {
    let (Some(cell), Some(entry), Some(&[x, y])) = (cell, table.entry("cell"), size) else { return };
    let least = Navigation::least_cell([x, y]);
    if cell < least {
        reader.refuse(table.path_of("cell"), &entry.item, Reason::TooFine { least, most: MOST_CELLS });
    }
}

/// The least distance of ways from walls, in metres.
pub(crate) fn clearance(navigation: &ItemSpec) -> f32 {
    navigation.build::<Navigation<2>>().map_or(0.0, |navigation| navigation.clearance)
}

/// The same ways with another clearance, for a kind of people.
pub(crate) fn widened(navigation: &ItemSpec, kind: &str, clearance: f32) -> ItemSpec {
    let name: String = format!("{}-{kind}", navigation.name()).chars().take(MOST_LETTERS).collect();
    navigation.clone().with("name", &name[..]).with("clearance", clearance)
}
