//! The pieces of walls around the agents of a chunk, found once for several ticks.
//!
//! Pieces are cached for the earlier positions of agents, whichever agents are there. They decide no bit.

use fearless_simd::Level;

use crate::base::settings::nearest_image;
use crate::boxes::aabb::Aabb;
use crate::kernels::boxes::SLACK;
use crate::kernels::hulls::{
    Balls, Hull, HullNumbers, Known, NearHulls, Paths, Room, enclose_paths, follow_paths, hulls_near_balls,
};
use crate::kernels::{CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, sub, widened};
use crate::tick::collide::near::Walls;
use crate::tick::collide::walker::Motion;

/// The number of ticks for which pieces around agents are found, at the speed of the fastest agent of a chunk.
const TICKS: f32 = 40.0;

/// The largest margin for these ticks, relative to the chunk and to a period.
const MARGIN: f32 = 0.25;
const SHARE: f32 = 1.0 / 16.0;

/// The distance from its path within which walls touch an agent, in radii, with room for the skin of bodies.
const TOUCH: f32 = 1.02;

/// The pieces near a chunk, and those near each of its agents.
#[derive(Debug)]
pub(super) struct CachedPieces<const D: usize> {
    /// The version of the index.
    version: u64,
    /// The surroundings of the agents of each cluster.
    known: Vec<Known<D>>,
    /// The pieces near each cluster, and where the pieces of each cluster end.
    near: Vec<ClusterPiece<D>>,
    ends: [u32; CLUSTERS],
    /// The corners of a box around each cluster, in which images of pieces are the same as in the search.
    corners: Vec<[Wide<D>; 2]>,
}

/// A piece near a cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterPiece<const D: usize> {
    pub(super) number: u32,
    /// The agents that it is near, one bit for each.
    agents: u16,
    /// Whether its wall is still, and one image of the piece is enough.
    pub(super) is_plain: bool,
    /// Whether it is a plain segment with one image in reach. `ends` is valid only then.
    pub(super) is_segment: bool,
    pub(super) ends: [Wide<D>; 2],
}

impl<const D: usize> ClusterPiece<D> {
    /// Whether it is near an agent of the cluster.
    pub(super) fn is_near(&self, lane: usize) -> bool {
        self.agents >> lane & 1 == 1
    }
}

/// Buffers for finding pieces.
#[derive(Debug, Default)]
pub(super) struct FindBuffers<const D: usize> {
    numbers: Vec<u32>,
    around: Around<D>,
    near_clusters: NearHulls,
    near_agents: NearHulls,
    of_cluster: HullNumbers,
}

/// Copies of the pieces around a chunk and of their hulls. They lie side by side, which the index's do not.
#[derive(Debug, Default)]
struct Around<const D: usize> {
    pieces: Vec<ClusterPiece<D>>,
    hulls: Vec<Hull<D>>,
    /// The index of each in these columns.
    indices: Vec<u32>,
}

impl<const D: usize> Around<D> {
    /// Fills them with these pieces.
    fn fill(&mut self, numbers: &[u32], walls: &Walls<'_, D>) {
        let Self { pieces, hulls, indices } = self;
        hulls.clear();
        hulls.extend(numbers.iter().map(|&number| walls.index.hulls[number as usize]));
        pieces.clear();
        pieces.extend(numbers.iter().map(|&number| {
            let is_plain = walls.index.is_plain[number as usize];
            let segment = if is_plain { walls.segment(number) } else { None };
            let (is_segment, ends) = (segment.is_some(), segment.unwrap_or([[0.0; D]; 2]));
            ClusterPiece { number, agents: 0, is_plain, is_segment, ends }
        }));
        indices.clear();
        indices.extend(0..numbers.len() as u32);
    }
}

impl<const D: usize> Default for CachedPieces<D> {
    fn default() -> Self {
        Self { version: 0, known: Vec::new(), near: Vec::new(), ends: [0; CLUSTERS], corners: Vec::new() }
    }
}

