//! Tests that a step in which a host's code panics leaves the world as it was, and that it continues as if nothing had
//! failed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Once};

use crate::edits::{Random, edit};
use crate::scenarios::{pool, scenarios, tick};
use throng::{AgentRef, Behaviour, Error, Inputs, Motion, Rule, Vector, World};
use throng_scenario::Scenario;

/// Where a rule or a motion of the host may panic.
const STEER: u32 = 1;
const INPUTS: u32 = 2;
const VELOCITY: u32 = 3;
const EXPLICIT: u32 = 4;
const DEBUG: u32 = 5;

/// Code of a host that panics once after it was armed. A larger number than those above counts agents until then.
#[derive(Clone, Default)]
struct Fuse(Arc<AtomicU32>);

impl Fuse {
    fn arm(&self, place: u32) {
        self.0.store(place, Relaxed);
    }

    fn reach(&self, place: u32) {
        assert!(self.0.compare_exchange(place, 0, Relaxed, Relaxed).is_err(), "the fuse blows at {place}");
    }
}

impl std::fmt::Debug for Fuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reach(DEBUG);
        write!(f, "Fuse")
    }
}

impl<const D: usize> Behaviour<D> for Fuse {
    fn inputs(&self) -> Inputs {
        self.reach(INPUTS);
        Inputs::default().memory("count", 0_u32)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.remember(0, me.recall::<u32>(0) + 1);
        if me.id().to_bits() % 3 == 2 {
            self.reach(STEER);
        }
        Vector::ZERO
    }
}

impl<const D: usize> Motion<D> for Fuse {
    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        self.reach(VELOCITY);
        (me.velocity() * 0.9 + wanted * 0.1).truncate(me.max_speed())
    }

    fn is_explicit(&self) -> bool {
        self.reach(EXPLICIT);
        true
    }
}

/// Silences the messages of panics that tests expect.
pub(crate) fn silence_expected_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let payload = panic.payload();
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default();
            let expected = ["the fuse blows", "the function fails", "after `Ranks::gather`"];
            if !expected.iter().any(|expected| text.contains(expected)) {
                hook(panic);
            }
        }));
    });
}

/// Everything that a host reads of a world, except steering forces.
fn seen<const D: usize>(world: &World<D>) -> (u64, u64, Vec<throng::Event>, Vec<u64>, u64, Vec<String>) {
    let ids = world.all_agents().iter().flat_map(|agents| agents.ids()).map(|id| id.to_bits()).collect();
    let fields = world
        .environment()
        .navigations
        .iter()
        .map(|(id, _)| format!("{:?}", world.environment().navigation_field(id).is_some()));
    (world.state_hash(), world.tick(), world.events().to_vec(), ids, world.backlog(), fields.collect())
}

/// A world of a scenario whose species have a rule and, every other one without a model, a motion of the host.
fn build<const D: usize>(scenario: &Scenario, fuse: &Fuse, moves: bool) -> World<D> {
    let mut world = scenario.build::<D>().unwrap();
    for id in world.species_ids().collect::<Vec<_>>() {
        world.add_rule(id, Rule::new(0.0, fuse.clone())).unwrap();
        if moves {
            world.edit_species(id, |species| species.motion = Some(Arc::new(fuse.clone()))).unwrap();
        }
    }
    world
}

/// Runs a world whose every third step fails at first, with random edits, beside one in which none does. Returns the
/// number of steps that failed.
fn check<const D: usize>(name: &str, scenario: &Scenario, moves: bool) -> usize {
    let (fuse, unlit) = (Fuse::default(), Fuse::default());
    let (mut world, mut twin) = (build::<D>(scenario, &fuse, moves), build::<D>(scenario, &unlit, moves));
    let (mut random, mut random_of_twin) = (Random::new(3), Random::new(3));
    let mut failed = 0;
    for number in 0..36_u32 {
        if number % 5 == 4 {
            edit(&mut world, &mut random);
            edit(&mut twin, &mut random_of_twin);
        }
        if number % 3 != 2 || number == 34 {
            let place = [STEER, INPUTS, VELOCITY, EXPLICIT][number as usize / 2 % 4];
            let before = seen(&world);
            if matches!(place, INPUTS | EXPLICIT) {
                world.release_memory();
            }
            fuse.arm(place);
            match world.try_step() {
                Err(Error::Panicked(_)) => {
                    failed += 1;
                    assert_eq!(seen(&world), before, "{name}: after a failed step, in tick {number}");
                }
                // The fuse was not reached.
                Ok(()) => {
                    fuse.arm(0);
                    assert_eq!(seen(&world).0, tick(&mut twin).0, "{name}: in tick {number}");
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(tick(&mut world), tick(&mut twin), "{name}: tick {number}");
    }
    assert!(seen(&world) == seen(&twin), "{name}");
    failed
}

#[test]
fn a_step_that_failed_has_changed_nothing() {
    silence_expected_panics();
    let mut failed = 0;
    for (name, scenario) in scenarios().into_iter().filter(|(_, scenario)| scenario.agents() < 3000) {
        for moves in [false, true] {
            // A panic on a thread of the pool, or on the caller's.
            failed += pool(2).install(|| match scenario.dimensions() {
                3 => check::<3>(&name, &scenario, moves),
                _ => check::<2>(&name, &scenario, moves),
            });
        }
    }
    assert!(failed > 500, "{failed} steps failed, expected more than 500");
}

#[test]
fn a_panic_in_the_function_that_watches_leaves_the_world_as_it_was() {
    silence_expected_panics();
    let is_flat = |(_, scenario): &(String, Scenario)| scenario.agents() < 1000 && scenario.dimensions() == 2;
    for (name, scenario) in scenarios().into_iter().filter(is_flat) {
        let [mut world, mut twin] = [0, 1].map(|_| scenario.build::<2>().unwrap());
        for number in 0..20 {
            let (before, mut stage) = (seen(&world), 0);
            let watched = catch_unwind(AssertUnwindSafe(|| {
                world.step_watched(|_, _| {
                    stage += 1;
                    assert!(stage <= number % 9, "the function fails");
                });
            }));
            assert!(watched.is_err());
            assert_eq!(seen(&world), before, "{name}: tick {number}");
            assert_eq!(tick(&mut world), tick(&mut twin), "{name}: tick {number}");
        }
    }
}

#[test]
fn the_hash_of_a_world_prints_no_rule() {
    silence_expected_panics();
    let (_, scenario) = scenarios().swap_remove(0);
    let fuse = Fuse::default();
    let mut world = build::<2>(&scenario, &fuse, false);
    let before = world.state_hash();
    fuse.arm(DEBUG);
    assert_eq!(world.state_hash(), before);
    world.step();
}
