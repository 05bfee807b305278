//! The table of kernels, each compiled for two and three dimensions and for each instruction set.
//!
//! Code that is generic over the number of dimensions is compiled again in every crate that uses it. For hundreds of
//! kernels that would take most of a minute each time. Behind a trait object they are compiled only with this crate.

use std::any::Any;
use std::ops::ControlFlow;

use fearless_simd::Level;

use crate::formulas::bodies::Pushes;
use crate::kernels::avoid_neighbours::{self, AvoidingAgents, Threats};
use crate::kernels::avoid_obstacles::{self, Feelers};
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::boxes::{self, Boxes};
use crate::kernels::closest::{self, Closest};
use crate::kernels::combine::{self, Force, QuantitySlice, SteeredRows};
use crate::kernels::cull::{self, Chunks, ClusterList, Reach, RowList};
use crate::kernels::discs::NearDiscs;
use crate::kernels::flocks::{self, ClusterSums, FlockModel, FlockingAgents};
use crate::kernels::follow_flow_field::{self, Flow};
use crate::kernels::hide::{self, HidingAgents, HidingPlaces};
use crate::kernels::hulls::{self, Balls, Hull, Known, NearHulls, Paths, Placed, Room};
use crate::kernels::integrate::{self, CompensatedColumns, Limits, Steps};
use crate::kernels::nearest::{self, Bound, Items, Layer, Query};
use crate::kernels::nearest_agents::{self, NearestAgents};
use crate::kernels::nearest_segment::{self, Measures, PathFollowers};
use crate::kernels::nearest_walk::{self, NearestDistances, Visited, Walk};
use crate::kernels::pairs::{self, CandidateList, Observers, Sum, Terms};
use crate::kernels::segments::Segments;
use crate::kernels::simd::dispatch;
use crate::kernels::steer_to_target::{self, TargetRows, TargetSteering};
use crate::kernels::vicsek::{self, AligningAgents};
use crate::kernels::visibility::{self, SightCount, SightQuery, VisibleAgents};
use crate::kernels::vision::Vision;
use crate::kernels::walkers::{self, SocialForces, Turns, Vectors};
use crate::kernels::wander::{self, WanderingAgents};
use crate::kernels::within::{self, Ball, Visit};
use crate::kernels::{Axes, AxesMut, CLUSTER, CLUSTERS, coincident, prune};

