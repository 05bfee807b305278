//! Arrange: rows are sorted into space order where the order is stale.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::parallel::PerThread;
use crate::agents::radix_sort::extent;
use crate::agents::row_order::RowOrder;
use crate::agents::space_order::{self, SortBuffers};
use crate::derived::indices::Indices;
use crate::derived::plans::Plans;
use crate::derived::{Change, Derived};
use crate::index::species_index::SpeciesIndex;
use crate::kernels::{CHUNK, CLUSTER};
use crate::neighbour_lists::budget;
use crate::neighbour_lists::search::SearchBuffers;
use crate::ranks::Part;
use crate::state::State;
use crate::state::undo::{Beside, Undoable};

/// The radius of a pass in which clusters of some width would be usual, relative to the width.
const RADIUS_OF_CLUSTERS: f32 = 0.4;

/// The number of clusters whose widths are measured.
const SAMPLE: usize = 15;

/// Sorts rows into space order where the order is stale, and checks whether a tick exceeds the budget of pairs.
pub(crate) fn arrange<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    part: &mut Part,
    (sort, search): (&mut SortBuffers, &mut PerThread<SearchBuffers<D>>),
    level: Level,
) {
    let limited = state.is_limited();
    let Beside { agents, orders, .. } = state.beside_rows();
    for (agents, order) in agents.iter().zip(orders) {
        order.count_strays(agents.len());
    }
    part.separate(state, derived);
    for number in 0..state.agents.len() {
        let radius = radius_of_order(state, &derived.indices, part, number);
        if limited || state.orders[number].is_stale(state.agents[number].len(), radius) {
            let state = state.rows();
            part.sort(state, &mut derived.outputs, number, sort);
            derived.indices.species[number].lasted = state.orders[number].age;
            state.orders[number].arranged();
            derived.note(Change::Rows { species: number });
            state.limited = None;
        }
    }
    arrange_mix(state, derived, sort, limited);
    if state.limited.is_none() {
        let Derived { plans, indices, .. } = &mut *derived;
        let is_over = is_over_budget(state, plans, indices, part, search, level);
        *state.beside_rows().limited = Some(is_over);
    }
    // A tick that exceeds the budget has all rows on every rank.
    part.keep_together(state, derived);
}

/// Returns whether the next tick sorts rows, or decides whether it exceeds the budget of pairs.
pub(crate) fn is_due<const D: usize>(state: &State<D>, indices: &Indices<D>, part: &mut Part) -> bool {
    let is_stale = |order: &RowOrder, agents: usize, radius: f32| {
        let mut order = order.clone();
        order.count_strays(agents);
        order.is_stale(agents, radius)
    };
    let State { mix, mix_ids, .. } = state;
    state.limited != Some(false)
        || !mix_ids.is_empty() && is_stale(&mix.order, mix_ids.len(), indices.mixed.index.radius)
        || (0..state.agents.len()).any(|number| {
            let radius = radius_of_order(state, indices, part, number);
            is_stale(&state.orders[number], state.agents[number].len(), radius)
        })
}

/// Returns the radius by which the row order of a species grows stale, in metres: the smallest one of a pass. Without a
/// pass, if searches need an order, it is the order of passes in which clusters as wide as these would be usual.
fn radius_of_order<const D: usize>(state: &State<D>, indices: &Indices<D>, part: &mut Part, number: usize) -> f32 {
    let SpeciesIndex { radius, is_ordered, .. } = indices.species[number];
    let is_ordered = is_ordered || !state.environment.walls.is_empty();
    if radius < f32::INFINITY || !is_ordered {
        return radius;
    }
    RADIUS_OF_CLUSTERS * typical_width(&state.agents[number], part)
}

/// Returns the median width of clusters in metres, from a sample; infinite without a whole cluster. Each rank measures
/// its own.
fn typical_width<const D: usize>(agents: &Agents<D>, part: &mut Part) -> f32 {
    let clusters = agents.len() / CLUSTER;
    if clusters == 0 {
        return f32::INFINITY;
    }
    let (sample, own) = (clusters.clamp(1, SAMPLE), part.moves(agents).range());
    // As bits, which are in the order of the widths.
    let mut widths = [0; SAMPLE];
    for (number, width) in widths[..sample].iter_mut().enumerate() {
        let first = number * clusters / sample * CLUSTER;
        *width = if own.contains(&(first / CHUNK)) { width_of(agents, first).to_bits().into() } else { 0 };
    }
    part.sum_of_moved(widths.each_mut());
    widths[..sample].sort_unstable();
    f32::from_bits(widths[sample / 2] as u32)
}

