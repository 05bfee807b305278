//! Reading of queues and waiting areas.

use throng::parameters::is_name;
use throng::{Environment, Error, Places, Settings, Vector};

use crate::fields::{Fields, Reader};
use crate::items::span;
use crate::keys::SPACING;
use crate::read_storeys::{offset_within, refuse_storey};
use crate::reason::Reason;
use crate::storeys::Storeys;

/// A validated queue or waiting area.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacesSpec {
    pub(crate) name: String,
    /// The corners of a queue, or the name of a region.
    shape: Result<Vec<Vec<f32>>, String>,
    spacing: f32,
}

/// Reads the queues and waiting areas from the file's outermost table.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    (dimensions, storeys): (usize, Option<&Storeys>),
    regions: &[&str],
) -> Vec<PlacesSpec> {
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "places") {
        let line = reader.vectors(&table, "line", dimensions);
        let region = reader.reference(&table, "region", regions);
        let spacing = reader.number(&table, "spacing").unwrap_or(SPACING);
        let keys = vec!["line", "region"];
        let found = keys.iter().filter(|key| table.entry(key).is_some()).count();
        if found != 1 {
            reader.note(table.at, table.path.clone(), None, Reason::OneOf { keys, found });
            continue;
        }
        if table.entry("region").is_some() {
            refuse_storey(reader, &table, "region");
        }
        let line = line.map(|line| moved(reader, &table, line, storeys));
        let shape = line.map(Ok).or_else(|| region.map(|region| Err(region.to_owned())));
        if let Some(shape) = shape.filter(|_| is_name(name)) {
            specs.push(PlacesSpec { name: name.to_owned(), shape, spacing });
        }
    }
    specs
}

/// The corners of a queue on its storey.
fn moved<'d>(
    reader: &mut Reader<'d>,
    table: &Fields<'d>,
    line: Vec<Vec<f32>>,
    storeys: Option<&Storeys>,
) -> Vec<Vec<f32>> {
    let by = offset_within(reader, (table, "queue"), storeys, |axis| span(line.iter().map(|corner| corner[axis])));
    let shifted = |corner: Vec<f32>| corner.iter().zip(by.0.into_iter().chain([0.0])).map(|(at, by)| at + by).collect();
    line.into_iter().map(shifted).collect()
}

impl PlacesSpec {
    pub(crate) fn build<const D: usize>(
        &self,
        settings: &Settings<D>,
        environment: &mut Environment<D>,
    ) -> Result<(), Error> {
        let places = match &self.shape {
            Ok(line) => {
                let corners: Vec<Vector<D>> =
                    line.iter().map(|at| Vector::from_fn(|axis| at.get(axis).copied().unwrap_or(0.0))).collect();
                Places::queue(&self.name[..], &corners, self.spacing)
            }
            Err(region) => {
                let Some(region) = environment.regions.named(region) else {
                    return Ok(());
                };
                Places::area(&self.name[..], &region.shape, self.spacing, settings)
            }
        };
        environment.places.add(places).map(drop)
    }
}
