//! Walls and navigations in a snapshot.

use std::sync::Arc;

use crate::base::error::Error;
use crate::base::settings::{LIMIT, Seam};
use crate::base::values::{Allowed, Range};
use crate::environment::navigation::{Capsule, Crowd, Fields, Ground, LazyField, Shaft};
use crate::environment::region::Shape;
use crate::environment::wall::{FARTHEST, WallMotion};
use crate::environment::{Goal, Navigation, Wall, WallShape};
use crate::maths::Vector;
use crate::state::snapshot::forms::{Always, AtMostOne, Elsewhere};
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};

saved!([const D: usize] struct Wall<D> { name: Always, shape solid: Sided, velocity, open, ..blank });

/// The shape of a wall, with the solid side of a closed path.
struct Sided;

/// The sides of a path: open, closed, closed and solid, or closed and not solid.
const SIDES: [(bool, Option<bool>); 4] = [(false, None), (true, None), (true, Some(true)), (true, Some(false))];

impl Sided {
    fn save<const D: usize>((shape, solid): (&WallShape<D>, &Option<bool>), to: &mut Writer<'_>) {
        match shape {
            WallShape::Path { points, closed } => {
                let sides = SIDES.iter().position(|sides| *sides == (*closed, *solid));
                [0, sides.map_or(0, |sides| sides as u8)].save(to);
                points.save(to);
            }
            WallShape::Box { centre, half } => (1_u8, [*centre, *half]).save(to),
            WallShape::Ball { centre, radius } => (2_u8, (*centre, *radius)).save(to),
            WallShape::Plane { point, normal } => (3_u8, [*point, *normal]).save(to),
        }
    }

    fn load<const D: usize>(from: &mut Reader<'_>) -> Result<(WallShape<D>, Option<bool>), SnapshotError> {
        let shape = match from.number::<u8>()? {
            0 => {
                let sides = from.number::<u8>()?;
                let (closed, solid) = *SIDES.get(usize::from(sides)).ok_or_else(|| from.unknown("a path", sides))?;
                return Ok((WallShape::Path { points: Saved::load(from)?, closed }, solid));
            }
            1 => {
                let [centre, half] = Saved::load(from)?;
                WallShape::Box { centre, half }
            }
            2 => {
                let (centre, radius) = Saved::load(from)?;
                WallShape::Ball { centre, radius }
            }
            3 => {
                let [point, normal] = Saved::load(from)?;
                WallShape::Plane { point, normal }
            }
            other => return Err(from.unknown("the shape of a wall", other)),
        };
        Ok((shape, None))
    }
}

saved!([const D: usize] struct WallMotion<D> { offset, stood turned: Turned } check(motion, from) {
    let range = Range::from(-FARTHEST, FARTHEST);
    match motion.offset.iter().find(|offset| !range.contains(**offset)) {
        Some(&offset) => Err(Error::bad("offset of a wall", offset, Allowed::number(range, "m")).into()),
        None if motion.turned.is_some_and(|angle| !(-LIMIT..=LIMIT).contains(&angle)) => {
            Err(from.unknown("the angle of a wall", "beyond the limit"))
        }
        None => Ok(()),
    }
});

/// Whether a wall stood, and whether it has an angle, as bits; then the angle.
struct Turned;

