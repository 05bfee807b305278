//! Observers of a running world.

use throng::behaviours::{Seek, Wander};
use throng::measures::{Area, Displacement, Moments, Overlaps, Recorder, RecorderSettings, Stuck, measure, measures};
use throng::{Edge, Region, Settings, Shape, Sink, SnapshotError, SnapshotFault, Species, Vector, World};
use throng_scenario::Scenario;

use crate::{close, settings};

/// One agent moves at this velocity without rules.
fn moving(edge: Edge, velocity: [f32; 2]) -> World<2> {
    let mut world = World::new(settings([10.0, 10.0], edge)).unwrap();
    let species = world.add_species(Species::new("bird")).unwrap();
    world.spawn(species, [5.0, 5.0], velocity).unwrap();
    world
}

/// Ballistic motion has MSD = v² t², through any number of seams; rest has zero.
#[test]
fn the_displacement_of_a_ballistic_crowd_is_its_way() {
    for (velocity, squared) in [([3.0, 4.0], 25.0), ([-3.0, -4.0], 25.0), ([0.0, 0.0], 0.0)] {
        let mut world = moving(Edge::Wrap, velocity);
        let mut displacement = Displacement::new();
        displacement.observe(&world);
        for _ in 0..600 {
            world.step();
            displacement.observe(&world);
        }
        close(displacement.mean_squared(&world, None), squared * 100.0, 1e-3);
    }
}

#[test]
fn the_displacement_is_that_of_agents_present_from_the_start() {
    let mut world = moving(Edge::Wrap, [1.0, 0.0]);
    let fish = world.add_species(Species::new("fish")).unwrap();
    let gone = world.spawn(fish, [1.0, 1.0], [2.0, 0.0]).unwrap();
    world.spawn(fish, [2.0, 2.0], [0.0, 2.0]).unwrap();
    let mut displacement = Displacement::new();
    displacement.observe(&world);
    world.despawn(gone).unwrap();
    world.spawn(fish, [2.0, 2.0], [9.0, 0.0]).unwrap();
    for _ in 0..60 {
        world.step();
        displacement.observe(&world);
    }
    close(displacement.mean_squared(&world, None), (1.0 + 4.0) / 2.0, 1e-4);
    close(displacement.mean_squared(&world, Some(fish)), 4.0, 1e-4);
    assert!(Displacement::new().mean_squared(&world, None).is_nan());
}

/// A Gaussian order parameter of two components has the Binder cumulant 1/3: ⟨x⁴⟩ = 2 ⟨x²⟩². A constant one has 2/3.
#[test]
fn moments_have_their_closed_forms() {
    let constant: Moments = [0.7; 9].into_iter().collect();
    close(constant.binder_cumulant(), 2.0 / 3.0, 1e-12);
    close(constant.susceptibility(100), 0.0, 1e-12);
    let mut noise = throng::Noise::new(1, 0, 0, throng::Noise::USER);
    let normal = (0..200_000).map(|_| (0..12).map(|_| noise.between(-0.5, 0.5)).sum::<f32>()).collect::<Vec<_>>();
    let lengths: Moments = normal.chunks(2).map(|pair| f64::from(Vector([pair[0], pair[1]]).length())).collect();
    close(lengths.binder_cumulant(), 1.0 / 3.0, 0.02);
    // The variance of a Rayleigh distribution is (4 - π) / 2.
    close(lengths.susceptibility(10), 10.0 * (4.0 - std::f64::consts::PI) / 2.0, 0.1);
    close(lengths.mean(), (std::f64::consts::PI / 2.0).sqrt(), 0.01);
    assert_eq!(lengths.count(), 100_000);
    let mut none = Moments::default();
    none.add(f64::NAN);
    assert!(none.mean().is_nan() && none.deviation().is_nan() && none.last().is_nan() && none.count() == 0);
}

