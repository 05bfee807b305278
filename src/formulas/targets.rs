//! The desired velocities of rules with a target (Reynolds, "Steering Behaviors For Autonomous Characters", 1999).
//! [`steering`](crate::steering) has them for one agent, with their units.

use crate::maths::components::{choose, direction, dot, is_zero, length, minus, negative, over, plus, times};
use crate::maths::number::{Number, Ordered, Truth};

/// A desired velocity, and whether there is one.
pub(crate) type Desired<N, const D: usize> = ([N; D], <N as Ordered>::Truth);

/// Returns the force towards a desired velocity.
#[inline(always)]
pub(crate) fn force<N: Number, const D: usize>(desired: [N; D], velocity: [N; D], response: N) -> [N; D] {
    over(minus(desired, velocity), response)
}

/// Returns full speed along a vector; nothing along the zero vector.
#[inline(always)]
pub(crate) fn seek<N: Number, const D: usize>(offset: [N; D], max_speed: N) -> Desired<N, D> {
    let towards = direction(offset);
    (times(towards, max_speed), !is_zero(&towards))
}

/// Returns full speed away from a target within `panic_radius`.
#[inline(always)]
pub(crate) fn flee<N: Number, const D: usize>(offset: [N; D], max_speed: N, panic_radius: N) -> Desired<N, D> {
    let (away, flees) = seek(negative(offset), max_speed);
    (away, length(&offset).le(panic_radius) & flees)
}

/// Returns full speed towards a target; inside `slowing_radius` the speed falls linearly with the distance.
#[inline(always)]
pub(crate) fn arrive<N: Number, const D: usize>(offset: [N; D], max_speed: N, slowing_radius: N) -> [N; D] {
    let near = length(&offset).lt(slowing_radius);
    let slower = times(over(offset, slowing_radius), max_speed);
    choose(near, slower, times(direction(offset), max_speed))
}

/// Returns the time to cover a distance at full speed, at most `longest`.
#[inline(always)]
pub(crate) fn time_to_cover<N: Number>(distance: N, max_speed: N, longest: N) -> N {
    let time = distance / max_speed;
    // The time is NaN on the target at a maximum speed of zero.
    time.lt(longest).choose(time, longest)
}

/// Returns the offset to a target after some seconds.
#[inline(always)]
pub(crate) fn ahead<N: Number, const D: usize>(offset: [N; D], velocity: [N; D], seconds: N) -> [N; D] {
    plus(offset, times(velocity, seconds))
}

/// The same; an approaching target is predicted to half of its distance along the line of sight at most.
#[inline(always)]
pub(crate) fn predict<N: Number, const D: usize>(offset: [N; D], velocity: [N; D], seconds: N) -> [N; D] {
    let (squared, twice_closing) = (dot(&offset, &offset), seconds.same(2.0) * -dot(&offset, &velocity));
    let seconds = (twice_closing * seconds).gt(squared).choose(squared / twice_closing, seconds);
    ahead(offset, velocity, seconds)
}
