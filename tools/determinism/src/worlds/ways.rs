//! The ways in which a random world is run.

use std::error::Error;

use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::columns::ColumnSlice;
use throng::ranks::{InProcess, Ranks, in_process};
use throng::settings::NeighbourLists;
use throng::{Event, Execution, InstructionSet, Recording, Registry, TraceEntry, World};

use crate::worlds::draw::Draw;
use crate::worlds::edits::Host;

/// The purposes of draws.
const EDITS: u64 = 2;
const DISTURBANCES: u64 = 3;

/// The treatment of a world before a tick, in addition to the edits of its host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Disturbance {
    Nothing,
    /// Derived data is discarded, always or in some ticks.
    Forget(f32),
    /// A clone continues in place of the original.
    Clone(f32),
    /// A restored copy continues in place of the original.
    Restore(f32),
    /// A copy that was restored once continues to the end.
    RestoreOnce,
    /// The world runs in another way.
    Execute,
    /// All of them, in some ticks.
    Any,
}

/// A way to run a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) lists: NeighbourLists,
    pub(crate) set: InstructionSet,
    pub(crate) threads: usize,
    /// More than one divide the world.
    pub(crate) ranks: usize,
    pub(crate) disturbance: Disturbance,
}

/// The way with which the others are compared: nothing is kept, and one thread does all.
pub(crate) fn reference() -> Way {
    let set = InstructionSet::widest();
    Way { lists: NeighbourLists::Fresh, set, threads: 1, ranks: 1, disturbance: Disturbance::Nothing }
}

/// The ways of a world with this seed.
pub(crate) fn ways(seed: u64) -> Vec<Way> {
    let (fresh, kept, auto) = (NeighbourLists::Fresh, NeighbourLists::Kept, NeighbourLists::Auto);
    let other = 2 + (seed % 2) as usize;
    let plain = Way { lists: kept, threads: other, ..reference() };
    let disturbed = |disturbance| Way { disturbance, ..plain };
    let mut ways = vec![
        Way { lists: auto, ..plain },
        Way { lists: fresh, set: InstructionSet::Baseline, ..plain },
        disturbed(Disturbance::Forget(1.0)),
        disturbed(Disturbance::Forget(0.2)),
        disturbed(Disturbance::Clone(0.3)),
        disturbed(Disturbance::RestoreOnce),
        disturbed(Disturbance::Restore(0.3)),
        disturbed(Disturbance::Execute),
        disturbed(Disturbance::Any),
    ];
    ways.extend(InstructionSet::available().map(|set| Way { set, ..plain }));
    if cfg!(not(target_family = "wasm")) {
        ways.push(Way { ranks: other, threads: 1, ..plain });
        ways.push(Way { ranks: 5 - other, threads: 1, lists: fresh, ..plain });
    }
    ways
}

/// The data that are compared after a tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) hash: u64,
    pub(crate) events: Vec<Event>,
    /// The edits before the tick, and the answers to questions.
    pub(crate) log: Vec<String>,
}

/// A world to run.
pub(crate) struct Run<'r, const D: usize> {
    pub(crate) seed: u64,
    pub(crate) start: &'r World<D>,
    pub(crate) registry: &'r Registry,
    pub(crate) ticks: usize,
    /// The share of ticks before which the host edits the world.
    pub(crate) edited: f32,
}

/// Pools of one thread, two and three.
pub(crate) struct Pools(Vec<Option<ThreadPool>>);