impl<const D: usize> CachedPieces<D> {
    /// Whether a box is where pieces near a cluster were found, and not beyond a seam.
    pub(super) fn holds(&self, cluster: usize, [low, high]: [Wide<D>; 2]) -> bool {
        let [lowest, highest] = self.corners[cluster];
        (0..D).all(|axis| lowest[axis] <= low[axis] && high[axis] <= highest[axis])
    }

    /// The pieces near the chunk, those near several clusters several times.
    pub(super) fn all(&self) -> impl Iterator<Item = &ClusterPiece<D>> {
        self.near.iter()
    }

    /// The pieces near a cluster.
    pub(super) fn of_cluster(&self, cluster: usize) -> &[ClusterPiece<D>] {
        let first = if cluster == 0 { 0 } else { self.ends[cluster - 1] };
        &self.near[first as usize..self.ends[cluster] as usize]
    }

    /// The pieces near the agent at an index in the chunk.
    pub(super) fn of_agent(&self, in_chunk: usize) -> impl Iterator<Item = &ClusterPiece<D>> {
        self.of_cluster(in_chunk / CLUSTER).iter().filter(move |piece| piece.is_near(in_chunk % CLUSTER))
    }

    /// Records how far the middle of the path of an agent is from walls, so that the agent is not considered again before
    /// it may be near one.
    pub(super) fn renew(&mut self, in_chunk: usize, motion: &Motion<D>, gap: f64, period: &[f32; D]) {
        let (cluster, lane) = (in_chunk / CLUSTER, in_chunk % CLUSTER);
        let (known, middle) = (&mut self.known[cluster], motion.from + (motion.to - motion.from) * 0.5);
        let gap = gap as f32 * (1.0 - SLACK);
        let gone = (0..D).fold(0.0, |gone, axis| {
            let way = nearest_image(middle[axis] - known.centre[axis][lane], period[axis]);
            gone + way * way
        });
        let radius = known.radius[lane] - gone.sqrt() * (1.0 + SLACK);
        known.radius[lane] = radius;
        known.clear[lane] = if gap < radius { gap } else { radius };
        (0..D).for_each(|axis| known.centre[axis][lane] = middle[axis]);
    }

