//! Tests of the intervals of fitted keys: how often they hold the value with which the tracks were made.
#![cfg(feature = "fit")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use throng::{AnyWorld, Registry};
use throng_scenario::Scenario;
use throng_scenario::fit::{Fit, FitDesign, Sought};

/// Birds that turn at random, and align.
const FLOCK: &str = r#"format = 1
[world]
dimensions = 2
size = [20.0, 20.0]
tick = 0.1
seed = 1
[species.bird]
count = 20
max_speed = 6.0
min_speed = 2.0
place = { region = "all", speed = 4.0 }
behaviours = [
  { rule = "separation", radius = 2.0 },
  { rule = "alignment", radius = 5.0, weight = 1.0 },
  { rule = "wander", weight = 1.5 },
]
"#;

const EVERY: u64 = 4;
const FRAMES: u64 = 60;
/// The ticks before the first frame: birds have found their speed.
const FROM: u64 = 40;

/// Records a run of the flock with this seed.
fn record(file: &Path, seed: u64) {
    let set = [format!("world.seed={seed}")];
    let mut world = Scenario::parse_in(&Registry::new(), FLOCK, "flock.toml", &set).unwrap().build_any().unwrap();
    let mut text = "# framerate: 2.5\nframe,id,x,y,vx,vy\n".to_owned();
    for frame in 0..FRAMES {
        while world.tick() < FROM + frame * EVERY {
            world.try_step().unwrap();
        }
        let AnyWorld::Flat(flat) = &world else { unreachable!() };
        let agents = &flat.all_agents()[0];
        for row in 0..agents.len() {
            let (at, way) = (agents.position(row), agents.velocity(row));
            writeln!(text, "{frame},{},{},{},{},{}", agents.ids()[row].to_bits(), at[0], at[1], way[0], way[1])
                .unwrap();
        }
    }
    fs::write(file, text).unwrap();
}

fn design(tracks: Vec<PathBuf>, sought: &[&str], (first, seeds): (u64, u64)) -> FitDesign {
    FitDesign {
        registry: Registry::new(),
        text: FLOCK.to_owned(),
        file: "flock.toml".to_owned(),
        set: vec![format!("world.seed={first}")],
        tracks,
        species: None,
        sought: sought.iter().map(|text| Sought::parse(text).unwrap()).collect(),
        patterns: Vec::new(),
        from: FROM,
        every: None,
        frames: None,
        persons: None,
        seeds,
        points: 16 * sought.len() as u64,
        interval: true,
    }
}

/// The number of intervals of each key that hold its true value, and their mean widths, over recordings with other seeds.
fn coverage(fits: u64, recordings: u64, sought: &[(&str, f64)], seeds: u64) -> Vec<(u64, f64)> {
    let folder =
        std::env::temp_dir().join(format!("throng-intervals-{}-{recordings}-{}", std::process::id(), sought.len()));
    fs::create_dir_all(&folder).unwrap();
    let keys: Vec<&str> = sought.iter().map(|(key, _)| *key).collect();
    let mut found = vec![(0, 0.0); sought.len()];
    for fit in 0..fits {
        let file = |number: u64| {
            let file = folder.join(format!("{number}.csv"));
            record(&file, 1000 + recordings * fit + number);
            file
        };
        let fit = Fit::new(design((0..recordings).map(file).collect(), &keys, (100_000 + 1000 * fit, seeds))).unwrap();
        let best = fit.run(&|_| true).unwrap().remove(0);
        let intervals = fit.intervals(&best.values, &|_| true).unwrap();
        for ((interval, (_, truth)), (held, width)) in intervals.iter().zip(sought).zip(&mut found) {
            let [low, high] = interval.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            *held += u64::from(low <= *truth && *truth <= high);
            *width += (high - low) / fits as f64;
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    println!("{fits} fits of {recordings} recordings, {seeds} seeds: {found:?}");
    found
}

const WANDER: (&str, f64) = ("species.bird.wander.weight=0.5..4.0", 1.5);

#[test]
fn an_interval_holds_the_value_of_the_tracks() {
    let [(held, width)] = coverage(10, 1, &[WANDER], 2)[..] else { unreachable!() };
    assert!(held >= 8 && width < 0.6, "{held} of 10 fits, {width}");
}

/// How often intervals hold, for the documents: run by hand.
#[test]
#[ignore = "takes minutes"]
fn coverage_of_intervals() {
    coverage(40, 6, &[WANDER], 2);
    coverage(100, 1, &[WANDER], 2);
    coverage(40, 1, &[WANDER, ("species.bird.alignment.weight=0.0..3.0", 1.0)], 2);
}
