//! Binary frames: positions, headings and optional layers of agents in a few bytes each.
//!
//! A position has two bytes per axis, a heading one byte (two in 3D), a value of the colour one byte. All numbers are
//! little-endian. The head, then the parts in this order:
//!
//! | byte | type | what |
//! |---|---|---|
//! | 0 | u8 | version of this layout: 3 |
//! | 1 | u8 | dimensions D |
//! | 2 | u16 | number of species S |
//! | 4 | u32 | number of agents N |
//! | 8 | f64 | tick |
//! | 16 | u32 | number of the frame: a gap is a frame that was dropped |
//! | 20 | u32 | number of the world: another one after a reset |
//! | 24 | 3 × f32 | position encoded as 0, in metres |
//! | 36 | 3 × f32 | position encoded as 65535, in metres |
//! | 48 | u32 | layers: 1 for radii, 2 for values, 4 for forces, 8 for ids |
//! | 52 | 2 × f32 | value encoded as 0, and as 254; 255 marks a missing value |
//! | 60 | f32 | force encoded as 127, in newtons |
//! | 64 | u32 | agents per force: every agent whose number this divides has one |
//! | 68 | S × (u32, f32) | agents of each species, in this order, and their largest radius in metres |
//! | 68 + 8 S | N × D × u16 | positions |
//! | … | N × (D − 1) × u8 | headings: the angle in 1/256 of a turn; in 3D also the slope, from −90° (0) to 90° (255) |
//! | … | N × u8 | radii, as shares of the largest of the species (255), if they differ |
//! | … | N × u8 | values |
//! | … | D × i8 each | forces |
//! | … | N × u32 | ids: the slot, times 256, and the last byte of the generation; in any alignment |

use super::contents::{Contents, Radii};

/// The most agents of a frame with ids, by which the page joins the places of one agent in two frames.
const MOST_IDS: usize = 200_000;

/// The version of the layout.
const VERSION: u8 = 3;

/// Encodes a frame.
#[must_use]
pub fn encode(contents: &Contents<'_>, serial: u32, number: u32) -> Vec<u8> {
    let Contents { dimensions, tick, low, high, ref species, ref values, ref forces } = *contents;
    let agents = contents.agents();
    let radii: Vec<f32> = species.iter().map(|rows| rows.radii.largest()).collect();
    let varied = species.iter().any(|rows| matches!(rows.radii, Radii::Each(_)));
    let (stride, forces) = forces.as_ref().map_or((1, None), |forces| (forces.stride, Some(&forces.forces)));
    let components = forces.into_iter().flatten().flatten();
    let strongest = components.fold(0.0, |most, at| if at.abs() > most { at.abs() } else { most });

    let named = agents <= MOST_IDS;
    let room = 68 + 8 * species.len() + agents * (3 * dimensions + 5) + forces.map_or(0, Vec::len) * dimensions;
    let mut bytes = Vec::with_capacity(room);
    bytes.extend([VERSION, dimensions as u8]);
    bytes.extend((species.len() as u16).to_le_bytes());
    bytes.extend((agents as u32).to_le_bytes());
    bytes.extend((tick as f64).to_le_bytes());
    bytes.extend(serial.to_le_bytes());
    bytes.extend(number.to_le_bytes());
    low.into_iter().chain(high).for_each(|at| bytes.extend(at.to_le_bytes()));
    let held =
        u32::from(varied) | u32::from(values.is_some()) << 1 | u32::from(forces.is_some()) << 2 | u32::from(named) << 3;
    bytes.extend(held.to_le_bytes());
    let scale = values.as_ref().map_or([0.0; 2], |values| [values.low, values.high]);
    scale.into_iter().chain([strongest]).for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend((stride as u32).to_le_bytes());
    for (rows, radius) in species.iter().zip(&radii) {
        bytes.extend((rows.len() as u32).to_le_bytes());
        bytes.extend(radius.to_le_bytes());
    }
    match dimensions {
        2 => places::<2>(contents, &mut bytes),
        _ => places::<3>(contents, &mut bytes),
    }
    if varied {
        for (rows, most) in species.iter().zip(&radii) {
            let share = |radius: f32| (radius / most * 255.0 + 0.5) as u8;
            match &rows.radii {
                Radii::Same(_) => bytes.extend(std::iter::repeat_n(u8::MAX, rows.len())),
                Radii::Each(radii) => bytes.extend(radii.iter().map(|&radius| share(radius))),
            }
        }
    }
    if let Some(values) = values {
        bytes.extend(&values.bytes);
    }
    let scale = if strongest > 0.0 { 127.0 / strongest } else { 0.0 };
    for force in forces.into_iter().flatten() {
        bytes.extend(force.iter().take(dimensions).map(|at| (at * scale) as i8 as u8));
    }
    if named {
        let ids = species.iter().flat_map(|rows| rows.ids).map(|id| id.to_bits());
        ids.for_each(|id| bytes.extend(((id as u32) << 8 | (id >> 32) as u32 & 0xff).to_le_bytes()));
    }
    bytes
}

/// Appends the positions and the headings of all agents.
fn places<const D: usize>(contents: &Contents<'_>, bytes: &mut Vec<u8>) {
    let Contents { low, high, ref species, .. } = *contents;
    let scale: [f32; D] = std::array::from_fn(|axis| 65535.0 / (high[axis] - low[axis]));
    for rows in species {
        let columns: [&[f32]; D] = std::array::from_fn(|axis| rows.positions[axis]);
        for row in 0..rows.len() {
            for axis in 0..D {
                // The conversion saturates.
                let at = ((columns[axis][row] - low[axis]) * scale[axis] + 0.5) as u16;
                bytes.extend(at.to_le_bytes());
            }
        }
    }
    for rows in species {
        let columns: [&[f32]; D] = std::array::from_fn(|axis| rows.velocities[axis]);
        for row in 0..rows.len() {
            let (x, y) = (columns[0][row], columns[1][row]);
            bytes.push(turn(x, y));
            if D == 3 {
                // A slope is an angle from -1/4 to 1/4 of a turn.
                let slope = angle((x * x + y * y).sqrt(), columns[D - 1][row]);
                bytes.push((slope * (255.0 * 2.0) + 127.5 + 0.5) as u8);
            }
        }
    }
}

/// The angle of a vector in 1/256 of a turn, anticlockwise from the x axis.
fn turn(x: f32, y: f32) -> u8 {
    (angle(x, y) * 256.0 + 256.5) as u32 as u8
}

/// The angle of a vector in turns, from -1/2 to 1/2. The error is at most a thousandth; it is many times faster than
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
    use throng::{Settings, Species, Vector, World};

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
    fn a_frame_is_nine_bytes_per_agent_and_twelve_in_space() {
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
            encode(&Contents::of(&world, None, false), 3, 1)
        }
        let (flat, space) = (frame::<2>(), frame::<3>());
        assert_eq!((flat.len(), space.len()), (76 + 90, 76 + 120));
        assert_eq!(u16::from_le_bytes([flat[80], flat[81]]), 6554);
        assert_eq!(flat[76 + 40], 64);
        assert_eq!(&space[76 + 60..76 + 62], [64, 128]);
        assert_eq!(&flat[76 + 54..76 + 62], [0, 1, 0, 0, 0, 2, 0, 0], "ids follow");
    }
}
