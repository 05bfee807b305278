//! Tests that a world on several ranks has the bits and the events of one process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::scenarios::{pool, scenarios, tick};
use throng::behaviours::{Alignment, AvoidNeighbours, Cohesion, Separation, StayOnPath, Wander};
use throng::ranks::{InProcess, Ranks, Transport, in_process};
use throng::settings::NeighbourLists;
use throng::{
    AgentRef, Behaviour, Edge, Error, Event, Execution, Inputs, Noise, Perception, Settings, Species, SpeciesFilter,
    Vector, World,
};
use throng_scenario::{BuildError, Scenario};

/// The hash and the events after each tick.
type Course = Vec<(u64, Vec<Event>)>;

/// Runs `work` on each of these ranks, and returns the results in the order of ranks.
pub(crate) fn on<T: Send>(ranks: usize, work: impl Fn(InProcess) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = in_process(ranks).into_iter().map(|rank| scope.spawn(|| work(rank))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The course of a world on one process, or on a rank. Hashes are taken in every `every`th tick.
fn course<const D: usize>(mut world: World<D>, rank: Option<InProcess>, ticks: usize, every: usize) -> Course {
    let ranks = rank.map_or_else(Ranks::default, Ranks::new);
    ranks.divide(&mut world).unwrap();
    let tick = |number: usize| {
        world.step();
        if !number.is_multiple_of(every) {
            return (0, world.events().to_vec());
        }
        ranks.gather(&mut world);
        (world.state_hash(), world.events().to_vec())
    };
    (1..=ticks).map(tick).collect()
}

/// Compares the courses of all ranks with the course of one process.
fn compare<const D: usize>(
    what: &str,
    ranks: &[usize],
    (ticks, every): (usize, usize),
    execution: Execution,
    build: impl Fn() -> World<D> + Sync,
) {
    let run = |rank, threads| {
        let mut world = build();
        world.set_execution(execution).unwrap();
        pool(threads).install(|| course(world, rank, ticks, every))
    };
    let expected = run(None, 1);
    for &ranks in ranks {
        for (rank, found) in on(ranks, |rank| run(Some(rank), 1 + ranks % 2)).into_iter().enumerate() {
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{what}: rank {rank} of {ranks} in tick {}", number + 1);
            }
        }
    }
}

/// Flocks with rules that perceive only neighbours, with all kinds of inputs for them.
pub(crate) fn flock<const D: usize>(count: usize, edge: Edge) -> World<D> {
    let size = Vector::from_fn(|axis| [70.0, 55.0, 30.0][axis]);
    let settings = Settings { size, edge: [edge; _], seed: 5, tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let starling = Species::new("starling")
        .with(1.5, Separation { radius: 2.0, ..Separation::default() })
        .with(1.0, Alignment { radius: 3.0, fov: 270.0, ..Alignment::default() })
        .with(0.7, Cohesion { radius: 3.0, nearest: 7, from: SpeciesFilter::All, ..Cohesion::default() })
        .with(0.3, Wander::default());
    let hawk =
        Species::new("hawk").with(1.0, Cohesion { radius: 9.0, from: SpeciesFilter::All, ..Cohesion::default() });
    let species = [world.add_species(starling).unwrap(), world.add_species(hawk).unwrap()];
    let mut noise = Noise::new(2, 0, 0, 0);
    for number in 0..count {
        let at = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
        world.spawn(species[usize::from(number % 5 == 0)], at, noise.in_ball() * 4.0).unwrap();
    }
    world
}

/// A transport that counts the bytes of exchanges: the exchanges of halos, in a tick without a sort.
#[derive(Debug)]
struct Counting(InProcess, Arc<AtomicUsize>);

impl Transport for Counting {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn ranks(&self) -> usize {
        self.0.ranks()
    }

    fn exchange(&self, to: &[Vec<u8>], from: &mut Vec<Vec<u8>>) {
        self.0.exchange(to, from);
        self.1.fetch_add(from.iter().map(Vec::len).sum(), Relaxed);
    }

    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>) {
        self.0.gather(own, all);
    }
}

#[test]
fn a_rank_gets_the_agents_near_its_own_and_few_others() {
    const RADIUS: f32 = 3.0;
    /// Lists last for eleven ticks of agents that together move by 0.02 m in each. It is a tenth less here, because agents
    /// have moved a little since the exchange.
    const SKIN: f32 = 0.2;
    const COUNT: usize = 60_000;
    let counts = on(2, |rank| {
        let (own, bytes) = (rank.rank(), Arc::new(AtomicUsize::new(0)));
        let settings = Settings { size: Vector([260.0; 2]), tick_seconds: 0.01, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let cohesion = Cohesion { radius: RADIUS, ..Cohesion::default() };
        let bird = world.add_species(Species::new("bird").with(1.0, cohesion)).unwrap();
        let mut noise = Noise::new(2, 0, 0, 0);
        for _ in 0..COUNT {
            let at = Vector::from_fn(|_| noise.between(0.0, 260.0));
            world.spawn(bird, at, noise.in_ball()).unwrap();
        }
        let ranks = Ranks::new(Counting(rank, Arc::clone(&bytes)));
        ranks.divide(&mut world).unwrap();
        (0..5).for_each(|_| world.step());
        let before = bytes.load(Relaxed);
        world.step();
        let rows = (bytes.load(Relaxed) - before) / 16;
        ranks.gather(&mut world);
        // The agents of the other rank within the radius and the skin of this one's.
        let chunks = COUNT.div_ceil(256);
        let mine = if own == 0 { 0..chunks / 2 * 256 } else { chunks / 2 * 256..COUNT };
        let mut found = Vec::new();
        let is_near = |row: &usize| {
            world.query().within(world.agents(bird).unwrap().position(*row), RADIUS + SKIN, &mut found).unwrap();
            found.iter().any(|found| mine.contains(&found.row))
        };
        let near = (0..COUNT).filter(|row| !mine.contains(row)).filter(is_near).count();
        (rows, near)
    });
    for (rows, near) in counts {
        println!("{rows} rows for {near} near ones");
        assert!(rows >= near && rows <= 2 * near, "{rows} rows for {near} near ones");
    }
}

const LISTS: [NeighbourLists; 2] = [NeighbourLists::Fresh, NeighbourLists::Kept];

#[test]
fn flocks_have_the_same_bits_on_any_number_of_ranks() {
    for neighbour_lists in LISTS {
        let execution = Execution { neighbour_lists, ..Execution::default() };
        compare("flat", &[1, 2, 3, 7], (50, 9), execution, || flock::<2>(6000, Edge::Wrap));
        compare("in space", &[1, 2, 3, 7], (50, 25), execution, || flock::<3>(5000, Edge::Wrap));
    }
}

/// Follows neighbours with a smaller id, and keeps from the others.
#[derive(Debug)]
struct Elders;

impl<const D: usize> Behaviour<D> for Elders {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(4.0, &SpeciesFilter::All)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.neighbours(0)
            .fold(Vector::ZERO, |sum, other| sum + other.offset * if other.id < me.id() { 1.0 } else { -1.0 })
    }
}

#[test]
fn ranks_know_the_ids_and_bodies_of_the_agents_near_their_own() {
    let walkers = || {
        let size = Vector([150.0, 100.0]);
        let settings = Settings { size, tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let avoid = AvoidNeighbours { radius: 5.0, ..AvoidNeighbours::default() };
        let walker = world.add_species(Species::new("walker").with(1.0, avoid).with(0.5, Elders)).unwrap();
        let mut noise = Noise::new(4, 0, 0, 0);
        for _ in 0..5000 {
            let at = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
            let id = world.spawn(walker, at, noise.in_ball() * 2.0).unwrap();
            world.set_quantity(id, throng::Quantity::Radius, noise.between(0.1, 0.5)).unwrap();
        }
        world
    };
    compare("walkers", &[2, 3], (40, 10), Execution::default(), walkers);
}

/// Ranks divide a clump by its work, so that rows change ranks whenever they are sorted.
#[test]
fn clumps_have_the_same_bits_on_any_number_of_ranks() {
    let clump = || {
        let settings = Settings { size: Vector([300.0; 2]), tick_seconds: 0.1, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let cohesion = Cohesion { radius: 4.0, ..Cohesion::default() };
        let bird = Species::new("bird").with(1.0, cohesion).with(0.5, Wander::default());
        let bird = world.add_species(bird).unwrap();
        let mut noise = Noise::new(3, 0, 0, 0);
        for _ in 0..8000 {
            let at = Vector::from_fn(|_| 300.0 * noise.between(0.0, 1.0) * noise.between(0.0, 1.0));
            let id = world.spawn(bird, at, noise.in_ball() * 5.0).unwrap();
            world.set_quantity(id, throng::Quantity::Mass, noise.between(0.5, 2.0)).unwrap();
        }
        world
    };
    compare("clump", &[2, 5], (60, 20), Execution::default(), clump);
}

/// Agents that search the environment without perceiving others. Ranks agree on when their rows are sorted.
#[test]
fn searchers_of_the_environment_have_the_same_bits_on_any_number_of_ranks() {
    let searchers = || {
        let size = Vector([400.0, 300.0]);
        let mut world = World::<2>::new(Settings { size, tick_seconds: 0.1, ..Settings::default() }).unwrap();
        let path = StayOnPath { points: vec![Vector([50.0, 50.0]), Vector([350.0, 200.0])], ..StayOnPath::default() };
        let bird = Species::new("bird").with_max_speed(40.0).with(1.0, path).with(0.5, Wander::default());
        let bird = world.add_species(bird).unwrap();
        let mut noise = Noise::new(7, 0, 0, 0);
        for _ in 0..5000 {
            let at = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
            world.spawn(bird, at, noise.in_ball() * 40.0).unwrap();
        }
        world
    };
    compare("searchers", &[2, 3, 7], (40, 10), Execution::default(), searchers);
}

#[test]
fn flocks_that_leave_their_world_have_the_same_bits() {
    for edge in [Edge::Bounce, Edge::Respawn, Edge::Remove, Edge::Open] {
        compare("edges", &[2, 3], (40, 1), Execution::default(), || flock::<2>(3000, edge));
    }
}

/// The number of ticks to run: fewer for large worlds.
fn ticks(scenario: &Scenario) -> usize {
    match scenario.agents() {
        0..1000 => 60,
        1000..5000 => 36,
        5000..20_000 => 8,
        _ => 3,
    }
}

#[test]
fn scenarios_have_the_same_bits_on_three_ranks() {
    for (name, scenario) in scenarios() {
        let ticks = (ticks(&scenario), 3);
        match scenario.dimensions() {
            3 => compare(&name, &[3], ticks, Execution::default(), || scenario.build::<3>().unwrap()),
            _ => compare(&name, &[3], ticks, Execution::default(), || scenario.build::<2>().unwrap()),
        }
    }
}

/// The hashes of a scenario's world at the start and after some ticks, on one process or on a rank that starts with its
/// own agents. The first hash is zero unless the ranks gather before the first tick.
fn hashes<const D: usize>(scenario: &Scenario, rank: Option<InProcess>, gathers: bool) -> [u64; 3] {
    let ranks = rank.map_or_else(Ranks::default, Ranks::new);
    let mut world: World<D> = match ranks.transport() {
        Some(transport) => scenario.build_on(&Ranks::from(Arc::clone(transport))).unwrap(),
        None => scenario.build().unwrap(),
    };
    let mut hash = |ticks, gathers: bool| {
        (0..ticks).for_each(|_| world.step());
        if !gathers {
            return 0;
        }
        ranks.gather(&mut world);
        world.state_hash()
    };
    [hash(0, gathers), hash(1, true), hash(9, true)]
}

#[test]
fn ranks_that_start_with_their_own_agents_have_the_bits_of_one_process() {
    let compare = |name: &str, scenario: &Scenario| {
        let run = |rank, gathers| match scenario.dimensions() {
            3 => hashes::<3>(scenario, rank, gathers),
            _ => hashes::<2>(scenario, rank, gathers),
        };
        for (ranks, gathers) in [(2, true), (2, false), (5, true)] {
            let expected = run(None, gathers);
            for (rank, found) in on(ranks, |rank| run(Some(rank), gathers)).into_iter().enumerate() {
                assert_eq!(found, expected, "{name}: rank {rank} of {ranks}");
            }
        }
    };
    for (name, scenario) in scenarios() {
        if scenario.agents() < 2500 {
            compare(&name, &scenario);
        }
    }
    let groups = r#"
        format = 1
        [world]
        dimensions = 2
        size = [90.0, 70.0]
        edge = "wrap"
        [species.walker]
        count = 1500
        radius = { mean = 0.3, sd = 0.05, low = 0.2, high = 0.4 }
        place = { goal = "opposite", group_size = [1.0, 4.0] }
        behaviours = [{ rule = "arrive" }, { rule = "separation", radius = 2.0 }]
        [species.child]
        count = 300
        mass = { mean = 30.0, sd = 5.0, low = 10.0, high = 50.0 }
        place = { goal = "opposite" }
        behaviours = [{ rule = "arrive" }, { rule = "alignment", radius = 5.0, from = ["walker"] }]
        [species.absent]
        count = 0
        place = { goal = "opposite" }
        behaviours = [{ rule = "arrive" }]
    "#;
    for edge in ["wrap", "open", "respawn"] {
        let text = groups.replace("\"wrap\"", &format!("{edge:?}"));
        compare(edge, &Scenario::parse(&text, "groups.toml").unwrap());
        // Without goals, ranks continue with only their own agents.
        let text = text.replace("goal = \"opposite\"", "speed = 0.5").replace("arrive", "wander");
        compare(edge, &Scenario::parse(&text, "alone.toml").unwrap());
    }
}

#[test]
fn ranks_that_start_differently_are_refused() {
    let text = |count: u64| {
        format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [90.0, 70.0]\n[species.fly]\ncount = {count}\n\
             behaviours = [{{ rule = \"wander\" }}]\n"
        )
    };
    let refused = on(3, |rank| {
        let scenario = Scenario::parse(&text(if rank.rank() == 1 { 701 } else { 700 }), "flies.toml").unwrap();
        scenario.build_on::<2>(&Ranks::new(rank)).map(|_| ())
    });
    for refused in refused {
        let Err(BuildError::World(Error::RankDiffers { rank: 1, has, first })) = refused else { panic!("{refused:?}") };
        assert_ne!(has, first);
    }
    let refused = on(2, |rank| {
        let agents = if rank.rank() == 1 { u64::from(u32::MAX) } else { 700 };
        let scenario = Scenario::parse(&text(agents), "flies.toml").unwrap();
        scenario.build_on::<2>(&Ranks::new(rank)).map(|_| ())
    });
    assert_eq!(refused[1], Err(BuildError::Agents(u64::from(u32::MAX))));
    let Err(error) = &refused[0] else { panic!("rank 0 started alone") };
    assert!(error.to_string().contains("rank 1 has an error: "), "{error}");
}

#[test]
fn ranks_with_different_worlds_are_refused() {
    let refused = on(3, |rank| {
        let mut world = flock::<2>(if rank.rank() == 2 { 501 } else { 500 }, Edge::Wrap);
        let refused = Ranks::new(rank).divide(&mut world);
        world.step();
        (refused, tick(&mut world).0)
    });
    for (refused, _) in &refused {
        assert!(matches!(refused, Err(Error::RankDiffers { rank: 2, has, first }) if has != first), "{refused:?}");
    }
    assert_eq!(refused[0].1, refused[1].1, "the worlds go on undivided");
}
