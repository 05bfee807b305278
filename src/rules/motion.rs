//! The [`Motion`] trait: the velocity of an agent from the combined force of its rules.

use std::any::Any;
use std::fmt;

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Rows, type_name};
use crate::rules::parameters::Reflect;
use crate::rules::stability::{Stability, TickOfSpecies};

/// The key of the memory of a species' motion. The keys of rules count up from one.
pub(crate) const MOTION_KEY: u32 = u32::MAX;

/// Computes the velocity of an agent from the combined force of its rules.
///
/// A species without its own motion moves as a vehicle: the combined force is truncated, divided by the mass and added
/// to the velocity, which is limited in turn (Reynolds 1999). A motion replaces these steps. It may read neighbours and
/// keep memory as a [`Behaviour`](crate::Behaviour) does, under the same contract of equal bits. The engine uses the
/// velocity as returned, so the motion itself applies the limits of the species.
///
/// ```
/// use throng::{AgentRef, Motion, Species, Vector};
///
/// /// Moves at full speed in the direction of the combined force.
/// #[derive(Clone, Debug)]
/// struct Headlong;
///
/// impl<const D: usize> Motion<D> for Headlong {
///     fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
///         (me.velocity() + wanted).direction() * me.max_speed()
///     }
/// }
///
/// let comet = Species::<2>::new("comet").with_motion(Headlong);
/// ```
pub trait Motion<const D: usize>: Any + fmt::Debug + Send + Sync {
    /// The inputs of the motion in addition to its own agent and the world, and its memory for each agent.
    fn inputs(&self) -> Inputs {
        Inputs::default()
    }

    /// The velocity of one agent in this tick, in metres per second. `wanted` is the combined force of its rules, in
    /// newtons.
    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D>;

    /// The velocities of consecutive rows. On entry `motion` holds the combined forces; on return it holds the
    /// velocities.
    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        for me in rows.iter() {
            let wanted = motion.get(&me);
            motion.set(&me, self.velocity(&me, wanted));
        }
    }

    /// Whether an agent advances by its velocity at the start of the tick: Euler's explicit method. By default it
    /// advances by the velocity that the motion returns: the semi-implicit method.
    fn is_explicit(&self) -> bool {
        false
    }

    /// The motion's name in hashes and errors: the name in its table, or else the name of its type.
    fn name(&self) -> &str {
        match self.table() {
            Some(table) => table.rule(),
            None => type_name::<Self>(),
        }
    }

    /// Whether the motion is a model of people who walk. Species of a scenario file then have the
    /// [quantities of a person](crate::species::tables::PERSON), and their agents start clear of all others.
    fn walks(&self) -> bool {
        false
    }

    /// The part of the radius of a body that does not yield while the agent walks, and the part that never yields: both
    /// one, unless shoulders give way in a press. Pictures show the first one. Measures count an overlap where the second ones overlap.
    fn cores(&self) -> [f32; 2] {
        [1.0; 2]
    }

    /// Whether the motion moves agents by a [`displacement`](Self::displacement) in addition to their velocities.
    fn displaces(&self) -> bool {
        false
    }

    /// The displacement of one agent in this tick in addition to the one by its velocity, in metres: for example a
    /// diffusion of positions, which has no velocity. The engine asks for it after the velocity, of motions that
    /// [displace](Self::displaces) their agents. Walls and the edge of the world see the whole path.
    fn displacement(&self, _me: &AgentRef<'_, D>) -> Vector<D> {
        Vector::ZERO
    }

    /// The quantities of the species ([`QUANTITIES`](crate::species::tables::QUANTITIES)) on which the motion of its agents
    /// depends, by name; `None` if unknown. `has_rules` says whether the species has rules, whose forces the motion
    /// turns into velocities. The world and its scenario [warn](crate::World::warnings) of the others.
    fn quantities(&self, _has_rules: bool) -> Option<&'static [&'static str]> {
        None
    }

    /// How far a tick changes velocities, and how long it may be: for [warnings](crate::World::warnings).
    fn stability(&self, _tick: &TickOfSpecies) -> Stability {
        Stability::UNKNOWN
    }

    /// A parameter whose value is hardly meant, and why: for [warnings](crate::World::warnings).
    fn doubt(&self) -> Option<(&'static str, String)> {
        None
    }

    /// The motion with its parameter table, if it has one ([`rule!`](crate::rule)).
    fn table(&self) -> Option<&dyn NamedMotion<D>> {
        None
    }
}

/// A motion with a parameter table. Scenario files, snapshots, the program and the page refer to it by its name, which
/// is the name of its model.
pub trait NamedMotion<const D: usize>: Motion<D> + Reflect {
    /// A copy of the motion, its parameters included.
    fn duplicate(&self) -> Box<dyn NamedMotion<D>>;
}

impl<const D: usize, T: Motion<D> + Reflect + Clone + 'static> NamedMotion<D> for T {
    fn duplicate(&self) -> Box<dyn NamedMotion<D>> {
        Box::new(self.clone())
    }
}
