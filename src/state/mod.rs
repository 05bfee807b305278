//! The state of a world: everything that the next tick depends on, and nothing else.
//!
//! Snapshots and the state hash cover exactly this. The execution of a world (fresh or kept lists, instruction
//! set, threads) and everything computed from the state (indices, plans, lists, forces) are not part of it: see
//! [`Derived`](crate::derived::Derived).

mod change_species;
pub(crate) mod contact;
pub(crate) mod fault;
pub(crate) mod mix;
mod mix_places;
mod person;
mod settled;
pub(crate) mod snapshot;
pub(crate) mod tally;
pub(crate) mod undo;

use std::collections::BTreeMap;

use crate::agents::Agents;
use crate::agents::columns::{Column, Data, Owner, Stored as _};
use crate::agents::events::Removal;
use crate::agents::row_order::RowOrder;
use crate::base::clock::Clock;
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, Ids, SpeciesId};
use crate::base::settings::Settings;
use crate::base::values::Allowed;
use crate::environment::{Environment, RegionId};
use crate::maths::{Noise, Vector};
use crate::rules::interface::Inputs;
use crate::rules::motion::MOTION_KEY;
use crate::species::tables::TIMES;
use crate::species::{Distribution, MAX_SPEED, Species};
use crate::state::contact::Contact;
use crate::state::mix::Mix;
use crate::state::tally::Tally;

/// The reason for the removal of an agent at the start of the next tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemovalReason {
    /// It crossed the edge of the world. It stays if the host moves it back.
    Left,
    /// It was caught.
    Caught,
}

impl RemovalReason {
    /// The name under which the removal is counted.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Caught => "caught",
        }
    }

    /// The reason that its event gives.
    pub(crate) const fn removal(self) -> Removal {
        match self {
            Self::Left => Removal::Left,
            Self::Caught => Removal::Caught,
        }
    }
}

/// The state of a world.
#[derive(Clone, Debug)]
pub(crate) struct State<const D: usize> {
    pub(crate) settings: Settings<D>,
    pub(crate) tick: u64,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
    /// Definitions, indexed by the number of the species, like `agents` and `orders`.
    pub(crate) species: Vec<Species<D>>,
    /// The inputs of the rules of each species, and of its motion if it has one, since it was added or replaced.
    pub(crate) inputs: Vec<Vec<Inputs>>,
    pub(crate) agents: Vec<Agents<D>>,
    pub(crate) orders: Vec<RowOrder>,
    pub(crate) mix: Mix,
    /// The agent at each place in the mix.
    pub(crate) mix_ids: Vec<AgentId>,
    /// Whether a tick would examine more pairs than the budget allows; `None` before this has been computed.
    pub(crate) limited: Option<bool>,
    pub(crate) environment: Environment<D>,
    /// The regions that the bits of the regions columns stand for. Edits of the environment's regions reach them with
    /// the next [`settle`](Self::settle).
    pub(crate) region_bits: Vec<RegionId>,
    pub(crate) leavers: BTreeMap<AgentId, RemovalReason>,
    /// The agents that the host has removed since the last tick, with their species: the next one reports them.
    pub(crate) despawned: Vec<(AgentId, SpeciesId)>,
    /// The agents that are in contact, of species that report it, in ascending order.
    pub(crate) contacts: Vec<Contact>,
    /// The removed agents by reason.
    pub(crate) tally: Tally,
    /// Whether agents have a column of their own largest speeds, because the environment has zones. Edits of the zones
    /// reach it with the next [`settle`](Self::settle).
    pub(crate) zoned: bool,
    /// The last key that was assigned to a rule's memory.
    pub(crate) last_key: u32,
}

impl<const D: usize> State<D> {
    pub(crate) fn new(settings: Settings<D>) -> Self {
        Self {
            settings,
            tick: 0,
            clock: Clock::default(),
            ids: Ids::default(),
            species: Vec::new(),
            inputs: Vec::new(),
            agents: Vec::new(),
            orders: Vec::new(),
            mix: Mix::default(),
            mix_ids: Vec::new(),
            limited: None,
            environment: Environment::default(),
            region_bits: Vec::new(),
            leavers: BTreeMap::new(),
            despawned: Vec::new(),
            contacts: Vec::new(),
            tally: Tally::default(),
            zoned: false,
            last_key: 0,
        }
    }

    /// Whether the pair budget limits crowded clusters.
    pub(crate) fn is_limited(&self) -> bool {
        self.limited == Some(true)
    }

