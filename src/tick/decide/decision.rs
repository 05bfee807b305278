//! The decisions of one species.

use crate::agents::columns::{Columns, Owner};
use crate::agents::parallel::{ChunkedColumn, PerThread};
use crate::agents::{Agents, flag};
use crate::environment::region::Shape;
use crate::index::search::{Among, FoundAgent, Search};
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::ranks::Chunks;
use crate::rules::interface::PerceivedSpecies;
use crate::rules::steering::share_since;
use crate::rules::world_view::WorldView;
use crate::species::PRE_MOVEMENT;
use crate::species::resolved_states::{ResolvedCondition, ResolvedStates};

/// The species number and the row of an agent that may be caught, if there is one.
pub(super) type Prey = Option<(u32, u32)>;

/// The columns that a species decides; empty if it has none.
#[derive(Debug)]
pub(super) struct Decided {
    states: Vec<u32>,
    seconds: Vec<f32>,
    flags: Vec<u32>,
}

impl Decided {
    pub(super) fn taken_from(columns: &mut Columns) -> Self {
        let (states, seconds) = (columns.take(Owner::State), columns.take(Owner::Seconds));
        Self { states, seconds, flags: columns.take(Owner::Flags) }
    }

    pub(super) fn put_into(self, columns: &mut Columns) {
        columns.put(Owner::State, self.states);
        columns.put(Owner::Seconds, self.seconds);
        columns.put(Owner::Flags, self.flags);
    }
}

/// One species that decides, and its inputs.
#[derive(Debug)]
pub(super) struct Decision<'a, const D: usize> {
    pub(super) world: WorldView<'a, D>,
    /// The states of all agents at the start of the stage, if a decision looks at them.
    pub(super) before: &'a [Vec<u32>],
    pub(super) agents: &'a Agents<D>,
    pub(super) resolved: &'a ResolvedStates<D>,
    /// The longest way of an agent of each species.
    pub(super) longest: &'a [f32],
    pub(super) found: &'a PerThread<Vec<FoundAgent>>,
}

