//! A rule of a species: a behaviour, how much it counts, and in which states.

use std::any::Any;
use std::sync::Arc;

use super::quantities::{FIELD_OF_VIEW, RADIUS, Spread, WEIGHT};
use crate::behaviour::Behaviour;
use crate::error::Error;
use crate::parameters::Value;
use crate::states::{self, State};

/// A rule of a species, and how much it counts.
#[derive(Clone, Debug)]
pub struct Rule<const D: usize> {
    /// The factor of the rule's force.
    pub weight: f32,
    /// What the rule does. Worlds that were cloned share it; [`World::edit_rule`](crate::World::edit_rule) changes it.
    pub behaviour: Arc<dyn Behaviour<D>>,
    /// The states in which the rule has a say; all of them if empty.
    pub during: Vec<String>,
    /// What the rule's memory is known by; zero before the rule is in a world.
    pub(crate) key: u32,
}

impl<const D: usize> Rule<D> {
    /// A rule that has a say in every state.
    #[must_use]
    pub fn new(weight: f32, behaviour: impl Behaviour<D>) -> Self {
        Self::from_arc(weight, Arc::new(behaviour))
    }

    /// The same for a rule whose type is not known.
    #[must_use]
    pub fn from_arc(weight: f32, behaviour: Arc<dyn Behaviour<D>>) -> Self {
        Self { weight, behaviour, during: Vec::new(), key: 0 }
    }

    /// The rule with a say in this state, and in others only where they are named too.
    #[must_use]
    pub fn during(mut self, state: impl Into<String>) -> Self {
        self.during.push(state.into());
        self
    }

    /// The rule's behaviour, if it is of type `T`.
    #[must_use]
    pub fn get<T: Behaviour<D>>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.behaviour;
        any.downcast_ref()
    }

    /// Changes the rule's behaviour; `None` if it is not of type `T`.
    pub fn edit<T: Behaviour<D> + Clone, R>(&mut self, edit: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut behaviour = self.get::<T>()?.clone();
        let result = edit(&mut behaviour);
        self.behaviour = Arc::new(behaviour);
        Some(result)
    }

    /// Whether its weight, its parameters and what it perceives are in their ranges, and its states among these.
    pub(super) fn check(&self, states: &[State]) -> Result<(), Error> {
        Spread::Same(self.weight).check(&WEIGHT)?;
        self.behaviour.table().map_or(Ok(()), |table| table.check())?;
        for perception in self.behaviour.needs().perceptions() {
            Spread::Same(perception.radius).check(&RADIUS)?;
            Spread::Same(perception.field_of_view).check(&FIELD_OF_VIEW)?;
        }
        match self.during.iter().find(|name| !states.iter().any(|state| state.name == **name)) {
            Some(unknown) => Err(Error::bad("during", &unknown[..], states::state_names(states))),
            None => Ok(()),
        }
    }

    /// Sets one parameter of the rule's table.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRule`] if the rule has no table, [`Error::BadValue`] if the table has no such parameter or the
    /// value is out of its range: then nothing has changed.
    pub fn set(&mut self, parameter: &str, value: &Value) -> Result<(), Error> {
        let table = self.behaviour.table().ok_or_else(|| Error::UnknownRule(self.behaviour.name().to_owned()))?;
        let mut changed = table.duplicate();
        changed.set(parameter, value)?;
        self.behaviour = Arc::from(changed as Box<dyn Behaviour<D>>);
        Ok(())
    }
}