    /// Gives the next ticks another length.
    pub(crate) fn change_tick(&mut self, seconds: f32) {
        if seconds != self.settings.tick_seconds {
            self.clock.change(self.tick, self.settings.tick_seconds);
            self.settings.tick_seconds = seconds;
        }
    }

    /// The simulated time, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.clock.seconds(self.tick, self.settings.tick_seconds)
    }

    /// The largest radius of an agent, in metres.
    pub(crate) fn widest(&self) -> f32 {
        let radii = self.agents.iter().map(|agents| agents.body.radius.largest(0..agents.len()));
        radii.fold(0.0, |widest, radius| if radius > widest { radius } else { widest })
    }

    /// The number of agents of all species.
    pub(crate) fn population(&self) -> usize {
        self.agents.iter().map(Agents::len).sum()
    }

    /// Adds a species without agents.
    pub(crate) fn add_species(&mut self, species: Species<D>) -> Result<SpeciesId, Error> {
        let inputs = self.admit_species(None, &species)?;
        Ok(self.push_species(species, inputs))
    }

    fn push_species(&mut self, species: Species<D>, inputs: Vec<Inputs>) -> SpeciesId {
        let id = SpeciesId(self.species.len() as u32);
        self.agents.push(Agents::new(id, species.name.clone(), species.body()));
        self.species.push(species);
        self.inputs.push(inputs);
        self.orders.push(RowOrder::default());
        self.mix.chosen = false;
        self.limited = None;
        self.conform(id.number());
        id
    }

    /// Adds a species that was removed.
    pub(crate) fn push_removed_species(&mut self) {
        self.push_species(Species::new(""), Vec::new());
    }

    /// Removes the definition of a species that has no agents. Its number stays taken, so that other ids remain valid. No
    /// other species has an empty name.
    pub(crate) fn remove_species(&mut self, number: usize) {
        let removed = Species::new("");
        self.agents[number] = Agents::new(SpeciesId(number as u32), String::new(), removed.body());
        (self.species[number], self.inputs[number]) = (removed, Vec::new());
        self.orders[number] = RowOrder::default();
        self.mix.chosen = false;
        self.limited = None;
        self.conform(number);
    }

    /// The number of the species with this name.
    pub(crate) fn species_number(&self, name: &str) -> Option<usize> {
        species_number(&self.species, name)
    }

    /// Removes the keys of rules that come from elsewhere: another species or another world. The memory of a rule belongs
    /// to its key, and the species that this one replaces has the only keys that are known.
    pub(crate) fn disown(&self, replaced: Option<usize>, species: &mut Species<D>) {
        let known = replaced.map_or(&[][..], |number| &self.species[number].rules);
        for rule in &mut species.rules {
            if !known.iter().any(|known| known.key == rule.key) {
                rule.key = 0;
            }
        }
    }

    /// Checks a new species, or one that replaces the species with a number. Returns the inputs of its rules.
    pub(crate) fn admit_species(&self, replaced: Option<usize>, species: &Species<D>) -> Result<Vec<Inputs>, Error> {
        let inputs = species.inputs()?;
        let same_name = |(other, known): (usize, &Species<D>)| Some(other) != replaced && known.name == species.name;
        if species.name.is_empty() {
            return Err(Error::bad("name", "", Allowed::NewName));
        }
        let is_word = matches!(&species.name[..], "own" | "all");
        if is_word || self.species.iter().enumerate().any(same_name) {
            return Err(Error::NameTaken(species.name.clone()));
        }
        let columns = replaced.map_or(&[][..], |number| &self.agents[number].columns.0);
        let column =
            |name: &str| columns.iter().any(|column| column.is(Owner::Host, name) || column.is(Owner::Local, name));
        let times = TIMES.iter().zip(species.times()).filter(|(_, time)| time.is_some()).map(|(table, _)| table.name);
        let mut names = times.chain(species.variables.iter().map(|variable| &variable.name[..]));
        match names.find(|name| column(name)) {
            Some(name) => Err(Error::NameTaken(name.to_owned())),
            None => Ok(inputs),
        }
    }

    /// Replaces the definition of a species. Agents keep their columns, except the columns of states, variables and
    /// rules that were removed, and their bodies, except quantities that changed.
    pub(crate) fn replace_species(&mut self, number: usize, species: Species<D>) -> Result<(), Error> {
        let inputs = self.admit_species(Some(number), &species)?;
        self.inputs[number] = inputs;
        let old = std::mem::replace(&mut self.species[number], species);
        let (new, agents, seed) = (&self.species[number], &mut self.agents[number], self.settings.seed);
        agents.name.clone_from(&new.name);
        let distributions = |species: &Species<D>| [species.mass, species.radius, species.max_speed, species.max_force];
        let of_kinds = old.kinds != new.kinds;
        let quantities = distributions(&old).into_iter().zip(distributions(new)).enumerate();
        for (quantity, _) in quantities.filter(|(_, (old, new))| of_kinds || old != new) {
            agents.set_quantity(quantity, new.body(), |agent| new.draw(quantity, seed, agent));
            if quantity == MAX_SPEED && self.zoned {
                let speeds = (0..agents.len()).map(|row| agents.max_speed(row)).collect();
                agents.columns.put::<f32>(Owner::FreeSpeed, speeds);
            }
        }
        // States are stored by position in the list, which may have changed.
        let places: Vec<u32> =
            old.states.iter().map(|state| new.state_number(&state.name).unwrap_or(0) as u32).collect();
        if let Some(states) = agents.columns.values_mut::<u32>(Owner::State) {
            for state in states {
                *state = places.get(*state as usize).copied().unwrap_or(0);
            }
        }
        for variable in &new.variables {
            let (values, _) = agents.columns.variable_and_states(&variable.name);
            values.iter_mut().for_each(|value| *value = value.clamp(variable.low, variable.high));
        }
        self.mix.chosen = false;
        self.limited = None;
        self.conform(number);
        let (new, agents) = (&self.species[number], &mut self.agents[number]);
        let changed = |time: usize| new.times()[time] != old.times()[time] || of_kinds && time == 0;
        for (time, table) in TIMES.iter().enumerate().filter(|(time, _)| changed(*time)) {
            if let Some(left) = agents.columns.time_mut(table.name) {
                for (left, &agent) in left.iter_mut().zip(&agents.id) {
                    *left = new.draw_time(time, seed, agent).unwrap_or(0.0);
                }
            }
        }
        if of_kinds || old.familiar != new.familiar {
            let firsts = person::firsts(&self.agents[number]);
            firsts.into_iter().enumerate().for_each(|(row, first)| self.draw_person(number, row, first));
        }
        Ok(())
    }

    /// Whether the regions columns match the environment.
    pub(crate) fn regions_are_settled(&self) -> bool {
        self.region_bits == self.environment.regions.ids()
    }

    /// Updates the columns of agents after edits of the environment's regions and zones.
    pub(crate) fn settle(&mut self) {
        self.settle_regions();
        self.settle_zones();
    }

    /// Updates the regions columns.
    fn settle_regions(&mut self) {
        if self.regions_are_settled() {
            return;
        }
        let now = self.environment.regions.ids().to_vec();
        let before = std::mem::replace(&mut self.region_bits, now);
        for number in 0..self.species.len() {
            if !self.region_bits.starts_with(&before)
                && let Some(column) = self.agents[number].columns.of_mut(Owner::Regions)
            {
                renumber(column, &before, &self.region_bits);
            }
            self.conform(number);
        }
    }

    /// Whether regions columns and own largest speeds match the environment.
    pub(crate) fn is_settled(&self) -> bool {
        self.regions_are_settled() && self.zoned == self.environment.limits_speeds()
    }

    /// Adds the column of own largest speeds when the environment has its first zone or lift, and removes it after the last.
    fn settle_zones(&mut self) {
        let zoned = self.environment.limits_speeds();
        if zoned == self.zoned {
            return;
        }
        self.zoned = zoned;
        for number in 0..self.species.len() {
            if zoned {
                self.conform(number);
                let agents = &mut self.agents[number];
                let speeds = (0..agents.len()).map(|row| agents.max_speed(row)).collect();
                agents.columns.put::<f32>(Owner::FreeSpeed, speeds);
            } else {
                let agents = &mut self.agents[number];
                let speeds = agents.columns.take::<f32>(Owner::FreeSpeed);
                for (row, speed) in speeds.into_iter().enumerate() {
                    agents.set_agent_quantity(row, MAX_SPEED, speed);
                }
                agents.columns.0.retain(|column| column.owner != Owner::FreeSpeed);
                self.conform(number);
            }
        }
    }

    /// Updates the columns of a species to those that its definition requires. Columns that remain keep their values.
    pub(crate) fn conform(&mut self, number: usize) {
        self.conform_one(number);
        // Hunters catch prey on the ways of both: a change of one species may concern the columns of all.
        for other in 0..self.species.len() {
            let keeps = self.agents[other].columns.of(Owner::Moved).is_some();
            if keeps != keeps_ways(&self.species[other], &self.inputs[other], self.region_bits.len(), self.is_hunted())
            {
                self.conform_one(other);
            }
            if self.is_looked_at(other) {
                self.keep_headings(other);
            }
        }
    }

    /// Whether agents of a species catch others.
    fn is_hunted(&self) -> bool {
        self.species.iter().any(|species| species.catch.is_some())
    }

    fn conform_one(&mut self, number: usize) {
        let hunted = self.is_hunted();
        let (species, agents) = (&mut self.species[number], &mut self.agents[number]);
        let mut keys = Vec::new();
        for rule in &mut species.rules {
            // A cloned rule gets its own memory.
            if rule.key == 0 || keys.contains(&rule.key) {
                self.last_key += 1;
                rule.key = self.last_key;
            }
            keys.push(rule.key);
        }
        agents.states.clear();
        agents.states.extend(species.states.iter().map(|state| state.name.clone()));
        let required = required_columns(species, &self.inputs[number], self.region_bits.len(), self.zoned, hunted);
        let rows = agents.len();
        let mut old = std::mem::take(&mut agents.columns.0);
        let columns = &mut agents.columns.0;
        for (owner, name, start) in required {
            let same = |column: &Column| column.is(owner, &name) && column.data.type_name() == start.type_name();
            match old.iter().position(same).map(|place| old.swap_remove(place)) {
                Some(mut column) if column.width == start.len() => {
                    column.start = start;
                    columns.push(column);
                }
                Some(narrow) => columns.push(narrow.widened(start, rows)),
                None => {
                    let mut column = Column::new(owner, name, start, rows);
                    let variable = species.variables.iter().find(|variable| column.is(Owner::Variable, &variable.name));
                    if let (Some(variable), Some(values)) = (variable, f32::rows_mut(&mut column.data)) {
                        let all = values.iter_mut().zip(&agents.id);
                        all.for_each(|(value, agent)| *value = variable.draw(self.settings.seed, *agent));
                    }
                    columns.push(column);
                }
            }
        }
        old.retain(|column| matches!(column.owner, Owner::Mix | Owner::Host | Owner::Local | Owner::Jumps));
        let of_host = |column: &Column| column.owner != Owner::Mix;
        old.sort_by(|a, b| (of_host(a), &a.name).cmp(&(of_host(b), &b.name)));
        columns.append(&mut old);
    }

    /// Whether a rule reads the headings of agents of a species.
    fn is_looked_at(&self, number: usize) -> bool {
        let agents = &self.agents[number];
        let reads = |(own, inputs): (usize, &Vec<Inputs>)| {
            inputs.iter().flat_map(Inputs::headings).any(|filter| filter.perceives(SpeciesId(own as u32), agents))
        };
        self.inputs.iter().enumerate().any(reads)
    }

    /// Keeps the headings of a species from now on.
    pub(crate) fn keep_headings(&mut self, number: usize) {
        let seed = self.settings.seed;
        self.agents[number].keep_headings(|agent| start_heading(seed, agent));
    }

    /// Adds an agent in a new row.
    pub(crate) fn spawn(&mut self, number: usize, position: Vector<D>, velocity: Vector<D>) -> Result<AgentId, Error> {
        let row = self.agents[number].len();
        let id = self.ids.add(AgentRow { species: number as u32, row: row as u32 }).ok_or(Error::Full)?;
        self.add_row(number, id, position, velocity);
        self.join_mix(number, id);
        self.stray(number, row);
        Ok(id)
    }

    /// Adds a row for the agent with this id.
    pub(crate) fn add_row(&mut self, number: usize, id: AgentId, position: Vector<D>, velocity: Vector<D>) {
        let agents = &mut self.agents[number];
        let row = agents.len();
        agents.push(id, position, velocity);
        agents.set_body(row, self.species[number].draw_body(self.settings.seed, id));
        if agents.keeps_headings() {
            agents.face(row, start_heading(self.settings.seed, id));
            agents.follow_velocity(row);
        }
        if let Some(speeds) = agents.columns.values_mut::<f32>(Owner::FreeSpeed) {
            speeds[row] = agents.body.max_speed.get(row);
        }
        for (time, table) in TIMES.iter().enumerate() {
            if let (Some(drawn), Some(left)) =
                (self.species[number].draw_time(time, self.settings.seed, id), agents.columns.time_mut(table.name))
            {
                left[row] = drawn;
            }
        }
        for variable in &self.species[number].variables {
            if !matches!(variable.start, Distribution::Same(_)) {
                let (values, _) = agents.columns.variable_and_states(&variable.name);
                values[row] = variable.draw(self.settings.seed, id);
            }
        }
        self.draw_person(number, row, id);
    }

    /// Draws the kind of an agent and the goals that it knows. The draw of the agent `first` decides for its group.
    fn draw_person(&mut self, number: usize, row: usize, first: AgentId) {
        let (species, agents) = (&self.species[number], &mut self.agents[number]);
        person::draw(species, &self.environment, self.settings.seed, agents, (row, first));
    }

    /// Removes an agent, if it lives, and counts the reason; the last row of its species takes its place. Returns where
    /// it was, and its place in the mix.
    pub(crate) fn remove(&mut self, id: AgentId, reason: &str) -> Option<(AgentRow, Option<usize>)> {
        let found = self.ids.row_of(id)?;
        let (number, row) = (found.species as usize, found.row as usize);
        let mixed = self.mix_row(number, row);
        if let Some(moved) = self.agents[number].swap_remove(row) {
            self.ids.set_row(moved, found.row);
        }
        if let Some(mixed) = mixed {
            self.leave_mix(mixed);
        }
        self.ids.remove(id);
        self.tally.count(reason);
        self.leavers.remove(&id);
        self.orders[number].stray(row);
        Some((found, mixed))
    }
}

