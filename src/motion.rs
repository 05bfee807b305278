//! The trait of motions: what an agent does with what its rules want.

use std::any::Any;
use std::fmt;

use crate::behaviour::{Forces, Me, Needs, Rows};
use crate::maths::Vector;

/// The key of the memory of a species' motion. Those of rules count up from one.
pub(crate) const MOTION_KEY: u32 = u32::MAX;

/// What an agent does with what its rules want: the velocity that it moves with.
///
/// A species without a motion of its own moves as a vehicle: the force that its rules want is truncated, divided by the
/// mass and added to the velocity, which is limited in turn (Reynolds 1999). A motion decides instead; it may look at
/// neighbours and remember things as a [`Behaviour`](crate::Behaviour) does, and keeps to the same contract of equal
/// bits. The velocity is taken as it is: the motion itself applies the limits of the species.
///
/// ```
/// use throng::{Me, Motion, Species, Vector};
///
/// /// Moves at full speed in the direction that its rules want.
/// #[derive(Clone, Debug)]
/// struct Headlong;
///
/// impl<const D: usize> Motion<D> for Headlong {
///     fn velocity(&self, me: &Me<'_, D>, wanted: Vector<D>) -> Vector<D> {
///         (me.velocity() + wanted).direction() * me.max_speed()
///     }
/// }
///
/// let comet = Species::<2>::new("comet").with_motion(Headlong);
/// ```
pub trait Motion<const D: usize>: Any + fmt::Debug + Send + Sync {
    /// What the motion reads besides its own agent and the world, and what it remembers of each agent.
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }

    /// The velocity of one agent in this tick, in metres per second; `wanted` is the force, in newtons, that its rules
    /// came to together.
    fn velocity(&self, me: &Me<'_, D>, wanted: Vector<D>) -> Vector<D>;

    /// The same for consecutive rows: `motion` holds what the rules want and takes the velocities.
    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        for me in rows.iter() {
            let wanted = motion.get(&me);
            motion.set(&me, self.velocity(&me, wanted));
        }
    }

    /// The motion's name in snapshots, if it is one of throng's own.
    fn name(&self) -> Option<&'static str> {
        None
    }
}

/// The velocity is what the rules want, within the largest speed: no mass, no largest force, no delay.
///
/// A rule wants a velocity by [`Me::towards`], the force `(desired - velocity) / response`; with this motion an agent
/// has the desired velocity at once. Models that set headings or velocities directly are written as one rule on it:
/// [`Species::kinematic`](crate::Species::kinematic).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinematic;

impl<const D: usize> Motion<D> for Kinematic {
    fn velocity(&self, me: &Me<'_, D>, wanted: Vector<D>) -> Vector<D> {
        (me.velocity() + wanted * me.response()).truncate(me.max_speed())
    }

    fn name(&self) -> Option<&'static str> {
        Some("kinematic")
    }
}

/// The motion of this name, one of throng's own.
pub(crate) fn named<const D: usize>(name: &str) -> Option<std::sync::Arc<dyn Motion<D>>> {
    match name {
        "kinematic" => Some(std::sync::Arc::new(Kinematic)),
        _ => None,
    }
}
