//! Eight agents that lean on walls at rest: each touches one segment already, and reaches no other.
//!
//! The lanes do the operations of the stage collide for one agent, in the same order, so the bits are equal. A lane in
//! which anything else happens (another contact, a rounding that may decide the side of the wall) is left to the stage.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask, f64x8, mask64x8};

use crate::kernels::simd::{Ordered, Truth, dispatch};

/// The number of agents.
pub(crate) const LEANING: usize = 8;

/// Passes in which a contact is sought, and in which a body is pushed off the wall.
const CONTACT_PASSES: usize = 3;
const PUSH_PASSES: usize = 2;

/// The share of its terms above which the sign of a determinant is certain: more than the share of the exact test.
const CERTAIN: f64 = 1e-15;

type Numbers = [f64; LEANING];

/// The agents, the segments near them and their distances in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaning {
    pub(crate) start: [Numbers; 2],
    pub(crate) end: [Numbers; 2],
    pub(crate) velocity: [Numbers; 2],
    /// The ends of the segments.
    pub(crate) ends: [[Numbers; 2]; 2],
    pub(crate) radius: Numbers,
    pub(crate) skin: Numbers,
    pub(crate) touch: Numbers,
    /// The distance of all other walls from the start.
    pub(crate) others: Numbers,
}

/// The outcome per agent, as bit sets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leant {
    /// Nothing: walls are beyond their reach, at this distance from where they go or more.
    pub(crate) clear: u8,
    pub(crate) gap: Numbers,
    /// Nothing: they touch the wall, and move along it or away.
    pub(crate) unchanged: u8,
    /// They are stopped with this position and velocity.
    pub(crate) stopped: u8,
    pub(crate) position: [Numbers; 2],
    pub(crate) velocity: [Numbers; 2],
}

/// Moves the agents.
pub(crate) fn lean(level: Level, agents: &Leaning) -> Leant {
    dispatch!(level, simd => lean_lanes(simd, agents))
}

type Wide<S> = [f64x8<S>; 2];

#[inline(always)]
fn lean_lanes<S: Simd>(simd: S, agents: &Leaning) -> Leant {
    let number = |number: f64| f64x8::splat(simd, number);
    let load = |numbers: &Numbers| f64x8::from_slice(simd, numbers);
    let point = |[x, y]: &[Numbers; 2]| [load(x), load(y)];
    let (zero, one) = (number(0.0), number(1.0));
    let (start, end, velocity) = (point(&agents.start), point(&agents.end), point(&agents.velocity));
    let (radius, skin, touch) = (load(&agents.radius), load(&agents.skin), load(&agents.touch));
    let others = load(&agents.others);
    let wall = Segment { a: point(&agents.ends[0]), b: point(&agents.ends[1]) };
    let (path, at_start, at_end) = (sub(end, start), wall.nearest(start), wall.nearest(end));
    let side = wall.sides(start, end);
    let is_apart = at_end.distance.ge(radius);
    let is_clear = is_apart & side.apart;
    let is_far = is_clear & at_end.distance.gt(touch);
    // An agent on the wall has no side, and one that did not touch it collides with it.
    let mut known = at_start.distance.gt(skin * number(1e-3))
        & (side.apart | side.across | !is_apart)
        & (is_far | at_start.distance.le(touch));

    let clearance = radius + skin;
    let reach = at_start.distance.lt(clearance).choose(at_start.distance, clearance);
    let speed = length(path);
    let tolerance = number(1e-9) * (reach + number(1e-3) * speed);
    let (mut share, mut near) = (zero, at_start);
    let mut seeks = known & !is_clear;
    let (mut hits, mut normal) = (!(one.equals(one)), [zero; 2]);
    for _ in 0..CONTACT_PASSES {
        let closing = -dot(path, near.normal);
        seeks &= closing.gt(number(1e-9) * speed);
        let gap = near.distance - reach;
        let meets = seeks & gap.le(tolerance);
        hits |= meets;
        normal = select(meets, near.normal, normal);
        seeks &= !meets;
        share = seeks.choose(share + gap / closing, share);
        seeks &= share.le(one);
        if !seeks.any_true() {
            break;
        }
        near = wall.nearest(add(start, scaled(path, share)));
    }
    known &= !seeks;

    let time = hits.choose(share, zero);
    let at = scaled(path, time);
    let motion = select(hits, without(path, normal), path);
    let onward = -dot(motion, normal);
    known &= !(hits & onward.gt(number(1e-9) * length(motion)));
    let mut by = add(at, scaled(motion, one - time));
    let (mut is_pushed, mut farthest) = (known & !is_clear, speed);
    for _ in 0..PUSH_PASSES {
        let Nearest { distance, normal } = wall.nearest(add(start, by));
        is_pushed &= distance.lt(radius + number(0.25) * skin);
        if !is_pushed.any_true() {
            break;
        }
        known &= !(is_pushed & distance.le(zero));
        by = select(is_pushed, add(by, scaled(normal, clearance - distance)), by);
        let gone = length(by);
        farthest = gone.gt(farthest).choose(gone, farthest);
    }
    if is_pushed.any_true() {
        let distance = wall.nearest(add(start, by)).distance;
        known &= !(is_pushed & distance.lt(radius + number(0.25) * skin));
    }

    // Wherever an agent might go until here, other walls were too far away to matter.
    known &= others.gt(farthest + touch + skin);
    let position = add(start, by).map(rounded);
    known &= is_clear | wall.sides(start, position).apart;
    let at_end = select_nearest(is_clear, at_end, wall.nearest(position));
    let touches = at_end.distance.le(touch) & at_end.distance.gt(zero);
    let mut along = velocity;
    for _ in 0..2 {
        along = select(hits, without(along, normal), along);
        along = select(touches, without(along, at_end.normal), along);
    }
    let bits = |mask: mask64x8<S>| mask.to_bitmask() as u8;
    let mut leant = Leant {
        clear: bits(known & is_far),
        unchanged: bits(known & is_clear & !is_far),
        stopped: bits(known & !is_clear),
        ..Leant::default()
    };
    at_end.distance.lt(others).choose(at_end.distance, others).store_slice(&mut leant.gap);
    for axis in 0..2 {
        position[axis].store_slice(&mut leant.position[axis]);
        along[axis].store_slice(&mut leant.velocity[axis]);
    }
    leant
}