impl Pools {
    pub(crate) fn new() -> Self {
        // A platform without threads runs the engine on the one that it has.
        Self((1..=3).map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok()).collect())
    }

    fn install<T: Send>(&self, threads: usize, work: impl FnOnce() -> T + Send) -> T {
        match &self.0[threads - 1] {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl<const D: usize> Run<'_, D> {
    /// Runs the world in a way. `each` gets the world after each tick, on the first rank.
    pub(crate) fn course(&self, pools: &Pools, way: Way, each: impl FnMut(usize, &World<D>) + Send) -> Vec<Tick> {
        if way.ranks == 1 {
            return pools.install(way.threads, || self.on(way, None, each));
        }
        let each = std::sync::Mutex::new(each);
        let courses: Vec<Vec<Tick>> = std::thread::scope(|scope| {
            let on = |rank: InProcess| {
                let each = &each;
                scope.spawn(move || {
                    let is_first = throng::ranks::Transport::rank(&rank) == 0;
                    self.on(way, Some(rank), |tick, world| {
                        if is_first && let Ok(mut each) = each.lock() {
                            each(tick, world);
                        }
                    })
                })
            };
            let ranks: Vec<_> = in_process(way.ranks).into_iter().map(on).collect();
            ranks.into_iter().map(|rank| rank.join().expect("a rank ends")).collect()
        });
        for course in &courses {
            assert_eq!(*course, courses[0], "ranks differ");
        }
        courses.into_iter().next().unwrap_or_default()
    }

    fn on(&self, way: Way, rank: Option<InProcess>, mut each: impl FnMut(usize, &World<D>)) -> Vec<Tick> {
        let mut world = self.start.clone();
        let execution = Execution { neighbour_lists: way.lists, instruction_set: Some(way.set) };
        world.set_execution(execution).expect("the instruction set is available");
        let ranks = rank.map_or_else(Ranks::default, Ranks::new);
        ranks.divide(&mut world).expect("ranks have the same world");
        let once = Draw::new(self.seed, DISTURBANCES, u64::MAX).below(self.ticks);
        let tick = |tick: usize| {
            let log = self.edit(&mut world, tick);
            let draw = Draw::new(self.seed, DISTURBANCES, tick as u64);
            disturb(&mut world, way.disturbance, tick == once, execution, draw);
            world.step();
            ranks.gather(&mut world);
            each(tick, &world);
            Tick { hash: world.state_hash(), events: world.events().to_vec(), log }
        };
        (0..self.ticks).map(tick).collect()
    }

    /// Records the world, and replays the recording from a file. Returns the hash after each tick of the replay.
    pub(crate) fn replayed(&self) -> Result<Vec<u64>, Box<dyn Error>> {
        let mut world = self.start.clone();
        world.record(3);
        for tick in 0..self.ticks {
            self.edit(&mut world, tick);
            world.step();
        }
        let mut bytes = Vec::new();
        world.recording().ok_or("it is recorded")?.write(&mut bytes)?;
        let recording = Recording::<D>::read_with(&bytes[..], self.registry)?;
        let (mut replay, mut hashes) = (recording.replay()?, Vec::new());
        while replay.step()? {
            hashes.push(replay.world().state_hash());
        }
        Ok(hashes)
    }

    /// Makes the edits of the host before a tick.
    fn edit(&self, world: &mut World<D>, tick: usize) -> Vec<String> {
        let mut draw = Draw::new(self.seed, EDITS, tick as u64);
        if !draw.chance(self.edited) {
            return Vec::new();
        }
        let edits = 1 + draw.below(6);
        let mut host = Host { world, registry: self.registry, draw };
        (0..edits).map(|_| host.act()).collect()
    }
}

fn disturb<const D: usize>(
    world: &mut World<D>,
    disturbance: Disturbance,
    is_once: bool,
    execution: Execution,
    mut draw: Draw,
) {
    match disturbance {
        Disturbance::Nothing => {}
        Disturbance::Forget(share) => {
            if draw.chance(share) {
                world.release_memory();
            }
        }
        Disturbance::Clone(share) => {
            if draw.chance(share) {
                *world = world.clone();
            }
        }
        Disturbance::Restore(share) => {
            if draw.chance(share) {
                restore(world, execution);
            }
        }
        Disturbance::RestoreOnce => {
            if is_once {
                restore(world, execution);
            }
        }
        Disturbance::Execute => {
            let sets: Vec<InstructionSet> = InstructionSet::available().collect();
            let (neighbour_lists, instruction_set) = (draw.one(&NeighbourLists::ALL), Some(draw.one(&sets)));
            let execution = Execution { neighbour_lists, instruction_set };
            world.set_execution(execution).expect("the instruction set is available");
        }
        Disturbance::Any => {
            let share = 0.25;
            let all = [Disturbance::Forget, Disturbance::Clone, Disturbance::Restore];
            let one = draw.one(&all)(share);
            disturb(world, one, is_once, execution, draw);
        }
    }
}

fn restore<const D: usize>(world: &mut World<D>, execution: Execution) {
    let mut bytes = Vec::new();
    world.save(&mut bytes).expect("a vector takes every byte");
    *world = World::load(&bytes[..]).expect("what was saved can be loaded");
    world.set_execution(execution).expect("the instruction set is available");
}

/// The columns and sections of a world, by name, with the bits of their numbers.
pub(crate) fn columns<const D: usize>(world: &World<D>) -> Vec<(String, Vec<u64>)> {
    let mut all = Vec::new();
    world.trace(|entry| match entry {
        TraceEntry::Section { tag, hash } => all.push((format!("section {tag}"), vec![hash])),
        TraceEntry::Column { species, column } => {
            let bits = match column.numbers {
                ColumnSlice::F32(numbers) => numbers.iter().map(|number| number.to_bits().into()).collect(),
                ColumnSlice::U32(numbers) => numbers.iter().map(|&number| number.into()).collect(),
                ColumnSlice::U64(numbers) => numbers.to_vec(),
                _ => Vec::new(),
            };
            all.push((format!("{species}.{}", column.name), bits));
        }
        _ => {}
    });
    all
}
