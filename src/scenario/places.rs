//! Reading of queues and waiting areas.

use crate::base::error::Error;
use crate::environment::{Environment, Places};
use crate::maths::Vector;
use crate::rules::parameters::{Kind, Parameter, Preset, Range};
use crate::scenario::definition::Scenario;
use crate::scenario::fields::{Fields, Reader, is_name};
use crate::scenario::reason::Reason;

/// The distance between two places.
const SPACING: Range = Range::from(1e-3, crate::LIMIT as f64);

/// The keys of a queue or waiting area.
pub(crate) const PLACES: &[Parameter] = &[
    Parameter {
        name: "line",
        unit: "m",
        kind: Kind::Points(Range::COORDINATE),
        help: "Corners of a queue from its head to its tail; excludes `region`.",
        default: Preset::Absent,
    },
    Parameter {
        name: "region",
        unit: "",
        kind: Kind::Reference("region"),
        help: "Region of a waiting area; excludes `line`.",
        default: Preset::Absent,
    },
    Parameter {
        name: "spacing",
        unit: "m",
        kind: Kind::Number(SPACING),
        help: "Distance between places.",
        default: Preset::Number(DEFAULT_SPACING),
    },
];

const DEFAULT_SPACING: f32 = 0.8;

/// A validated queue or waiting area.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacesSpec {
    pub(crate) name: String,
    /// The corners of a queue, or the name of a region.
    shape: Result<Vec<Vec<f32>>, String>,
    spacing: f32,
}

/// Reads the queues and waiting areas from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> Vec<PlacesSpec> {
    let regions: Vec<&str> = scenario.environment.regions.iter().map(|region| &region.name[..]).collect();
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "places") {
        let line = reader.vectors(&table, "line", scenario.dimensions);
        let region = reader.reference(&table, "region", &regions);
        let spacing = reader.number(&table, "spacing").unwrap_or(DEFAULT_SPACING);
        let keys = vec!["line", "region"];
        let found = keys.iter().filter(|key| table.entry(key).is_some()).count();
        if found != 1 {
            reader.note(table.at, table.path.clone(), None, Reason::OneOf { keys, found });
            continue;
        }
        let shape = line.map(Ok).or_else(|| region.map(|region| Err(region.to_owned())));
        if let Some(shape) = shape.filter(|_| is_name(name)) {
            let spec = PlacesSpec { name: name.to_owned(), shape, spacing };
            // What an environment refuses are too many places.
            let fault = match scenario.dimensions {
                3 => spec.fault::<3>(scenario),
                _ => spec.fault::<2>(scenario),
            };
            match (fault, table.entry("line").or(table.entry("region"))) {
                (Some(Error::BadValue(bad)), Some(entry)) => {
                    reader.refuse(table.path.clone(), &entry.item, Reason::MustBe(bad.allowed));
                }
                _ => specs.push(spec),
            }
        }
    }
    specs
}

impl PlacesSpec {
    fn fault<const D: usize>(&self, scenario: &Scenario) -> Option<Error> {
        let mut environment = Environment::<D>::default();
        scenario.environment.build(&mut environment).ok()?;
        self.build(scenario, &mut environment).err()
    }

    pub(crate) fn build<const D: usize>(
        &self,
        scenario: &Scenario,
        environment: &mut Environment<D>,
    ) -> Result<(), Error> {
        let Some(settings) = scenario.settings::<D>() else { return Ok(()) };
        let places = match &self.shape {
            Ok(line) => {
                let corners: Vec<Vector<D>> =
                    line.iter().map(|at| Vector::from_fn(|axis| at.get(axis).copied().unwrap_or(0.0))).collect();
                Places::queue(&self.name[..], &corners, self.spacing)
            }
            Err(region) => {
                let Some(region) = environment.regions().iter().find(|other| other.name == *region) else {
                    return Ok(());
                };
                Places::area(&self.name[..], &region.shape, self.spacing, &settings)
            }
        };
        environment.add_places(places).map(drop)
    }
}
