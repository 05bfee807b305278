//! Edits of agents by a host: spawning, removal, positions, velocities, goals and states.

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::row_order::LONGEST;
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, SpeciesId};
use crate::base::settings::{Edge, LIMIT, Settings};
use crate::base::values::{Allowed, Range};
use crate::derived::Derived;
use crate::derived::rows::{remove, spawn};
use crate::formulas::edges::wrapped;
use crate::maths::Vector;
use crate::state::{RemovalReason, State};
use crate::world::World;
use crate::world::agent_start::AgentStart;
use crate::world::recording::edit::Edit;

/// The reason for removals by the host.
const DESPAWNED: &str = "despawned";

impl<const D: usize> World<D> {
    /// Adds an agent. The next step steers it. It may be on a wall or inside one: [`Wall`](crate::Wall) says where it goes.
    /// One at rest sets off if rules or its motion make it: a vehicle and the models of constant speed do, others may need
    /// a velocity. [`Species::start_speed`](crate::Species::start_speed) is the speed that scenario files give.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if a coordinate is not finite, or outside a world with a boundary
    /// (a periodic world accepts any point within [`LIMIT`] and uses its image inside); [`Error::Full`].
    pub fn spawn(
        &mut self,
        species: SpeciesId,
        position: impl Into<Vector<D>>,
        velocity: impl Into<Vector<D>>,
    ) -> Result<AgentId, Error> {
        self.spawn_from(species, &AgentStart::new(position, velocity))
    }

    /// The position and the velocity of a start, if the world accepts them.
    pub(crate) fn checked_start(&self, start: &AgentStart<D>) -> Result<(Vector<D>, Vector<D>), Error> {
        Ok((self.checked_position(start.position)?, check_velocity(start.velocity)?))
    }

    /// Adds an agent for each position, and returns their ids in the same order. If one is refused, none is added.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the numbers of positions and velocities differ; otherwise as for [`spawn`](Self::spawn).
    pub fn spawn_many(
        &mut self,
        species: SpeciesId,
        positions: &[[f32; D]],
        velocities: &[[f32; D]],
    ) -> Result<Vec<AgentId>, Error> {
        if positions.len() != velocities.len() {
            return Err(Error::Length { agents: positions.len(), given: velocities.len() });
        }
        self.agents(species)?;
        let starts = positions.iter().zip(velocities);
        let starts = starts.map(|(position, velocity)| self.checked_start(&AgentStart::new(*position, *velocity)));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if !self.state.ids.has_room(positions.len()) {
            return Err(Error::Full);
        }
        let record = || Edit::SpawnMany(species, positions.to_vec(), velocities.to_vec());
        let (state, derived) = self.edit(record);
        let number = species.number();
        starts.into_iter().map(|(position, velocity)| spawn(state, derived, number, position, velocity)).collect()
    }

