//! Headings and frames of trajectories of a world, for the encoders of throng-formats, and tracks of trajectories.

use throng::columns::ColumnSlice;
use throng::maths::sin_cos;
use throng::{AnyWorld, WallShape, with_world};
use throng_formats::trajectory::{
    ColumnHeading, Frame, Heading, NumberKind, Numbers, SpeciesHeading, SpeciesRows, Walls, shortest, walkable_area,
};

use crate::storeys::Storeys;

pub use crate::recorded_tracks::{RecordedTracks, TrackOptions, TrackRow};

/// The number of corners of a disc in a walkable area.
const CORNERS: u32 = 32;

/// The heading of a trajectory of a world at its start, with a frame every this many ticks. `people` are the species, by
/// their numbers, whose agents stand on the ground.
///
/// ```
/// use throng::{AnyWorld, Settings};
/// use throng_scenario::trajectories::{frame, heading};
///
/// let world = AnyWorld::new(2, Settings::default())?;
/// let heading = heading("hall", &world, 4, &[]);
/// assert_eq!((&heading.scenario[..], heading.every, frame(&world).agents()), ("hall", 4, 0));
/// # Ok::<(), throng::Error>(())
/// ```
#[must_use]
pub fn heading(scenario: &str, world: &AnyWorld, every: u64, people: &[bool]) -> Heading {
    let settings = world.settings();
    let high = [0, 1].map(|axis| settings.size.0.get(axis).map_or(0.0, |extent| shortest(*extent)));
    let bounds = [[0.0; 2], high];
    Heading {
        scenario: scenario.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: settings.seed,
        tick_seconds: shortest(settings.tick_seconds),
        every,
        dimensions: world.dimensions(),
        bounds,
        walkable: walkable(world, bounds),
        species: with_world!(world, world => world.all_agents().iter().map(|agents| {
            let states = world.species(agents.species()).map_or(&[][..], |species| &species.states);
            SpeciesHeading {
                name: agents.name().to_owned(),
                states: states.iter().map(|state| state.name.clone()).collect(),
                is_people: people.get(agents.species().number()).copied().unwrap_or(false),
            }
        }).collect()),
        unwrapped: false,
        columns: columns(world),
    }
}

/// The columns of all species, each as wide as in the widest.
fn columns(world: &AnyWorld) -> Vec<ColumnHeading> {
    let mut columns: Vec<ColumnHeading> = Vec::new();
    for (species, ..) in world.all_species() {
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
            let (sine, cosine) = sin_cos(number as f32 * std::f32::consts::TAU / CORNERS as f32);
            [centre[0] + radius * f64::from(cosine), centre[1] + radius * f64::from(sine)]
        };
        (0..CORNERS).map(corner).collect()
    };
    let mut walls = Walls::default();
    let environment = flat.environment();
    for wall in environment.walls.items() {
        match &wall.shape {
            WallShape::Path { points, closed } => {
                let all = if *closed { &mut walls.closed } else { &mut walls.open };
                all.push(points.iter().map(point).collect());
            }
            WallShape::Box { centre, half } => {
                let ([x, y], [dx, dy]) = (point(centre), point(half));
                walls.solids.push(vec![[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]]);
            }
            WallShape::Ball { centre, radius } => walls.solids.push(disc(point(centre), shortest(*radius))),
            _ => {}
        }
    }
    for obstacle in environment.obstacles.items() {
        walls.solids.push(disc(point(&obstacle.centre), shortest(obstacle.radius)));
    }
    let mut agents = Vec::new();
    for (species, ..) in world.all_species() {
        if let Some([x, y]) = world.positions(species).ok().as_deref() {
            agents.extend(x.iter().zip(*y).map(|(x, y)| [f64::from(*x), f64::from(*y)]));
        }
    }
    walkable_area(bounds, &walls, &agents)
}

/// The heading of a trajectory with places in a building: the plan and the height.
#[must_use]
pub fn heading_in(storeys: &Storeys, heading: Heading) -> Heading {
    let bounds = [[0.0; 2], storeys.size.map(shortest)];
    Heading { dimensions: 3, bounds, walkable: String::new(), unwrapped: false, ..heading }
}

/// A frame with the places of agents in a building.
#[must_use]
pub fn frame_in(storeys: &Storeys, mut frame: Frame) -> Frame {
    for rows in &mut frame.species {
        rows.unwrapped.clear();
        let [x, y] = &rows.positions[..] else { continue };
        let place = |(&x, &y): (&f32, &f32)| {
            let place = storeys.locate([x, y]);
            place.map_or([x, y, 0.0], |place| [place.plan[0], place.plan[1], place.elevation])
        };
        let places: Vec<[f32; 3]> = x.iter().zip(y).map(place).collect();
        rows.positions = (0..3).map(|axis| places.iter().map(|place| place[axis]).collect()).collect();
        rows.velocities.push(vec![0.0; places.len()]);
    }
    frame
}

/// All agents of a world at its tick, without unwrapped positions, radii and colours.
#[must_use]
pub fn frame(world: &AnyWorld) -> Frame {
    let columns = columns(world);
    let rows = world.all_species().filter_map(|(species, ..)| {
        let own = world.columns(species).ok()?;
        let ids = world.ids(species).ok()?;
        let copied = |columns: Vec<&[f32]>| columns.into_iter().map(<[f32]>::to_vec).collect::<Vec<_>>();
        let has_states = world.states(species).is_ok_and(|states| !states.is_empty());
        let state = |row: usize| world.state(species, row).map_or(0, |state| state as u32);
        Some(SpeciesRows {
            species: species.number(),
            positions: copied(world.positions(species).ok()?),
            velocities: copied(world.velocities(species).ok()?),
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
            ..SpeciesRows::default()
        })
    });
    let seconds = with_world!(world, world => world.decimal_seconds());
    Frame { tick: world.tick(), seconds, species: rows.collect() }
}
