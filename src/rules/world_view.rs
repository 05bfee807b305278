//! The state of the world at the start of a tick, as rules read it.

use crate::agents::Agents;
use crate::base::clock::Clock;
use crate::base::ids::{AgentId, Ids, SpeciesId};
use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::horizon::Horizon;
use crate::environment::index::EnvironmentIndex;
use crate::environment::wall_index::NearPieces;
use crate::environment::{Environment, NearWall};
use crate::index::groups::Groups;
use crate::index::images::Images;
use crate::index::joint_index::JointIndex;
use crate::index::species_index::SpeciesIndex;
use crate::maths::{Noise, Vector, mix64};
use crate::rules::gatherings::Gatherings;

/// The state of the world at the start of the tick, which every behaviour may read.
#[derive(Clone, Copy, Debug)]
pub struct WorldView<'a, const D: usize> {
    pub(crate) settings: &'a Settings<D>,
    pub(crate) tick: u64,
    pub(crate) clock: Clock,
    /// The agents of every species; where neighbours are perceived, their images across seams follow.
    pub(crate) agents: &'a [Agents<D>],
    pub(crate) indices: &'a [SpeciesIndex<D>],
    pub(crate) joints: &'a JointIndex<D>,
    pub(crate) groups: &'a Groups,
    pub(crate) gatherings: &'a Gatherings,
    pub(crate) images: &'a Images<D>,
    pub(crate) ids: &'a Ids,
    pub(crate) environment: &'a Environment<D>,
    pub(crate) environment_index: &'a EnvironmentIndex<D>,
}

