//! Integrate: forces change velocities, and velocities change positions.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::parallel::{ChunkedColumn, chunked_sums};
use crate::derived::indices::Indices;
use crate::derived::output::SteeringOutput;
use crate::derived::plans::Plans;
use crate::kernels::integrate::{self, CompensatedColumns, Limits, Steps};
use crate::kernels::{self, CHUNK};
use crate::maths::sin_cos;
use crate::ranks::{Chunks, Part};
use crate::species::Species;
use crate::state::State;

/// Chunks that a thread takes at a time: a chunk is advanced in a fraction of a microsecond.
const GRAIN: usize = 16;

/// The positions of a species before they were integrated, and its largest speed in this tick, in metres per second.
#[derive(Debug)]
pub(crate) struct Before<const D: usize> {
    pub(crate) position: [Vec<f32>; D],
    pub(crate) fastest: f32,
}

/// The buffers of the stage.
#[derive(Debug, Default)]
pub(crate) struct IntegrateBuffers<const D: usize> {
    /// For each species, if there are walls or seams, or it keeps the ways of its agents.
    pub(crate) before: Vec<Before<D>>,
    /// The largest squared speed of each chunk.
    speeds: Vec<f32>,
}

/// Advances all agents by one tick, and records how far they may have moved.
pub(crate) fn integrate<const D: usize>(
    state: &mut State<D>,
    plans: &Plans<D>,
    outputs: &[SteeringOutput<D>],
    indices: &mut Indices<D>,
    part: &mut Part,
    IntegrateBuffers { before, speeds }: &mut IntegrateBuffers<D>,
    level: Level,
) {
    let (dt, period) = (state.settings.tick_seconds, state.settings.period());
    let has_barriers = !state.environment.walls.is_empty() || !state.settings.seams.is_empty();
    let [mut fastest, mut longest] = [0.0; 2];
    let species = state.agents.iter_mut().zip(&state.species).zip(&mut state.orders);
    let species = species.zip(outputs.iter().zip(&mut indices.species).zip(plans.of()));
    for (number, (((agents, species), order), ((output, index), plan))) in species.enumerate() {
        if has_barriers || agents.columns.of(Owner::Moved).is_some() {
            remember(before, number, agents);
        }
        let chunks = part.moves(agents);
        let speed = move_agents(level, (species, plan.explicit), dt, (agents, chunks), output, speeds);
        let speed = part.largest_of_moved(speed);
        if let Some(before) = before.get_mut(number) {
            before.fastest = speed;
        }
        let stride = index.stride_of(speed * dt, &period);
        index.advanced(stride);
        order.moved(speed * dt);
        if agents.is_mixed() {
            fastest = if speed > fastest { speed } else { fastest };
            longest = if stride > longest { stride } else { longest };
        }
    }
    indices.mixed.moved(longest);
    state.mix.order.moved(fastest * dt);
    indices.lists_aged(plans, |_, index| index.stride);
}

/// Copies the positions of a species before they are integrated.
fn remember<const D: usize>(before: &mut Vec<Before<D>>, number: usize, agents: &Agents<D>) {
    if before.len() <= number {
        before.resize_with(number + 1, || Before { position: std::array::from_fn(|_| Vec::new()), fastest: 0.0 });
    }
    for (before, now) in before[number].position.iter_mut().zip(agents.position.iter()) {
        before.clear();
        before.extend_from_slice(now);
    }
}

/// Advances the agents in these chunks of one species by `dt` seconds. Returns the largest speed among those that
/// moved.
fn move_agents<const D: usize>(
    level: Level,
    (species, explicit): (&Species<D>, bool),
    dt: f32,
    (agents, chunks): (&mut Agents<D>, Chunks),
    output: &SteeringOutput<D>,
    fastest: &mut Vec<f32>,
) -> f32 {
    let (all, padded) = (agents.chunks(), agents.padded());
    let Agents { position, velocity, position_residual, velocity_residual, body, .. } = agents;
    let turn = turn_per_tick(species.max_turn_rate, dt);
    fastest.clear();
    fastest.resize(all, 0.0);
    let columns = (
        chunked_sums(position, position_residual),
        chunked_sums(velocity, velocity_residual),
        ChunkedColumn(fastest.as_mut_slice(), 1),
    );
    chunks.for_each(GRAIN, columns, &|chunk, ((position, of_position), (velocity, of_velocity), fastest)| {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, padded);
        let limits = Limits {
            mass: body.mass.of(rows.clone()),
            max_force: body.max_force.of(rows.clone()),
            max_speed: body.max_speed.of(rows.clone()),
            min_speed: species.min_speed,
            turn,
            moves: !species.moved_by_host,
            direct: species.motion.is_some(),
            explicit,
        };
        let displaces = !output.displacement[0].is_empty();
        let steps = Steps {
            steering: kernels::rows(&output.force, rows.clone()),
            displacement: displaces.then(|| kernels::rows(&output.displacement, rows)),
        };
        let mut position = CompensatedColumns { sum: position.0, residual: of_position.0 };
        let mut velocity = CompensatedColumns { sum: velocity.0, residual: of_velocity.0 };
        fastest.0[0] = integrate::integrate(level, &limits, dt, &steps, &mut position, &mut velocity);
    });
    let fastest = fastest.iter().fold(0.0f32, |most, &speed| if speed > most { speed } else { most }).sqrt();
    // Steering of these rows means nothing.
    agents.clear(agents.len()..padded);
    fastest
}

/// Returns the cosine and sine of the largest turn in a tick, or `None` where it is half a turn or more.
fn turn_per_tick(degrees_per_second: f32, dt: f32) -> Option<(f32, f32)> {
    let degrees = degrees_per_second * dt;
    (degrees < 180.0).then(|| {
        let (sine, cosine) = sin_cos(degrees * (std::f32::consts::PI / 180.0));
        (cosine, sine)
    })
}
