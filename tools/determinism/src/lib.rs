//! Determinism: scenes that together use every part of the engine have the hashes of `golden.txt` for any number of
//! threads, any instruction set, any kind of neighbour lists, any build and any platform.
//!
//! `THRONG_TICKS` sets the number of ticks of a run: 200 by default, at most the 10 000 of the golden file.
//! `scripts/determinism.sh` runs these tests for other platforms and builds. With `THRONG_BLESS` and `THRONG_TICKS`
//! set, the base run writes the golden file.

#[cfg(test)]
mod modes;
#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod worlds;

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use rayon::ThreadPoolBuilder;
    use throng::settings::NeighbourLists;
    use throng::{Execution, InstructionSet};

    use crate::scenes::{CROWD, SCENES, Scene};

    /// The hash of a scene is recorded at every tick that this number divides.
    const EVERY: u64 = 100;

    /// Lines of a scene, a tick and the hash after it.
    const GOLDEN: &str = include_str!("../golden.txt");

    /// The ticks of a run.
    pub(crate) fn ticks() -> u64 {
        std::env::var("THRONG_TICKS").map_or(200, |ticks| ticks.parse().expect("THRONG_TICKS is a number of ticks"))
    }

    /// Runs a scene in a pool of `threads` threads. Returns a line per recorded tick, as in the golden file.
    fn run(scene: &Scene, threads: usize, execution: Execution) -> String {
        let course = || {
            let mut world = scene.start(execution);
            let mut lines = String::new();
            for tick in 1..=ticks() {
                world.step();
                if tick % EVERY == 0 {
                    let hash = world.state_hash();
                    writeln!(lines, "{} {tick} {hash:016x}", scene.name).expect("a string takes every line");
                }
            }
            lines
        };
        // A platform without threads runs the engine on the one that it has.
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(course),
            Err(_) if cfg!(target_family = "wasm") => course(),
            Err(error) => panic!("a pool of {threads} threads: {error}"),
        }
    }

    /// Compares a run with the golden file.
    fn compare(scene: &Scene, threads: usize, execution: Execution) {
        let found = run(scene, threads, execution);
        let wanted: Vec<&str> = GOLDEN.lines().filter(|line| line.split(' ').next() == Some(scene.name)).collect();
        let (name, count) = (scene.name, found.lines().count());
        assert!(count > 0 && count <= wanted.len(), "{name}: {count} hashes, and the golden file has {}", wanted.len());
        for (found, wanted) in found.lines().zip(wanted) {
            assert_eq!(found, wanted, "{name} with {threads} threads and {execution:?}");
        }
        let set = execution.instruction_set.map_or_else(|| "the widest instructions".to_owned(), |set| set.to_string());
        println!("{name}: {threads} threads, {set}, {:?}: {count} hashes equal", execution.neighbour_lists);
    }

    /// The base from which the other tests differ in one respect each. Debug builds and other platforms run it too.
    #[test]
    fn base() {
        if std::env::var_os("THRONG_BLESS").is_some() {
            let scenes = SCENES.iter().chain([&CROWD]);
            let lines: String = scenes.map(|scene| run(scene, 2, Execution::default())).collect();
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden.txt");
            std::fs::write(path, lines).expect("the golden file is written");
            return;
        }
        for scene in &SCENES {
            compare(scene, 2, Execution::default());
        }
    }

    /// Writes a snapshot of each scene to the folder `THRONG_CORPUS`, for fuzzing to start from; a recording if the
    /// folder is the target's of these.
    #[test]
    fn seeds() {
        let Some(folder) = std::env::var_os("THRONG_CORPUS") else { return };
        for scene in &SCENES {
            let mut world = scene.start(Execution::default());
            (0..3).for_each(|_| world.step());
            let folder = std::path::Path::new(&folder);
            let bytes = if folder.ends_with("recording") { world.recording() } else { world.snapshot() };
            std::fs::write(folder.join(scene.name), bytes).expect("the folder takes a file");
        }
    }

    /// The scenes run on one thread, because waking a second takes longer than their few chunks: `CROWD` has more.
    #[test]
    fn threads() {
        for threads in [1, 3, 4, 8, 16] {
            for scene in SCENES.iter().chain([&CROWD]) {
                compare(scene, threads, Execution::default());
            }
        }
    }

    #[test]
    fn instruction_sets() {
        for set in InstructionSet::ALL {
            if !InstructionSet::available().any(|available| available == set) {
                println!("{set}: SKIPPED, this machine lacks it");
                continue;
            }
            for scene in &SCENES {
                compare(scene, 2, Execution { instruction_set: Some(set), ..Execution::default() });
            }
        }
    }

    #[test]
    fn neighbour_lists() {
        for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
            for scene in &SCENES {
                compare(scene, 2, Execution { neighbour_lists, ..Execution::default() });
            }
        }
    }
}