/// Two bodies approach at 2 m/s: they overlap from a distance of 1 m on, for 1 s until they have passed.
#[test]
fn overlaps_add_up_over_time() {
    let mut world = World::<2>::new(settings([20.0, 20.0], Edge::Open)).unwrap();
    let species = world.add_species(Species::new("person").with_radius(0.5)).unwrap();
    world.spawn(species, [9.0, 10.0], [1.0, 0.0]).unwrap();
    world.spawn(species, [11.0, 10.0], [-1.0, 0.0]).unwrap();
    world.spawn(species, [3.0, 3.0], [0.0, 0.0]).unwrap();
    let mut overlaps = Overlaps::new();
    for _ in 0..240 {
        world.step();
        overlaps.observe(&world);
    }
    close(overlaps.pairs_per_agent(), 1.0 / (3.0 * 4.0), 2.0 / 240.0 / 3.0);
    close(overlaps.share(), 2.0 / (3.0 * 4.0), 4.0 / 240.0 / 3.0);
    close(overlaps.worst(), 1.0, 1e-5);
    assert_eq!(overlaps.last().pairs, 0);
}

/// Of four agents, one seeks a point freely, one seeks it but is held by the host, one rests without a rule, and one
/// moves to and fro on the spot.
#[test]
fn agents_that_want_to_move_and_do_not_are_stuck() {
    let mut world = World::<2>::new(settings([100.0, 100.0], Edge::Open)).unwrap();
    let seeker = world.add_species(Species::new("seeker").with(1.0, Seek { target: [90.0, 50.0].into() })).unwrap();
    let idle = world.add_species(Species::new("idle")).unwrap();
    world.spawn(seeker, [10.0, 50.0], [0.0, 0.0]).unwrap();
    let held = world.spawn(seeker, [10.0, 60.0], [0.0, 0.0]).unwrap();
    let shaken = world.spawn(seeker, [10.0, 70.0], [0.0, 0.0]).unwrap();
    world.spawn(idle, [10.0, 80.0], [0.0, 0.0]).unwrap();
    let mut stuck = Stuck::new(1.0);
    stuck.observe(&world);
    for tick in 0..180 {
        world.step();
        world.set_position(held, [10.0, 60.0]).unwrap();
        world.set_position(shaken, [10.0 + (tick % 2) as f32 * 0.05, 70.0]).unwrap();
        stuck.observe(&world);
        assert_eq!(stuck.count(None), if tick < 59 { 0 } else { 2 }, "{tick}");
    }
    assert_eq!((stuck.count(Some(seeker)), stuck.count(Some(idle))), (2, 0));
    close(stuck.share(), 0.5, 1e-12);
}

/// People wait at their places, before a closed door, and before they set off. One whose way a wall bars is stuck.
#[test]
fn people_who_wait_on_purpose_are_not_stuck() {
    const PEOPLE: &str = "format = 1
[world]
dimensions = 2
size = [40.0, 20.0]
edge = 'bounce'
tick = 0.05
seed = 3
[[wall]]
name = 'door'
line = [[30.0, 0.0], [30.0, 20.0]]
open = [[0.0, 0.1], [60.0, 1e6]]
[[region]]
name = 'lounge'
centre = [5.0, 15.0]
size = [6.0, 6.0]
[[region]]
name = 'train'
centre = [37.0, 10.0]
size = [4.0, 16.0]
[navigation.train]
goals = ['region:train']
clearance = 0.25
cell = 0.2
[places.line]
line = [[2.0, 2.0], [24.0, 2.0]]
spacing = 1.5
[places.seats]
region = 'lounge'
spacing = 1.5
[species.queueing]
count = 12
radius = 0.25
max_speed = 1.3
place = { region = 'box', centre = [8.0, 5.0], size = [14.0, 4.0] }
behaviours = [{ rule = 'take_place', places = 'line' }]
MOTION
[species.sitting]
count = 12
radius = 0.25
max_speed = 1.3
place = { region = 'box', centre = [8.0, 15.0], size = [10.0, 6.0] }
behaviours = [{ rule = 'take_place', places = 'seats' }]
MOTION
[species.passenger]
count = 20
radius = 0.25
max_speed = 1.3
place = { region = 'box', centre = [27.0, 10.0], size = [4.0, 4.0] }
behaviours = [{ rule = 'follow_flow_field', field = 'train' }]
MOTION
[species.late]
count = 20
radius = 0.25
max_speed = 1.3
pre_movement = 1000.0
place = { region = 'box', centre = [16.0, 10.0], size = [2.0, 2.0] }
behaviours = [{ rule = 'follow_flow_field', field = 'train' }]
MOTION
";
    for motion in ["", "motion = { model = 'social_force' }", "motion = { model = 'collision_free_speed' }"] {
        let text = PEOPLE.replace("MOTION", motion);
        let mut world = Scenario::parse(&text, "people.toml").unwrap().build::<2>().unwrap();
        let barred = Species::new("barred").with(1.0, Seek { target: [39.0, 1.0].into() });
        let barred = world.add_species(barred).unwrap();
        world.spawn(barred, [29.0, 1.0], [0.0, 0.0]).unwrap();
        let mut stuck = Stuck::default();
        stuck.observe(&world);
        for _ in 0..800 {
            world.step();
            stuck.observe(&world);
        }
        assert_eq!((stuck.count(None), stuck.count(Some(barred))), (1, 1), "{motion}");
    }
}