/// Declares the kernels for any number of dimensions and compiles them for two and three.
macro_rules! kernels {
    ($D:ident; $($name:ident = $lanes:path, ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The kernels for one number of dimensions, documented at their definitions.
        #[expect(clippy::too_many_arguments, reason = "all that a kernel reads and writes")]
        pub(crate) trait KernelTable<const $D: usize>: Sync {
            $(fn $name(&self, level: Level, $($argument: $type),*) $(-> $result)?;)*
        }

        mod two {
            use super::*;
            const $D: usize = 2;
            impl KernelTable<$D> for super::Two {
                $(fn $name(&self, level: Level, $($argument: $type),*) $(-> $result)? {
                    dispatch!(level, simd => $lanes(simd, $($argument),*))
                })*
            }
        }

        mod three {
            use super::*;
            const $D: usize = 3;
            impl KernelTable<$D> for super::Three {
                $(fn $name(&self, level: Level, $($argument: $type),*) $(-> $result)? {
                    dispatch!(level, simd => $lanes(simd, $($argument),*))
                })*
            }
        }
    };
}

/// The kernels for two dimensions.
struct Two;

/// The kernels for three dimensions.
struct Three;

kernels! {
    D;
    enclose = boxes::enclose_lanes, (position: &Axes<'_, D>, members: &[u16; CLUSTERS], period: &[f32; D], centre: &mut AxesMut<'_, D>, half: &mut AxesMut<'_, D>);
    clusters_within = cull::clusters_within_lanes, (reach: &Reach<D>, boxes: &Boxes<D>, chunks: Chunks<'_, D>, found: &mut ClusterList);
    gather = cull::gather_lanes, (reach: &Reach<D>, position: &Axes<'_, D>, clusters: &[u32], limit: usize, found: &mut RowList) -> usize;
    prune = prune::prune_lanes, (observers: &Observers<'_, D>, cluster: usize, members: u16, position: &Axes<'_, D>, radius: f32, rows: &mut [u32], second: &mut RowList) -> usize;
    add_pairs = pairs::choose_terms, (observers: &Observers<'_, D>, candidates: &CandidateList<'_, D>, terms: &Terms, slots: &[usize; 3], sums: &mut [Sum<D>]) -> u32;
    add_without_coincident = coincident::add_without_coincident_lanes, (observers: &Observers<'_, D>, candidates: &CandidateList<'_, D>, group: usize, view: Vision, sum: &mut Sum<D>);
    see = visibility::see_lanes, (observers: &Observers<'_, D>, group: usize, query: &SightQuery<'_, D>, rows: &mut [u32], seen: &mut [u32]) -> SightCount;
    along_sum = combine::along_sum_lanes, (steered: &SteeredRows<'_, D>, sum: &Sum<D>, sign: f32, force: &mut Force<D>);
    arrive_at_mean = combine::arrive_at_mean_lanes, (steered: &SteeredRows<'_, D>, sum: &Sum<D>, slowing_radius: f32, force: &mut Force<D>);
    to_mean = combine::to_mean_lanes, (steered: &SteeredRows<'_, D>, sum: &Sum<D>, force: &mut Force<D>);
    add_weighted = combine::add_weighted_lanes, (total: &mut Force<D>, force: &Force<D>, weight: f32);
    add_truncated = combine::add_truncated_lanes, (total: &mut Force<D>, force: &Force<D>, weight: f32, max_force: QuantitySlice<'_>, rows: usize);
    take_first = combine::take_first_lanes, (total: &mut Force<D>, force: &Force<D>, weight: f32, threshold: f32);
    enclose_boxes = nearest::enclose_boxes_lanes, (lower: &Axes<'_, D>, upper: &Axes<'_, D>, period: &[f32; D], around_lower: &mut AxesMut<'_, D>, around_upper: &mut AxesMut<'_, D>);
    search = nearest::search_lanes, (layers: &[Layer<D>], items: &Items<'_, D>, query: &Query<D>, visit: &mut dyn FnMut(u32, f32) -> Bound);
    within = within::within_lanes, (layers: &[Layer<D>], items: &Items<'_, D>, ball: &Ball<D>, visit: &mut Visit<'_>) -> ControlFlow<()>;
    avoid_discs = avoid_obstacles::avoid_discs_lanes, (feelers: &Feelers<'_, D>, cluster: usize, centre: &[f32; D], half: &[f32; D], near: &[NearDiscs<'_, D>; 2], force: &mut Force<D>) -> u16;
    offset_to_path = nearest_segment::offset_to_path_lanes, (followers: &PathFollowers<'_, D>, segments: &Segments<D>, measures: &mut Measures<D>, row: usize, offsets: &mut Force<D>) -> u16;
    nearest_places = hide::nearest_places_lanes, (agents: &HidingAgents<'_, D>, near: &[NearDiscs<'_, D>; 2], complete: f32, places: &mut HidingPlaces<D>);
    enclose_paths = hulls::enclose_paths_lanes, (paths: &Paths<'_, D>, room: &Room<D>, balls: &mut Balls<D>) -> [[f32; D]; 2];
    follow_paths = hulls::follow_paths_lanes, (paths: &Paths<'_, D>, room: &Room<D>, known: &Known<D>) -> Placed;
    hulls_near_balls = hulls::hulls_near_balls_lanes, (balls: &Balls<D>, period: &[f32; D], hulls: &[Hull<D>], numbers: &[u32], near: &mut NearHulls);
    closest = closest::closest_lanes, (position: &Axes<'_, D>, theirs: &Axes<'_, D>, seen: &VisibleAgents<'_>, seam: bool, period: &[f32; D], found: &mut Closest<D>);
    find_threats = avoid_neighbours::find_threats_lanes, (agents: &AvoidingAgents<'_, D>, others: &Bodies<'_, D>, seen: &VisibleAgents<'_>, threats: &mut Threats<D>);
    avoid_threats = avoid_neighbours::avoid_threats_lanes, (agents: &AvoidingAgents<'_, D>, threats: &Threats<D>, row: usize, force: &mut Force<D>) -> u16;
    steer_to_target = steer_to_target::steer_to_target_lanes, (steered: &SteeredRows<'_, D>, targets: &TargetRows<'_, D>, steering: TargetSteering, first: usize, force: &mut Force<D>);
    flow = follow_flow_field::flow_lanes, (flow: &Flow<'_, D>, position: &Axes<'_, D>, steered: &SteeredRows<'_, D>, active: &[u16; CLUSTERS], force: &mut Force<D>);
    wander = wander::wander_lanes, (steered: &SteeredRows<'_, D>, wanderers: &mut WanderingAgents<'_, D>, active: &mut [u16; CLUSTERS], force: &mut Force<D>);
    add_social_forces = walkers::add_social_forces_lanes, (agents: &ClusterBodies<'_, D>, others: &Bodies<'_, D>, seen: &VisibleAgents<'_>, model: &Pushes, forces: &mut SocialForces<D>) -> u16;
    add_turns = walkers::add_turns_lanes, (agents: &ClusterBodies<'_, D>, others: &Bodies<'_, D>, seen: &VisibleAgents<'_>, model: &[f32; 2], turns: &mut Turns<D>) -> u16;
    find_gaps = walkers::find_gaps_lanes, (agents: &ClusterBodies<'_, D>, others: &Bodies<'_, D>, seen: &VisibleAgents<'_>, directions: &Vectors<D>, gaps: &mut [f32; CLUSTER]);
    walk_nearest = nearest_walk::walk_nearest_lanes, (walk: &Walk<'_, D>, nearest: &mut NearestDistances, visited: &mut dyn Visited);
    walk_agents = nearest_agents::walk_agents_lanes, (walk: &Walk<'_, D>, nearest: &mut NearestAgents, visited: &mut dyn Visited);
    add_flockmates = flocks::add_flockmates_lanes, (agents: &FlockingAgents<'_, D>, others: &Bodies<'_, D>, seen: &VisibleAgents<'_>, model: &FlockModel, sums: &mut ClusterSums<D>);
    align = vicsek::align_lanes, (agents: &AligningAgents<'_, D>, force: &mut Force<D>);
    integrate = integrate::integrate_lanes, (limits: &Limits<'_>, dt: f32, steps: &Steps<'_, D>, position: &mut CompensatedColumns<'_, D>, velocity: &mut CompensatedColumns<'_, D>) -> f32;
}

static TWO: &dyn KernelTable<2> = &Two;
static THREE: &dyn KernelTable<3> = &Three;

/// Returns the kernels for `D` dimensions.
///
/// # Panics
///
/// Panics if `D` is neither two nor three.
#[inline]
pub(crate) fn kernels<const D: usize>() -> &'static dyn KernelTable<D> {
    let table: &'static dyn Any = if D == 2 { &TWO } else { &THREE };
    *table.downcast_ref::<&'static dyn KernelTable<D>>().expect("a world has two or three dimensions")
}
