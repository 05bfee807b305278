//! Iteration over the neighbours of an agent.

use std::cell::{OnceCell, RefCell};

use crate::agents::Agents;
use crate::ids::{AgentId, SpeciesId};
use crate::kernels::closest::Sight;
use crate::kernels::{Axes, CLUSTER};
use crate::maths::Vector;
use crate::settings::nearest_image;

/// An agent that another one perceives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour<const D: usize> {
    /// The offset from the agent to the neighbour, or to its nearest image in a periodic world, in metres.
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

/// The neighbours of one agent, one by one.
#[derive(Clone, Debug)]
pub struct Neighbours<'a, const D: usize> {
    entries: std::slice::Iter<'a, Entry>,
    position: Vector<D>,
    period: [f32; D],
    agents: &'a [Agents<D>],
    /// The species of the last neighbour, and most likely of the next.
    others: Others<'a, D>,
}

/// The columns of one species. They share one length, so that one bounds check covers all of them.
#[derive(Clone, Copy, Debug)]
struct Others<'a, const D: usize> {
    species: SpeciesId,
    position: Axes<'a, D>,
    velocity: Axes<'a, D>,
    id: &'a [AgentId],
}

impl<'a, const D: usize> Others<'a, D> {
    #[inline(always)]
    fn of(agents: &'a Agents<D>) -> Self {
        let (rows, species) = (..agents.id.len(), agents.species);
        let cut = |columns: &'a [Vec<f32>; D]| columns.each_ref().map(|column| &column[rows]);
        Self { species, position: cut(&agents.position), velocity: cut(&agents.velocity), id: &agents.id[rows] }
    }
}

impl<'a, const D: usize> Neighbours<'a, D> {
    /// The neighbours in `entries` of an agent of the species `own` at `position`.
    #[inline(always)]
    pub(super) fn new(
        entries: &'a [Entry],
        position: Vector<D>,
        period: [f32; D],
        agents: &'a [Agents<D>],
        own: SpeciesId,
    ) -> Self {
        Self { entries: entries.iter(), position, period, agents, others: Others::of(&agents[own.number()]) }
    }
}

impl<const D: usize> Iterator for Neighbours<'_, D> {
    type Item = Neighbour<D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour<D>> {
        let entry = self.entries.next()?;
        if entry.species != self.others.species.0 {
            self.others = Others::of(&self.agents[entry.species as usize]);
        }
        let (row, others) = (entry.row as usize, &self.others);
        let id = others.id[row];
        // The same operations as in the pair kernel, for equal bits.
        let along = |axis: usize| nearest_image(others.position[axis][row] - self.position[axis], self.period[axis]);
        let offset = Vector::from_fn(along);
        Some(Neighbour {
            offset,
            distance_squared: offset.length_squared(),
            velocity: Vector::from_fn(|axis| others.velocity[axis][row]),
            species: others.species,
            row,
            id,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl<const D: usize> ExactSizeIterator for Neighbours<'_, D> {}

/// A neighbour on a list: its species and row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) species: u32,
    pub(crate) row: u32,
}

/// The neighbours of the agents of a cluster, with a visibility mask each; the list of each agent is built on first
/// use.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    /// Sorted by species and row.
    pub(crate) sights: Vec<Sight>,
    lists: OnceCell<Lists>,
    /// Unused lists, kept for their memory.
    spare: RefCell<Lists>,
}

type Lists = [Vec<Entry>; CLUSTER];

impl Neighbourhood {
    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.sights.clear();
        if let Some(lists) = self.lists.take() {
            self.spare.replace(lists);
        }
    }

    /// The neighbours of one of the agents.
    pub(crate) fn of(&self, lane: usize) -> &[Entry] {
        let lists = self.lists.get_or_init(|| {
            let mut lists = self.spare.take();
            lists.iter_mut().for_each(Vec::clear);
            for &Sight { species, row, mut seen } in &self.sights {
                while seen != 0 {
                    lists[seen.trailing_zeros() as usize].push(Entry { species, row });
                    seen &= seen - 1;
                }
            }
            lists
        });
        &lists[lane]
    }
}
