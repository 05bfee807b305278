//! Active Brownian particles: the mean squared displacement at two lengths of the tick.

use throng::motions::ActiveBrownian;
use throng::{AgentId, Edge, Noise, Settings, Species, Vector, World};

use crate::Plan;
use crate::report::{Check, Section};
use crate::run::Outcome;

/// The mean squared displacement of 20 000 particles over the closed form.
pub(crate) fn active_brownian(plan: &Plan) -> Outcome<Section> {
    let (speed, rotation, diffusion) = (2.0f64, 0.5, 0.3);
    let mut checks = Vec::new();
    for dt in [0.1f32, 0.01] {
        let settings = Settings::<2> { edge: [Edge::Open; 2], tick_seconds: dt, seed: 3, ..Settings::default() };
        let mut world = World::new(settings)?;
        let model =
            ActiveBrownian { rotational_diffusion: rotation as f32, diffusion: diffusion as f32, mobility: 1.0 };
        let kind = world.add_species(Species::new("particle").with_max_speed(speed as f32).with_motion(model))?;
        let agents = if plan.short { 5000 } else { 20_000 };
        let ids: Vec<AgentId> = (0..agents)
            .map(|agent| {
                let heading = Noise::new(9, agent, 0, Noise::USER).direction::<2>();
                world.spawn(kind, Vector::ZERO, heading * speed as f32)
            })
            .collect::<Result<_, _>>()?;
        for seconds in [1.0f64, 10.0] {
            let done = world.tick();
            let ticks = (seconds / f64::from(dt)).round() as u64;
            (done..ticks).for_each(|_| world.step());
            let mut sum = 0.0;
            for id in &ids {
                sum += f64::from(world.position(*id)?.length_squared());
            }
            let turned = rotation * seconds;
            let exact = 4.0 * diffusion * seconds + 2.0 * (speed / rotation).powi(2) * (turned - 1.0 + (-turned).exp());
            let ratio = sum / ids.len() as f64 / exact;
            checks.push(Check::near(format!("ratio after {seconds} s, tick {dt} (exact)"), ratio, 1.0, 0.05));
        }
    }
    let text =
        "Mean squared displacement over its closed form, `4 D t + 2 v^2 / R^2 (R t - 1 + exp(-R t))`, with v = 2, \
                R = 0.5 and D = 0.3, at two lengths of the tick: the noise scales with the square root of the tick."
            .to_owned();
    Ok(Section { title: "Active Brownian particles: displacement", text, checks, figures: Vec::new() })
}
