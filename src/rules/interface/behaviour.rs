//! The [`Behaviour`] trait of rules of motion, and the trait of rules with a parameter table.

use std::any::Any;
use std::fmt;

use crate::base::error::Error;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Rows};
use crate::rules::parameters::Reflect;

/// A rule of motion: its inputs and its steering force.
///
/// The built-in rules ([`behaviours`](crate::behaviours)) and the rules of users implement the same trait, and a world
/// needs no registration of either. A behaviour may depend only on the state at the start of the tick; otherwise runs
/// differ in their bits. It must not use clocks, shared generators (draw from [`AgentRef::noise`] instead) or functions
/// such as `f32::sin` (the functions of [`maths`](crate::maths) give equal results on every machine).
///
/// ```
/// use throng::{AgentRef, Behaviour, Vector};
///
/// /// Flies at full speed in one direction.
/// #[derive(Debug)]
/// struct Migrate<const D: usize>(Vector<D>);
///
/// impl<const D: usize> Behaviour<D> for Migrate<D> {
///     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
///         me.towards(self.0.direction() * me.max_speed())
///     }
/// }
/// ```
pub trait Behaviour<const D: usize>: Any + fmt::Debug + Send + Sync {
    /// The rule's inputs in addition to its own agent and the world, and its memory for each agent.
    fn inputs(&self) -> Inputs {
        Inputs::default()
    }

    /// The steering force on one agent, in newtons. The rule reads and writes its memory of the agent with
    /// [`AgentRef::recall`] and [`AgentRef::remember`].
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D>;

    /// The steering forces on consecutive rows: a chunk, or a cluster if the rule lists neighbours one by one. A rule
    /// that processes many agents at once overrides this method. It must return the same forces as
    /// [`steer`](Self::steer).
    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        for me in rows.iter() {
            forces.set(&me, self.steer(&me));
        }
    }

    /// Checks the names of variables to which the rule refers: in its own species, and if all species of the
    /// world are known in any species.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] for the first unknown one.
    fn check_variables(&self, _own: &[&str], _all: Option<&[&str]>) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the force is computed from a desired velocity, as [`AgentRef::towards`] returns it. The world
    /// [warns](crate::World::warnings) of such rules where one tick carries agents past the velocity.
    fn desires_velocity(&self) -> bool {
        false
    }

    /// Whether the rule only keeps an agent off others, off obstacles and inside, and leads it nowhere. A walker with no
    /// other active rule stands while none of them acts.
    fn only_avoids(&self) -> bool {
        false
    }

    /// The rule's name in explanations and hashes: the name in its table, or else the name of its type.
    fn name(&self) -> &str {
        match self.table() {
            Some(table) => table.rule(),
            None => type_name::<Self>(),
        }
    }

    /// The rule with its parameter table, if it has one ([`rule!`](crate::rule)).
    fn table(&self) -> Option<&dyn NamedRule<D>> {
        None
    }
}

/// The name of a type, without its modules and its parameters.
pub(crate) fn type_name<T: ?Sized>() -> &'static str {
    let path = std::any::type_name::<T>().split('<').next();
    path.and_then(|path| path.rsplit("::").next()).unwrap_or("own")
}

/// A behaviour with a parameter table. Scenario files, the program and the page refer to it by its name.
pub trait NamedRule<const D: usize>: Behaviour<D> + Reflect {
    /// A copy of the rule, its parameters included.
    fn duplicate(&self) -> Box<dyn NamedRule<D>>;
}

impl<const D: usize, T: Behaviour<D> + Reflect + Clone + 'static> NamedRule<D> for T {
    fn duplicate(&self) -> Box<dyn NamedRule<D>> {
        Box::new(self.clone())
    }
}
