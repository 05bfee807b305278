//! What one pedestrian costs: processor microseconds per agent and tick, by model, scene and density.

use throng::motions::{CollisionFreeSpeed, Orca, Pedvo, SocialForce};
use throng::{Edge, Error, Execution, InstructionSet, Noise, Settings, Species, Vector, World};
use throng_bench::processor_seconds;

use crate::{DT, Walk};

const RADIUS: f32 = 0.18;
const SPEED: f32 = 1.34;
const AGENTS: usize = 8192;

/// The scenes: the directions in which the crowds walk in a periodic world.
const SCENES: [(&str, &[[f32; 2]]); 4] = [
    ("one crowd", &[[1.0, 0.0]]),
    ("two that cross", &[[1.0, 0.0], [0.0, 1.0]]),
    ("two that meet", &[[1.0, 0.0], [-1.0, 0.0]]),
    ("four that cross", &[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]),
];
const DENSITIES: [f32; 6] = [0.3, 1.0, 2.0, 3.0, 4.0, 5.0];

fn world(name: &str, crowds: &[[f32; 2]], density: f32, set: InstructionSet) -> Result<World<2>, Error> {
    let side = (AGENTS as f32 / density).sqrt();
    let settings =
        Settings { size: Vector::splat(side), edge: [Edge::Wrap; 2], tick_seconds: DT, ..Settings::default() };
    let mut world = World::<2>::new(settings)?;
    world.set_execution(Execution { instruction_set: Some(set), ..Execution::default() })?;
    let mut species = Vec::new();
    for (number, direction) in crowds.iter().enumerate() {
        let walker = Species::new(format!("crowd {number}")).with_radius(RADIUS).with_mass(80.0);
        let walker = walker.with_max_speed(1.3 * SPEED).with_response(0.5);
        let walker = walker.with(1.0, Walk(Vector(*direction) * SPEED));
        species.push(world.add_species(match name {
            "orca" => walker.with_motion(Orca::default()),
            "pedvo" => walker.with_motion(Pedvo::default()),
            "social_force" => walker.with_motion(SocialForce::default()),
            _ => walker.with_motion(CollisionFreeSpeed::default()),
        })?);
    }
    let (mut noise, cells) = (Noise::new(8, 0, 0, 0), (AGENTS as f32).sqrt().ceil());
    for number in 0..AGENTS {
        let cell = [number as f32 % cells, (number as f32 / cells).floor()];
        let at = Vector(cell.map(|cell| (cell + noise.between(0.4, 0.6)) * side / cells));
        let group = species[(noise.unit() * species.len() as f32) as usize];
        world.spawn(group, at, Vector::ZERO)?;
    }
    Ok(world)
}

/// Prints one row for each model and scene. With a name that is not `all`, only that model's.
pub(crate) fn prices(only: Option<&str>, set: Option<&str>, at: Option<f32>) -> Result<(), Error> {
    let set = set.and_then(|name| InstructionSet::available().find(|set| set.to_string() == name));
    let set = set.or(InstructionSet::available().last()).unwrap_or(InstructionSet::Baseline);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread starts");
    println!("{set}, one thread, processor microseconds per agent and tick, by people per square metre\n");
    println!("| scene | model |{}", DENSITIES.map(|density| format!(" {density} |")).concat());
    for (scene, crowds) in SCENES {
        for model in ["pedvo", "orca", "social_force", "collision_free_speed"] {
            if only.is_some_and(|only| only != "all" && only != model) {
                continue;
            }
            let mut row = format!("| {scene} | {model} |");
            for density in DENSITIES.into_iter().filter(|density| at.is_none_or(|at| at == *density)) {
                let mut world = world(model, crowds, density, set)?;
                let mut least = f64::INFINITY;
                pool.install(|| {
                    for round in 0..8 {
                        let used = processor_seconds();
                        for _ in 0..10 {
                            world.step();
                        }
                        if round > 1 {
                            least = least.min((processor_seconds() - used) * 1e6 / 10.0 / AGENTS as f64);
                        }
                    }
                });
                let profile = world.profile();
                if std::env::var("COUNT").is_ok() {
                    eprintln!(
                        "{density} candidates {} neighbours {}",
                        profile.candidates as f64 / AGENTS as f64,
                        profile.neighbours as f64 / AGENTS as f64
                    );
                }
                row += &format!(" {least:.2} |");
            }
            println!("{row}");
        }
    }
    Ok(())
}