impl<const D: usize> Decision<'_, D> {
    /// Updates the agents of these chunks, and finds the prey that each could catch.
    pub(super) fn decide(&self, chunks: &Chunks, decided: &mut Decided, prey: &mut Vec<Prey>) {
        prey.clear();
        prey.resize(if self.resolved.catch.is_some() { self.agents.len() } else { 0 }, None);
        let Decided { states, seconds, flags } = decided;
        if states.is_empty() && flags.is_empty() && prey.is_empty() {
            return;
        }
        let variables: Vec<&[f32]> = self.agents.columns.variables().collect();
        let waits = self.agents.columns.time(PRE_MOVEMENT).unwrap_or_default();
        let parts = (
            (ChunkedColumn(states, CHUNK), ChunkedColumn(seconds, CHUNK)),
            (ChunkedColumn(flags, CHUNK), ChunkedColumn(prey, CHUNK)),
        );
        chunks.for_each(1, parts, &|chunk, ((states, seconds), (flags, prey))| {
            for (in_chunk, row) in (chunk * CHUNK..self.agents.len()).take(CHUNK).enumerate() {
                if waits.get(row).is_some_and(|&left| left > 0.0) {
                    continue;
                }
                let mut state = 0;
                if let (Some(own), Some(seconds)) = (states.0.get_mut(in_chunk), seconds.0.get_mut(in_chunk)) {
                    *seconds += self.world.settings.tick_seconds;
                    let flags = flags.0.get(in_chunk).copied().unwrap_or(0);
                    let transitions = self.resolved.transitions.get(*own as usize).map_or(&[][..], |next| next);
                    let holds =
                        |(when, _): &&(ResolvedCondition<D>, u32)| self.holds(when, row, &variables, *seconds, flags);
                    if let Some(&(_, to)) = transitions.iter().find(holds) {
                        (*own, *seconds) = (to, 0.0);
                    }
                    state = *own;
                }
                if let (Some(catch), Some(prey)) = (&self.resolved.catch, prey.0.get_mut(in_chunk)) {
                    *prey = if catch.during >> state & 1 == 1 {
                        self.nearest(row, &catch.filter, catch.distance)
                    } else {
                        None
                    };
                }
                // The flags of the last tick have been read.
                if let Some(flags) = flags.0.get_mut(in_chunk) {
                    *flags &= flag::THERE;
                }
            }
        });
    }

    fn holds(&self, when: &ResolvedCondition<D>, row: usize, variables: &[&[f32]], seconds: f32, flags: u32) -> bool {
        match when {
            ResolvedCondition::Below(variable, value) => variables[*variable][row] <= *value,
            ResolvedCondition::Above(variable, value) => variables[*variable][row] >= *value,
            ResolvedCondition::Near(filter, distance, near) => self.is_any(row, filter, *distance) == *near,
            ResolvedCondition::NearPlace(shape, distance, near) => {
                let (point, settings) = (self.agents.position(row), self.world.settings);
                // An agent passes by a place on its way; it is farther where it is now.
                let way = if *near { self.agents.moved(row) } else { Vector::ZERO };
                let within = |shape: &Shape<D>| shape.is_near_way(settings, point, way, *distance);
                shape.as_ref().is_some_and(within) == *near
            }
            ResolvedCondition::Door(number, open) => {
                self.world.environment.walls.items()[*number].is_open(self.world.seconds()) == *open
            }
            ResolvedCondition::After(after) => seconds >= *after,
            ResolvedCondition::Flag(flag) => flags & flag != 0,
        }
    }

    /// Returns whether there is, or on the ways of the last tick was, an agent of these species within a distance and
    /// not behind a wall.
    fn is_any(&self, row: usize, filter: &PerceivedSpecies, distance: f32) -> bool {
        if !self.has_walls() && self.search(row, distance).any(self.among(filter)) {
            return true;
        }
        self.nearest(row, filter, distance).is_some()
    }

    /// Returns the nearest agent of these species within a distance and not behind a wall, if there is one; else the one
    /// that was the nearest on the ways of the last tick.
    fn nearest(&self, row: usize, filter: &PerceivedSpecies, distance: f32) -> Prey {
        if !self.has_walls()
            && let Some(found) = self.search(row, distance).nearest(self.among(filter))
        {
            return Some((found.species, found.row));
        }
        let farthest = filter.numbers.iter().map(|&species| self.longest[species as usize]);
        let farthest = farthest.fold(0.0, |most, way| if way > most { way } else { most });
        let (at, way) = (self.agents.position(row), self.agents.moved(row));
        let reach = distance + (farthest + way.length()) * WAY_SLACK;
        if !self.has_walls() && reach <= distance {
            return None;
        }
        self.found.with(|found| {
            self.search(row, reach).all(self.among(filter), found);
            let met = found.iter().filter_map(|other| {
                let them = &self.world.agents[other.species as usize];
                let offset = self.world.settings.offset(at, them.position(other.row as usize));
                let sees = |from, offset: Vector<D>| {
                    offset.length_squared() <= distance * distance && !self.world.is_hidden(from, offset)
                };
                if sees(at, offset) {
                    return Some((false, offset.length_squared(), other));
                }
                // Both went straight: where they were when they were nearest to each other.
                let relative = way - them.moved(other.row as usize);
                let since = share_since(offset, relative);
                let passed = offset + relative * since;
                sees(at - way * since, passed).then(|| (true, passed.length_squared(), other))
            });
            let key = |&(passed, squared, other): &(bool, f32, &FoundAgent)| {
                (passed, squared.to_bits(), other.species, other.row)
            };
            met.min_by_key(key).map(|(.., other)| (other.species, other.row))
        })
    }

    fn has_walls(&self) -> bool {
        !self.world.environment_index.walls.pieces.is_empty()
    }

    fn among<'b>(&'b self, filter: &'b PerceivedSpecies) -> Among<'b, D> {
        Among { frozen: Some(self.before), ..self.world.among(filter) }
    }

    fn search(&self, row: usize, radius: f32) -> Search<D> {
        let (point, period) = (self.agents.position(row), self.world.settings.period());
        Search { point, radius, period, by: Some((self.agents.species, row)) }
    }
}

/// Ways are rounded: searches reach a little farther.
const WAY_SLACK: f32 = 1.0 + 1e-5;
