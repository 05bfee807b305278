//! Tests of everything that follows agents: a seam is crossed by the short way, and a jump does not count as a way.

use throng::behaviours::Separation;
use throng::measures::{Displacement, FlowLine, Persons, Recorder, RecorderSettings, measure};
use throng::{
    AgentId, Came, Edge, Event, Region, Seen, Settings, Shape, Sink, Species, SpeciesId, Track, Tracks, Vector, World,
};

const TICK: f32 = 0.1;
const SPEED: f32 = 5.0;
const TICKS: u64 = 130;

/// A fate of an agent that moves along the x axis at a constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// Its axis wraps.
    Seam,
    /// It respawns at the edge.
    Respawn,
    /// The host sets it back, over the band, in some ticks.
    Teleport,
    /// All positions are set, but only this one changes.
    TeleportAll,
    /// It becomes one of another species, and back.
    Species,
    /// The world is saved and loaded.
    Load,
    /// The world becomes smaller, with the agent outside.
    Shrink,
}

const FATES: [Fate; 7] =
    [Fate::Seam, Fate::Respawn, Fate::Teleport, Fate::TeleportAll, Fate::Species, Fate::Load, Fate::Shrink];

fn world(fate: Fate) -> (World<2>, [SpeciesId; 2], AgentId) {
    let edge = match fate {
        Fate::Seam | Fate::Load => Edge::Wrap,
        Fate::Respawn => Edge::Respawn,
        Fate::Shrink => Edge::Bounce,
        _ => Edge::Open,
    };
    let size = Vector([if fate == Fate::Shrink { 100.0 } else { 40.0 }, 40.0]);
    let mut world = World::new(Settings { size, edge: [edge; 2], tick_seconds: TICK, ..Settings::default() }).unwrap();
    world.keep_previous(true);
    let species = ["one", "other"].map(|name| Species { min_speed: SPEED, ..Species::new(name) }.with_max_speed(SPEED));
    let species = species.map(|species| world.add_species(species).unwrap());
    let band = Shape::Box { centre: [10.0, 25.0].into(), half: [30.0, 0.2].into() };
    world.environment_mut().regions.add(Region::new("band", band)).unwrap();
    let id = world.spawn(species[0], [20.0, 20.0], [SPEED, 0.0]).unwrap();
    (world, species, id)
}

/// Changes the world before a tick. Returns whether the agent is set elsewhere.
fn change(world: &mut World<2>, species: [SpeciesId; 2], id: AgentId, fate: Fate) -> bool {
    let (tick, at) = (world.tick(), world.position(id).unwrap());
    let is_due = tick % 13 == 12;
    // Over the band, and back again.
    let to = Vector([at[0] - 4.0, if at[1] < 25.0 { 30.0 } else { 20.0 }]);
    match fate {
        Fate::Teleport if is_due => world.set_position(id, to).unwrap(),
        Fate::TeleportAll if is_due => world.set_positions(species[0], [&[to[0]], &[to[1]]]).unwrap(),
        Fate::TeleportAll => {
            world.set_positions(species[0], [&[at[0]], &[at[1]]]).unwrap();
            return false;
        }
        Fate::Species if is_due => {
            let (own, _) = world.find(id).unwrap();
            world.change_species(id, if own == species[0] { species[1] } else { species[0] }).unwrap();
            return false;
        }
        Fate::Load if is_due => {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            *world = World::load(&bytes[..]).unwrap();
            world.keep_previous(true);
            return false;
        }
        Fate::Shrink if tick == 60 => {
            let settings = Settings { size: Vector([40.0, 40.0]), ..world.settings().clone() };
            world.set_settings(settings).unwrap();
            world.set_velocity(id, [-SPEED, 0.0]).unwrap();
        }
        _ => return false,
    }
    true
}

