//! Tests of `Perception.nearest`: lists and sums over the nearest neighbours are compared with a search through all
//! agents in every tick. Among agents at equal distance those with the smallest ids count.

use std::sync::Arc;

use crate::checker::{Checker, Tally};
use throng::behaviours::Wander;
use throng::settings::NeighbourLists;
use throng::{
    AgentRef, Behaviour, Edge, Execution, Inputs, NeighbourSum, Noise, Perception, Settings, Sight, Species,
    SpeciesFilter, State, Vector, Wall, WallShape, World,
};

const NAMES: [&str; 3] = ["starling", "hawk", "moth"];

/// Where agents start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    Anywhere,
    /// At rest on whole metres, so that many distances are equal, and some agents coincide.
    Lattice,
    /// In clumps far from each other, and in part far from the world's centre.
    Clumps,
}

/// A world of three species; the first two have the checkers.
fn world<const D: usize>(edge: Edge, neighbour_lists: NeighbourLists, checkers: &[Checker], start: Start) -> World<D> {
    let size = Vector::from_fn(|axis| [24.0, 20.0, 16.0][axis]);
    let settings = Settings { size, edge: [edge; _], tick_seconds: 0.05, seed: 6, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
    let mut ids = Vec::new();
    for name in NAMES {
        let mut species = Species::new(name).with(1.0, Wander::default());
        if name != "moth" {
            for checker in checkers {
                species = species.with(0.0, checker.clone());
            }
        }
        species.max_speed = if start == Start::Lattice { 0.0.into() } else { 4.0.into() };
        ids.push(world.add_species(species).unwrap());
    }
    let mut noise = Noise::new(3, 1, 4, Noise::USER);
    let mut clump = Vector::<D>::ZERO;
    for number in 0..600 {
        if number % 50 == 0 {
            clump = Vector::from_fn(|axis| noise.between(0.0, 0.9 * size[axis]));
        }
        let at = Vector::<D>::from_fn(|axis| match start {
            Start::Anywhere => noise.between(0.0, 0.999 * size[axis]),
            Start::Lattice => noise.between(0.0, 0.999 * size[axis]).floor(),
            Start::Clumps if edge == Edge::Open => 40.0 * clump[axis] + noise.between(0.0, 0.3),
            Start::Clumps => clump[axis] + noise.between(0.0, 0.3),
        });
        world.spawn(ids[number % 3], at, noise.direction::<D>() * 4.0).unwrap();
    }
    world
}

fn check<const D: usize>(start: Start) {
    let lattice = start == Start::Lattice;
    for edge in Edge::ALL {
        for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
            let tally = Arc::new(Tally::default());
            let looks = [
                (1, 6.0, SpeciesFilter::Own),
                (7, 6.0, SpeciesFilter::All),
                (16, 5.0, SpeciesFilter::named("moth")),
                (500, 9.0, SpeciesFilter::All),
                (7, 1e6, SpeciesFilter::All),
            ];
            let checkers =
                looks.map(|(nearest, radius, filter)| Checker { nearest, ..Checker::new(radius, filter, &tally) });
            // Agents with too few ahead search the whole world.
            let views = [(7, 120.0, 0.25), (2, 240.0, -0.25), (40, 120.0, 0.25)];
            let views = views.map(|(nearest, degrees, cosine)| Checker {
                nearest,
                view: Some((degrees, cosine)),
                ..Checker::new(1e6, SpeciesFilter::All, &tally)
            });
            let checkers: Vec<_> = checkers.into_iter().chain(views).collect();
            let mut world = world::<D>(edge, neighbour_lists, &checkers, start);
            let mut agents = 0;
            for tick in 0..4 {
                // Ids of later generations take the rows of earlier ones.
                let gone = world.all_agents()[tick % 3].ids()[(7 * tick) % 50];
                let (at, species) = (world.position(gone).unwrap(), world.find(gone).unwrap().0);
                world.despawn(gone).unwrap();
                if edge != Edge::Remove || lattice {
                    world.spawn(species, at, Vector::ZERO).unwrap();
                }
                world.step();
                // The tick removes leavers before it steers.
                agents += world.all_agents().iter().take(2).map(|agents| agents.len()).sum::<usize>();
            }
            let what = format!("{D}D, {edge:?}, {neighbour_lists:?}, {start:?}");
            tally.settle(8 * agents, 10_000, &what);
            assert!(
                tally.counts().2 * 10 > tally.counts().0,
                "{what}: a tenth of the agents must have more neighbours than count"
            );
        }
    }
}

#[test]
fn the_nearest_are_exact_in_two_dimensions() {
    check::<2>(Start::Anywhere);
}

#[test]
fn the_nearest_are_exact_in_three_dimensions() {
    check::<3>(Start::Anywhere);
}

#[test]
fn the_nearest_are_exact_in_clumps() {
    check::<2>(Start::Clumps);
    check::<3>(Start::Clumps);
}

#[test]
fn ties_go_to_the_smallest_ids() {
    check::<2>(Start::Lattice);
    check::<3>(Start::Lattice);
}

/// Separation from the nearest neighbours only, by a sum or by a list.
#[derive(Clone, Debug)]
struct Apart {
    count: u32,
    listed: bool,
}

