//! Reading of substances.

use throng::maths::pow;
use throng::parameters::{Allowed, Range, is_name};
use throng::{LIMIT, Settings, Substance};

use crate::definition::Scenario;
use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, Scope};
use crate::reason::Reason;

/// Reads the substances from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> Vec<ItemSpec> {
    let scope = Scope { names: &[], dimensions: scenario.dimensions };
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "substance") {
        let Some(spec) = reader.item::<Substance, Substance>(&table, Some(name), scope) else { continue };
        if let Ok(substance) = spec.build::<Substance>() {
            let limits = match scenario.dimensions {
                3 => scenario.settings::<3>().map(|settings| limits(&substance, &settings)),
                _ => scenario.settings::<2>().map(|settings| limits(&substance, &settings)),
            };
            for (key, value, range, unit) in limits.into_iter().flatten() {
                if let Some(entry) = table.entry(key).filter(|_| !range.contains(f64::from(value))) {
                    reader.refuse(table.path_of(key), &entry.item, Reason::MustBe(Allowed::number(range, unit)));
                }
            }
        }
        specs.extend(is_name(name).then_some(spec));
    }
    specs
}

/// The cell and the diffusion, each with its range in a world.
fn limits<const D: usize>(
    substance: &Substance,
    settings: &Settings<D>,
) -> [(&'static str, f32, Range, &'static str); 2] {
    let volume: f64 = settings.size.0.iter().map(|&size| f64::from(size)).product();
    let least = f64::from(pow((volume / Substance::MOST_CELLS as f64) as f32, 1.0 / D as f32));
    let of_one: f32 = Substance { diffusion: 1.0, ..substance.clone() }.rates(settings).iter().sum();
    // Three digits of the limits are enough.
    let shown = |limit: f64, up: f64| {
        let mut digits = 1.0;
        while limit.is_normal() && limit * digits < 100.0 {
            digits *= 10.0;
        }
        while limit.is_normal() && limit * digits >= 1000.0 {
            digits /= 10.0;
        }
        (limit * digits + up).floor() / digits
    };
    [
        ("cell", substance.cell, Range::from(shown(least, 1.0), f64::from(LIMIT)), "m"),
        (
            "diffusion",
            substance.diffusion,
            Range::from(0.0, shown(f64::from(Substance::MOST_SPREAD / of_one), 0.0)),
            "m²/s",
        ),
    ]
}