#[test]
fn an_agent_of_constant_speed_has_it_for_all_that_follows_it() {
    for fate in FATES {
        let (mut world, species, id) = world(fate);
        let measures = measure("mean_speed").into_iter().cloned().collect();
        let mut recorder =
            Recorder::new(RecorderSettings { measures, window: Some(1.0), ..RecorderSettings::default() });
        let (mut persons, mut moved) = (Persons::new(), Displacement::new());
        let mut line = FlowLine::new([30.2, 0.0], [30.2, 40.0]);
        let (mut jumps, mut passes) = (0, 0);
        let mut seen = None;
        for tick in 0..=TICKS {
            let mut is_set = false;
            let from = world.position(id).unwrap();
            if tick > 0 {
                is_set = change(&mut world, species, id, fate);
                let start = world.position(id).unwrap();
                world.step();
                let respawns = world.events().iter().any(|event| matches!(event, Event::Left { .. }));
                is_set |= respawns;
                jumps += u64::from(is_set);
                passes += u64::from(!is_set && start[0] < 30.2 && world.position(id).unwrap()[0] > 30.2);
            }
            recorder.observe(&world);
            persons.observe(&world);
            moved.observe(&world);
            line.observe(&world);
            let speed = recorder.columns().next().unwrap().value();
            assert!((speed - f64::from(SPEED)).abs() < 1e-3, "{fate:?}, tick {tick}: {speed}");
            let (own, row) = world.find(id).unwrap();
            let agents = world.agents(own).unwrap();
            let seen = seen.get_or_insert_with(|| Seen::of(agents, row));
            let came = seen.again(world.settings(), agents, row);
            match came {
                Came::WasSet => assert!(is_set, "{fate:?}, tick {tick}"),
                Came::Moved(way) => {
                    let expected = if tick == 0 { 0.0 } else { SPEED * TICK };
                    assert!(!is_set && (way.length() - expected).abs() < 1e-3, "{fate:?}, tick {tick}: {way}");
                }
            }
            let drawn = world.drawn(own, 0.0).unwrap().nth(row).unwrap();
            let expected = if is_set { agents.position(row) } else { from };
            // A world that was loaded has no earlier positions, and what the host set is where the tick started.
            if !is_set || tick == 0 {
                assert!(drawn.distance(expected) < 1e-3, "{fate:?}, tick {tick}: {drawn}, not {expected}");
            } else {
                assert!(drawn.distance(expected) < SPEED * TICK + 1e-3, "{fate:?}, tick {tick}: {drawn}");
            }
            let entered = |event: &Event| matches!(event, Event::EnteredRegion { .. });
            assert!(!world.events().iter().any(entered), "{fate:?}, tick {tick}: none walks through the band");
        }
        let way = f64::from(SPEED * TICK) * (TICKS - jumps) as f64;
        assert!((persons.all()[0].way - way).abs() < 1e-2 * way, "{fate:?}: {} of {way}", persons.all()[0].way);
        if fate != Fate::Shrink {
            let found = moved.mean_squared(&world, None).sqrt();
            assert!((found - way).abs() < 1e-2 * way, "{fate:?}: {found} of {way}");
            assert_eq!((line.forward(), line.backward()), (passes, 0), "{fate:?}");
        }
        assert_eq!(persons.all().len(), 1, "{fate:?}");
        assert_eq!(jumps > 0, matches!(fate, Fate::Respawn | Fate::Teleport | Fate::TeleportAll | Fate::Shrink));
    }
}

/// Tracks of one walker in each direction, whose last frame before the seam is on it or next to it.
fn over_the_seam(wrapped: bool) -> Tracks<2> {
    let at = |x: f32| Vector([if wrapped { x.rem_euclid(10.0) } else { x }, 5.0]);
    let track = |start: f32, step: f32| {
        let positions = (0..30).map(|frame| at(((start + step * frame as f32) * 20.0).round() / 20.0)).collect();
        Track { first: 0, positions }
    };
    Tracks::new("all", "visitor", TICK, vec![track(9.0, 0.1), track(1.0, -0.1), track(9.05, 0.2)])
}

