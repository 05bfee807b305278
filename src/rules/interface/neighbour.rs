//! The neighbours of an agent, one by one.

use std::cell::{OnceCell, RefCell};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::nearest_image;
use crate::kernels::Axes;
use crate::kernels::visibility::{List, Lists, Sights};
use crate::maths::Vector;

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
    /// The remaining rows of the present species.
    rows: std::slice::Iter<'a, u32>,
    /// The rows of the species after it.
    later: List<'a>,
    position: Vector<D>,
    period: [f32; D],
    agents: &'a [Agents<D>],
    /// The columns of the present species.
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
    /// The neighbours on `list` of an agent of the species `own` at `position`.
    #[inline(always)]
    pub(crate) fn new(
        list: List<'a>,
        position: Vector<D>,
        period: [f32; D],
        agents: &'a [Agents<D>],
        own: SpeciesId,
    ) -> Self {
        Self { rows: [].iter(), later: list, position, period, agents, others: Others::of(&agents[own.number()]) }
    }

    /// The next row, of the present species or of the next one.
    #[inline(always)]
    fn next_row(&mut self) -> Option<usize> {
        loop {
            if let Some(&row) = self.rows.next() {
                return Some(row as usize);
            }
            let (species, rows) = self.later.next()?;
            self.rows = rows.iter();
            if species != self.others.species.0 {
                self.others = Others::of(&self.agents[species as usize]);
            }
        }
    }
}

impl<const D: usize> Iterator for Neighbours<'_, D> {
    type Item = Neighbour<D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour<D>> {
        let (row, others) = (self.next_row()?, &self.others);
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
        let left = self.rows.len() + self.later.rows();
        (left, Some(left))
    }
}

impl<const D: usize> ExactSizeIterator for Neighbours<'_, D> {}

/// The neighbours of the agents of a cluster. The lists of the agents are filled on first use.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    pub(crate) sights: Sights,
    lists: OnceCell<Lists>,
    /// Unused lists, kept for their memory.
    spare: RefCell<Lists>,
}

impl Neighbourhood {
    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.sights.clear();
        if let Some(lists) = self.lists.take() {
            self.spare.replace(lists);
        }
    }

    /// The neighbours of one of the agents.
    pub(crate) fn of(&self, level: Level, lane: usize) -> List<'_> {
        let lists = self.lists.get_or_init(|| {
            let mut lists = self.spare.take();
            lists.fill(level, &self.sights);
            lists
        });
        lists.of(&self.sights, lane)
    }
}
