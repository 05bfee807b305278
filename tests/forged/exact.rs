//! Snapshots are read as they were written, and numbers are refused exactly beyond their limits.

use throng::behaviours::Wander;
use throng::{Arrivals, Edge, Obstacle, Region, Settings, Shape, Sink, Source, Species, Vector, World, Zone};

use crate::seal::{HEADER, sealed, sections};
use crate::{ground, world};

#[test]
fn every_definition_is_read_as_it_was_written() {
    for world in [world(), ground::world()] {
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let (mut world, mut loaded) = (world, World::<2>::load(&bytes[..]).unwrap());
        let mut again = Vec::new();
        loaded.save(&mut again).unwrap();
        assert!(again == bytes);
        for _ in 0..20 {
            world.step();
            loaded.step();
            assert_eq!(loaded.state_hash(), world.state_hash());
        }
    }
}

#[test]
fn a_source_a_sink_or_a_zone_alone_is_saved() {
    for kind in 0..3 {
        let mut world = World::<2>::new(Settings::default()).unwrap();
        world.add_species(Species::new("dove").with(1.0, Wander::default())).unwrap();
        let environment = world.environment_mut();
        let shape = Shape::Ball { centre: Vector([9.0, 9.0]), radius: 3.0 };
        environment.regions.add(Region { name: "gate".to_owned(), shape }).unwrap();
        match kind {
            0 => drop(environment.sources.add(Source::new("in", "dove", "gate", Arrivals::Rate(1.0))).unwrap()),
            1 => drop(environment.sinks.add(Sink::new("out", "gate")).unwrap()),
            _ => drop(environment.zones.add(Zone::new("gate", 0.5)).unwrap()),
        }
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let environment = World::<2>::load(&bytes[..]).unwrap().environment().clone();
        let kept = [environment.sources.len(), environment.sinks.len(), environment.zones.len()];
        assert_eq!(kept.map(|count| count == 1), [0, 1, 2].map(|other| other == kind), "{kept:?}");
    }
}

#[test]
fn numbers_beyond_their_limits_are_refused() {
    let settings = Settings { size: Vector([20.0, 10.0]), edge: [Edge::Wrap, Edge::Bounce], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let dove = world.add_species(Species::new("dove").with(1.0, Wander::default())).unwrap();
    for number in 0..3 {
        world.spawn(dove, [number as f32, 1.0], [0.0, 0.0]).unwrap();
    }
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let loads = |tag: &str, at: isize, number: &[u8]| {
        let mut sections = sections(&bytes);
        let payload = &mut sections.iter_mut().find(|(name, _)| name == tag.as_bytes()).unwrap().1;
        let at = if at < 0 { payload.len() - at.unsigned_abs() } else { at.unsigned_abs() };
        payload[at..at + number.len()].copy_from_slice(number);
        World::<2>::load(&sealed(&bytes[..HEADER], &sections)[..]).is_ok()
    };
    // Before the end of a section: the tick; the burden of an order of rows, with no strays after it.
    for (tag, at, most) in [("SETT", -13, u64::MAX / 2), ("AGNT", -16, u64::MAX / 1024)] {
        assert!(loads(tag, at, &most.to_le_bytes()), "{tag}");
        assert!(!loads(tag, at, &(most + 1).to_le_bytes()), "{tag}");
    }
    // The two distances before the burden; the first number of the body, after the ids; the first position.
    for (tag, at, accepted, refused) in [
        ("AGNT", -24, [0.0, f32::INFINITY], [f32::NAN, -1.0]),
        ("AGNT", -20, [0.0, f32::INFINITY], [f32::NAN, -1.0]),
        ("AGNT", 33, [1.0, 2.0], [f32::NAN, -1.0]),
        ("COLS", 0, [0.0, 20_f32.next_down()], [-1.0, 20.0]),
    ] {
        for number in accepted {
            assert!(loads(tag, at, &number.to_le_bytes()), "{number} at {at} of {tag}");
        }
        for number in refused {
            assert!(!loads(tag, at, &number.to_le_bytes()), "{number} at {at} of {tag}");
        }
    }
}

/// What a moving obstacle lacks beside its rounded centre is at most four steps of `f32` at the limit of coordinates.
#[test]
fn the_residual_of_an_obstacle_has_a_bound() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let obstacle = Obstacle::new(Vector([12.5, 37.25]), 1.0);
    world.environment_mut().obstacles.add(obstacle).unwrap();
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let centre: Vec<u8> = [12.5_f32, 37.25].iter().flat_map(|number| number.to_le_bytes()).collect();
    let bound = 4.0 * f32::EPSILON * 1e6;
    for axis in 0..2 {
        for (lost, refused) in [(bound, false), (-bound, false), (bound.next_up(), true), (-bound.next_up(), true)] {
            let mut sections = sections(&bytes);
            let payload = &mut sections.iter_mut().find(|(tag, _)| tag == b"SCEN").unwrap().1;
            let at = 8 + 4 * axis + payload.windows(8).position(|bytes| bytes == centre).unwrap();
            payload[at..at + 4].copy_from_slice(&lost.to_le_bytes());
            let error = World::<2>::load(&sealed(&bytes[..HEADER], &sections)[..]).err();
            assert_eq!(error.is_some(), refused, "{lost} on axis {axis}: {error:?}");
            if let Some(error) = error {
                let cause = std::error::Error::source(&error).unwrap().to_string();
                assert!(cause.starts_with("residual of an obstacle"), "{cause}");
            }
        }
    }
}
