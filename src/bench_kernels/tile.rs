//! A tile of agents that fits into the caches, for measuring the cost of each kernel.

use crate::index::agent_index::AgentIndex;
use crate::kernels::cull::{ChunkList, ClusterList, RowList, clusters_within, gather};
use crate::kernels::group::group;
use crate::kernels::pairs::Observers;
use crate::kernels::prune::prune;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::{InstructionSet, SpeciesId, Vector, World};

use crate::bench_kernels::{FlockRules, Kernels, Lists, Sums};

/// The agents of one species of a world in row order, and all data of the kernels. Each method runs one kernel over all
/// agents, as a tick does, and returns the number of agents or pairs.
#[derive(Clone, Debug)]
pub struct Tile<const D: usize> {
    kernels: Kernels<D>,
    radius: f32,
    period: [f32; D],
    agents: usize,
    position: [Vec<f32>; D],
    velocity: [Vec<f32>; D],
    /// The residuals of positions and of velocities.
    residuals: [[Vec<f32>; D]; 2],
    force: [Vec<f32>; D],
    sums: Sums<D>,
    index: AgentIndex<D>,
    chunks: ChunkList<D>,
    clusters: ClusterList,
    found: RowList,
    second: RowList,
    /// The candidates of each chunk.
    lists: Vec<Lists>,
}

impl<const D: usize> Tile<D> {
    /// Copies the whole chunks of the world's first species. Returns `None` if the world has no species or the machine
    /// lacks the instruction set.
    #[must_use]
    pub fn new(world: &World<D>, set: InstructionSet, rules: FlockRules) -> Option<Self> {
        let kernels = Kernels::new(set, rules)?;
        let source = world.agents(SpeciesId(0)).ok()?;
        let agents = source.len() / CHUNK * CHUNK;
        let columns = |columns: &[Vec<f32>; D]| columns.each_ref().map(|column| column[..agents].to_vec());
        let mut tile = Self {
            kernels,
            radius: rules.radius,
            period: world.settings().period(),
            agents,
            position: columns(&source.position),
            velocity: columns(&source.velocity),
            residuals: [(); 2].map(|()| std::array::from_fn(|_| vec![0.0; agents])),
            force: std::array::from_fn(|_| vec![0.0; agents]),
            sums: Sums::default(),
            index: AgentIndex::default(),
            chunks: ChunkList::default(),
            clusters: ClusterList::default(),
            found: RowList::default(),
            second: RowList::default(),
            lists: vec![Lists::default(); agents / CHUNK],
        };
        tile.index();
        (agents > 0).then_some(tile)
    }

    /// Builds the boxes of clusters, and the tree over the boxes of chunks.
    pub fn index(&mut self) -> u64 {
        self.index.rebuild(self.kernels.level, &self.position, self.agents, &[], &self.period);
        self.agents as u64
    }

    /// Searches for the candidates of each cluster, as a tick does.
    pub fn find(&mut self) -> u64 {
        let position = all(&self.position);
        let (level, groups) = (self.kernels.level, CLUSTER / group(self.kernels.level));
        for (chunk, lists) in self.lists.iter_mut().enumerate() {
            let Some(envelope) = self.index.chunk_box(chunk) else { continue };
            self.index.chunks_within(&envelope, self.radius, &self.period, &mut self.chunks);
            self.found.truncate(0);
            let own = chunk * CHUNK..(chunk + 1) * CHUNK;
            let observers = Observers {
                position: kernels::rows(&self.position, own.clone()),
                velocity: kernels::rows(&self.velocity, own.clone()),
                heading: kernels::rows(&self.velocity, own),
                period: self.period,
                seams: self.index.seams(chunk, self.radius, &self.period, &self.position),
                each_other: true,
                views: None,
            };
            for cluster in 0..CLUSTERS {
                let (start, ends) = (self.found.len(), &mut lists.ends[cluster * groups..(cluster + 1) * groups]);
                let number = chunk * CLUSTERS + cluster;
                let reach = self.index.reach(number, self.radius, self.radius, true, &self.period);
                let (boxes, chunks) = (&self.index.boxes, self.chunks.all());
                clusters_within(level, &reach, boxes, chunks, &mut self.clusters);
                gather(level, &reach, &position, self.clusters.as_slice(), usize::MAX, &mut self.found);
                if groups > 1 {
                    ends[0] = self.found.divide(start, &mut self.second, |rows, second| {
                        prune(level, &observers, cluster, u16::MAX, &position, self.radius, rows, second)
                    });
                }
                ends[groups - 1] = self.found.len();
            }
            lists.rows.clear();
            lists.rows.extend(self.found.as_slice());
            lists.seams = observers.seams;
        }
        self.tested()
    }

    /// Returns the number of pairs that the present lists test.
    fn tested(&self) -> u64 {
        let others: usize = self.lists.iter().map(|lists| lists.rows.len() * group(self.kernels.level)).sum();
        (others + self.agents * CLUSTER) as u64
    }

    /// Replaces the lists of [`find`](Self::find): each group tests `candidates` agents, its own cluster and the rows
    /// after it.
    pub fn list(&mut self, candidates: usize) {
        let others = candidates.clamp(CLUSTER, self.agents) - CLUSTER;
        for (chunk, lists) in self.lists.iter_mut().enumerate() {
            lists.clear();
            let size = group(self.kernels.level);
            for (group, end) in lists.ends[..CHUNK / size].iter_mut().enumerate() {
                let own = chunk * CHUNK + group * size / CLUSTER * CLUSTER;
                let next = (own + CLUSTER..own + CLUSTER + others).map(|row| (row % self.agents) as u32);
                lists.rows.extend(next);
                *end = lists.rows.len();
            }
        }
    }

    /// Runs the pair kernel over the candidates of [`find`](Self::find) or [`list`](Self::list).
    pub fn add_pairs(&mut self) -> u64 {
        let (position, velocity) = (all(&self.position), all(&self.velocity));
        for (chunk, lists) in self.lists.iter().enumerate() {
            self.sums.clear();
            self.kernels.add_pairs(&position, &velocity, chunk, Vector(self.period), lists, &mut self.sums);
        }
        self.tested()
    }

    /// Computes the forces from the sums.
    pub fn steer(&mut self) -> u64 {
        for chunk in 0..self.agents / CHUNK {
            let own = chunk * CHUNK..(chunk + 1) * CHUNK;
            let velocity = kernels::rows(&self.velocity, own.clone());
            let mut force = self.force.each_mut().map(|column| &mut column[own.clone()]);
            self.kernels.steer(&velocity, &mut self.sums, &mut force);
        }
        self.agents as u64
    }

    /// Integrates forces to velocities and velocities to positions. Agents may leave the world, because no stage
    /// confines them.
    pub fn integrate(&mut self) -> u64 {
        let force = all(&self.force);
        let [of_position, of_velocity] = &mut self.residuals;
        let position = [&mut self.position, of_position].map(|columns| columns.each_mut().map(Vec::as_mut_slice));
        let velocity = [&mut self.velocity, of_velocity].map(|columns| columns.each_mut().map(Vec::as_mut_slice));
        self.kernels.integrate(&force, position, velocity);
        self.agents as u64
    }
}

fn all<const D: usize>(columns: &[Vec<f32>; D]) -> [&[f32]; D] {
    columns.each_ref().map(Vec::as_slice)
}