    /// Finds the agents of each cluster that may touch a wall. Pieces are found again if an agent left the place for
    /// which they were.
    pub(super) fn follow<'a>(
        &mut self,
        walls: &Walls<'_, D>,
        level: Level,
        len: usize,
        paths: &impl Fn(usize) -> Paths<'a, D>,
        close: &mut [u16; CLUSTERS],
        buffers: &mut FindBuffers<D>,
    ) {
        let (period, motion) = (walls.period, walls.largest_step.map(|step| (step + walls.rounding) as f32));
        let room = Room { period, around: Motion::<D>::REACH, touch: TOUCH, motion, margin: 0.0 };
        let clusters = len.div_ceil(CLUSTER);
        if self.version == walls.index.version && self.known.len() == clusters {
            let is_lost = (0..clusters).any(|cluster| {
                let placed = follow_paths(level, &paths(cluster), &room, &self.known[cluster]);
                close[cluster] = placed.close;
                placed.lost != 0
            });
            if !is_lost {
                return;
            }
        }
        self.find(walls, level, clusters, paths, &room, buffers);
        for cluster in 0..clusters {
            let placed = follow_paths(level, &paths(cluster), &room, &self.known[cluster]);
            close[cluster] = placed.close;
        }
    }

    /// Finds the pieces near each agent.
    fn find<'a>(
        &mut self,
        walls: &Walls<'_, D>,
        level: Level,
        clusters: usize,
        paths: &impl Fn(usize) -> Paths<'a, D>,
        room: &Room<D>,
        buffers: &mut FindBuffers<D>,
    ) {
        let period = room.period;
        let mut boxes = [Aabb { centre: Vector::ZERO, half: Vector::ZERO }; CLUSTERS];
        let mut balls = [Balls::<D>::default(); CLUSTERS];
        let mut longest = 0.0;
        for cluster in 0..clusters {
            let paths = paths(cluster);
            for lane in 0..paths.len {
                let path = Vector::<D>::from_fn(|axis| paths.to[axis][lane] - paths.from[axis][lane]).length();
                longest = if path > longest { path } else { longest };
            }
            let [centre, half] = enclose_paths(level, &paths, room, &mut balls[cluster]);
            boxes[cluster] = Aabb { centre: Vector(centre), half: Vector(half) };
        }
        let whole = Aabb::around(boxes[..clusters].iter().copied(), walls.settings);
        let mut margin = TICKS * longest;
        let most = (0..D).fold(0.0, |most, axis| if whole.half[axis] > most { whole.half[axis] } else { most });
        margin = if margin > MARGIN * most { MARGIN * most } else { margin };
        for period in period {
            margin = if margin > SHARE * period { SHARE * period } else { margin };
        }
        let room = Room { margin, ..*room };
        for cluster in 0..clusters {
            let [centre, half] = enclose_paths(level, &paths(cluster), &room, &mut balls[cluster]);
            boxes[cluster] = Aabb { centre: Vector(centre), half: Vector(half) };
        }
        let FindBuffers { numbers, around, near_clusters, near_agents, of_cluster } = buffers;
        walls.index.find(&enlarged(Aabb::around(boxes[..clusters].iter().copied(), walls.settings)), numbers);
        around.fill(numbers, walls);
        let Around { pieces, hulls, indices } = around;
        hulls_near_balls(level, &balls_around(&boxes[..clusters], &period), &period, hulls, indices, near_clusters);
        self.version = walls.index.version;
        self.known.clear();
        self.near.clear();
        self.corners.clear();
        for (cluster, balls) in balls[..clusters].iter().enumerate() {
            let (centre, half) = (widened(boxes[cluster].centre.0), widened(boxes[cluster].half.0));
            let corners = [sub(centre, half), add(centre, half)];
            self.corners.push(corners);
            let of_cluster = near_clusters.of_ball(cluster, of_cluster);
            hulls_near_balls(level, balls, &period, hulls, of_cluster, near_agents);
            self.near.extend(near_agents.iter().map(|(index, agents)| {
                let piece = pieces[index as usize];
                let is_segment = piece.is_segment && walls.has_one_image(piece.ends, corners);
                ClusterPiece { agents, is_segment, ..piece }
            }));
            self.ends[cluster] = self.near.len() as u32;
            let clear =
                |lane: usize| if balls.radius[lane] < f32::INFINITY { near_agents.least[lane].sqrt() } else { 0.0 };
            let (mut radius, len) = (balls.radius, paths(cluster).len);
            // Of agents that are added, nothing is known.
            radius[len..].fill(f32::NAN);
            self.known.push(Known { centre: balls.centre, radius, clear: std::array::from_fn(clear) });
        }
    }
}

/// A ball around the box of each cluster.
fn balls_around<const D: usize>(boxes: &[Aabb<D>], period: &[f32; D]) -> Balls<D> {
    // No wall is near the balls of clusters that the chunk lacks.
    let mut balls = Balls { radius: [f32::NAN; CLUSTER], ..Balls::default() };
    for (lane, Aabb { centre, half }) in boxes.iter().enumerate() {
        let radius = half.length() * (1.0 + SLACK);
        balls.set(lane, *centre, radius, period);
    }
    balls
}

/// The box with room for rounding.
fn enlarged<const D: usize>(bounds: Aabb<D>) -> Aabb<D> {
    let slack = |axis: usize| 4.0 * SLACK * (bounds.centre[axis].abs() + bounds.half[axis]);
    Aabb { half: Vector::from_fn(|axis| bounds.half[axis] + slack(axis)), ..bounds }
}
