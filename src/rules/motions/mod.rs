//! The motions of the literature: one file per model.

mod kinematic;
mod vicsek;

pub use kinematic::Kinematic;
pub use vicsek::Vicsek;

use crate::maths::Vector;
use crate::rules::interface::AgentRef;
use crate::rules::motion::NamedMotion;
use crate::rules::parameters::choice;

/// All motions with default parameters, in the order of the documentation.
pub(crate) fn all<const D: usize>() -> Vec<Box<dyn NamedMotion<D>>> {
    vec![Box::new(Kinematic {}), Box::new(Vicsek::default())]
}

choice! {
    /// The noise of a model of self-propelled agents.
    pub enum NoiseKind {
        /// An angle is added to the mean direction (Vicsek et al. 1995).
        Angular = "angular",
        /// A vector is added to the sum of directions (Gregoire and Chate 2004).
        Vectorial = "vectorial",
    }
}

choice! {
    /// The heading with which the positions of a model advance in a tick.
    pub enum MovedWith {
        /// The heading at the start of the tick: `x(t + 1) = x(t) + v(t)`.
        OldHeading = "old_heading",
        /// The heading that the tick chooses: `x(t + 1) = x(t) + v(t + 1)`.
        NewHeading = "new_heading",
    }
}

/// The change of velocity that the force of an agent's rules causes in a tick, in metres per second.
fn added_velocity<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
    wanted * (me.world().settings().tick_seconds / me.mass())
}
