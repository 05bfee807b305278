//! The start of a world on several ranks, each of which has only its own agents.

use std::ops::Range;

use crate::agents::columns::ColumnValue;
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, Ids, SpeciesId};
use crate::base::values::Allowed;
use crate::ranks::Ranks;
use crate::state::snapshot::Rows;
use crate::world::World;
use crate::world::agent_start::AgentStart;
use crate::world::edits::columns::set_value;
use crate::world::starts::{check, complete};

/// The start of a divided world to which each rank adds only its own agents: no rank needs memory for the others.
///
/// A host announces the agents of one species after the other, and adds those whose numbers it gets. Every rank makes
/// the same announcements. The bits are the same as in a world to which one process added all agents, in the same
/// order. Without [`finish`](Self::finish) the world stays empty.
///
/// ```
/// use throng::behaviours::Separation;
/// use throng::ranks::{self, Ranks};
/// use throng::{AgentStart, Settings, Species, World};
///
/// const AGENTS: u64 = 2000;
/// let start = |number: u64| AgentStart::new([(number % 50) as f32, (number / 50) as f32], [1.0, 0.0]);
/// let empty = || {
///     let mut world = World::<2>::new(Settings::default())?;
///     let bird = world.add_species(Species::new("bird").with(1.0, Separation { radius: 2.0, ..Default::default() }))?;
///     Ok::<_, throng::Error>((world, bird))
/// };
///
/// let run = move |rank: ranks::InProcess| {
///     let (mut world, _) = empty()?;
///     let ranks = Ranks::new(rank);
///     ranks.divide(&mut world)?;
///     let mut own = ranks.start_own(&mut world);
///     for number in own.next_species(AGENTS, false)? {
///         own.spawn(&start(number))?;
///     }
///     if !own.finish() {
///         ranks.gather(&mut world);
///     }
///     world.step();
///     ranks.gather(&mut world);
///     Ok::<u64, throng::Error>(world.state_hash())
/// };
/// let (mut whole, bird) = empty()?;
/// for number in 0..AGENTS {
///     whole.spawn_from(bird, &start(number))?;
/// }
/// whole.step();
/// let ranks = ranks::in_process(2).into_iter().map(|rank| std::thread::spawn(move || run(rank)));
/// for rank in ranks.collect::<Vec<_>>() {
///     assert_eq!(rank.join().unwrap()?, whole.state_hash());
/// }
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the world starts with `finish`"]
pub struct OwnStart<'w, const D: usize> {
    world: &'w mut World<D>,
    /// The rows of the species that were announced.
    rows: Vec<Rows>,
    /// Whether agents of the last of them have goals.
    have_goals: bool,
    /// The number of agents of the species before it.
    before: u64,
    is_finished: bool,
}

impl Ranks {
    /// Begins the start of a [divided](Self::divide) world without agents, to which each rank adds only its own agents.
    /// Every rank makes this call.
    ///
    /// # Panics
    ///
    /// If the world is not divided, or has or had agents.
    pub fn start_own<'w, const D: usize>(&self, world: &'w mut World<D>) -> OwnStart<'w, D> {
        assert!(!self.own(world).part.is_only_process(), "each rank of a divided world has agents of its own");
        assert!(world.spawned() == 0, "a world starts without agents");
        OwnStart { world, rows: Vec::new(), have_goals: false, before: 0, is_finished: false }
    }
}

