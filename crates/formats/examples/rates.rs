//! Measures the size and the processor time of every format of trajectories: frames of a flock of fifty thousand.
//!
//! `cargo run --release -p throng-formats --all-features --example rates` (Linux)

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use throng_formats::trajectory::{
    Database, Frame, Heading, SpeciesHeading, SpeciesRows, TrajectoryFormat, Walls, walkable_area,
};

const AGENTS: u64 = 50_000;
const FRAMES: u64 = 40;

/// The seconds for which this thread has had a processor.
fn seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Agents at random places that move on from frame to frame, with ids in the order of places.
fn frame(number: u64) -> Frame {
    let mut state = 1_u64;
    let mut draw = |scale: f32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32 * scale
    };
    let mut lists = [const { Vec::new() }; 4];
    let mut ids = Vec::new();
    for _ in 0..AGENTS {
        let velocity = [draw(9.0) - 4.5, draw(9.0) - 4.5];
        for axis in 0..2 {
            lists[axis].push(draw(1000.0) + velocity[axis] * number as f32);
            lists[2 + axis].push(velocity[axis]);
        }
        ids.push(draw(AGENTS as f32) as u64);
    }
    let [x, y, vx, vy] = lists;
    let rows = SpeciesRows { ids, positions: vec![x, y], velocities: vec![vx, vy], ..SpeciesRows::default() };
    Frame { tick: 10 * number, seconds: number as f64, species: vec![rows] }
}

fn main() -> Result<(), Box<dyn Error>> {
    let bounds = [[0.0, 0.0], [1000.0, 1000.0]];
    let heading = Heading {
        scenario: "rates".to_owned(),
        tick_seconds: 0.1,
        every: 10,
        dimensions: 2,
        bounds,
        walkable: walkable_area(bounds, &Walls::default(), &[]),
        species: vec![SpeciesHeading { name: "starling".to_owned(), ..SpeciesHeading::default() }],
        ..Heading::default()
    };
    let frames: Vec<Frame> = (0..FRAMES).map(frame).collect();
    let folder = std::env::temp_dir().join(format!("throng-rates-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    for format in TrajectoryFormat::ALL {
        let named = folder.join("run").with_extension(format.ending());
        let path = format.file(&named);
        let start = seconds();
        if let Some(mut encoder) = format.encoder(&named, &heading)? {
            let mut file = BufWriter::with_capacity(1 << 20, File::create(&path)?);
            encoder.start(&mut file)?;
            frames.iter().try_for_each(|frame| encoder.write(frame, &mut file))?;
            encoder.finish(&mut file)?;
            file.flush()?;
        } else {
            File::create(&path)?;
            let mut database = Database::create(&path, &heading)?;
            frames.iter().try_for_each(|frame| database.write(frame))?;
            database.finish()?;
        }
        let (taken, rows) = (seconds() - start, AGENTS * FRAMES);
        let bytes = size(&path)? + size(&folder.join("run")).unwrap_or(0);
        let (per, rate) = (bytes as f64 / rows as f64, rows as f64 / taken / 1e6);
        let milliseconds = 1e3 * taken / FRAMES as f64;
        println!(
            ".{}: {per:.1} bytes per agent and frame, {rate:.1} million agent-frames per processor second, {milliseconds:.1} \
             ms per frame",
            format.ending()
        );
    }
    Ok(fs::remove_dir_all(&folder)?)
}

/// The bytes of a file, or of the files of a folder.
fn size(path: &Path) -> std::io::Result<u64> {
    if !path.is_dir() {
        return Ok(fs::metadata(path)?.len());
    }
    fs::read_dir(path)?.try_fold(0, |sum, entry| Ok(sum + entry?.metadata()?.len()))
}