#[test]
fn tracks_cross_a_seam_by_the_short_way() {
    for (wrapped, tick) in [(true, TICK), (false, TICK), (true, 0.04), (true, 0.3)] {
        let settings = Settings { size: [10.0, 10.0].into(), tick_seconds: tick, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        world.add_species(Species::new("visitor").with(1.0, Separation::default())).unwrap();
        let environment = world.environment_mut();
        environment.tracks.add(over_the_seam(wrapped)).unwrap();
        let shape = |x: f32| Shape::Box { centre: [x, 5.0].into(), half: [0.01, 1.0].into() };
        // One on the far side that none reaches, and one just beyond the seam that all pass.
        environment.regions.add(Region::new("middle", shape(5.0))).unwrap();
        let seam = environment.regions.add(Region::new("seam", shape(0.043))).unwrap();
        environment.sinks.add(Sink::new("out", "middle")).unwrap();
        let (mut persons, mut entered) = (Persons::new(), 0);
        persons.observe(&world);
        for _ in 0..(2.8 / tick) as u32 {
            world.step();
            persons.observe(&world);
            let of_seam = |event: &&Event| matches!(event, Event::EnteredRegion { region, .. } if *region == seam);
            entered += world.events().iter().filter(of_seam).count();
            let others = world
                .events()
                .iter()
                .filter(|event| matches!(event, Event::EnteredRegion { region, .. } if *region != seam));
            assert_eq!(others.count(), 0);
            for agents in world.all_agents() {
                assert!(agents.iter().all(|agent| agent.velocity.length() < 2.1), "{wrapped} {tick}");
            }
        }
        assert_eq!((world.population(), entered), (3, 3), "{wrapped} {tick}");
        assert!(persons.all().iter().all(|person| person.way > 2.3 && person.way < 6.0), "{:?}", persons.all());
    }
}

/// The host takes an agent off its track, and an edge respawns it: it is back at the next tick, and walks neither way.
#[test]
fn an_agent_returns_to_its_track_without_a_way() {
    for edge in [Edge::Open, Edge::Respawn, Edge::Wrap] {
        let settings =
            Settings { size: [20.0, 20.0].into(), edge: [edge; 2], tick_seconds: TICK, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        world.add_species(Species::new("visitor")).unwrap();
        let positions = (0..60).map(|frame| Vector([2.0 + 0.1 * frame as f32, 2.0])).collect();
        let tracks = Tracks::new("all", "visitor", TICK, vec![Track { first: 0, positions }]);
        let environment = world.environment_mut();
        environment.tracks.add(tracks).unwrap();
        let band = Shape::Box { centre: [10.0, 10.0].into(), half: [12.0, 0.5].into() };
        environment.regions.add(Region::new("band", band)).unwrap();
        let mut line = FlowLine::new([-5.0, 10.0], [25.0, 10.0]);
        line.observe(&world);
        let mut entered = 0;
        for tick in 0..50_u32 {
            if tick % 10 == 9 {
                let id = world.all_agents()[0].ids()[0];
                world.set_position(id, [10.0, 16.0]).unwrap();
                if tick > 20 {
                    line.observe(&world);
                }
            }
            world.step();
            line.observe(&world);
            entered += world.events().iter().filter(|event| matches!(event, Event::EnteredRegion { .. })).count();
            let at = world.all_agents()[0].position(0);
            assert!(at.distance(Vector([2.0 + 0.1 * (tick + 1) as f32, 2.0])) < 1e-3, "{edge:?}, tick {tick}: {at}");
        }
        assert_eq!((entered, line.forward(), line.backward()), (0, 0, 0), "{edge:?}");
    }
}

/// A host that integrates positions itself moves its agents, and they have ways.
#[test]
fn agents_that_the_host_moves_have_ways() {
    let mut world = World::<2>::new(Settings { tick_seconds: TICK, ..Settings::default() }).unwrap();
    world.keep_previous(true);
    let puppet = world.add_species(Species { moved_by_host: true, ..Species::new("puppet") }).unwrap();
    let id = world.spawn(puppet, [10.0, 10.0], [0.0; 2]).unwrap();
    let (mut persons, mut line) = (Persons::new(), FlowLine::new([12.25, 0.0], [12.25, 20.0]));
    persons.observe(&world);
    line.observe(&world);
    for tick in 1..=10 {
        world.step();
        world.set_position(id, [10.0 + 0.5 * tick as f32, 10.0]).unwrap();
        assert_eq!(world.drawn(puppet, 0.5).unwrap().next(), Some(Vector([9.75 + 0.5 * tick as f32, 10.0])));
        persons.observe(&world);
        line.observe(&world);
    }
    assert_eq!((persons.all()[0].way, line.persons()), (5.0, 1));
}