impl<const D: usize> OwnStart<'_, D> {
    /// Announces the number of agents of the next species, in the order in which species were added, and whether agents
    /// of it have [goals](AgentStart::goal). Returns the numbers of the agents that this rank is to [add](Self::spawn).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`] if the world has no further species, or agents are announced for one that was removed;
    /// [`Error::Full`].
    pub fn next_species(&mut self, agents: u64, have_goals: bool) -> Result<Range<u64>, Error> {
        let number = self.rows.len();
        let World { state, part, .. } = &mut *self.world;
        let exists = |species: &&mut crate::Agents<D>| agents == 0 || !species.name().is_empty();
        let Some(columns) = state.agents.get_mut(number).filter(exists) else {
            return Err(Error::NoSuchSpecies(SpeciesId(number as u32)));
        };
        let before = self.rows.iter().map(|rows| rows.all as u64).sum::<u64>();
        let all = usize::try_from(before.saturating_add(agents)).map_err(|_| Error::Full)?;
        if !state.ids.has_room(all) {
            return Err(Error::Full);
        }
        if have_goals {
            columns.goal.get_or_insert_with(|| std::array::from_fn(|_| Vec::new()));
        }
        let agents = agents as usize;
        let own = part.expect(number, agents);
        let numbers = own.start as u64..own.end as u64;
        self.rows.push(Rows { all: agents, own });
        (self.have_goals, self.before) = (have_goals, before);
        Ok(numbers)
    }

    /// Adds the next agent of this rank, of the species that was announced last.
    ///
    /// # Errors
    ///
    /// As for [`World::spawn_from`]; [`Error::Length`] if the rank has all of its agents of the species;
    /// [`Error::BadValue`] for a goal in a species that was announced without goals.
    pub fn spawn(&mut self, start: &AgentStart<D>) -> Result<(), Error> {
        check(start)?;
        if let Some(goal) = start.goal.filter(|_| !self.have_goals) {
            return Err(Error::bad("goal", goal, Allowed::one_of(["none, of a species announced without goals"])));
        }
        let at = self.place(0)?;
        let number = at.species as usize;
        let id = AgentId::from_bits(self.before + (self.rows[number].own.start as u64) + u64::from(at.row));
        let (position, velocity) = self.world.checked_start(start)?;
        let (state, _) = self.world.edit_beside();
        state.add_row(number, id, position, velocity);
        complete(&mut state.agents[number], at.row as usize, start);
        Ok(())
    }

    /// Sets the value of the agent that was added last in a column of its species: see [`World::set_column_value`].
    ///
    /// # Errors
    ///
    /// As for [`World::set_column_value`]; [`Error::Length`] if the rank has no agent of the species yet.
    pub fn set_column_value<T: ColumnValue>(&mut self, column: &str, value: T) -> Result<(), Error> {
        let at = self.place(1)?;
        self.world.check_values(at.species as usize, column, &[value])?;
        set_value(self.world.edit_beside().0, at, column, value);
        Ok(())
    }

    /// The row of the agent `back` rows before the next one, counted from the first of this rank.
    fn place(&self, back: usize) -> Result<AgentRow, Error> {
        let species = self.rows.len().checked_sub(1).ok_or(Error::NoSuchSpecies(SpeciesId(0)))?;
        let (given, agents) = (self.world.state.agents[species].len(), self.rows[species].own.len());
        match given.checked_sub(back).filter(|&row| row < agents) {
            Some(row) => Ok(AgentRow { species: species as u32, row: row as u32 }),
            None => Err(Error::Length { agents, given: given + 1 - back }),
        }
    }

    /// Starts the world with the agents that each rank has added. Returns `false` if the rules of the world need all
    /// agents on each rank: the next call is then [`Ranks::gather`].
    ///
    /// # Panics
    ///
    /// If an agent of this rank is missing.
    #[must_use]
    pub fn finish(mut self) -> bool {
        self.rows.resize_with(self.world.state.agents.len(), || Rows { all: 0, own: 0..0 });
        let World { state, .. } = &mut *self.world;
        for (agents, rows) in state.agents.iter().zip(&self.rows) {
            let (added, own) = (agents.len(), rows.own.len());
            assert!(added == own, "{added} of {own} agents of this rank were added");
        }
        let agents: usize = self.rows.iter().map(|rows| rows.all).sum();
        state.ids = Ids::unplaced((0..agents).map(|_| 0), Vec::new());
        self.is_finished = true;
        self.world.start_apart(&self.rows)
    }
}

/// Agents without ids do not stay.
impl<const D: usize> Drop for OwnStart<'_, D> {
    fn drop(&mut self) {
        if !self.is_finished {
            for agents in &mut self.world.state.agents {
                for row in (0..agents.len()).rev() {
                    agents.swap_remove(row);
                }
                // The world had no agents, and so no goals.
                agents.goal = None;
            }
        }
    }
}
