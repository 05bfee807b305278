//! Binary frames of positions and headings: two bytes per axis, and one byte for the heading (two in 3D).
//!
//! All numbers are little-endian. The head, then all positions, then all headings:
//!
//! | byte | type | what |
//! |---|---|---|
//! | 0 | u8 | version of this layout: 1 |
//! | 1 | u8 | dimensions D |
//! | 2 | u16 | number of species S |
//! | 4 | u32 | number of agents N |
//! | 8 | f64 | tick |
//! | 16 | u32 | number of the frame: a gap is a frame that was dropped |
//! | 20 | u32 | number of the world: another one after a reset |
//! | 24 | 3 × f32 | position encoded as 0, in metres |
//! | 36 | 3 × f32 | position encoded as 65535, in metres |
//! | 48 | S × u32 | agents of each species, in this order |
//! | 48 + 4 S | N × D × u16 | positions |
//! | … | N × (D − 1) × u8 | headings: the angle in 1/256 of a turn; in 3D also the slope, from −90° (0) to 90° (255) |

use throng::{Agents, Edge, Vector, World};

/// The version of the layout.
const VERSION: u8 = 1;

/// Encodes the world's positions and headings as a frame.
pub(crate) fn encode<const D: usize>(world: &World<D>, serial: u32, number: u32) -> Vec<u8> {
    let species: Vec<&Agents<D>> = world.species_ids().filter_map(|id| world.agents(id).ok()).collect();
    let (low, high) = bounds(world, &species);
    let agents: usize = species.iter().map(|agents| agents.len()).sum();
    let mut bytes = Vec::with_capacity(48 + 4 * species.len() + agents * (3 * D - 1));
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
    for agents in &species {
        bytes.extend((agents.len() as u32).to_le_bytes());
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
    bytes
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
            encode(&world, 3, 1)
        }
        let (flat, space) = (frame::<2>(), frame::<3>());
        assert_eq!((flat.len(), space.len()), (52 + 50, 52 + 80));
        assert_eq!(u16::from_le_bytes([flat[56], flat[57]]), 6554);
        assert_eq!(flat[52 + 40], 64);
        assert_eq!(&space[52 + 60..52 + 62], [64, 128]);
    }
}
