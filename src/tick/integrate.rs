//! Integrate: forces change velocities, and velocities change positions.

use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::parallel::{ChunkedColumn, chunked_sums, for_each_chunk_of};
use crate::kernels::integrate::{self, CompensatedColumns, Limits, Steps};
use crate::kernels::{self, CHUNK};
use crate::maths::sin_cos;
use crate::species::Species;
use crate::state::State;
use crate::tick::derived::Derived;
use crate::tick::steer::output::SteeringOutput;

/// Chunks that a thread takes at a time: a chunk is advanced in a fraction of a microsecond.
const GRAIN: usize = 16;

/// Advances all agents by one tick, and records how far they may have moved.
pub(crate) fn integrate<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, level: Level) {
    let (dt, period) = (state.settings.tick_seconds, state.settings.period());
    let has_walls = !state.environment.walls().is_empty();
    let Derived { outputs, speeds, indices, mixed, collide, division, plans, .. } = &mut *derived;
    let [mut fastest, mut longest] = [0.0; 2];
    let species = state.agents.iter_mut().zip(&state.species).zip(&mut state.orders);
    for (number, (((agents, species), order), (output, index))) in species.zip(outputs.iter().zip(indices)).enumerate()
    {
        if has_walls || agents.columns.of(Owner::Moved).is_some() {
            collide.remember(number, agents);
        }
        let chunks = division.moved(number, agents.chunks());
        let explicit = plans.as_ref().is_some_and(|plans| plans[number].explicit);
        let speed = move_agents(level, (species, explicit), dt, (agents, chunks), output, speeds);
        let speed = division.largest(speed);
        collide.set_fastest(number, speed);
        let stride = index.stride_of(speed * dt, &period);
        index.advanced(stride);
        order.moved(speed * dt);
        if agents.is_mixed() {
            fastest = if speed > fastest { speed } else { fastest };
            longest = if stride > longest { stride } else { longest };
        }
    }
    mixed.moved(longest);
    state.mix.order.moved(fastest * dt);
    derived.moved();
}

/// Advances the agents in these chunks of one species by `dt` seconds. Returns the largest speed among those that
/// moved.
fn move_agents<const D: usize>(
    level: Level,
    (species, explicit): (&Species<D>, bool),
    dt: f32,
    (agents, chunks): (&mut Agents<D>, Range<usize>),
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
    for_each_chunk_of(chunks, GRAIN, columns, &|chunk, ((position, of_position), (velocity, of_velocity), fastest)| {
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