impl Turned {
    fn save((stood, turned): (&bool, &Option<f32>), to: &mut Writer<'_>) {
        to.number(u8::from(*stood) | u8::from(turned.is_some()) << 1);
        turned.iter().for_each(|angle| angle.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<(bool, Option<f32>), SnapshotError> {
        match from.number::<u8>()? {
            bits if bits < 4 => Ok((bits & 1 == 1, if bits & 2 == 2 { Some(f32::load(from)?) } else { None })),
            other => Err(from.unknown("the motion of a wall", other)),
        }
    }
}

saved!([const D: usize] struct Navigation<D> { name, goals, clearance, cell: Always, capacity: OfGoals, ..blank });

/// A capacity as a negative number, or a positive one if there is none.
struct OfGoals;

/// Stands for no capacity.
const NO_CAPACITY: f32 = 1.3;

impl OfGoals {
    fn save(capacity: &Option<f32>, to: &mut Writer<'_>) {
        capacity.map_or(NO_CAPACITY, |capacity| -capacity).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Option<f32>, SnapshotError> {
        match f32::load(from)? {
            none if none == NO_CAPACITY => Ok(None),
            capacity => Ok(Some(-capacity)),
        }
    }
}

saved!([const D: usize] enum Goal<D> as "a goal" { 0 => Point(point), 1 => Mark(name), 2 => Region(name) });
saved!(
    struct Fields {
        current: AtMostOne,
        pending: AtMostOne,
        crowd: AtMostOne,
        next_crowd: AtMostOne,
        timed: Elsewhere,
    }
);
saved!(struct Ground {
    size, wraps seams shafts: WrapsAndJoins, cells, clearance, goals: Bounds, walls, solids
} check(ground, _from) { Ok(ground.check()?) });
saved!(struct Capsule { ends, radius });

saved!(struct Shaft { landings, half, metres } check(shaft, from) {
    let places = shaft.landings.iter().chain([&shaft.half]);
    let is_near = |at: &f32| Range::COORDINATE.contains((*at).into());
    let is_whole = shaft.landings.len().checked_mul(shaft.landings.len()) == Some(shaft.metres.len());
    let is_sound = shaft.metres.iter().all(|metres| *metres >= 0.0)
        && places.flat_map(|place| &place.0).all(is_near);
    match is_whole && is_sound && !shaft.landings.is_empty() {
        true => Ok(()),
        false => Err(from.unknown("a shaft", "landings or rides out of range")),
    }
});

/// Whether each axis wraps; before that, of a ground with shafts the number three and the shafts, and of one with seams
/// the number two and the seams.
struct WrapsAndJoins;

type Joined = ([bool; 2], Vec<Seam<2>>, Vec<Shaft>);

impl WrapsAndJoins {
    const SEAMS: u8 = 2;
    const SHAFTS: u8 = 3;

    fn save((wraps, seams, shafts): (&[bool; 2], &[Seam<2>], &[Shaft]), to: &mut Writer<'_>) {
        if !shafts.is_empty() {
            to.number(Self::SHAFTS);
            to.list(shafts.iter(), |to, shaft| shaft.save(to));
        }
        if !seams.is_empty() {
            to.number(Self::SEAMS);
            to.list(seams.iter(), |to, seam| seam.save(to));
        }
        wraps.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Joined, SnapshotError> {
        let (mut seams, mut shafts) = (Vec::new(), Vec::new());
        loop {
            match from.number::<u8>()? {
                Self::SHAFTS if shafts.is_empty() && seams.is_empty() => shafts = Vec::load(from)?,
                Self::SEAMS if seams.is_empty() => seams = Vec::load(from)?,
                first @ (0 | 1) => return Ok(([first == 1, Saved::load(from)?], seams, shafts)),
                other => return Err(from.unknown("whether an axis wraps", other)),
            }
        }
    }
}

/// The field follows from its ground.
impl Saved for Arc<LazyField> {
    fn save(&self, to: &mut Writer<'_>) {
        self.ground.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Self::new(LazyField::new(Ground::load(from)?)))
    }
}

saved!(struct Crowd { tick, squares, sums } check(crowd, from) {
    if crowd.is_whole() { Ok(()) } else { Err(from.unknown("a crowd", "squares beyond the world")) }
});

impl Saved for Arc<Crowd> {
    fn save(&self, to: &mut Writer<'_>) {
        Crowd::save(self, to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Crowd::load(from).map(Self::new)
    }
}

/// Shapes by their bounding boxes, and whether they are balls.
struct Bounds;

impl Bounds {
    fn save(shapes: &[Shape<2>], to: &mut Writer<'_>) {
        to.list(shapes.iter(), |to, shape| (matches!(shape, Shape::Ball { .. }), shape.bounds()).save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Vec<Shape<2>>, SnapshotError> {
        from.list(|from| {
            let (is_ball, (centre, half)) = <(bool, (_, Vector<2>))>::load(from)?;
            Ok(if is_ball { Shape::Ball { centre, radius: half[0] } } else { Shape::Box { centre, half } })
        })
    }
}
