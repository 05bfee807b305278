//! The project's scenarios, and helpers for the tests that run them all.

#![allow(dead_code, reason = "not every test uses every item")]

use std::path::PathBuf;

use throng::{AgentId, Event, World};
use throng_scenario::Scenario;

/// Loads the scenarios of the folder, with their names, except the stadium: it is too large for tests of every tick.
pub(crate) fn scenarios() -> Vec<(String, Scenario)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.retain(|path| !path.ends_with("stadium.toml"));
    files.sort();
    assert!(files.len() > 20, "the folder holds more than 20 scenarios");
    let load = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Scenario::load(&path).unwrap_or_else(|problems| panic!("{problems}")))
    };
    files.into_iter().map(load).collect()
}

/// Advances the world by one tick. Returns its hash and events.
pub(crate) fn tick<const D: usize>(world: &mut World<D>) -> (u64, Vec<Event>) {
    world.step();
    (world.state_hash(), world.events().to_vec())
}

/// Returns the ids of all agents, species by species.
pub(crate) fn ids<const D: usize>(world: &World<D>) -> Vec<AgentId> {
    world.all_agents().iter().flat_map(|agents| agents.ids()).copied().collect()
}

/// A pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}
