//! Headings and frames of trajectories, from a world.

use throng::columns::ColumnSlice;
use throng::{AnyWorld, WallShape};
use throng_formats::trajectory::{
    ColumnHeading, Frame, Heading, NumberKind, Numbers, SpeciesHeading, SpeciesRows, shortest, walkable_area,
};
use throng_scenario::Scenario;

use crate::origin::seconds;
use crate::unwrapped::Unwrapped;

/// The number of corners of a disc in a walkable area.
const CORNERS: u32 = 32;

/// The heading of a trajectory of a world with its start positions.
pub(super) fn heading(scenario: &Scenario, world: &AnyWorld, every: u64) -> Heading {
    let settings = world.settings();
    let high = [0, 1].map(|axis| settings.size.0.get(axis).map_or(0.0, |extent| shortest(*extent)));
    let bounds = [[0.0; 2], high];
    Heading {
        scenario: scenario.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: settings.seed,
        tick_seconds: shortest(settings.tick_seconds),
        every,
        dimensions: world.dimensions(),
        bounds,
        walkable: walkable(world, bounds),
        species: world
            .species()
            .map(|(species, name, _)| {
                let states = world.states(species).unwrap_or_default();
                SpeciesHeading { name: name.to_owned(), states: states.into_iter().map(str::to_owned).collect() }
            })
            .collect(),
        unwrapped: scenario.output().trajectory_unwrapped,
        columns: columns(world),
    }
}

/// The columns of all species, each as wide as in the widest.
fn columns(world: &AnyWorld) -> Vec<ColumnHeading> {
    let mut columns: Vec<ColumnHeading> = Vec::new();
    for (species, ..) in world.species() {
        for column in world.columns(species).unwrap_or_default() {
            let kind = match column.numbers {
                ColumnSlice::F32(_) => Some(NumberKind::F32),
                ColumnSlice::U32(_) => Some(NumberKind::U32),
                ColumnSlice::U64(_) => Some(NumberKind::U64),
                _ => None,
            };
            match columns.iter_mut().find(|known| known.name == column.name) {
                Some(known) => {
                    known.width = if known.width < column.width { column.width } else { known.width };
                    known.kind = known.kind.filter(|own| Some(*own) == kind);
                }
                None => columns.push(ColumnHeading { name: column.name.to_owned(), width: column.width, kind }),
            }
        }
    }
    columns
}

/// The area without walls, as well-known text; empty for a world of three dimensions.
fn walkable(world: &AnyWorld, bounds: [[f64; 2]; 2]) -> String {
    let AnyWorld::Flat(flat) = world else { return String::new() };
    let point = |point: &throng::Vector<2>| [shortest(point[0]), shortest(point[1])];
    let disc = |centre: [f64; 2], radius: f64| -> Vec<[f64; 2]> {
        let corner = |number: u32| {
            let turn = f64::from(number) * std::f64::consts::TAU / f64::from(CORNERS);
            [centre[0] + radius * turn.cos(), centre[1] + radius * turn.sin()]
        };
        (0..CORNERS).map(corner).collect()
    };
    let (mut closed, mut solids) = (Vec::new(), Vec::new());
    let environment = flat.environment();
    for wall in environment.walls() {
        match &wall.shape {
            WallShape::Path { points, closed: true } => closed.push(points.iter().map(point).collect()),
            WallShape::Box { centre, half } => {
                let ([x, y], [dx, dy]) = (point(centre), point(half));
                solids.push(vec![[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]]);
            }
            WallShape::Ball { centre, radius } => solids.push(disc(point(centre), shortest(*radius))),
            _ => {}
        }
    }
    for obstacle in environment.obstacles() {
        solids.push(disc(point(&obstacle.centre), shortest(obstacle.radius)));
    }
    let mut agents = Vec::new();
    for (species, ..) in world.species() {
        if let Some([x, y]) = world.positions(species).ok().as_deref() {
            agents.extend(x.iter().zip(*y).map(|(x, y)| [f64::from(*x), f64::from(*y)]));
        }
    }
    walkable_area(bounds, &closed, &solids, &agents)
}

/// All agents of a world at its tick.
pub(super) fn frame(world: &AnyWorld, unwrapped: Option<&Unwrapped>) -> Frame {
    let columns = columns(world);
    let rows = world.species().enumerate().filter_map(|(number, (species, ..))| {
        let own = world.columns(species).ok()?;
        let ids = world.ids(species).ok()?;
        let copied = |columns: Vec<&[f32]>| columns.into_iter().map(<[f32]>::to_vec).collect::<Vec<_>>();
        let positions = copied(world.positions(species).ok()?);
        let has_states = world.states(species).is_ok_and(|states| !states.is_empty());
        let state = |row: usize| world.state(species, row).map_or(0, |state| state as u32);
        let along = |unwrapped: &Unwrapped, axis: usize| -> Vec<f64> {
            ids.iter().map(|id| unwrapped.position(world, *id, axis).unwrap_or(f64::NAN)).collect()
        };
        Some(SpeciesRows {
            species: number,
            velocities: copied(world.velocities(species).ok()?),
            unwrapped: unwrapped
                .map_or(Vec::new(), |unwrapped| (0..positions.len()).map(|axis| along(unwrapped, axis)).collect()),
            positions,
            states: if has_states { (0..ids.len()).map(state).collect() } else { Vec::new() },
            columns: columns
                .iter()
                .map(|column| {
                    let own = own.iter().find(|own| own.name == column.name)?;
                    let numbers = match own.numbers {
                        ColumnSlice::F32(numbers) => Numbers::F32(numbers.to_vec()),
                        ColumnSlice::U32(numbers) => Numbers::U32(numbers.to_vec()),
                        ColumnSlice::U64(numbers) => Numbers::U64(numbers.to_vec()),
                        _ => return None,
                    };
                    Some((own.width, numbers))
                })
                .collect(),
            ids: ids.iter().map(|id| id.to_bits()).collect(),
        })
    });
    Frame { tick: world.tick(), seconds: seconds(world), species: rows.collect() }
}