    /// Removes an agent at once. Rows of its species may move.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn despawn(&mut self, id: AgentId) -> Result<(), Error> {
        self.row_of(id)?;
        let (state, derived) = self.edit(|| Edit::Despawn(vec![id]));
        despawn(state, derived, id);
        Ok(())
    }

    /// Makes an agent one of another species. It keeps its id, by which hosts and rules refer to it, its position,
    /// velocity, heading and goal. It keeps each column and variable, and its state, if the other species has one of
    /// the same name, and each quantity of its body that both species define in the same way. All else is as if it had
    /// been spawned. Rows of both species may move.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`] or [`Error::NoSuchSpecies`].
    pub fn change_species(&mut self, id: AgentId, species: SpeciesId) -> Result<(), Error> {
        let found = self.row_of(id)?;
        self.agents(species)?;
        if found.species == species.0 {
            return Ok(());
        }
        let (state, derived) = self.edit(|| Edit::ChangeSpecies(id, species));
        let mixed = state.change_species(id, found, species.number());
        derived.row_removed(state, found, mixed);
        derived.row_added(state, species.number());
        Ok(())
    }

    /// Removes the agents of a species for which `unwanted`, called with a row, returns `true`. Returns their number.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn despawn_where(
        &mut self,
        species: SpeciesId,
        mut unwanted: impl FnMut(&Agents<D>, usize) -> bool,
    ) -> Result<usize, Error> {
        let agents = self.agents(species)?;
        let rows = (0..agents.len()).filter(|&row| unwanted(agents, row));
        let ids: Vec<AgentId> = rows.map(|row| agents.ids()[row]).collect();
        let (state, derived) = self.edit(|| Edit::Despawn(ids.clone()));
        for &id in &ids {
            despawn(state, derived, id);
        }
        Ok(ids.len())
    }

    /// Removes all agents, of every species.
    pub fn clear(&mut self) {
        let (state, derived) = self.edit(|| Edit::Clear);
        (0..state.agents.len()).for_each(|number| despawn_all(state, derived, number));
    }

    /// Returns the point if the world accepts it; on periodic axes, its image inside.
    pub(crate) fn checked_position(&self, point: Vector<D>) -> Result<Vector<D>, Error> {
        accepted(&self.state.settings, point)
    }

    /// Sets an agent to exactly this point, through walls. It has no way there, for measures, regions and pictures
    /// alike, unless its species is [moved by the host](crate::Species::moved_by_host). Its
    /// [residual](crate::Agents::position_residuals) becomes zero. From a place on a wall or inside one the next tick
    /// moves it out: see [`Wall`](crate::Wall).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] as for [`spawn`](Self::spawn).
    pub fn set_position(&mut self, id: AgentId, position: impl Into<Vector<D>>) -> Result<(), Error> {
        let found = self.row_of(id)?;
        let position = self.checked_position(position.into())?;
        let (state, derived) = self.edit(|| Edit::SetPosition(id, position));
        put(state, derived, found, position);
        Ok(())
    }

    /// Moves all agents of a species, row by row: one slice per axis, in metres. Their
    /// [residuals](crate::Agents::position_residuals) become zero. A host that moves only a few agents far from the
    /// origin uses [`set_position`](Self::set_position) for these, which keeps the residuals of the others.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::Length`] if a slice does not have one value per agent; [`Error::BadValue`] as
    /// for [`spawn`](Self::spawn). No agent has moved then.
    pub fn set_positions(&mut self, species: SpeciesId, positions: [&[f32]; D]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        check_lengths(agents, &positions)?;
        let at = |row: usize| Vector::from_fn(|axis| positions[axis][row]);
        (0..agents).try_for_each(|row| self.checked_position(at(row)).map(|_| ()))?;
        let number = species.number();
        let (state, derived) = self.edit(|| Edit::SetPositions(species, positions.map(<[f32]>::to_vec).to_vec()));
        let mut farthest = 0.0;
        for row in 0..agents {
            let position = accepted(&state.settings, at(row)).unwrap_or(at(row));
            match relocate(state, number, row, position) {
                Some(squared) => farthest = if squared > farthest { squared } else { farthest },
                None => derived.indices.strayed(state, number, row),
            }
        }
        // The boxes and lists of the last tick hold, as far as they reach.
        derived.rows_moved(state, number, farthest.sqrt());
        Ok(())
    }

    /// Moves these agents, each to its point in metres, and leaves the others as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the numbers of agents and points differ; [`Error::NoSuchAgent`]; [`Error::BadValue`] as for
    /// [`spawn`](Self::spawn). No agent has moved then.
    pub fn set_positions_of(&mut self, agents: &[AgentId], positions: &[[f32; D]]) -> Result<(), Error> {
        let rows = self.rows_of(agents, positions)?;
        let check = |position: &[f32; D]| self.checked_position(Vector(*position));
        let checked = positions.iter().map(check).collect::<Result<Vec<_>, _>>()?;
        let (state, derived) = self.edit(|| Edit::SetPositionsOf(agents.to_vec(), positions.to_vec()));
        for (found, position) in rows.into_iter().zip(checked) {
            put(state, derived, found, position);
        }
        Ok(())
    }

    /// Sets the velocities of these agents, in metres per second.
    ///
    /// # Errors
    ///
    /// As for [`set_positions_of`](Self::set_positions_of).
    pub fn set_velocities_of(&mut self, agents: &[AgentId], velocities: &[[f32; D]]) -> Result<(), Error> {
        let rows = self.rows_of(agents, velocities)?;
        velocities.iter().try_for_each(|velocity| check_velocity(Vector(*velocity)).map(|_| ()))?;
        let (state, _) = self.edit(|| Edit::SetVelocitiesOf(agents.to_vec(), velocities.to_vec()));
        for (found, velocity) in rows.into_iter().zip(velocities) {
            state.agents[found.species as usize].set_velocity(found.row as usize, Vector(*velocity));
        }
        Ok(())
    }

    /// The rows of agents, one for each vector.
    fn rows_of(&self, agents: &[AgentId], vectors: &[[f32; D]]) -> Result<Vec<AgentRow>, Error> {
        if agents.len() != vectors.len() {
            return Err(Error::Length { agents: agents.len(), given: vectors.len() });
        }
        agents.iter().map(|&id| self.row_of(id)).collect()
    }

    /// Sets the velocities of all agents of a species, row by row: one slice per axis, in metres per second.
    ///
    /// # Errors
    ///
    /// As for [`set_positions`](Self::set_positions).
    pub fn set_velocities(&mut self, species: SpeciesId, velocities: [&[f32]; D]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        check_lengths(agents, &velocities)?;
        let at = |row: usize| Vector::<D>::from_fn(|axis| velocities[axis][row]);
        (0..agents).try_for_each(|row| check_velocity(at(row)).map(|_| ()))?;
        let record = || Edit::SetVelocities(species, velocities.map(<[f32]>::to_vec).to_vec());
        let edited = &mut self.edit(record).0.agents[species.number()];
        let Agents { velocity, velocity_residual, .. } = &mut *edited;
        for ((to, residual), from) in velocity.iter_mut().zip(velocity_residual).zip(velocities) {
            to[..agents].copy_from_slice(from);
            residual[..agents].fill(0.0);
        }
        edited.follow_velocities(0..edited.chunks());
        Ok(())
    }

    /// Sets the velocity of an agent, in metres per second.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a component is not finite or beyond [`LIMIT`].
    pub fn set_velocity(&mut self, id: AgentId, velocity: impl Into<Vector<D>>) -> Result<(), Error> {
        let found = self.row_of(id)?;
        let velocity = check_velocity(velocity.into())?;
        let (state, _) = self.edit(|| Edit::SetVelocity(id, velocity));
        state.agents[found.species as usize].set_velocity(found.row as usize, velocity);
        Ok(())
    }

    /// Sets the direction in which an agent looks, a vector of any length: see [`Agents::heading`]. An agent that moves
    /// looks where it goes from the end of the next tick on. A species without a field of view keeps the headings of its
    /// agents from the first call on.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if the vector is zero, not finite or beyond [`LIMIT`].
    pub fn set_heading(&mut self, id: AgentId, heading: impl Into<Vector<D>>) -> Result<(), Error> {
        let (found, heading) = (self.row_of(id)?, heading.into());
        let direction = heading.direction();
        if direction == Vector::ZERO || !heading.0.iter().all(|component| component.abs() <= LIMIT) {
            return Err(Error::bad("heading", heading, Allowed::point(Range::COORDINATE, "m/s")));
        }
        let (state, _) = self.edit(|| Edit::SetHeading(id, heading));
        state.keep_headings(found.species as usize);
        state.agents[found.species as usize].face(found.row as usize, direction);
        Ok(())
    }

    /// Sets or clears an agent's own goal. Rules with a target use the goal instead of the target.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a coordinate is not finite or beyond [`LIMIT`].
    pub fn set_goal(&mut self, id: AgentId, goal: Option<Vector<D>>) -> Result<(), Error> {
        let found = self.row_of(id)?;
        if let Some(goal) = goal.filter(|goal| !goal.0.iter().all(|coordinate| coordinate.abs() <= LIMIT)) {
            return Err(Error::bad("goal", goal, Allowed::point(Range::COORDINATE, "m")));
        }
        let (state, _) = self.edit(|| Edit::SetGoal(id, goal));
        state.agents[found.species as usize].set_goal(found.row as usize, goal);
        Ok(())
    }

    /// Puts an agent into the state with this name, as if it had just entered it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::NoSuchState`] if its species has no such state.
    pub fn set_state(&mut self, id: AgentId, state: &str) -> Result<(), Error> {
        let found = self.row_of(id)?;
        let (species, row) = (found.species as usize, found.row as usize);
        let number = self.state.species[species].state_number(state).ok_or(Error::NoSuchState(state.to_owned()))?;
        let columns = &mut self.edit(|| Edit::SetState(id, state.to_owned())).0.agents[species].columns;
        if let Some(states) = columns.values_mut::<u32>(Owner::State) {
            states[row] = number as u32;
        }
        if let Some(seconds) = columns.values_mut::<f32>(Owner::Seconds) {
            seconds[row] = 0.0;
        }
        Ok(())
    }
}

