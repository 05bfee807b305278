//! Tests of forged snapshots: a file with valid hashes either loads as a world that can be stepped or is refused with
//! an error. Loading never panics, and never allocates much more memory than the file has bytes.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement; this one only records sizes")]
#[path = "../core/edits.rs"]
mod edits;
mod cost;
mod exact;
mod ground;
mod ranks;
mod seal;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use edits::{KINDS, Random, edit_of};
use seal::{HEAD, HEADER, Section, sealed, sections};
use throng::SnapshotFault;
use throng::behaviours::{FollowPath, Seek, Separation, Wander};
use throng::parameters::{Range, Value};
use throng::{
    AgentId, Arrivals, Catch, Condition, Distribution, Error, FlowField, Mark, Region, Settings, Shape, Sink,
    SnapshotError, Source, Species, SpeciesFilter, State, Target, Vector, World, Zone,
};

/// An allocator that records the largest block that each thread requests. Others compute fields for worlds that are gone.
struct Watching;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn record(size: usize) {
    // A thread that ends has no record any more.
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        record(layout.size());
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        record(layout.size());
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        record(size);
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static WATCHING: Watching = Watching;

/// A small world with content in every section.
fn world() -> World<2> {
    let settings = Settings { tick_seconds: 0.1, seed: 3, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let mut hawk = Species::new("hawk")
        .with(1.0, Separation { from: SpeciesFilter::named("dove"), ..Separation::default() })
        .with_during("hunt", 1.0, Seek { target: Target::Nearest(SpeciesFilter::named("dove")) })
        .with(0.1, FollowPath { points: vec![Vector([1.0, 2.0]), Vector([3.0, 4.0])], ..FollowPath::default() })
        .with_variable("stamina", 1.0, 0.0, 1.0)
        .with_state(State::new("hunt").with_rate("stamina", -0.1).with_transition("rest", Condition::Caught))
        .with_state(State::new("rest").with_transition("hunt", Condition::Nearer(SpeciesFilter::named("dove"), 9.0)));
    hawk.catch = Some(Catch { whom: SpeciesFilter::All, distance: 1.0, remove: true, during: vec!["hunt".into()] });
    hawk.max_speed = Distribution::Uniform(2.0, 3.0);
    hawk.pre_movement = Some(Distribution::LogNormal { median: 0.5, log_sd: 0.5, low: 0.0, high: 3.0 });
    let hawk = world.add_species(hawk).unwrap();
    let dove = world.add_species(Species::new("dove").with(1.0, Wander::default())).unwrap();
    for number in 0..21 {
        let species = if number % 3 == 0 { hawk } else { dove };
        world.spawn(species, [4.0 * number as f32, 50.0], [1.0, 0.5]).unwrap();
    }
    world.environment_mut().fields.put(FlowField::new("wind", [2, 1], vec![Vector([1.0, 0.0]); 2]).unwrap()).unwrap();
    let environment = world.environment_mut();
    let shape = Shape::Ball { centre: Vector([90.0, 90.0]), radius: 3.0 };
    environment.regions.add(Region { name: "gate".to_owned(), shape }).unwrap();
    let speed = Some(Distribution::Normal { mean: 1.0, sd: 0.2, low: 0.5, high: 1.5 });
    let limit = Some(40);
    for (name, arrivals) in [
        ("rate", Arrivals::Rate(2.0)),
        ("poisson", Arrivals::Poisson(2.0)),
        ("times", Arrivals::Schedule(vec![(0.0, 3), (1.0, 2)])),
        ("entry", Arrivals::OnEntry("gate".to_owned())),
    ] {
        let heading = Some(Vector([1.0, 0.0]));
        environment
            .sources
            .add(Source { limit, heading, speed, ..Source::new(name, "dove", "gate", arrivals) })
            .unwrap();
    }
    let states = vec!["rest".to_owned()];
    environment.sinks.add(Sink { states, species: vec!["hawk".to_owned()], ..Sink::new("exit", "gate") }).unwrap();
    environment.zones.add(Zone::new("gate", 0.5).with_against([1.0, 0.0], 0.65)).unwrap();
    let mut random = Random::new(11);
    for kind in (0..KINDS).filter(|kind| *kind != 12) {
        edit_of(&mut world, &mut random, kind);
        world.step();
    }
    // A caught agent, for the section of leavers.
    let at = world.position(world.agents(hawk).unwrap().ids()[0]).unwrap();
    world.spawn(dove, at, [0.0, 0.0]).unwrap();
    world.step();
    world
}

/// The numbers of forged snapshots that were refused and that were loaded and stepped.
#[derive(Debug, Default)]
struct Outcomes {
    refused: usize,
    stepped: usize,
    /// The kinds of contradictions that were refused, and the unknown names.
    faults: BTreeSet<String>,
}

/// The kind of a contradiction without its numbers.
fn kind_of(fault: &SnapshotFault) -> String {
    if let SnapshotFault::Unknown { what, .. } = fault {
        return (*what).to_owned();
    }
    format!("{fault:?}").split(['(', ' ']).next().unwrap().to_owned()
}

/// Loads a forged snapshot. If it loads, steps, queries, edits and saves the world.
fn live(bytes: &[u8], what: &str, outcomes: &mut Outcomes) {
    LARGEST.set(0);
    let loaded = catch_unwind(AssertUnwindSafe(|| World::<2>::load(bytes)));
    let largest = LARGEST.get();
    assert!(largest < 16 * bytes.len() + (64 << 10), "{what}: {largest} bytes at once for {} bytes", bytes.len());
    let Ok(loaded) = loaded else { panic!("{what}: loading panics") };
    let mut world = match loaded {
        Ok(world) => world,
        Err(error) => {
            outcomes.refused += 1;
            if let SnapshotError::Invalid { fault, .. } = error {
                outcomes.faults.insert(kind_of(&fault));
            }
            return;
        }
    };
    outcomes.stepped += 1;
    let lived = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..2 {
            world.step();
        }
        let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids()).copied().collect();
        if let Some(id) = ids.first() {
            world.explain(*id).unwrap();
            world.despawn(*id).unwrap();
        }
        let mut random = Random::new(5);
        for species in world.species_ids().collect::<Vec<_>>() {
            let at = random.point(world.settings().size);
            world.spawn(species, at, [0.0, 0.0]).unwrap();
            let rule = throng::Rule::new(0.1, Wander::default());
            let _ = world.add_rule(species, rule);
        }
        let _ = world.environment_mut().marks.put(Mark::new("a new one", [1.0, 1.0]));
        world.step();
        world.save(&mut Vec::new()).unwrap();
    }));
    assert!(lived.is_ok(), "{what}: the loaded world panics");
}

