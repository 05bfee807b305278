//! Agents with bodies that push, turn away from and clear each other. `away` is the direction from the other body to the
//! agent, `relative` the velocity of the other body minus the agent's, and `touching` the sum of the radii.

use crate::formulas::targets::ahead;
use crate::maths::components::{dot, length, minus, plus, times};
use crate::maths::number::{Number, Truth};
use crate::maths::{Vector, exp_single};

/// A body that an agent may run into, relative to the agent: an obstacle or a neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize> {
    /// The offset from the agent to the body's centre, in metres.
    pub offset: Vector<D>,
    /// The body's velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The body's radius, in metres.
    pub radius: f32,
}

impl<const D: usize> Body<D> {
    /// A body at an offset, in metres, with a velocity, in metres per second, and a radius, in metres.
    #[must_use]
    pub fn new(offset: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>, radius: f32) -> Self {
        Self { offset: offset.into(), velocity: velocity.into(), radius }
    }

    /// The distance of the body's centre and the direction away from it, which is `apart` for a coincident one.
    pub(crate) fn away(&self, apart: impl FnOnce() -> Vector<D>) -> (f32, Vector<D>) {
        let distance = self.offset.length();
        (distance, if distance > 0.0 { -self.offset / distance } else { apart() })
    }
}

/// An agent that avoids others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker<const D: usize> {
    /// Its velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The radius of its body, in metres.
    pub radius: f32,
}

/// Returns the repulsion of bodies that overlap, or are apart by a negative overlap: `strength` times `e` to the overlap
/// in units of `range`.
#[inline(always)]
pub(crate) fn repulsion<N: Number>(overlap: N, strength: N, range: N) -> N {
    strength * exp_single(overlap / range)
}

/// The constants of the social force model, and the length of the tick in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushes {
    pub(crate) strength: f32,
    pub(crate) range: f32,
    pub(crate) stiffness: f32,
    pub(crate) friction: f32,
    pub(crate) seconds: f32,
}

/// Two bodies of the social force model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<N, const D: usize> {
    away: [N; D],
    relative: [N; D],
    overlap: N,
    /// How fast they part.
    along: N,
    repulsion: N,
}

/// The social force of a body on an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push<N, const D: usize> {
    pub(crate) force: [N; D],
    /// How fast the force falls with the agent's velocity along it.
    pub(crate) hardness: N,
    /// How fast it falls with the velocity across.
    pub(crate) rub: N,
}

impl<N: Number, const D: usize> Pair<N, D> {
    #[inline(always)]
    pub(crate) fn new(away: [N; D], relative: [N; D], overlap: N, model: &Pushes) -> Self {
        let repulsion = repulsion(overlap, overlap.same(model.strength), overlap.same(model.range));
        Self { away, relative, overlap, along: dot(&relative, &away), repulsion }
    }

    /// Returns the force of a body apart: the repulsion that it has at the end of the tick if both keep their velocities.
    /// A body that is left does not hold on.
    #[inline(always)]
    pub(crate) fn apart(&self, model: &Pushes) -> Push<N, D> {
        let hard = self.repulsion / self.overlap.same(model.range) * self.overlap.same(model.seconds);
        let push = positive(self.repulsion + hard * self.along);
        Push { force: times(self.away, push), hardness: hard, rub: push.same(0.0) }
    }

    /// Returns the same of a body that may be in contact, which pushes back and rubs.
    #[inline(always)]
    pub(crate) fn in_contact(&self, model: &Pushes) -> Push<N, D> {
        let zero = self.overlap.same(0.0);
        let (range, stiffness) = (zero.same(model.range), zero.same(model.stiffness));
        let touches = self.overlap.gt(zero);
        let contact = touches.choose(self.overlap, zero);
        let pressed = (touches & self.along.ge(zero)).choose(stiffness, zero);
        let hard = (self.repulsion / range + pressed) * zero.same(model.seconds);
        let push = positive(self.repulsion + stiffness * contact + hard * self.along);
        let sliding = zero.same(model.friction) * contact;
        let across = minus(self.relative, times(self.away, self.along));
        let force = plus(times(self.away, push), times(across, sliding));
        Push { force, hardness: hard - sliding, rub: sliding }
    }
}

#[inline(always)]
fn positive<N: Number>(number: N) -> N {
    let zero = number.same(0.0);
    number.gt(zero).choose(number, zero)
}

/// Returns whether a body is in the way of an agent that walks in a direction.
#[inline(always)]
pub(crate) fn is_in_the_way<N: Number, const D: usize>(offset: [N; D], direction: [N; D], touching: N) -> N::Truth {
    let ahead = dot(&offset, &direction);
    let across = minus(offset, times(direction, ahead));
    ahead.ge(ahead.same(0.0)) & dot(&across, &across).le(touching * touching)
}

/// The meeting of an agent and a body, if both keep their velocities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting<N: Number, const D: usize> {
    offset: [N; D],
    relative: [N; D],
    touching: N,
    distance: N,
    /// The time of the least distance, in seconds.
    time: N,
    pub(crate) overlaps: N::Truth,
    /// Whether the least distance is ahead and within the horizon.
    pub(crate) approaches: N::Truth,
}

impl<N: Number, const D: usize> Meeting<N, D> {
    #[inline(always)]
    pub(crate) fn new(offset: [N; D], relative: [N; D], touching: N, horizon: N) -> Self {
        let distance = length(&offset);
        // Without relative motion the time is NaN, which no comparison accepts.
        let time = -dot(&offset, &relative) / dot(&relative, &relative);
        let approaches = time.gt(time.same(0.0)) & time.lt(horizon);
        Self { offset, relative, touching, distance, time, overlaps: distance.lt(touching), approaches }
    }

    /// Returns whether the bodies come nearer than `buffer`, and when: at a negative time if they overlap, which is lower
    /// for deeper overlaps.
    #[inline(always)]
    pub(crate) fn threat(&self, buffer: N) -> (N::Truth, N) {
        let closest = ahead(self.offset, self.relative, self.time);
        let threatens = self.approaches & length(&closest).lt(self.touching + buffer);
        let time = self.overlaps.choose(self.distance / self.touching - self.time.same(1.0), self.time);
        (self.overlaps | threatens, time)
    }
}