/// Returns the width of the cluster from a row on, along its longest axis.
fn width_of<const D: usize>(agents: &Agents<D>, first: usize) -> f32 {
    agents.position.iter().fold(0.0, |width, column| {
        let (low, high) = extent(&column[first..first + CLUSTER]);
        if high - low > width { high - low } else { width }
    })
}

/// Sorts the agents of the mixed species into space order.
fn arrange_mix<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    buffers: &mut SortBuffers,
    limited: bool,
) {
    let (count, mixed) = (state.mix_ids.len(), &mut derived.indices.mixed);
    let order = &mut state.beside_rows().mix.order;
    order.count_strays(count);
    if count == 0 || !(limited || order.is_stale(count, mixed.index.radius)) {
        return;
    }
    let state = state.rows();
    mixed.copy(state);
    space_order::order(&mut mixed.agents, buffers);
    state.order_mix(&mixed.agents.id);
    mixed.index.lasted = state.mix.order.age;
    state.mix.order.arranged();
    derived.note(Change::MixRows);
    state.limited = None;
}

/// Returns whether a tick would examine more pairs than the settings allow. Each rank counts the pairs of its own
/// chunks.
fn is_over_budget<const D: usize>(
    state: &mut Undoable<'_, D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
    part: &mut Part,
    buffers: &mut PerThread<SearchBuffers<D>>,
    level: Level,
) -> bool {
    let Some(budget) = state.settings.pair_budget else { return false };
    part.measure_all(level, state, plans, indices);
    // The nearest in sight are looked for, and walls may have been edited.
    indices.update_environment(level, state);
    buffers.prepare();
    let species = (0..state.species.len()).map(|number| indices.search(state, plans, level, number));
    let own = species.map(|search| (search, part.steers(search.agents).range()));
    let mix = indices.mix_search(state, level);
    let own: Vec<_> = own.chain([(mix, part.steers_in_mix(mix.agents.chunks()).range())]).collect();
    let budget = (budget as u64).saturating_mul(state.population() as u64);
    let exceeded = budget::is_exceeded(&own, buffers, budget, |pairs| part.sum_of_steered([pairs]));
    drop(own);
    indices.let_loose();
    exceeded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::{Hide, Pursue, StayOnPath, Wander};
    use crate::{Noise, Rule, Settings, Species, SpeciesFilter, Target, Vector, Wall, WallShape, World};

    /// Returns how many times as wide clusters are after fast agents with this rule moved for a while.
    fn spread(rule: Rule<2>, walled: bool) -> f32 {
        let mut world =
            World::<2>::new(Settings { size: Vector([1000.0; 2]), tick_seconds: 0.1, ..Settings::default() }).unwrap();
        let mut bird = Species::new("bird").with_max_speed(100.0).with(1.0, Wander::default());
        bird.rules.push(rule);
        let bird = world.add_species(bird).unwrap();
        if walled {
            let points = vec![Vector([10.0; 2]), Vector([10.0, 20.0])];
            world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: false })).unwrap();
        }
        let mut noise = Noise::new(2, 0, 0, 0);
        for _ in 0..4096 {
            let at = Vector::from_fn(|_| noise.between(0.0, 1000.0));
            world.spawn(bird, at, noise.direction() * 100.0).unwrap();
        }
        let width = |world: &World<2>| {
            let agents = world.agents(bird).unwrap();
            let width = |first: usize| {
                let mut at: Vec<f32> = (first..first + CLUSTER).map(|row| agents.position(row)[0]).collect();
                at.sort_unstable_by(f32::total_cmp);
                at[CLUSTER - 1] - at[0]
            };
            let mut widths: Vec<f32> = (0..agents.len()).step_by(CLUSTER).map(width).collect();
            widths.sort_unstable_by(f32::total_cmp);
            widths[widths.len() / 2]
        };
        world.step();
        let first = width(&world);
        let spread = |_| {
            world.step();
            width(&world) / first
        };
        (0..30).map(spread).max_by(f32::total_cmp).unwrap()
    }

    #[test]
    fn agents_that_search_stay_in_order_without_a_pass() {
        let path = StayOnPath { points: vec![Vector([0.0; 2]), Vector([900.0; 2])], ..StayOnPath::default() };
        let hunted = || Target::Nearest(SpeciesFilter::Own);
        let rules = [
            Rule::new(1.0, path),
            Rule::new(1.0, Hide { from: hunted(), ..Hide::default() }),
            Rule::new(1.0, Pursue { target: hunted(), ..Pursue::default() }),
        ];
        for rule in rules {
            let spread = spread(rule, false);
            assert!(spread < 2.0, "{spread}");
        }
        let idle = || Rule::new(0.0, Wander::default());
        assert!(spread(idle(), true) < 2.0);
        // Nothing is looked up: an order is not worth a sort.
        assert!(spread(idle(), false) > 5.0);
    }
}
