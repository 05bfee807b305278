//! The states of a species with all names resolved to numbers.

use crate::agents::{Agents, flag};
use crate::base::ids::SpeciesId;
use crate::environment::Environment;
use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::rules::interface::PerceivedSpecies;
use crate::species::Species;
use crate::species::states::{Condition, Place, State};

/// The states of a species and its catch rule, with all names resolved.
#[derive(Debug)]
pub(crate) struct ResolvedStates<const D: usize> {
    /// The rates of each variable, by the number of the state.
    pub(crate) rates: Vec<Vec<f32>>,
    /// For each state, the conditions for leaving it, with the number of the next state.
    pub(crate) transitions: Vec<Vec<(ResolvedCondition<D>, u32)>>,
    pub(crate) catch: Option<ResolvedCatch>,
}

/// A condition with its names resolved; species are numbers.
#[derive(Debug)]
pub(crate) enum ResolvedCondition<const D: usize> {
    Below(usize, f32),
    Above(usize, f32),
    Near(PerceivedSpecies, f32, bool),
    NearPlace(Option<Shape<D>>, f32, bool),
    /// The index of a wall, and whether it must be open.
    Door(usize, bool),
    After(f32),
    Flag(u32),
}

/// The species to catch, the distance in metres, and the states in which agents catch (one bit each).
#[derive(Debug)]
pub(crate) struct ResolvedCatch {
    pub(crate) filter: PerceivedSpecies,
    pub(crate) distance: f32,
    pub(crate) during: u32,
}

impl<const D: usize> ResolvedStates<D> {
    /// Whether a condition or the catch looks at the states of agents.
    pub(crate) fn look_at_states(&self) -> bool {
        let looks =
            |when: &ResolvedCondition<D>| matches!(when, ResolvedCondition::Near(species, ..) if species.is_limited());
        self.transitions.iter().flatten().any(|(when, _)| looks(when))
            || self.catch.as_ref().is_some_and(|catch| catch.filter.is_limited())
    }

    pub(crate) fn new(
        own: SpeciesId,
        species: &Species<D>,
        agents: &[Agents<D>],
        environment: &Environment<D>,
    ) -> Self {
        let number = |name: &str| species.state_number(name);
        let rate = |name: &str, state: &State| {
            state.rates.iter().find(|(variable, _)| variable == name).map_or(0.0, |(_, rate)| *rate)
        };
        let rates = species.variables.iter().map(|variable| {
            let states = species.states.iter();
            states.map(|state| rate(&variable.name, state)).collect()
        });
        let resolve = |when: &Condition| resolve(own, species, agents, environment, when);
        let transitions = species.states.iter().map(|state| {
            let transitions = state.transitions.iter();
            transitions.filter_map(|next| Some((resolve(&next.when)?, number(&next.to)? as u32))).collect()
        });
        let catch = species.catch.as_ref().map(|catch| ResolvedCatch {
            filter: catch.whom.species(own, agents),
            distance: catch.distance,
            during: match catch.during.is_empty() {
                true => u32::MAX,
                false => catch.during.iter().filter_map(|name| number(name)).fold(0, |all, state| all | 1 << state),
            },
        });
        Self { rates: rates.collect(), transitions: transitions.collect(), catch }
    }
}

/// Resolves the names of a condition; `None` if it never holds.
fn resolve<const D: usize>(
    own: SpeciesId,
    species: &Species<D>,
    agents: &[Agents<D>],
    environment: &Environment<D>,
    when: &Condition,
) -> Option<ResolvedCondition<D>> {
    let variable = |name: &str| species.variables.iter().position(|variable| variable.name == name);
    let door = |name: &str| environment.walls.position(name);
    Some(match when {
        Condition::Below(name, value) => ResolvedCondition::Below(variable(name)?, *value),
        Condition::Above(name, value) => ResolvedCondition::Above(variable(name)?, *value),
        Condition::Nearer(filter, distance) => ResolvedCondition::Near(filter.species(own, agents), *distance, true),
        Condition::Farther(filter, distance) => ResolvedCondition::Near(filter.species(own, agents), *distance, false),
        Condition::NearerPlace(place, distance) => {
            ResolvedCondition::NearPlace(shape(environment, place), *distance, true)
        }
        Condition::FartherPlace(place, distance) => {
            ResolvedCondition::NearPlace(shape(environment, place), *distance, false)
        }
        Condition::Open(name) => ResolvedCondition::Door(door(name)?, true),
        Condition::Closed(name) => ResolvedCondition::Door(door(name)?, false),
        Condition::After(seconds) => ResolvedCondition::After(*seconds),
        Condition::Caught => ResolvedCondition::Flag(flag::CAUGHT),
        Condition::WasCaught => ResolvedCondition::Flag(flag::WAS_CAUGHT),
        Condition::Arrived => ResolvedCondition::Flag(flag::ARRIVED),
    })
}

/// The shape of a place (a point is a ball of radius zero); `None` if the world does not have it.
fn shape<const D: usize>(environment: &Environment<D>, place: &Place) -> Option<Shape<D>> {
    let point = |centre| Shape::Ball { centre, radius: 0.0 };
    match place {
        Place::Point(coordinates) => <[f32; D]>::try_from(&coordinates[..]).ok().map(|at| point(Vector(at))),
        Place::Mark(name) => environment.marks.named(name).map(|mark| point(mark.position)),
        Place::Region(name) => environment.regions.named(name).map(|region| region.shape),
    }
}
