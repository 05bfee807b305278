//! The motions of the literature: one file per model.

mod collision_free_speed;
mod orca;
mod social_force;

pub use collision_free_speed::CollisionFreeSpeed;
pub use orca::Orca;
pub use social_force::SocialForce;

use crate::maths::Vector;
use crate::rules::interface::AgentRef;

/// The velocity that the rules of an agent want, up to its largest speed: its own plus their force times the response.
#[inline]
fn preferred<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
    (me.velocity() + wanted * me.response()).truncate(me.max_speed())
}