/// The forged numbers.
const NUMBERS: [u64; 9] =
    [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 40, u32::MAX as u64, 1 << 31, 0x7fc0_0000, 0x7f80_0000, 1_000_000];

#[test]
fn hashes_match_those_of_the_engine() {
    let mut bytes = Vec::new();
    world().save(&mut bytes).unwrap();
    assert!(sealed(&bytes[..HEADER], &sections(&bytes)) == bytes);
    let tags: Vec<String> = sections(&bytes).iter().map(|(tag, _)| String::from_utf8(tag.clone()).unwrap()).collect();
    let expected = [
        "SETT", "SPEC", "IDS_", "AGNT", "COLS", "NAMD", "AGNT", "COLS", "NAMD", "SCEN", "PEOP", "WALL", "WAYS", "PLAC",
        "MIX_", "LEAV", "CONT", "TIME",
    ];
    assert_eq!(tags, expected);
}

/// Replaces the bytes at every place of every section by numbers that are too large, not finite or negative: at each
/// place by `count` of them in turn.
fn forge_numbers(world: &World<2>, count: usize, outcomes: &mut Outcomes) {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let original = sections(&bytes);
    for (place, (tag, payload)) in original.iter().enumerate() {
        let tag = String::from_utf8_lossy(tag);
        for at in 0..payload.len() {
            for width in [4, 8] {
                let numbers = NUMBERS.iter().cycle().skip(at).take(count);
                for number in numbers.filter(|number| width == 8 || **number <= u64::from(u32::MAX)) {
                    let mut forged = original.clone();
                    let target = &mut forged[place].1;
                    if at + width > target.len() {
                        continue;
                    }
                    target[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
                    let what = format!("{number:#x} in {width} bytes at {at} of section {tag} ({place})");
                    live(&sealed(&bytes[..HEADER], &forged), &what, outcomes);
                }
            }
        }
    }
}

/// A forged snapshot is refused or loads as a world that lives, and each kind of contradiction that a reader of numbers
/// names is among the refusals.
#[test]
fn forged_numbers_are_refused_or_harmless() {
    let mut outcomes = Outcomes::default();
    forge_numbers(&world(), NUMBERS.len() / 2, &mut outcomes);
    forge_numbers(&ground::world(), 2, &mut outcomes);
    println!("{outcomes:?}");
    assert!(outcomes.refused > 10_000 && outcomes.stepped > 1000, "{outcomes:?}");
    let expected = [
        "a condition",
        "a distribution",
        "a goal",
        "a method that combines forces",
        "a place",
        "a population",
        "a shape",
        "a species filter",
        "a value",
        "an edge",
        "a type of numbers",
        "flags of a species",
        "limited or not",
        "the arrivals of a source",
        "the number of a state",
        "the owner of a column",
        "the shape of a wall",
        "the width of a column",
        "yes or no",
        "Columns",
        "Handles",
        "Leaver",
        "NotUtf8",
        "Progress",
        "RuleKey",
        "Slot",
        "Tally",
        "TooLong",
        "TooShort",
    ];
    let missing: Vec<&str> = expected.into_iter().filter(|kind| !outcomes.faults.contains(*kind)).collect();
    assert_eq!(missing, [""; 0], "found {:?}", outcomes.faults);
}

/// Forges sections that are shorter, longer, missing or duplicated, and sections with a forged length.
#[test]
fn forged_sections_are_refused() {
    let mut bytes = Vec::new();
    world().save(&mut bytes).unwrap();
    let original = sections(&bytes);
    let refused = |forged: &[Section], what: &str| {
        let mut outcomes = Outcomes::default();
        live(&sealed(&bytes[..HEADER], forged), what, &mut outcomes);
        assert_eq!(outcomes.refused, 1, "{what}: refused");
    };
    for (place, (_, payload)) in original.iter().enumerate() {
        for length in (0..payload.len()).step_by(1 + payload.len() / 300) {
            let mut forged = original.clone();
            forged[place].1.truncate(length);
            refused(&forged, &format!("section {place}, {length} of {} bytes", payload.len()));
        }
        let mut forged = original.clone();
        forged[place].1.extend([0; 3]);
        refused(&forged, &format!("section {place}, longer"));
        let mut forged = original.clone();
        let gone = forged.remove(place);
        refused(&forged, &format!("without section {place}"));
        forged.insert(place, gone.clone());
        forged.insert(place, gone);
        refused(&forged, &format!("section {place} twice"));
    }
    // A forged length of a section, with its original payload and hash.
    let mut at = HEADER;
    for (_, payload) in &original {
        for number in NUMBERS {
            let mut forged = bytes.clone();
            forged[at + 4..at + HEAD].copy_from_slice(&number.to_le_bytes());
            let mut outcomes = Outcomes::default();
            live(&forged, "a forged length of a section", &mut outcomes);
            assert_eq!(outcomes.refused, 1);
        }
        at += HEAD + payload.len() + 8;
    }
}

/// An error holds its cause as data: the section and the contradiction, or the value and its range.
#[test]
fn contradictions_are_data() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let dove = world.add_species(Species::new("dove").with(1.0, Wander::default())).unwrap();
    let ids: Vec<AgentId> = (0..3).map(|at| world.spawn(dove, [at as f32, 1.0], [0.0, 0.0]).unwrap()).collect();
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let forged = |tag: &str, forge: &dyn Fn(&mut Vec<u8>)| {
        let mut sections = sections(&bytes);
        forge(&mut sections.iter_mut().find(|(name, _)| name == tag.as_bytes()).unwrap().1);
        match World::<2>::load(&sealed(&bytes[..HEADER], &sections)[..]) {
            Err(SnapshotError::Invalid { section, fault }) => (section, fault),
            Err(SnapshotError::Refused(Error::BadValue(bad))) => panic!("{bad}"),
            other => panic!("{tag}: {other:?}"),
        }
    };
    for tag in ["SETT", "SPEC", "IDS_", "AGNT", "COLS", "NAMD", "SCEN", "MIX_", "LEAV"] {
        assert_eq!(forged(tag, &|payload| payload.push(0)), (tag, SnapshotFault::TooLong));
        assert_eq!(forged(tag, &|payload| payload.truncate(payload.len() - 1)), (tag, SnapshotFault::TooShort));
    }
    let unknown = |what, found: &str| SnapshotFault::Unknown { what, found: found.to_owned() };
    // At the end of the settings: the tick, whether crowds are limited, the last key.
    let limited = forged("SETT", &|payload| {
        let at = payload.len() - 5;
        payload[at] = 7;
    });
    assert_eq!(limited, ("SETT", unknown("limited or not", "7")));
    let edge = forged("SETT", &|payload| payload[12] = b'W');
    assert_eq!(edge, ("SETT", unknown("an edge", "Wrap")));
    // Edges are written in one way: once if they are equal, and otherwise one per axis.
    for text in ["wrap wrap", "wrap bounce open", "wrap  bounce", "wrap ", ""] {
        let edge = forged("SETT", &|payload| {
            let rest = payload.split_off(12 + 4);
            payload.truncate(8);
            payload.extend((text.len() as u32).to_le_bytes());
            payload.extend(text.as_bytes());
            payload.extend(rest);
        });
        assert_eq!(edge, ("SETT", unknown("an edge", text)));
    }
    let none_given = forged("SETT", &|payload| {
        let at = payload.len() - 4;
        payload[at] = 0;
    });
    assert_eq!(none_given, ("SPEC", SnapshotFault::RuleKey(1)));
    assert_eq!(forged("SPEC", &|payload| payload[8] = 0xff), ("SPEC", SnapshotFault::NotUtf8));
    let twice_free = forged("IDS_", &|payload| {
        let count = payload.len() - 8;
        payload[count] = 2;
        payload.extend([0; 8]);
    });
    assert_eq!(twice_free, ("IDS_", SnapshotFault::FreeSlots));
    let twice = forged("AGNT", &|payload| payload.copy_within(8..16, 16));
    assert_eq!(twice, ("AGNT", SnapshotFault::Slot(ids[0])));
    let unknown = AgentId::from_bits(99);
    let leaver = forged("LEAV", &|payload| {
        payload[0] = 1;
        payload.extend(99_u64.to_le_bytes());
        payload.push(1);
    });
    assert_eq!(leaver, ("LEAV", SnapshotFault::Leaver(unknown)));
    // The first number of the columns is the x coordinate of the first agent.
    let mut all = sections(&bytes);
    all[4].1[..4].copy_from_slice(&1e9_f32.to_le_bytes());
    match World::<2>::load(&sealed(&bytes[..HEADER], &all)[..]) {
        Err(SnapshotError::Refused(Error::BadValue(bad))) => {
            assert_eq!((&bad.what[..], bad.value), ("position", Value::Number(1e9)));
            assert_eq!(bad.allowed.range(), Some(Range::from(-4e6, 4e6)));
        }
        other => panic!("{other:?}"),
    }
}