/// Moves the agent at a row to a point of the world.
pub(super) fn put<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    found: AgentRow,
    position: Vector<D>,
) {
    let (species, row) = (found.species as usize, found.row as usize);
    match relocate(state, species, row, position) {
        Some(squared) => {
            state.moved_by_host(species, squared.sqrt());
            derived.indices.row_edited(state, species, row);
        }
        None => derived.indices.strayed(state, species, row),
    }
}

/// Removes all agents of a species.
pub(super) fn despawn_all<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, number: usize) {
    for row in (0..state.agents[number].len()).rev() {
        let id = state.agents[number].id[row];
        despawn(state, derived, id);
    }
}

/// Removes an agent, which the next tick reports.
fn despawn<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, id: AgentId) {
    if let Some(found) = remove(state, derived, id, DESPAWNED) {
        state.despawned.push((id, SpeciesId(found.species)));
    }
}

/// Returns the point if a world accepts it; on periodic axes, its image inside.
fn accepted<const D: usize>(settings: &Settings<D>, mut point: Vector<D>) -> Result<Vector<D>, Error> {
    if !point.0.iter().all(|coordinate| coordinate.abs() <= LIMIT) {
        return Err(Error::bad("position", point, Allowed::point(Range::COORDINATE, "m")));
    }
    for axis in 0..D {
        let size = settings.size[axis];
        match settings.edge[axis] {
            Edge::Wrap if (0.0..size).contains(&point[axis]) && point[axis].is_sign_positive() => {}
            Edge::Wrap => point[axis] = wrapped(point[axis], size).inside,
            Edge::Open => {}
            Edge::Bounce | Edge::Remove | Edge::Respawn if (0.0..=size).contains(&point[axis]) => {}
            _ => {
                let size = settings.size.0.map(f64::from).to_vec();
                return Err(Error::bad("position", point, Allowed::Inside(size)));
            }
        }
    }
    Ok(point)
}

