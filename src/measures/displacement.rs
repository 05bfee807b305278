//! Displacements of agents, with positions unwrapped across the seam, and their mean square.

use crate::agents::Agents;
use crate::agents::seen::{Came, Seen};
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::saved;
use crate::world::World;

/// Measures how far agents have moved since the first observation. Where an agent was set elsewhere, by a respawn or by
/// the host, its displacement continues as if it had not been ([`Came`]). It observes the world before the first tick and
/// after each tick.
///
/// On a periodic axis positions are unwrapped: an agent that moves less than half of the period in a tick is followed
/// across the seam. After a tick that was not observed the number of crossings is unknown: in a world with a periodic axis
/// all displacements are undefined from then on.
///
/// ```
/// use throng::measures::Displacement;
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings { size: [10.0, 10.0].into(), tick_seconds: 1.0, ..Settings::default() })?;
/// let bird = world.add_species(Species::new("bird"))?;
/// let id = world.spawn(bird, [5.0, 5.0], [3.0, 4.0])?;
/// let mut moved = Displacement::new();
/// moved.observe(&world);
/// for _ in 0..6 {
///     world.step();
///     moved.observe(&world);
/// }
/// assert_eq!(moved.vectors(&world, Some(bird)).collect::<Vec<_>>(), [(id, [18.0, 24.0])]);
/// assert_eq!(moved.mean_squared(&world, None), 900.0);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Displacement {
    paths: ByAgent<(u32, Path)>,
    observed: bool,
}

/// The unwrapped way of one agent from its first position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// The first position, moved with the agent across seams and where it was set elsewhere.
    first: [f64; 3],
    last: Seen,
}

saved!(struct Displacement { paths, observed });
saved!(struct Path { first, last });

impl Path {
    /// The way of the agent at a row from here on.
    pub(super) fn from<const D: usize>(agents: &Agents<D>, row: usize) -> Self {
        let last = Seen::of(agents, row);
        Self { first: last.place().map(f64::from), last }
    }

    /// Follows the agent, which is at a row now.
    pub(super) fn follow<const D: usize>(&mut self, settings: &Settings<D>, agents: &Agents<D>, row: usize) {
        let (before, period) = (self.last.place(), settings.period());
        let came = self.last.again(settings, agents, row);
        for (axis, (to, from)) in self.last.place().into_iter().zip(before).enumerate().take(D) {
            let (step, whole) = (to - from, f64::from(period[axis]));
            match came {
                Came::Moved(_) if step > 0.5 * period[axis] => self.first[axis] += whole,
                Came::Moved(_) if step < -0.5 * period[axis] => self.first[axis] -= whole,
                Came::Moved(_) => {}
                Came::WasSet => self.first[axis] += f64::from(to) - f64::from(from),
            }
        }
    }

    /// The offset from the first position in metres, unwrapped.
    pub(super) fn offset<const D: usize>(&self) -> [f64; D] {
        std::array::from_fn(|axis| f64::from(self.last.place()[axis]) - self.first[axis])
    }

    /// The squared distance from the first position in m², unwrapped.
    pub(super) fn squared(&self) -> f64 {
        self.offset::<3>().iter().map(|distance| distance * distance).sum()
    }
}

impl Displacement {
    /// A measure that starts with its first observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the world. Agents that appear after the first observation are left out.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        self.paths.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                if !self.observed {
                    self.paths.set(id, (agents.species().0, Path::from(agents, row)));
                } else if let Some((_, path)) = self.paths.touch(id) {
                    path.follow(world.settings(), agents, row);
                }
            }
        }
        self.observed = true;
        self.paths.gone(|_| {});
    }

    /// Returns whether displacements would be undefined if the world were observed now: it has a periodic axis, and has
    /// advanced by more than a tick since the last observation.
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        is_periodic(world) && self.paths.misses(world.tick())
    }

    /// The displacement in metres of each agent that was present from the first to the last observation, of all species
    /// or of one, in ascending order of slots of ids. Components are NaN if they are undefined.
    pub fn vectors<const D: usize>(
        &self,
        world: &World<D>,
        species: Option<SpeciesId>,
    ) -> impl Iterator<Item = (AgentId, [f64; D])> {
        let is_known = !(self.paths.has_missed() && is_periodic(world));
        let of_species = self.paths.entries().filter(move |(_, (own, _))| species.is_none_or(|id| id.0 == *own));
        of_species.map(move |(id, (_, path))| (id, if is_known { path.offset() } else { [f64::NAN; D] }))
    }

    /// The mean squared displacement in m², of all agents that were present from the first to the last observation, or
    /// of the agents of one species. NaN without agents, and if displacements are undefined.
    #[must_use]
    pub fn mean_squared<const D: usize>(&self, world: &World<D>, species: Option<SpeciesId>) -> f64 {
        let (mut sum, mut agents) = (0.0, 0u64);
        for (_, offset) in self.vectors(world, species) {
            sum += offset.iter().map(|distance| distance * distance).sum::<f64>();
            agents += 1;
        }
        sum / agents as f64
    }
}

fn is_periodic<const D: usize>(world: &World<D>) -> bool {
    world.settings().period().iter().any(|&period| period < f32::INFINITY)
}