#[test]
fn a_recorder_has_a_column_for_each_measure_and_species() {
    let mut world = moving(Edge::Wrap, [3.0, 4.0]);
    let fish = world.add_species(Species::new("fish")).unwrap();
    world.spawn(fish, [1.0, 1.0], [0.0, 1.0]).unwrap();
    let every_measure = measures().to_vec();
    let mut recorder = Recorder::new(RecorderSettings {
        every: 20,
        measures: every_measure,
        radius: Some(1.0),
        ..RecorderSettings::default()
    });
    assert!(recorder.observe(&world));
    let recorded = (0..60).filter(|_| {
        world.step();
        recorder.observe(&world)
    });
    assert_eq!(recorded.count(), 3);
    let value = |name: &str| recorder.columns().find(|column| column.name == name).unwrap().value();
    assert_eq!(recorder.columns().len(), 3 * measures().len());
    assert_eq!((value("mean_speed"), value("mean_speed.bird"), value("mean_speed.fish")), (3.0, 5.0, 1.0));
    assert_eq!((value("agents"), value("agents.fish"), value("clusters")), (2.0, 1.0, 2.0));
    assert_eq!((value("density"), value("polarisation.fish")), (0.02, 1.0));
    assert!(value("nearest_distance.fish").is_nan());
    close(value("mean_squared_displacement.bird"), 25.0, 1e-4);
    close(value("mean_squared_displacement"), 13.0, 1e-4);
    let speed = recorder.columns().find(|column| column.name == "mean_speed").unwrap();
    assert_eq!((speed.moments.count(), speed.moments.mean(), &speed.unit[..]), (4, 3.0, "m/s"));
    assert_eq!(measure("density").unwrap().unit_in(3), "1/m3");
}

