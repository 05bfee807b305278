//! Displacements of agents, with positions unwrapped across the seam, and their mean square.

use crate::base::ids::{AgentId, SpeciesId};
use crate::maths::Vector;
use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::saved;
use crate::world::World;

/// Measures how far agents have moved since the first observation. It observes the world before the first tick and
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
    first: [f32; 3],
    last: [f32; 3],
    /// The number of periods that the agent has crossed on each axis.
    images: [i32; 3],
}

saved!(struct Displacement { paths, observed });
saved!(struct Path { first, last, images });

impl Path {
    pub(super) fn from<const D: usize>(position: Vector<D>) -> Self {
        let first = std::array::from_fn(|axis| if axis < D { position[axis] } else { 0.0 });
        Self { first, last: first, images: [0; 3] }
    }

    /// Follows the agent to its next position.
    pub(super) fn follow<const D: usize>(&mut self, position: Vector<D>, period: [f32; D]) {
        for axis in 0..D {
            let step = position[axis] - self.last[axis];
            if step > 0.5 * period[axis] {
                self.images[axis] -= 1;
            } else if step < -0.5 * period[axis] {
                self.images[axis] += 1;
            }
            self.last[axis] = position[axis];
        }
    }

    /// The offset from the first position in metres, unwrapped.
    pub(super) fn offset<const D: usize>(&self, period: [f32; D]) -> [f64; D] {
        std::array::from_fn(|axis| {
            let across = match self.images[axis] {
                0 => 0.0,
                images => f64::from(images) * f64::from(period[axis]),
            };
            f64::from(self.last[axis]) - f64::from(self.first[axis]) + across
        })
    }

    /// The squared distance from the first position in m², unwrapped.
    pub(super) fn squared<const D: usize>(&self, period: [f32; D]) -> f64 {
        self.offset(period).iter().map(|distance| distance * distance).sum()
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
        let period = world.settings().period();
        self.paths.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let position = agents.position(row);
                if !self.observed {
                    self.paths.set(id, (agents.species().0, Path::from(position)));
                } else if let Some((_, path)) = self.paths.touch(id) {
                    path.follow(position, period);
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
        let period = world.settings().period();
        let is_known = !(self.paths.has_missed() && is_periodic(world));
        let of_species = self.paths.entries().filter(move |(_, (own, _))| species.is_none_or(|id| id.0 == *own));
        of_species.map(move |(id, (_, path))| (id, if is_known { path.offset(period) } else { [f64::NAN; D] }))
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
