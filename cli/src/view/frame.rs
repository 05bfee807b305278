//! Binary frames: positions, headings and optional layers of agents in a few bytes each.
//!
//! A position has two bytes per axis, a heading one byte (two in 3D), a value of the colour one byte. All numbers are
//! little-endian. The head, then the parts in this order:
//!
//! | byte | type | what |
//! |---|---|---|
//! | 0 | u8 | version of this layout: 2 |
//! | 1 | u8 | dimensions D |
//! | 2 | u16 | number of species S |
//! | 4 | u32 | number of agents N |
//! | 8 | f64 | tick |
//! | 16 | u32 | number of the frame: a gap is a frame that was dropped |
//! | 20 | u32 | number of the world: another one after a reset |
//! | 24 | 3 × f32 | position encoded as 0, in metres |
//! | 36 | 3 × f32 | position encoded as 65535, in metres |
//! | 48 | u32 | layers: 1 for radii, 2 for values, 4 for forces |
//! | 52 | 2 × f32 | value encoded as 0, and as 254; 255 marks a missing value |
//! | 60 | f32 | force encoded as 127, in newtons |
//! | 64 | u32 | agents per force: every agent whose number this divides has one |
//! | 68 | S × (u32, f32) | agents of each species, in this order, and their largest radius in metres |
//! | 68 + 8 S | N × D × u16 | positions |
//! | … | N × (D − 1) × u8 | headings: the angle in 1/256 of a turn; in 3D also the slope, from −90° (0) to 90° (255) |
//! | … | N × u8 | radii, as shares of the largest of the species (255), if they differ |
//! | … | N × u8 | values |
//! | … | D × i8 each | forces |

use throng::{Agents, Edge, Vector, World};

use super::shade::Values;

/// The version of the layout.
const VERSION: u8 = 2;
/// The most forces of a frame.
const MAX_FORCES: usize = 2000;

/// The contents of a frame beside positions and headings.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) values: Option<Values>,
    /// Whether the frame has forces.
    pub(crate) forces: bool,
}

/// Encodes the world's agents as a frame.
pub(crate) fn encode<const D: usize>(world: &World<D>, serial: u32, number: u32, layers: &Layers) -> Vec<u8> {
    let species: Vec<&Agents<D>> = world.all().collect();
    let (low, high) = bounds(world, &species);
    let agents: usize = species.iter().map(|agents| agents.len()).sum();
    let radii: Vec<(f32, bool)> = species.iter().map(|agents| largest_radius(agents)).collect();
    let varied = radii.iter().any(|(_, varied)| *varied);
    let stride = agents.div_ceil(MAX_FORCES).max(1);
    let forces = if layers.forces { forces(world, stride) } else { Vec::new() };
    let strongest =
        forces.iter().flat_map(|force| force.0).fold(0.0, |most, at| if at.abs() > most { at.abs() } else { most });

    let mut bytes = Vec::with_capacity(68 + 8 * species.len() + agents * (3 * D + 1) + forces.len() * D);
    bytes.extend([VERSION, D as u8]);
    bytes.extend((species.len() as u16).to_le_bytes());
    bytes.extend((agents as u32).to_le_bytes());
    bytes.extend((world.tick() as f64).to_le_bytes());
    bytes.extend(serial.to_le_bytes());
    bytes.extend(number.to_le_bytes());
    for corner in [low, high] {
        for axis in 0..3 {
            let at = if axis < D { corner[axis] } else { 0.0 };
            bytes.extend(at.to_le_bytes());
        }
    }
    let held = u32::from(varied) | u32::from(layers.values.is_some()) << 1 | u32::from(layers.forces) << 2;
    bytes.extend(held.to_le_bytes());
    let scale = layers.values.as_ref().map_or([0.0; 2], |values| [values.low, values.high]);
    scale.into_iter().chain([strongest]).for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend((stride as u32).to_le_bytes());
    for (agents, (radius, _)) in species.iter().zip(&radii) {
        bytes.extend((agents.len() as u32).to_le_bytes());
        bytes.extend(radius.to_le_bytes());
    }
    let scale = Vector::<D>::from_fn(|axis| 65535.0 / (high[axis] - low[axis]));
    for agents in &species {
        let columns = agents.positions();
        for row in 0..agents.len() {
            for axis in 0..D {
                // The conversion saturates.
                let at = ((columns[axis][row] - low[axis]) * scale[axis] + 0.5) as u16;
                bytes.extend(at.to_le_bytes());
            }
        }
    }
    for agents in &species {
        let columns = agents.velocities();
        for row in 0..agents.len() {
            let (x, y) = (columns[0][row], columns[1][row]);
            bytes.push(turn(x, y));
            if D == 3 {
                // A slope is an angle from -1/4 to 1/4 of a turn.
                let slope = angle((x * x + y * y).sqrt(), columns[D - 1][row]);
                bytes.push((slope * (255.0 * 2.0) + 127.5 + 0.5) as u8);
            }
        }
    }
    if varied {
        for (agents, (most, _)) in species.iter().zip(&radii) {
            bytes.extend((0..agents.len()).map(|row| (agents.radius(row) / most * 255.0 + 0.5) as u8));
        }
    }
    if let Some(values) = &layers.values {
        bytes.extend(&values.bytes);
    }
    for force in &forces {
        let scale = if strongest > 0.0 { 127.0 / strongest } else { 0.0 };
        bytes.extend(force.0.map(|at| (at * scale) as i8 as u8));
    }
    bytes
}

