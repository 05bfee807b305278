//! Candidates: which agents does a cluster look at? Those of other clusters within the radius of its box, in ascending
//! row order.

use crate::agents::Agents;
use crate::kernels::boxes::SLACK;
use crate::kernels::gather::{ChunkList, ClusterList, RowList, clusters_within, gather};
use crate::kernels::pairs::Candidates;
use crate::kernels::prune::prune;
use crate::kernels::{self, CLUSTER, CLUSTERS};
use crate::tick::crowd::{self, Order};
use crate::tick::plan::Pass;
use crate::tick::steer::Steering;

/// Chunks that are looked through before it is asked whether there are too many agents in them already.
const AT_ONCE: usize = 32;

/// The candidates of the clusters of one chunk, for each pass of their species.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkLists {
    passes: Vec<PassLists>,
    /// Whether a list would be longer than the cap allows if it were to be kept.
    pub(crate) crowded: bool,
}

/// The candidates of the clusters of one chunk, for one pass: one list after the other.
#[derive(Clone, Debug, Default)]
struct PassLists {
    rows: RowList,
    ends: [usize; CLUSTERS],
    capped: [bool; CLUSTERS],
}

impl ChunkLists {
    /// The candidates of the chunk's clusters, rows of `others`.
    pub(crate) fn candidates<'a, const D: usize>(&'a self, pass: usize, others: &'a Agents<D>) -> Candidates<'a, D> {
        let lists = &self.passes[pass];
        let all = 0..others.padded();
        Candidates {
            rows: lists.rows.as_slice(),
            ends: &lists.ends,
            position: kernels::rows(&others.position, all.clone()),
            velocity: kernels::rows(&others.velocity, all),
        }
    }

    /// Whether the cap left some of them out.
    pub(crate) fn capped(&self, pass: usize, cluster: usize) -> bool {
        self.passes[pass].capped[cluster]
    }
}

/// What looking for candidates needs on the way.
#[derive(Debug, Default)]
pub(crate) struct Finder<const D: usize> {
    chunks: ChunkList<D>,
    clusters: ClusterList,
    order: Order,
}

impl<const D: usize> Steering<'_, D> {
    /// Fills the lists of one chunk with everybody within the radius of each pass and `skin` metres around it.
    pub(crate) fn find_candidates(&self, chunk: usize, skin: f32, finder: &mut Finder<D>, lists: &mut ChunkLists) {
        lists.crowded = false;
        lists.passes.resize_with(self.plan.passes.len(), PassLists::default);
        let period = self.scene.settings.period();
        let envelope = self.agents.index.envelope(chunk);
        for (pass, found) in self.plan.passes.iter().zip(&mut lists.passes) {
            let others = &self.scene.agents[pass.species].index;
            others.chunks_within(&envelope, pass.radius + counted::<D>(skin), &period, &mut finder.chunks);
            found.rows.truncate(0);
            let reach = pass.radius + skin + self.slack();
            for cluster in 0..self.clusters_of(chunk) {
                let number = chunk * CLUSTERS + cluster;
                let start = found.rows.len();
                let too_many = self.find(number, pass, skin, finder, &mut found.rows);
                found.capped[cluster] = too_many;
                if too_many && skin > 0.0 {
                    // The cap is on those within the radius itself.
                    lists.crowded = true;
                    found.rows.truncate(start);
                    found.capped[cluster] = self.find(number, pass, 0.0, finder, &mut found.rows);
                } else if skin > 0.0 {
                    let observers = self.cluster_observers(chunk, cluster, pass, reach);
                    let position = self.positions(pass);
                    found.rows.retain(start, |rows| prune(self.level, &observers, cluster, &position, reach, rows));
                }
                found.ends[cluster] = found.rows.len();
            }
        }
    }

    /// By how much rounding may shift the nearest image of an agent, in metres.
    fn slack(&self) -> f32 {
        let period = self.scene.settings.period();
        period.iter().filter(|&&period| period < f32::INFINITY).map(|period| SLACK * period).sum()
    }

    /// How many clusters of a chunk have agents.
    pub(crate) fn clusters_of(&self, chunk: usize) -> usize {
        self.agents.chunk_rows(chunk).len() / CLUSTER
    }

    /// Appends the agents within the radius of a pass and a skin of a cluster. Where they are more than the cap allows,
    /// those of the nearest clusters, and `true`; with a skin, some of them, and `true`.
    fn find(&self, cluster: usize, pass: &Pass, skin: f32, finder: &mut Finder<D>, found: &mut RowList) -> bool {
        let (radius, counted) = (pass.radius + skin, pass.radius + counted::<D>(skin));
        let (each_other, period) = (self.looks_at_own(pass), self.scene.settings.period());
        let reach = self.agents.index.reach(cluster, radius, counted, each_other, &period);
        let others = &self.scene.agents[pass.species];
        let position = self.positions(pass);
        let Finder { chunks, clusters, order } = finder;
        let chunks = chunks.all();
        let most = self.scene.settings.candidate_cap.unwrap_or(usize::MAX);
        let (start, mut counted) = (found.len(), 0);
        for first in (0..chunks.numbers.len()).step_by(AT_ONCE) {
            let some = chunks.part(first..(first + AT_ONCE).clamp(0, chunks.numbers.len()));
            clusters_within(self.level, &reach, &others.index.boxes, some, clusters);
            counted += gather(self.level, &reach, &position, clusters.as_slice(), most - counted, found);
            if counted > most {
                break;
            }
        }
        let too_many = counted > most;
        if too_many && skin == 0.0 {
            found.truncate(start);
            let near = crowd::Near { level: self.level, reach, boxes: &others.index.boxes, chunks };
            near.nearest(most / CLUSTER, clusters, order);
            gather(self.level, &reach, &position, clusters.as_slice(), usize::MAX, found);
        }
        too_many
    }
}

/// How much further than a radius agents are counted against the cap where lists with a skin are made. A cluster's box
/// grows by as much as its agents move, towards its corners by more: whoever a later tick would find has to be counted
/// now.
fn counted<const D: usize>(skin: f32) -> f32 {
    skin * (1.0 + (D as f32).sqrt()) * 0.505
}