impl Behaviour<2> for Apart {
    fn inputs(&self) -> Inputs {
        let view = Perception { nearest: self.count, ..Perception::within(8.0, &SpeciesFilter::All) };
        if self.listed {
            Inputs::default().neighbours(view)
        } else {
            Inputs::default().sum(NeighbourSum::InverseOffset, view)
        }
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let sum = match self.listed {
            true => me.neighbours(0).fold(Vector::ZERO, |sum, seen| sum + seen.offset / seen.distance_squared),
            false => me.sum(0),
        };
        me.towards((-sum).direction() * me.max_speed())
    }
}

#[test]
fn a_sum_and_a_list_of_the_nearest_steer_alike() {
    let course = |listed, edge, threads| {
        let settings =
            Settings { size: Vector([40.0, 30.0]), edge: [edge; _], tick_seconds: 0.1, seed: 2, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let bird = world.add_species(Species::new("bird").with(1.0, Apart { count: 7, listed })).unwrap();
        let mut noise = Noise::new(3, 1, 4, Noise::USER);
        for _ in 0..500 {
            world.spawn(bird, [noise.between(0.0, 40.0), noise.between(0.0, 30.0)], [0.0, 0.0]).unwrap();
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..60).for_each(|_| world.step()));
        let agents = world.agents(bird).unwrap();
        (0..agents.len()).map(|row| (agents.ids()[row], agents.position(row))).collect::<Vec<_>>()
    };
    for edge in [Edge::Wrap, Edge::Bounce] {
        assert_eq!(course(false, edge, 2), course(true, edge, 1), "{edge:?}");
    }
}

/// The field of view applies first: the nearest are chosen among the agents in it.
#[test]
fn the_nearest_are_chosen_within_the_field_of_view() {
    #[derive(Clone, Debug)]
    struct Ahead(Arc<std::sync::Mutex<Vec<f32>>>);
    impl Behaviour<2> for Ahead {
        fn inputs(&self) -> Inputs {
            let view = Perception { nearest: 2, field_of_view: 180.0, ..Perception::within(8.0, &SpeciesFilter::All) };
            Inputs::default().neighbours(view)
        }
        fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
            if me.velocity() != Vector::ZERO {
                self.0.lock().unwrap().extend(me.neighbours(0).map(|seen| seen.offset[0]));
            }
            Vector::ZERO
        }
    }
    let rule = Ahead(Arc::default());
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let bird = world.add_species(Species::new("bird").with(1.0, rule.clone())).unwrap();
    world.spawn(bird, [50.0, 50.0], [1.0, 0.0]).unwrap();
    for x in [49.0, 48.5, 52.0, 51.0, 53.0, 57.0] {
        world.spawn(bird, [x, 50.0], [0.0, 0.0]).unwrap();
    }
    world.step();
    let mut seen = rule.0.lock().unwrap().clone();
    seen.sort_by(f32::total_cmp);
    assert_eq!(seen, [1.0, 2.0]);
}

/// Walls that go between two ticks hide no one in the next, also where a budget counts pairs first.
#[test]
fn walls_that_are_gone_hide_no_neighbour() {
    #[derive(Clone, Debug)]
    struct InSight(Arc<std::sync::Mutex<usize>>);
    impl Behaviour<2> for InSight {
        fn inputs(&self) -> Inputs {
            let view = Perception { nearest: 2, ..Perception::within(30.0, &SpeciesFilter::All) };
            Inputs::default().neighbours(view.with_sight(Sight::Walls))
        }
        fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
            *self.0.lock().unwrap() += me.neighbours(0).len();
            Vector::ZERO
        }
    }
    let rule = InSight(Arc::default());
    let mut world = World::<2>::new(Settings { pair_budget: Some(64), ..Settings::default() }).unwrap();
    let bird = world.add_species(Species::new("bird").with(1.0, rule.clone())).unwrap();
    let walls = [50.0, 55.0].map(|x| {
        let points = vec![Vector([x, 40.0]), Vector([x, 60.0])];
        world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: false })).unwrap()
    });
    world.spawn(bird, [45.0, 50.0], [0.0, 0.0]).unwrap();
    world.spawn(bird, [60.0, 50.0], [0.0, 0.0]).unwrap();
    let seen = || std::mem::take(&mut *rule.0.lock().unwrap());
    world.step();
    assert_eq!(seen(), 0);
    for wall in walls {
        world.environment_mut().walls.remove(wall).unwrap();
    }
    // The third agent is far, and makes the budget count again.
    world.spawn(bird, [5.0, 5.0], [0.0, 0.0]).unwrap();
    world.step();
    assert_eq!(seen(), 2);
}

/// A rule that applies in one state perceives for the agents in that state only.
#[test]
fn a_rule_of_one_state_perceives_in_that_state_only() {
    let tally = Arc::new(Tally::default());
    let checker = Checker { nearest: 3, ..Checker::new(10.0, SpeciesFilter::Own, &tally) };
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let species = Species::new("bird")
        .with_state(State::new("blind"))
        .with_state(State::new("awake"))
        .with_during("awake", 0.0, checker);
    let bird = world.add_species(species).unwrap();
    let mut noise = Noise::new(3, 1, 4, Noise::USER);
    for number in 0..400 {
        let id = world.spawn(bird, [noise.between(0.0, 100.0), noise.between(0.0, 100.0)], [0.0, 0.0]).unwrap();
        if number % 4 == 0 {
            world.set_state(id, "awake").unwrap();
        }
    }
    (0..5).for_each(|_| world.step());
    tally.settle(500, 1000, "states");
    assert_eq!(tally.counts().0, 500);
}
