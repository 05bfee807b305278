//! The neighbours of an agent, one by one.

use std::cell::{OnceCell, RefCell};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::nearest_image;
use crate::kernels::nearest_agents::NearestAgents;
use crate::kernels::visibility::{Lists, Sights};
use crate::kernels::{self, Axes};
use crate::maths::Vector;

/// An agent that another one perceives, or that a [`Query`](crate::Query) finds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Neighbour<const D: usize> {
    /// The offset from the agent, or from the point of the query, to the neighbour, or to its nearest image in a
    /// periodic world, in metres.
    pub offset: Vector<D>,
    /// The squared length of the offset, in m².
    pub distance_squared: f32,
    /// The neighbour's velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The neighbour's species.
    pub species: SpeciesId,
    /// The neighbour's row.
    pub row: usize,
    /// The neighbour's id.
    pub id: AgentId,
}

impl<const D: usize> Neighbour<D> {
    /// The length of the offset, in metres.
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.distance_squared.sqrt()
    }
}

/// The neighbours of one agent, one by one.
#[derive(Clone, Debug)]
pub struct Neighbours<'a, const D: usize> {
    /// The numbers of the remaining ones among all that the agents of the cluster perceive.
    numbers: std::slice::Iter<'a, u32>,
    perceived: &'a [Perceived<D>],
    position: Vector<D>,
    period: [f32; D],
}

/// An agent that some agents of a cluster perceive, copied from its columns.
#[derive(Clone, Copy, Debug)]
struct Perceived<const D: usize> {
    position: Vector<D>,
    velocity: Vector<D>,
    id: AgentId,
    species: SpeciesId,
    row: u32,
}

impl<'a, const D: usize> Neighbours<'a, D> {
    /// The neighbours on the list of the agent in a lane of its cluster, at `position`.
    #[inline(always)]
    pub(crate) fn new(listed: &'a Listed<D>, lane: usize, position: Vector<D>, period: [f32; D]) -> Self {
        Self { numbers: listed.lists.of(lane).iter(), perceived: &listed.perceived, position, period }
    }
}

impl<const D: usize> Iterator for Neighbours<'_, D> {
    type Item = Neighbour<D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour<D>> {
        let other = &self.perceived[*self.numbers.next()? as usize];
        // The same operations as in the pair kernel, for equal bits.
        let along = |axis: usize| nearest_image(other.position[axis] - self.position[axis], self.period[axis]);
        let offset = Vector::from_fn(along);
        Some(Neighbour {
            offset,
            distance_squared: offset.length_squared(),
            velocity: other.velocity,
            species: other.species,
            row: other.row as usize,
            id: other.id,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl<const D: usize> ExactSizeIterator for Neighbours<'_, D> {}

/// The neighbours of the agents of a cluster. The lists of the agents are filled on first use.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood<const D: usize> {
    pub(crate) sights: Sights,
    /// The nearest of each agent in order, if the list has only those; and the sights of them.
    pub(crate) nearest: NearestAgents,
    of_nearest: OnceCell<Sights>,
    listed: OnceCell<Listed<D>>,
    /// Unused sights and lists, kept for their memory.
    spare: RefCell<(Sights, Listed<D>)>,
    /// Whether the nearest are known and `sights` is not.
    pub(crate) is_nearest: bool,
}

/// The neighbours of the agents of a cluster, one by one.
#[derive(Debug, Default)]
pub(crate) struct Listed<const D: usize> {
    /// One for each sight.
    perceived: Vec<Perceived<D>>,
    lists: Lists,
}

impl<const D: usize> Neighbourhood<D> {
    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.sights.clear();
        self.nearest.start(0, -1.0, 0);
        self.is_nearest = false;
        let spare = self.spare.get_mut();
        if let Some(sights) = self.of_nearest.take() {
            spare.0 = sights;
        }
        if let Some(listed) = self.listed.take() {
            spare.1 = listed;
        }
    }

    /// The agents that are seen, by species and row.
    pub(crate) fn sights(&self) -> &Sights {
        if !self.is_nearest {
            return &self.sights;
        }
        self.of_nearest.get_or_init(|| {
            let mut sights = std::mem::take(&mut self.spare.borrow_mut().0);
            self.nearest.see(&mut sights);
            sights
        })
    }

    /// The neighbours one by one.
    pub(crate) fn listed(&self, level: Level, agents: &[Agents<D>]) -> &Listed<D> {
        self.listed.get_or_init(|| {
            let mut listed = std::mem::take(&mut self.spare.borrow_mut().1);
            listed.fill(level, self.sights(), agents);
            listed
        })
    }
}

impl<const D: usize> Listed<D> {
    fn fill(&mut self, level: Level, sights: &Sights, agents: &[Agents<D>]) {
        self.lists.fill(level, sights);
        self.perceived.clear();
        for part in sights.parts() {
            let agents = &agents[part.species as usize];
            // With columns of equal length, one bounds check covers all of them.
            let (rows, species) = (0..agents.id.len(), agents.species);
            let (position, velocity) =
                (kernels::rows(&agents.position, rows.clone()), kernels::rows(&agents.velocity, rows.clone()));
            let (id, of) = (&agents.id[rows], &agents.of);
            let perceived = |&number: &u32| {
                let row = number as usize;
                let (id, own) = (id[row], of.get(row).copied().unwrap_or(number));
                let of = |columns: &Axes<'_, D>| Vector::from_fn(|axis| columns[axis][row]);
                Perceived { position: of(&position), velocity: of(&velocity), id, species, row: own }
            };
            // Numbers between two parts belong to no sight.
            if let Some(first) = part.rows.first() {
                self.perceived.resize(part.first, perceived(first));
                self.perceived.extend(part.rows.iter().map(perceived));
            }
        }
    }
}