/// The nearest points of eight walls.
#[derive(Clone, Copy)]
struct Nearest<S: Simd> {
    distance: f64x8<S>,
    normal: Wide<S>,
}

/// Whether eight paths surely pass beside walls, or surely lead across.
struct Sides<S: Simd> {
    apart: mask64x8<S>,
    across: mask64x8<S>,
}

/// Eight segments, from `a` to `b`.
struct Segment<S: Simd> {
    a: Wide<S>,
    b: Wide<S>,
}

impl<S: Simd> Segment<S> {
    /// The operations of `Piece::nearest`, for points that are not on the segment.
    #[inline(always)]
    fn nearest(&self, point: Wide<S>) -> Nearest<S> {
        let simd = point[0].simd;
        let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
        let (along, from) = (sub(self.b, self.a), sub(point, self.a));
        let share = dot(from, along) / dot(along, along);
        let share = share.gt(one).choose(one, share);
        let share = share.lt(zero).choose(zero, share);
        let off = sub(from, scaled(along, share));
        let distance = length(off);
        Nearest { distance, normal: scaled(off, one / distance) }
    }

    /// On which sides of each other a segment and a chord have their ends.
    #[inline(always)]
    fn sides(&self, p: Wide<S>, q: Wide<S>) -> Sides<S> {
        let (of_p, of_q) = (turn(self.a, self.b, p), turn(self.a, self.b, q));
        let (of_a, of_b) = (turn(p, q, self.a), turn(p, q, self.b));
        let same = |[left, right]: [mask64x8<S>; 2], [other_left, other_right]: [mask64x8<S>; 2]| {
            (left & other_left) | (right & other_right)
        };
        let apart = same(of_p, of_q) | same(of_a, of_b);
        let across = same(of_p, [of_q[1], of_q[0]]) & same(of_a, [of_b[1], of_b[0]]);
        Sides { apart, across }
    }
}

/// Whether `c` is surely on the left of the line from `a` to `b`, and whether it is surely on the right.
#[inline(always)]
fn turn<S: Simd>(a: Wide<S>, b: Wide<S>, c: Wide<S>) -> [mask64x8<S>; 2] {
    let simd = a[0].simd;
    let (left, right) = ((a[0] - c[0]) * (b[1] - c[1]), (a[1] - c[1]) * (b[0] - c[0]));
    let (sign, bound) = (left - right, (left.abs() + right.abs()) * f64x8::splat(simd, CERTAIN));
    [sign.gt(bound), sign.lt(-bound)]
}

#[inline(always)]
fn add<S: Simd>(a: Wide<S>, b: Wide<S>) -> Wide<S> {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
fn sub<S: Simd>(a: Wide<S>, b: Wide<S>) -> Wide<S> {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn scaled<S: Simd>(a: Wide<S>, by: f64x8<S>) -> Wide<S> {
    [a[0] * by, a[1] * by]
}

#[inline(always)]
fn dot<S: Simd>(a: Wide<S>, b: Wide<S>) -> f64x8<S> {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn length<S: Simd>(a: Wide<S>) -> f64x8<S> {
    dot(a, a).sqrt()
}

/// A motion without its part into a wall at rest.
#[inline(always)]
fn without<S: Simd>(motion: Wide<S>, normal: Wide<S>) -> Wide<S> {
    let into = dot(motion, normal);
    select(into.lt(f64x8::splat(into.simd, 0.0)), sub(motion, scaled(normal, into)), motion)
}

#[inline(always)]
fn select<S: Simd>(mask: mask64x8<S>, a: Wide<S>, b: Wide<S>) -> Wide<S> {
    [mask.choose(a[0], b[0]), mask.choose(a[1], b[1])]
}

#[inline(always)]
fn select_nearest<S: Simd>(mask: mask64x8<S>, a: Nearest<S>, b: Nearest<S>) -> Nearest<S> {
    Nearest { distance: mask.choose(a.distance, b.distance), normal: select(mask, a.normal, b.normal) }
}

/// The numbers rounded to `f32`, as positions are.
#[inline(always)]
fn rounded<S: Simd>(numbers: f64x8<S>) -> f64x8<S> {
    let mut all = [0.0; LEANING];
    numbers.store_slice(&mut all);
    f64x8::from_slice(numbers.simd, &all.map(|number| f64::from(number as f32)))
}
