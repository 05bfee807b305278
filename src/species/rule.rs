//! A behaviour with its weight and the states in which it applies.

use std::any::Any;
use std::sync::Arc;

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::rules::interface::{Behaviour, Inputs};
use crate::rules::motion::Motion;
use crate::rules::parameters::Value;
use crate::species::states::{self, State};
use crate::species::tables::{FIELD_OF_VIEW, RADIUS, WEIGHT};

/// A rule of a species: a behaviour with its weight and the states in which it applies.
#[derive(Clone, Debug)]
pub struct Rule<const D: usize> {
    /// The factor of the rule's force.
    pub weight: f32,
    /// The behaviour. Clones of a world share it; [`World::edit_rule`](crate::World::edit_rule) replaces it in one.
    pub behaviour: Arc<dyn Behaviour<D>>,
    /// The states in which the rule applies; all states if empty.
    pub during: Vec<String>,
    /// The key of the rule's memory; zero before the rule is in a world.
    pub(crate) key: u32,
}

impl<const D: usize> Rule<D> {
    /// A rule that applies in every state.
    #[must_use]
    pub fn new(weight: f32, behaviour: impl Behaviour<D>) -> Self {
        Self::from_arc(weight, Arc::new(behaviour))
    }

    /// A rule that applies in every state, from a behaviour of unknown type.
    #[must_use]
    pub fn from_arc(weight: f32, behaviour: Arc<dyn Behaviour<D>>) -> Self {
        Self { weight, behaviour, during: Vec::new(), key: 0 }
    }

    /// Adds a state in which the rule applies. The rule then applies in its states only.
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

    /// Checks that its weight, parameters and perceptions are in their ranges, and that its states exist. Returns its
    /// inputs.
    pub(super) fn check(&self, states: &[State], variables: &[&str]) -> Result<Inputs, Error> {
        Distribution::Same(self.weight).check(&WEIGHT)?;
        self.behaviour.table().map_or(Ok(()), |table| table.check())?;
        self.behaviour.check_variables(variables, None)?;
        let inputs = checked(self.behaviour.inputs())?;
        match self.during.iter().find(|name| !states.iter().any(|state| state.name == **name)) {
            Some(unknown) => Err(Error::bad("during", &unknown[..], states::state_names(states))),
            None => Ok(inputs),
        }
    }

    /// Sets one parameter of the rule's table.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRule`] if the rule has no table, [`Error::BadValue`] if the table does not contain the parameter
    /// or the value is out of its range. An error leaves the rule unchanged.
    pub fn set(&mut self, parameter: &str, value: &Value) -> Result<(), Error> {
        let table = self.behaviour.table().ok_or_else(|| Error::UnknownRule(self.behaviour.name().to_owned()))?;
        let mut changed = table.duplicate();
        changed.set(parameter, value)?;
        self.behaviour = Arc::from(changed as Box<dyn Behaviour<D>>);
        Ok(())
    }
}

/// Checks that the parameters and perceptions of a motion are in their ranges. Returns its inputs.
pub(super) fn check_motion<const D: usize>(motion: &dyn Motion<D>) -> Result<Inputs, Error> {
    let table = motion.table();
    table.map_or(Ok(()), |table| table.check())?;
    checked(motion.inputs()).map_err(|error| table.map_or(error.clone(), |table| error.of_rule(table.rule())))
}

/// Returns the inputs if the ranges of their perceptions hold.
fn checked(inputs: Inputs) -> Result<Inputs, Error> {
    for perception in inputs.perceptions() {
        Distribution::Same(perception.radius).check(&RADIUS)?;
        Distribution::Same(perception.field_of_view).check(&FIELD_OF_VIEW)?;
    }
    Ok(inputs)
}
