//! Pairs: the neighbours of every agent of a species, for hosts whose own variables interact.

use crate::agents::Agents;
use crate::agents::parallel::for_each_item;
use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::ids::SpeciesId;
use crate::index::search::{Among, FoundAgent, Search};
use crate::kernels::CHUNK;
use crate::kernels::vision::Vision;
use crate::maths::Vector;
use crate::neighbour_lists::plan::view;
use crate::rules::interface::{Neighbour, Perception, Sight};
use crate::species::tables::{FIELD_OF_VIEW, RADIUS};
use crate::world::World;
use crate::world::query::neighbour;

/// The neighbours of every agent of a species, in compressed rows: [`World::pairs`] returns them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pairs<const D: usize> {
    /// For each row of the species the number of its first neighbour, and then the number of pairs.
    pub starts: Vec<usize>,
    /// The neighbours of all rows, one row after the other, each in the order of species and rows.
    pub neighbours: Vec<Neighbour<D>>,
}

impl<const D: usize> Pairs<D> {
    /// The neighbours of the agent at a row.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn of(&self, row: usize) -> &[Neighbour<D>] {
        &self.neighbours[self.starts[row]..self.starts[row + 1]]
    }
}

/// What the searches of all agents of a species have in common.
#[derive(Clone, Copy)]
struct Seeing<'a, const D: usize> {
    world: &'a World<D>,
    agents: &'a Agents<D>,
    among: Among<'a, D>,
    radius: f32,
    vision: Vision,
    nearest: usize,
    sight: Sight,
}

impl<const D: usize> World<D> {
    /// The neighbours of every agent of a species as the world is now: those that a rule with this perception has. All
    /// threads of the pool search; the result does not depend on their number.
    ///
    /// ```
    /// use throng::{Perception, Settings, Species, SpeciesFilter, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let clock = world.add_species(Species::new("clock"))?;
    /// world.spawn_many(clock, &[[10.0, 10.0], [99.0, 10.0], [12.0, 10.0]], &[[0.0, 0.0]; 3])?;
    ///
    /// // Each phase moves towards the phases of the neighbours.
    /// let mut phases = [0.0f32, 1.0, 2.0];
    /// let pairs = world.pairs(clock, &Perception::within(20.0, &SpeciesFilter::Own).with_nearest(1))?;
    /// assert_eq!(pairs.starts, [0, 1, 2, 3]);
    /// phases = std::array::from_fn(|row| {
    ///     phases[row] + pairs.of(row).iter().map(|near| 0.1 * (phases[near.row] - phases[row])).sum::<f32>()
    /// });
    /// assert_eq!(phases, [0.2, 0.9, 1.8]); // the second one sees the first across the seam
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::BadValue`] if the radius is not in [0, 1e6] m or the field of view not in
    /// [0, 360] degrees.
    pub fn pairs(&self, species: SpeciesId, perception: &Perception) -> Result<Pairs<D>, Error> {
        let agents = self.agents(species)?;
        Distribution::Same(perception.radius).check(&RADIUS)?;
        Distribution::Same(perception.field_of_view).check(&FIELD_OF_VIEW)?;
        let (radius, vision) = view(perception);
        let seen = perception.filter.species(species, self.all_agents());
        let among = Among { species: &seen.numbers, states: &seen.states, ..self.everyone() };
        let (nearest, sight) = (perception.nearest as usize, perception.sight);
        let seeing = Seeing { world: self, agents, among, radius, vision, nearest, sight };
        let mut chunks = vec![(Vec::new(), Vec::new()); agents.len().div_ceil(CHUNK)];
        for_each_item(&mut chunks, &|chunk, (counts, neighbours)| seeing.search_chunk(chunk, counts, neighbours));
        let mut pairs = Pairs { starts: Vec::with_capacity(agents.len() + 1), neighbours: Vec::new() };
        pairs.starts.push(0);
        pairs.neighbours.reserve_exact(chunks.iter().map(|(_, neighbours)| neighbours.len()).sum());
        for (counts, neighbours) in chunks {
            let before = pairs.neighbours.len();
            pairs.starts.extend(counts.into_iter().map(|count| before + count));
            pairs.neighbours.extend(neighbours);
        }
        Ok(pairs)
    }
}

impl<const D: usize> Seeing<'_, D> {
    /// Appends the neighbours of a chunk's agents, and for each agent the number of neighbours so far.
    fn search_chunk(&self, chunk: usize, counts: &mut Vec<usize>, neighbours: &mut Vec<Neighbour<D>>) {
        let mut found = Vec::new();
        for row in self.agents.chunk_rows(chunk).filter(|&row| row < self.agents.len()) {
            let (point, period) = (self.agents.position(row), self.world.settings().period());
            let search = Search { point, radius: self.radius, period, by: Some((self.agents.species(), row)) };
            self.search(&search, row, &mut found);
            neighbours.extend(found.iter().map(|&found| neighbour(self.world, &search, found)));
            counts.push(neighbours.len());
        }
    }

    /// Fills `found` with the neighbours of the agent at a row, in the order of species and rows.
    fn search(&self, search: &Search<D>, row: usize, found: &mut Vec<FoundAgent>) {
        let sees_all = self.vision.cosine_squared <= Vision::ALL_ROUND && self.sight != Sight::Walls;
        if self.nearest > 0 && sees_all {
            search.nearest_of(self.among, self.nearest + 1, found);
            // Ties go to the smaller id: all agents as far away as the last one are candidates.
            if let [.., last, next] = found[..]
                && found.len() > self.nearest
                && last.squared() == next.squared()
            {
                let farthest = last.squared();
                let reach = farthest.sqrt().next_up();
                let radius = if reach < search.radius { reach } else { search.radius };
                Search { radius, ..*search }.all(self.among, found);
                found.retain(|found| found.squared() <= farthest);
            }
        } else {
            search.all(self.among, found);
            found.retain(|found| self.sees(search, row, *found));
        }
        if self.nearest > 0 && found.len() > self.nearest {
            let id = |found: &FoundAgent| self.among.agents[found.species as usize].ids()[found.row as usize];
            let by_distance = |found: &FoundAgent| (found.squared().to_bits(), id(found).to_bits());
            found.select_nth_unstable_by_key(self.nearest - 1, by_distance);
            found.truncate(self.nearest);
        }
        found.sort_unstable_by_key(|found| (found.species, found.row));
    }

    /// Whether the agent at a row sees one that is near enough: in its field of view, and not behind a wall.
    fn sees(&self, search: &Search<D>, row: usize, found: FoundAgent) -> bool {
        let Vector(offset) = neighbour(self.world, search, found).offset;
        if self.vision.cosine_squared > Vision::ALL_ROUND {
            let heading = self.agents.heading(row);
            let along = heading.dot(Vector(offset));
            let threshold = self.vision.cosine_squared * heading.length_squared();
            if along * along.abs() < threshold * found.squared() {
                return false;
            }
        }
        let World { state, derived, level, .. } = self.world;
        self.sight != Sight::Walls || {
            let index = derived.indices.environment_now(*level, state);
            let line = (search.point, Vector(offset));
            !state.environment.is_walled_off(&index.walls, &state.settings, state.seconds(), line)
        }
    }
}
