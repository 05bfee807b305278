//! Draws a flock around an obstacle: a picture with trails, and a film of its last seconds.
//!
//! `cargo run --release -p throng-draw --example picture [FOLDER]` writes `flock.png` and `flock.gif` to the folder, by
//! default the current one.

use std::error::Error;
use std::fs::File;
use std::path::PathBuf;

use throng::behaviours::{Alignment, AvoidObstacles, Cohesion, Separation};
use throng::{Noise, Obstacle, Settings, Species, World};
use throng_draw::{Colour, Gif, Options, Painter};

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).unwrap_or_else(|| ".".into()).into();
    let mut world = World::<2>::new(Settings { size: [120.0, 80.0].into(), tick_seconds: 0.1, ..Settings::default() })?;
    world.environment_mut().obstacles.add(Obstacle::new([60.0, 40.0], 8.0))?;
    let flock = Species { min_speed: 5.0, ..Species::new("starling") }
        .with(1.5, Separation::default())
        .with(1.0, Alignment::default())
        .with(0.3, Cohesion::default())
        .with(4.0, AvoidObstacles::default());
    let starling = world.add_species(flock)?;
    let mut noise = Noise::new(1, 0, 0, Noise::USER);
    for _ in 0..400 {
        let position = [noise.between(0.0, 120.0), noise.between(0.0, 80.0)];
        world.spawn(starling, position, noise.direction::<2>() * 8.0)?;
    }

    let options = Options { width: Some(480), colour: Some(Colour::Heading), trails: 30, ..Options::default() };
    let mut painter = Painter::new(&world, &options)?;
    let mut film = Gif::new(File::create(folder.join("flock.gif"))?, &painter, 25)?;
    for tick in 0..300 {
        world.step();
        if tick < 250 {
            painter.observe(&world);
        } else {
            painter.paint(&world);
            film.add(painter.picture())?;
        }
    }
    film.finish()?;
    painter.picture().save_png(folder.join("flock.png"))?;
    Ok(())
}