/// The largest radius of a species, and whether its agents differ.
fn largest_radius<const D: usize>(agents: &Agents<D>) -> (f32, bool) {
    let first = if agents.is_empty() { 0.0 } else { agents.radius(0) };
    (0..agents.len()).map(|row| agents.radius(row)).fold((first, false), |(most, varied), radius| {
        (if radius > most { radius } else { most }, varied || radius != first)
    })
}

/// The forces of the last tick on every agent whose number, over all species, `stride` divides.
fn forces<const D: usize>(world: &World<D>, stride: usize) -> Vec<Vector<D>> {
    let mut forces = Vec::new();
    let mut before = 0;
    for (id, agents) in world.species_ids().zip(world.all()) {
        let columns = world.steering(id).ok();
        let first = (stride - before % stride) % stride;
        forces.extend((first..agents.len()).step_by(stride).map(|row| {
            // An agent that was added after the last tick has no force yet.
            Vector::from_fn(|axis| columns.and_then(|columns| columns[axis].get(row).copied()).unwrap_or(0.0))
        }));
        before += agents.len();
    }
    forces
}

/// Returns the two ends of the scale: the corners of the world, widened to hold all agents on open axes.
fn bounds<const D: usize>(world: &World<D>, species: &[&Agents<D>]) -> (Vector<D>, Vector<D>) {
    let settings = world.settings();
    let (mut low, mut high) = (Vector::ZERO, settings.size);
    for agents in species {
        for (axis, column) in agents.positions().into_iter().enumerate() {
            if settings.edge[axis] == Edge::Open {
                for &at in column {
                    low[axis] = if at < low[axis] { at } else { low[axis] };
                    high[axis] = if at > high[axis] { at } else { high[axis] };
                }
            }
        }
    }
    (low, high)
}

/// The angle of a vector in 1/256 of a turn, anticlockwise from the x axis.
fn turn(x: f32, y: f32) -> u8 {
    (angle(x, y) * 256.0 + 256.5) as u32 as u8
}

/// The angle of a vector in turns, from -1/2 to 1/2. The error is at most a thousandth; the speed is many times that of
/// the standard library, which matters with a million agents.
fn angle(x: f32, y: f32) -> f32 {
    let (wide, high) = (x.abs(), y.abs());
    let (small, large) = if wide > high { (high, wide) } else { (wide, high) };
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    let square = ratio * ratio;
    // The polynomial returns radians.
    let eighth = ((-0.046_496_475 * square + 0.159_314_22) * square - 0.327_622_76) * square * ratio + ratio;
    let mut turns = eighth * (0.5 / std::f32::consts::PI);
    turns = if high > wide { 0.25 - turns } else { turns };
    turns = if x < 0.0 { 0.5 - turns } else { turns };
    if y < 0.0 { -turns } else { turns }
}

#[cfg(test)]
mod tests {
    use throng::{Settings, Species};

    use super::*;

    #[test]
    fn headings_are_right_within_a_step_of_256() {
        for degrees in 0..360 {
            let exact = f64::from(degrees).to_radians();
            let byte = f64::from(turn(exact.cos() as f32 * 3.0, exact.sin() as f32 * 3.0));
            let wrong = (byte / 256.0 * 360.0 - f64::from(degrees) + 540.0) % 360.0 - 180.0;
            assert!(wrong.abs() < 1.2, "{degrees}: {wrong}");
        }
        assert_eq!(turn(0.0, 0.0), 0);
    }

    #[test]
    fn a_frame_is_five_bytes_per_agent_and_eight_in_space() {
        fn frame<const D: usize>() -> Vec<u8> {
            let size = Vector::splat(100.0);
            let mut world = World::<D>::new(Settings { size, ..Settings::default() }).unwrap();
            let species = world.add_species(Species::new("starling")).unwrap();
            for number in 0..10 {
                world
                    .spawn(
                        species,
                        Vector::splat(number as f32 * 10.0),
                        Vector::from_fn(|axis| if axis == 1 { 1.0 } else { 0.0 }),
                    )
                    .unwrap();
            }
            encode(&world, 3, 1, &Layers::default())
        }
        let (flat, space) = (frame::<2>(), frame::<3>());
        assert_eq!((flat.len(), space.len()), (76 + 50, 76 + 80));
        assert_eq!(u16::from_le_bytes([flat[80], flat[81]]), 6554);
        assert_eq!(flat[76 + 40], 64);
        assert_eq!(&space[76 + 60..76 + 62], [64, 128]);
    }
}
