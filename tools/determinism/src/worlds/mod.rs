//! Random worlds, which mix all features of the engine, have equal bits in every way to run them.
//!
//! A seed gives a scenario file, whose keys, rules and models come from the tables of the library, and the edits of a host
//! between its ticks. The world runs in every way of `ways.rs`; hashes, events and answers are compared after each tick.
//!
//! `THRONG_WORLDS` is the number of worlds: 380 by default. `THRONG_SEED` is the seed of the first one; alone it runs one
//! world and prints its file and the edits:
//!
//! ```text
//! THRONG_SEED=17 cargo test -p throng-determinism random_worlds -- --nocapture
//! ```

mod draw;
mod edits;
mod file;
mod values;
mod ways;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use throng::{AnyWorld, Registry, World};
use throng_scenario::Scenario;

use crate::worlds::draw::Draw;
use crate::worlds::ways::{Pools, Run, Way, columns, reference, ways};

/// The purpose of the draws of a file.
const FILES: u64 = 1;

/// The worlds of a run, by default.
const WORLDS: u64 = 380;

/// Worlds that once differed, and the ticks after which they did.
const FOUND: [(&str, &str, usize); 2] = [
    ("padding", include_str!("../../found/padding.toml"), 60),
    ("quarantine", include_str!("../../found/quarantine.toml"), 10),
];

/// A random world.
struct Subject {
    seed: u64,
    text: String,
    world: AnyWorld,
    ticks: usize,
    edited: f32,
}

impl Subject {
    /// The world of a seed. A file that becomes empty gives way to the next one.
    fn new(seed: u64, registry: &Registry) -> Self {
        for attempt in 0..50 {
            let mut draw = Draw::new(seed, FILES, attempt);
            let Some((text, scenario)) = file::file(&mut draw, registry) else { continue };
            let Ok(world) = scenario.build_any() else { continue };
            let (ticks, edited) = (10 + draw.below(30), draw.one(&[0.0, 0.1, 0.5, 1.0]));
            return Self { seed, text, world, ticks, edited };
        }
        panic!("no world has the seed {seed}");
    }

    /// Runs the world in all ways. Returns the number of hashes compared, or the difference.
    fn compare(&self, registry: &Registry, pools: &Pools) -> Result<usize, String> {
        let Self { seed, ticks, edited, .. } = *self;
        match &self.world {
            AnyWorld::Flat(start) => compare(&Run { seed, start, registry, ticks, edited }, pools),
            AnyWorld::Space(start) => compare(&Run { seed, start, registry, ticks, edited }, pools),
        }
    }
}

fn compare<const D: usize>(run: &Run<'_, D>, pools: &Pools) -> Result<usize, String> {
    let course = |way: Way| {
        let course = catch_unwind(AssertUnwindSafe(|| run.course(pools, way, |_, _| ())));
        course.map_err(|_| format!("{way:?} panics"))
    };
    let expected = course(reference())?;
    let mut compared = 0;
    let replayed = run.replayed().map_err(|error| format!("the recording: {error}"))?;
    if let Some(tick) = (0..run.ticks).find(|&tick| replayed.get(tick) != Some(&expected[tick].hash)) {
        return Err(format!("the replay of the recording differs in tick {tick}"));
    }
    for way in ways(run.seed) {
        let found = course(way)?;
        if let Some(tick) = (0..run.ticks).find(|&tick| found[tick] != expected[tick]) {
            let (found, expected) = (&found[tick], &expected[tick]);
            let log = found.log.iter().zip(&expected.log).find(|(found, expected)| found != expected);
            let events = found.events.iter().zip(&expected.events).find(|(found, expected)| found != expected);
            let column = first_difference(run, pools, way, tick);
            return Err(format!(
                "{way:?} differs in tick {tick}: {column}\nevents: {} and {}, first difference {events:?}\nanswers: {log:?}",
                found.events.len(),
                expected.events.len(),
            ));
        }
        compared += found.len();
    }
    Ok(compared)
}

/// The first column that differs after a tick, its row and both numbers.
fn first_difference<const D: usize>(run: &Run<'_, D>, pools: &Pools, way: Way, tick: usize) -> String {
    let after = |way: Way| {
        let mut all = Vec::new();
        run.course(pools, way, |number, world: &World<D>| {
            if number == tick {
                all = columns(world);
            }
        });
        all
    };
    let (found, expected) = (after(way), after(reference()));
    for ((name, found), (expected_name, expected)) in found.iter().zip(&expected) {
        if name != expected_name || found.len() != expected.len() {
            return format!("{name} of {}, not {expected_name} of {}", found.len(), expected.len());
        }
        if let Some(row) = (0..found.len()).find(|&row| found[row] != expected[row]) {
            let [found, expected] = [found[row], expected[row]].map(|bits| (bits, f32::from_bits(bits as u32)));
            return format!("number {row} of {name} is {found:x?}, not {expected:x?}");
        }
    }
    "no column".to_owned()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_worlds() {
    let registry = Registry::new();
    let first = number("THRONG_SEED");
    let count = number("THRONG_WORLDS").unwrap_or(if first.is_some() { 1 } else { WORLDS });
    let (next, compared, failures) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        let pools = Pools::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                break;
            }
            let subject = Subject::new(first.unwrap_or(0) + number, &registry);
            if count == 1 {
                println!("{}", subject.text);
                println!("# {} ticks, the host edits before {} of them", subject.ticks, subject.edited);
            }
            match subject.compare(&registry, &pools) {
                Ok(hashes) => _ = compared.fetch_add(hashes as u64, Relaxed),
                Err(difference) => {
                    println!("THRONG_SEED={}: {difference}", subject.seed);
                    failures.lock().expect("no thread panics").push(subject.seed);
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    if cfg!(target_family = "wasm") {
        work();
    } else {
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    }
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort_unstable();
    assert!(failures.is_empty(), "worlds that differ: THRONG_SEED={failures:?}");
    println!("random worlds: {count} from seed {}: {} hashes equal", first.unwrap_or(0), compared.into_inner());
}

#[test]
fn worlds_that_once_differed() {
    let (registry, pools) = (Registry::new(), Pools::new());
    for (name, text, ticks) in FOUND {
        let scenario = Scenario::parse(text, name).unwrap_or_else(|problems| panic!("{problems}"));
        let world = scenario.build_any().expect("the world is small");
        let subject = Subject { seed: 1, text: text.to_owned(), world, ticks, edited: 0.0 };
        if let Err(difference) = subject.compare(&registry, &pools) {
            panic!("{name}: {difference}");
        }
    }
}

/// The worlds of a run have every rule and every model, so that a new one is drawn too.
#[test]
fn random_worlds_have_every_rule_and_model() {
    let registry = Registry::new();
    let texts: Vec<String> = (0..WORLDS).map(|seed| Subject::new(seed, &registry).text).collect();
    let lines: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let has = |line: &str| lines.iter().any(|known| known.contains(line));
    let rules = registry.tables().map(|rule| format!("rule = \"{}\"", rule.rule()));
    let models = registry.motion_tables().map(|model| format!("model = \"{}\"", model.rule()));
    let missing: Vec<String> = rules.chain(models).filter(|line| !has(line)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