#[test]
fn a_recorder_has_columns_for_lines_and_areas() {
    let mut world = moving(Edge::Wrap, [3.0, 0.0]);
    let area = Area::new([5.5, 5.0], [2.0, 2.0]).unwrap();
    let mut recorder = Recorder::new(RecorderSettings {
        lines: vec![("door".into(), [[6.0, 4.0].into(), [6.0, 6.0].into()])],
        areas: vec![("box".into(), area, 1.0)],
        ..RecorderSettings::default()
    });
    recorder.observe(&world);
    let values = |recorder: &Recorder| recorder.columns().map(|column| column.value()).collect::<Vec<_>>();
    let names: Vec<_> = recorder.columns().map(|column| column.name.clone()).collect();
    assert_eq!(names[..3], ["forward.door", "backward.door", "persons.door"]);
    assert_eq!(names[3..], ["classic_density.box", "classic_speed.box", "voronoi_density.box", "voronoi_speed.box"]);
    assert_eq!(values(&recorder)[..5], [0.0, 0.0, 0.0, 0.25, 3.0]);
    for _ in 0..60 {
        world.step();
        recorder.observe(&world);
    }
    assert_eq!(values(&recorder)[..4], [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(recorder.lines().map(|(name, line)| (name, line.persons())).collect::<Vec<_>>(), [("door", 1)]);
    let exits = recorder.exit_times().unwrap();
    assert!(exits.times().is_empty() && recorder.stuck().is_some() && recorder.overlaps().unwrap().share() == 0.0);
}

/// Thirty agents that wander, two species of them, and leave by a sink.
fn leaving() -> World<2> {
    let mut world = World::new(settings([10.0, 10.0], Edge::Wrap)).unwrap();
    let shape = Shape::Ball { centre: Vector([8.0, 8.0]), radius: 1.0 };
    world.environment_mut().regions.add(Region { name: "exit".into(), shape }).unwrap();
    world.environment_mut().sinks.add(Sink::new("exit", "exit")).unwrap();
    for name in ["bird", "fish"] {
        let species = world.add_species(Species::new(name).with(1.0, Wander::default())).unwrap();
        for number in 0..15 {
            world.spawn(species, [number as f32 / 3.0, 5.0], [1.0, 0.0]).unwrap();
        }
    }
    world
}

/// A recording of everything.
fn whole() -> RecorderSettings {
    RecorderSettings {
        every: 3,
        measures: measures().to_vec(),
        radius: Some(1.0),
        lines: vec![("door".into(), [[6.0, 0.0].into(), [6.0, 10.0].into()])],
        areas: vec![("box".into(), Area::new([5.5, 5.0], [2.0, 2.0]).unwrap(), 1.0)],
        crowd: true,
        persons: true,
        window: Some(0.5),
    }
}

#[test]
fn a_saved_recorder_goes_on_as_if_it_had_not_been_interrupted() {
    let (mut world, mut recorder) = (leaving(), Recorder::new(whole()));
    let saved = |recorder: &Recorder| {
        let mut bytes = Vec::new();
        recorder.save(&mut bytes).unwrap();
        bytes
    };
    for tick in 0..200 {
        recorder.observe(&world);
        if tick % 20 == 7 {
            let again = Recorder::load(whole(), &world, &saved(&recorder)[..]).unwrap();
            assert!(saved(&again) == saved(&recorder), "tick {tick}");
            let (mut world, mut one, mut other) = (world.clone(), recorder.clone(), again);
            for _ in 0..20 {
                world.step();
                assert_eq!(one.observe(&world), other.observe(&world));
            }
            assert!(saved(&one) == saved(&other), "tick {tick}");
        }
        world.step();
    }
    assert!(!recorder.exit_times().unwrap().times().is_empty(), "some leave");
    assert!(recorder.lines().next().unwrap().1.persons() > 0, "some cross the line");
}

#[test]
fn a_saved_recorder_of_another_recording_is_refused() {
    let world = leaving();
    let mut recorder = Recorder::new(whole());
    recorder.observe(&world);
    let mut bytes = Vec::new();
    recorder.save(&mut bytes).unwrap();
    let refused = |recording: RecorderSettings| match Recorder::load(recording, &world, &bytes[..]) {
        Err(SnapshotError::Invalid { fault, .. }) => fault,
        other => panic!("{other:?}"),
    };
    let other = SnapshotFault::Recording;
    assert_eq!(refused(RecorderSettings { measures: vec![measure("agents").unwrap().clone()], ..whole() }), other);
    let moved = vec![("door".into(), [[6.0, 0.0].into(), [6.0, 9.0].into()])];
    assert_eq!(refused(RecorderSettings { lines: moved, ..whole() }), other);
    assert_eq!(refused(RecorderSettings { areas: Vec::new(), ..whole() }), other);
    let more = [whole().lines, whole().lines].concat();
    assert_eq!(refused(RecorderSettings { lines: more, ..whole() }), SnapshotFault::TooShort);
    for length in 0..bytes.len() {
        let cut = Recorder::load(whole(), &world, &bytes[..length]);
        assert!(matches!(cut, Err(SnapshotError::Damaged(_))), "{length} of {} bytes: {cut:?}", bytes.len());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(Recorder::load(whole(), &world, &changed[..]).is_err(), "byte {at}");
    }
}

/// A recorder that misses ticks knows no ways across the seam: it says so instead of folding them.
#[test]
fn displacements_across_a_seam_need_every_tick() {
    for (edge, gap, expected) in
        [(Edge::Wrap, 1, Some(2500.0)), (Edge::Wrap, 2, None), (Edge::Wrap, 200, None), (Edge::Open, 200, Some(2500.0))]
    {
        let mut world = moving(edge, [3.0, 4.0]);
        let (mut displacement, measures) = (Displacement::new(), measure("mean_squared_displacement"));
        let mut recorder = Recorder::new(RecorderSettings {
            measures: measures.into_iter().cloned().collect(),
            ..RecorderSettings::default()
        });
        displacement.observe(&world);
        recorder.observe(&world);
        for _ in 0..600 / gap {
            (0..gap).for_each(|_| world.step());
            let misses = edge == Edge::Wrap && gap > 1;
            assert_eq!((displacement.misses(&world), recorder.misses(&world)), (misses, misses));
            displacement.observe(&world);
            recorder.observe(&world);
        }
        let value = recorder.columns().next().unwrap().value();
        let [(_, vector)] = displacement.vectors(&world, None).collect::<Vec<_>>()[..] else { panic!("one agent") };
        match expected {
            Some(expected) => {
                close(value, expected, 1e-2);
                close(displacement.mean_squared(&world, None), expected, 1e-2);
                close(vector[0], 30.0, 1e-3);
                close(vector[1], 40.0, 1e-3);
            }
            None => {
                assert!(value.is_nan() && displacement.mean_squared(&world, None).is_nan());
                assert!(vector.iter().all(|component| component.is_nan()));
            }
        }
    }
}

/// A gap lasts: a series that misses one tick is undefined from there on, also after it was saved and loaded. Measures of
/// one moment are not.
#[test]
fn every_measure_that_follows_agents_needs_every_tick() {
    let names = ["mean_squared_displacement", "stuck", "mean_speed"];
    let recording = RecorderSettings {
        measures: names.iter().filter_map(|name| measure(name)).cloned().collect(),
        lines: vec![("door".to_owned(), [Vector([6.0, 0.0]), Vector([6.0, 10.0])])],
        ..RecorderSettings::default()
    };
    let mut world = moving(Edge::Wrap, [3.0, 4.0]);
    let mut recorder = Recorder::new(recording.clone());
    recorder.observe(&world);
    // Twice at the same tick leaves no gap.
    recorder.observe(&world);
    let step = |world: &mut World<2>, recorder: &mut Recorder, ticks: u32| {
        (0..ticks).for_each(|_| world.step());
        recorder.observe(world);
    };
    step(&mut world, &mut recorder, 1);
    assert!(recorder.columns().all(|column| !column.value().is_nan()));
    step(&mut world, &mut recorder, 2);
    step(&mut world, &mut recorder, 1);
    let mut bytes = Vec::new();
    recorder.save(&mut bytes).unwrap();
    let mut loaded = Recorder::load(recording, &world, &bytes[..]).unwrap();
    step(&mut world, &mut loaded, 1);
    for column in loaded.columns() {
        assert_eq!(column.value().is_nan(), column.name != "mean_speed", "{}", column.name);
    }
    assert!(loaded.lines().all(|(_, line)| line.has_missed() && line.persons_per_second().is_nan()));
    assert!(loaded.stuck().unwrap().share().is_nan() && loaded.exit_times().unwrap().mean().is_nan());
}

/// An agent that jumps to and fro by a metre moves on by half a metre per second.
#[test]
fn a_window_leaves_out_the_jitter() {
    let mut world = World::<2>::new(Settings { tick_seconds: 0.1, ..settings([10.0, 10.0], Edge::Wrap) }).unwrap();
    let species = Species { moved_by_host: true, ..Species::new("person") };
    let species = world.add_species(species).unwrap();
    let walker = world.spawn(species, [9.0, 5.0], [0.0; 2]).unwrap();
    let of = |window| RecorderSettings {
        measures: measure("mean_speed").into_iter().cloned().collect(),
        areas: vec![("all".into(), Area::new([5.0, 5.0], [10.0, 10.0]).unwrap(), 2.0)],
        window,
        ..RecorderSettings::default()
    };
    let mut recorder = Recorder::new(of(Some(1.0)));
    recorder.observe(&world);
    let velocity = |recorder: &Recorder| recorder.columns().map(|column| column.value()).collect::<Vec<_>>();
    for tick in 1..=30 {
        world.step();
        let jitter = if tick % 2 == 0 { 0.0 } else { 1.0 };
        // Across the seam.
        world.set_position(walker, [(9.0 + 0.05 * tick as f32 + jitter) % 10.0, 5.0]).unwrap();
        recorder.observe(&world);
        if tick >= 10 {
            // The window has ten ticks, so that the jitter at its ends is the same.
            assert!((velocity(&recorder)[0] - 0.5).abs() < 1e-4, "{tick}: {:?}", velocity(&recorder));
            assert!((velocity(&recorder)[2] - 0.5).abs() < 1e-4);
        }
    }
    let mut momentary = Recorder::new(of(None));
    momentary.observe(&world);
    assert_eq!(velocity(&momentary)[0], 0.0, "the host sets no velocity");
}