/// The number of the species with this name, which was not removed.
pub(crate) fn species_number<const D: usize>(species: &[Species<D>], name: &str) -> Option<usize> {
    species.iter().position(|species| species.name == name && !name.is_empty())
}

/// The heading of an agent that starts at rest.
fn start_heading<const D: usize>(seed: u64, agent: AgentId) -> Vector<D> {
    Noise::new(seed, agent.to_bits(), 0, Noise::HEADING).direction()
}

/// The columns that a species' definition requires: owner, name and the value of a new agent.
fn required_columns<const D: usize>(
    species: &Species<D>,
    inputs: &[Inputs],
    regions: usize,
    zoned: bool,
    hunted: bool,
) -> Vec<(Owner, String, Data)> {
    let mut required = Vec::new();
    let mut require = |owner, name: &str, start: Data| required.push((owner, name.to_owned(), start));
    let arrives = inputs.iter().any(|inputs| inputs.arrives);
    if !species.states.is_empty() {
        require(Owner::State, "state", 0u32.data());
        require(Owner::Seconds, "seconds", 0f32.data());
    }
    if arrives || !species.states.is_empty() || species.catch.is_some() {
        require(Owner::Flags, "flags", 0u32.data());
    }
    if regions > 0 {
        require(Owner::Regions, "regions", Data::U64(vec![0; regions.div_ceil(64)]));
    }
    if keeps_ways(species, inputs, regions, hunted) {
        require(Owner::Moved, "moved", [0f32; D].data());
    }
    if zoned {
        require(Owner::FreeSpeed, "free_speed", 0f32.data());
    }
    for (table, _) in TIMES.iter().zip(species.times()).filter(|(_, time)| time.is_some()) {
        require(Owner::Time, table.name, 0f32.data());
    }
    for variable in &species.variables {
        require(Owner::Variable, &variable.name, variable.usual().data());
    }
    person::columns(species).into_iter().for_each(|(name, start)| require(Owner::Host, name, start.data()));
    let keys = species.rules.iter().map(|rule| rule.key).chain([MOTION_KEY]);
    for (key, inputs) in keys.zip(inputs) {
        for (name, start) in &inputs.memory {
            require(Owner::Rule(key), name, start.clone());
        }
    }
    required
}

/// Whether the agents of a species keep the way of the last tick: where something may happen on the way.
fn keeps_ways<const D: usize>(species: &Species<D>, inputs: &[Inputs], regions: usize, hunted: bool) -> bool {
    // The motion does not arrive.
    let mut of_rules = inputs.iter().take(species.rules.len());
    hunted || regions > 0 || !species.states.is_empty() || of_rules.any(Inputs::reads_way)
}

/// Moves each region's bit from its position in `before` to its position in `now`.
fn renumber(column: &mut Column, before: &[RegionId], now: &[RegionId]) {
    let width = column.width;
    let Data::U64(words) = &mut column.data else { return };
    for words in words.chunks_mut(width) {
        let old = words.to_vec();
        words.fill(0);
        let inside = before.iter().enumerate().filter(|(place, _)| old[place / 64] >> (place % 64) & 1 == 1);
        for (_, id) in inside {
            if let Some(place) = now.iter().position(|other| other == id) {
                words[place / 64] |= 1 << (place % 64);
            }
        }
    }
}