impl<'a, const D: usize> WorldView<'a, D> {
    /// The world's settings.
    #[must_use]
    pub fn settings(&self) -> &'a Settings<D> {
        self.settings
    }

    /// The number of ticks before this one.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The simulated time before this tick, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.clock.seconds(self.tick, self.settings.tick_seconds)
    }

    /// The length of the last tick, in seconds: the ways of agents in it took this long.
    pub(crate) fn last_tick_seconds(&self) -> f32 {
        self.clock.last_tick(self.tick, self.settings.tick_seconds)
    }

    /// The number of whole periods of this many seconds before this tick. While all ticks have the same length, a
    /// period is rounded up to whole ticks; it is one tick at least.
    pub(crate) fn periods(&self, seconds: f32) -> u64 {
        if self.clock.is_steady() {
            return self.tick / ticks_in(seconds, self.settings.tick_seconds);
        }
        let is_long = seconds > self.settings.tick_seconds;
        if is_long { (self.seconds() / f64::from(seconds)) as u64 } else { self.tick }
    }

    /// Whether the turn of an agent comes in this tick, if each agent has one per interval in seconds, in the order of
    /// their ids.
    pub(crate) fn is_turn_of(&self, agent: AgentId, seconds: f32) -> bool {
        if self.clock.is_steady() {
            let ticks = ticks_in(seconds, self.settings.tick_seconds);
            return self.tick.wrapping_add(agent.to_bits()).is_multiple_of(ticks);
        }
        let (now, share) = (self.seconds(), (agent.to_bits() % 64) as f64 / 64.0);
        let turns = |at: f64| (at / f64::from(seconds) + share).floor();
        seconds <= self.settings.tick_seconds || turns(now) != turns(now - f64::from(self.last_tick_seconds()))
    }

    /// The agents of every species, indexed by [`SpeciesId::number`](crate::SpeciesId::number): see
    /// [`World::all_agents`](crate::World::all_agents).
    #[must_use]
    pub fn all_agents(&self) -> &'a [Agents<D>] {
        &self.agents[..self.indices.len()]
    }

    /// The environment of the world: its walls, obstacles, regions and other items.
    #[must_use]
    pub fn environment(&self) -> &'a Environment<D> {
        self.environment
    }

    /// Fills `found` with the parts of walls within `radius` metres of a point, in the order of the walls. Doors count
    /// while they are closed.
    pub fn walls_within(&self, point: impl Into<Vector<D>>, radius: f32, found: &mut Vec<NearWall<D>>) {
        let point = point.into();
        let near = self.wall_pieces_within(&Aabb { centre: point, half: Vector::ZERO }, radius);
        self.walls_among(&near, point, radius, found);
    }

    /// The numbers of the pieces of walls within `radius` metres of a box, and possibly a few more, in the order of the
    /// walls.
    pub(crate) fn wall_pieces_within(&self, bounds: &Aabb<D>, radius: f32) -> NearPieces {
        self.environment_index.walls.near(&Aabb { half: bounds.half + Vector::splat(radius), ..*bounds })
    }

    /// Whether a wall stands on the straight way from a point by an offset, in metres. Doors count while they are closed.
    #[must_use]
    pub fn is_hidden(&self, from: impl Into<Vector<D>>, offset: impl Into<Vector<D>>) -> bool {
        let (walls, way) = (&self.environment_index.walls, (from.into(), offset.into()));
        self.environment.is_walled_off(walls, self.settings, self.seconds(), way)
    }

    /// How far walls let an observer at a point see, up to `view` metres. Doors count while they are closed.
    pub(crate) fn horizon(&self, at: Vector<D>, view: f32) -> Horizon {
        let walls = (self.environment, &self.environment_index.walls);
        Horizon::new(walls, self.settings, self.seconds(), (at, view))
    }

    /// The distance within which an agent of this speed meets walls in `horizon` seconds.
    pub(crate) fn reach_to_walls(&self, speed: f32, horizon: f32) -> f32 {
        (speed + self.environment_index.walls.fastest()) * horizon
    }

    /// The first of these pieces that a body of this radius meets within `horizon` seconds; see
    /// [`Environment::wall_ahead`].
    pub(crate) fn wall_ahead(
        &self,
        pieces: &[u32],
        at: Vector<D>,
        velocity: Vector<D>,
        radius: f32,
        horizon: f32,
    ) -> Option<(f32, Vector<D>)> {
        let pieces = (&self.environment_index.walls, pieces);
        self.environment.wall_ahead(pieces, self.settings, self.seconds(), (at, velocity), (radius, horizon))
    }

    /// Fills `found` with the pieces among these within `radius` metres of a point, in their order.
    pub(crate) fn walls_among(&self, pieces: &[u32], point: Vector<D>, radius: f32, found: &mut Vec<NearWall<D>>) {
        let index = &self.environment_index.walls;
        self.environment.walls_among(index, pieces, self.settings, self.seconds(), (point, radius), found);
    }

    /// The species and the row of an agent, if it is alive.
    #[must_use]
    pub fn find(&self, id: AgentId) -> Option<(SpeciesId, usize)> {
        let found = self.ids.row_of(id)?;
        Some((SpeciesId(found.species), found.row as usize))
    }

    /// The direction in which an agent moves away from another one at the same position. It is drawn for the pair of
    /// ids, and the other agent gets the opposite.
    pub(crate) fn drawn_direction(&self, me: u64, them: u64) -> Vector<D> {
        let (low, high) = if me < them { (me, them) } else { (them, me) };
        let direction =
            Noise::new(self.settings.seed, mix64(low) ^ high, self.tick, Noise::COINCIDENT).direction::<D>();
        if me < them { direction } else { -direction }
    }

    /// The position and the velocity of an agent, if it is alive.
    #[must_use]
    pub fn motion(&self, id: AgentId) -> Option<(Vector<D>, Vector<D>)> {
        let found = self.ids.row_of(id)?;
        let agents = &self.agents[found.species as usize];
        Some((agents.position(found.row as usize), agents.velocity(found.row as usize)))
    }
}

/// The number of ticks in an interval in seconds: one at least, and `u64::MAX` if it is too large.
fn ticks_in(seconds: f32, tick_seconds: f32) -> u64 {
    let ticks = (seconds / tick_seconds).ceil();
    // The conversion saturates.
    if ticks >= 1.0 { ticks as u64 } else { 1 }
}
