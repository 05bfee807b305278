//! Encoding and decoding of walls with their handles and their motion.

use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Range};
use crate::environment::handles::Collection;
use crate::environment::wall::{FARTHEST, WallMotion};
use crate::environment::{Wall, WallId, WallShape};
use crate::state::snapshot::environment::{read_all, write_all};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, walls: &Collection<WallId, Wall<D>>) {
    write_all(to, walls, |to, wall, motion| {
        to.flag(wall.name.is_some());
        to.text(wall.name.as_deref().unwrap_or_default());
        write_shape(to, &wall.shape, wall.solid);
        to.vector(wall.velocity);
        to.list(wall.open.iter(), |to, ends| ends.iter().for_each(|&end| to.f32(end)));
        motion.offset.iter().for_each(|offset| to.u64(offset.to_bits()));
        to.u8(u8::from(motion.stood) | u8::from(motion.turned.is_some()) << 1);
        motion.turned.iter().for_each(|&angle| to.f32(angle));
    });
}

pub(crate) fn read<const D: usize>(from: &mut Reader<'_>) -> Result<Collection<WallId, Wall<D>>, SnapshotError> {
    read_all(from, |from| {
        let (named, name) = (from.flag()?, from.text()?);
        let (shape, solid) = read_shape(from)?;
        let velocity = from.vector()?;
        let open = from.list(|from| Ok([from.f32()?, from.f32()?]))?;
        let mut offset = [0.0; D];
        let range = Range::from(-FARTHEST, FARTHEST);
        for offset in &mut offset {
            *offset = f64::from_bits(from.u64()?);
            if !range.contains(*offset) {
                return Err(Error::bad("offset of a wall", *offset, Allowed::number(range, "m")).into());
            }
        }
        let wall = Wall { name: named.then_some(name), shape, velocity, open, solid };
        let (stood, is_driven) = match from.u8()? {
            bits if bits < 4 => (bits & 1 == 1, bits & 2 == 2),
            other => return Err(from.unknown("the motion of a wall", other)),
        };
        let turned = if is_driven { Some(from.f32()?) } else { None };
        if turned.is_some_and(|angle| !(-LIMIT..=LIMIT).contains(&angle)) {
            return Err(from.unknown("the angle of a wall", "beyond the limit"));
        }
        Ok((wall, WallMotion { offset, stood, turned }))
    })
}

/// The sides of a path: open, closed, closed and solid, or closed and not solid.
const SIDES: [(bool, Option<bool>); 4] = [(false, None), (true, None), (true, Some(true)), (true, Some(false))];

fn write_shape<const D: usize>(to: &mut Writer<'_>, shape: &WallShape<D>, solid: Option<bool>) {
    match shape {
        WallShape::Path { points, closed } => {
            to.u8(0);
            to.u8(SIDES.iter().position(|sides| *sides == (*closed, solid)).map_or(0, |sides| sides as u8));
            to.list(points.iter(), |to, &point| to.vector(point));
        }
        WallShape::Box { centre, half } => {
            to.u8(1);
            to.vector(*centre);
            to.vector(*half);
        }
        WallShape::Ball { centre, radius } => {
            to.u8(2);
            to.vector(*centre);
            to.f32(*radius);
        }
        WallShape::Plane { point, normal } => {
            to.u8(3);
            to.vector(*point);
            to.vector(*normal);
        }
    }
}

fn read_shape<const D: usize>(from: &mut Reader<'_>) -> Result<(WallShape<D>, Option<bool>), SnapshotError> {
    let shape = match from.u8()? {
        0 => {
            let sides = from.u8()?;
            let (closed, solid) = *SIDES.get(usize::from(sides)).ok_or_else(|| from.unknown("a path", sides))?;
            return Ok((WallShape::Path { points: from.list(|from| from.vector())?, closed }, solid));
        }
        1 => WallShape::Box { centre: from.vector()?, half: from.vector()? },
        2 => WallShape::Ball { centre: from.vector()?, radius: from.f32()? },
        3 => WallShape::Plane { point: from.vector()?, normal: from.vector()? },
        other => return Err(from.unknown("the shape of a wall", other)),
    };
    Ok((shape, None))
}