/// Returns the nearest point that a world accepts; on periodic axes, its image inside.
pub(super) fn moved_inside<const D: usize>(settings: &Settings<D>, point: Vector<D>) -> Vector<D> {
    let Settings { edge, size, .. } = settings;
    let inside = Vector::from_fn(|axis| match edge[axis] {
        Edge::Wrap | Edge::Open => point[axis],
        Edge::Bounce | Edge::Remove | Edge::Respawn => point[axis].clamp(0.0, size[axis]),
    });
    accepted(settings, inside).unwrap_or(inside)
}

/// Moves the agent at a row to a point of the world. Returns the squared distance in square metres; `None` if it is
/// too far for the order of rows: the agent strays.
fn relocate<const D: usize>(state: &mut State<D>, species: usize, row: usize, position: Vector<D>) -> Option<f32> {
    let (agents, environment) = (&mut state.agents[species], &mut state.environment);
    let squared = state.settings.offset(agents.position(row), position).length_squared();
    // A host that integrates positions itself moves agents no farther than a tick would: the order stays usable.
    let usual = agents.max_speed(row) * state.settings.tick_seconds * LONGEST as f32;
    if state.species[species].moved_by_host {
        agents.set_position(row, position);
        agents.forget_way(row);
    } else {
        agents.jump(row, position);
    }
    let crossing = environment.links.records().iter().flat_map(|all| &all.under_way);
    if squared > 0.0 && crossing.map(|crossing| crossing.agent).any(|agent| agent == agents.id[row]) {
        environment.links.records_mut().for_each(|(.., all)| all.under_way.retain(|one| one.agent != agents.id[row]));
    }
    // An agent that the edge was about to remove stays.
    if !state.leavers.is_empty()
        && let Some(RemovalReason::Left) = state.leavers.get(&agents.id[row])
    {
        state.leavers.remove(&agents.id[row]);
    }
    (squared <= usual * usual).then_some(squared)
}

fn check_lengths<const D: usize>(agents: usize, slices: &[&[f32]; D]) -> Result<(), Error> {
    match slices.iter().find(|slice| slice.len() != agents) {
        Some(slice) => Err(Error::Length { agents, given: slice.len() }),
        None => Ok(()),
    }
}

fn check_velocity<const D: usize>(velocity: Vector<D>) -> Result<Vector<D>, Error> {
    if velocity.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(velocity);
    }
    Err(Error::bad("velocity", velocity, Allowed::point(Range::COORDINATE, "m/s")))
}
