//! What one pedestrian costs: processor microseconds per agent and tick, by model, scene and density.

use throng::World;
use throng::motions::{CollisionFreeSpeed, Orca, Pedvo, SocialForce};
use throng_bench::{Crowd, execution, processor_seconds};

const AGENTS: usize = 8192;

/// The scenes: the directions in which the crowds walk.
const SCENES: [(&str, &[[f32; 2]]); 4] = [
    ("one crowd", &[[1.0, 0.0]]),
    ("two that cross", Crowd::TWO),
    ("two that meet", &[[1.0, 0.0], [-1.0, 0.0]]),
    ("four that cross", &[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]),
];
const DENSITIES: [f32; 6] = [0.3, 1.0, 2.0, 3.0, 4.0, 5.0];
const MODELS: [&str; 4] = ["pedvo", "orca", "social_force", "collision_free_speed"];

fn world(model: &str, crowd: Crowd) -> Result<World<2>, Box<dyn std::error::Error>> {
    let execution = execution()?;
    Ok(match model {
        "orca" => crowd.world(Orca::default(), execution),
        "pedvo" => crowd.world(Pedvo::default(), execution),
        "social_force" => crowd.world(SocialForce::default(), execution),
        _ => crowd.world(CollisionFreeSpeed::default(), execution),
    }?)
}

/// Prints one row for each scene and model, or for each scene and the model with this name. `THRONG_ISA` chooses the
/// instruction set.
pub(crate) fn prices(only: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("| scene | model |{}", DENSITIES.map(|density| format!(" {density} per m² |")).concat());
    println!("|---|---|{}", "---|".repeat(DENSITIES.len()));
    for (scene, directions) in SCENES {
        for model in MODELS.into_iter().filter(|model| only.is_none_or(|only| only == *model)) {
            let mut row = format!("| {scene} | {model} |");
            for density in DENSITIES {
                let mut world = world(model, Crowd { agents: AGENTS, density, directions })?;
                let ticks = pool.install(|| best_of(&mut world));
                row += &format!(" {:.2} |", ticks * 1e6 / AGENTS as f64);
            }
            println!("{row}");
        }
    }
    Ok(())
}

/// The seconds of processor time of a tick: the best of six rounds of ten, after twenty ticks.
fn best_of(world: &mut World<2>) -> f64 {
    (0..20).for_each(|_| world.step());
    let rounds = (0..6).map(|_| {
        let used = processor_seconds();
        (0..10).for_each(|_| world.step());
        (processor_seconds() - used) / 10.0
    });
    rounds.fold(f64::INFINITY, f64::min)
}
