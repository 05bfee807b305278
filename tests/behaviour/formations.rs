//! Formations: their places, ways to them that do not cross, and squads that walk there.

use throng::behaviours::WalkTo;
use throng::motions::{Orca, Pedvo};
use throng::{AgentId, Edge, Formation, FormationShape, Navigation, Noise, Settings, Species, Vector, Wall, World};

const SHAPES: [FormationShape; 4] =
    [FormationShape::Line, FormationShape::Column, FormationShape::Wedge, FormationShape::Box];

#[test]
fn shapes_have_ranks_of_their_own() {
    let ranks = |formation: Formation, count: usize| {
        let places = formation.places(count);
        let mut ranks: Vec<(f32, usize)> = Vec::new();
        for place in &places {
            match ranks.last_mut() {
                Some((ahead, length)) if *ahead == place[0] => *length += 1,
                _ => ranks.push((place[0], 1)),
            }
        }
        // Ranks are centred, and the middle is between the first and the last.
        let sum = places.iter().fold(Vector::ZERO, |sum, place| sum + *place);
        assert!(sum[1].abs() < 1e-3 && (ranks[0].0 + ranks[ranks.len() - 1].0).abs() < 1e-4);
        ranks.into_iter().map(|(_, length)| length).collect::<Vec<_>>()
    };
    assert_eq!(ranks(Formation::new(FormationShape::Line, 2.0), 5), [5]);
    assert_eq!(ranks(Formation::new(FormationShape::Line, 2.0).with_files(2), 5), [2, 2, 1]);
    assert_eq!(ranks(Formation::new(FormationShape::Column, 2.0), 3), [1, 1, 1]);
    assert_eq!(ranks(Formation::new(FormationShape::Wedge, 2.0), 10), [1, 3, 5, 1]);
    assert_eq!(ranks(Formation::new(FormationShape::Box, 2.0), 10), [4, 4, 2]);
    assert!(Formation::new(FormationShape::Box, 2.0).places(0).is_empty());
    let wide = Formation { depth: Some(3.0), ..Formation::new(FormationShape::Box, 2.0) }.places(4);
    assert_eq!(wide, [[1.5, 1.0], [1.5, -1.0], [-1.5, 1.0], [-1.5, -1.0]].map(Vector));
}

/// Whether two segments that are not almost parallel have a point in common that is near an end of neither.
fn cross([a, b]: [Vector<2>; 2], [c, d]: [Vector<2>; 2]) -> bool {
    let area = |one: Vector<2>, other: Vector<2>| one[0] * other[1] - one[1] * other[0];
    let (one, other) = (b - a, d - c);
    let sine = area(one, other);
    let [at, of_other] = [area(c - a, other) / sine, area(c - a, one) / sine];
    let inside = |share: f32| (0.001..=0.999).contains(&share);
    sine.abs() > 1e-3 * one.length() * other.length() && inside(at) && inside(of_other)
}

#[test]
fn straight_ways_to_a_formation_do_not_cross() {
    for (seed, shape) in (0..12).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
        let mut draw = Noise::new(seed, 5, 0, 7);
        let mut world = World::<2>::new(Settings { seed, size: [200.0, 200.0].into(), ..Settings::default() }).unwrap();
        let species = world.add_species(Species::new("soldier")).unwrap();
        let mut place = || [draw.between(60.0, 140.0), draw.between(60.0, 140.0)];
        let squad: Vec<_> = (0..70).map(|_| world.spawn(species, place(), [0.0, 0.0]).unwrap()).collect();
        let (middle, facing) = (place(), [draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)]);
        let formation = Formation::new(shape, 1.5).with_files(9);
        world.form(&squad, &formation, middle, facing).unwrap();
        let agents = world.agents(species).unwrap();
        let way = |row: usize| [agents.position(row), agents.goal(row).unwrap()];
        let ahead = Vector(facing).direction();
        let mut goals: Vec<[i64; 2]> = Vec::new();
        for row in 0..squad.len() {
            assert!((0..row).all(|other| !cross(way(row), way(other))), "{shape:?}, seed {seed}: the way of row {row}");
            let off = way(row)[1] - Vector(middle);
            goals.push([off.dot(ahead), ahead[0] * off[1] - ahead[1] * off[0]].map(|at| (at * 100.0).round() as i64));
        }
        let places = formation.places(squad.len());
        let mut expected: Vec<_> = places.iter().map(|at| at.0.map(|at| (at * 100.0).round() as i64)).collect();
        goals.sort_unstable();
        expected.sort_unstable();
        let near = |one: &[i64; 2], other: &[i64; 2]| (0..2).all(|axis| (one[axis] - other[axis]).abs() <= 2);
        assert!(goals.iter().zip(&expected).all(|(one, other)| near(one, other)), "{shape:?}, seed {seed}");
    }
}

#[test]
fn wrong_orders_are_refused_and_change_no_goal() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let species = world.add_species(Species::new("soldier")).unwrap();
    let squad = [world.spawn(species, [9.0, 9.0], [0.0, 0.0]).unwrap()];
    let line = Formation::new(FormationShape::Line, 1.0);
    let mut refused = |formation: &Formation, middle: [f32; 2], facing: [f32; 2]| {
        world.form(&squad, formation, middle, facing).unwrap_err().to_string()
    };
    assert!(refused(&Formation::new(FormationShape::Line, 0.0), [5.0; 2], [1.0, 0.0]).contains("spacing"));
    assert!(refused(&Formation { depth: Some(f32::NAN), ..line }, [5.0; 2], [1.0, 0.0]).contains("depth"));
    assert!(refused(&line, [5.0; 2], [0.0, 0.0]).contains("facing"));
    assert!(refused(&line, [f32::INFINITY, 0.0], [1.0, 0.0]).contains("goal"));
    assert!(world.agents(species).unwrap().goal(0).is_none());
}

#[test]
fn a_formation_arrives_behind_a_gate_turns_and_closes_its_ranks() {
    let models: [fn() -> Species<2>; 2] = [
        || Species::new("soldier").with_motion(Orca::default()),
        || Species::new("soldier").with_motion(Pedvo::default()),
    ];
    for (number, soldier) in models.into_iter().enumerate() {
        let settings = Settings { edge: [Edge::Bounce; 2], tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        for (from, to) in [(0.0, 48.0), (52.0, 100.0)] {
            world.environment_mut().walls.add(Wall::segment([50.0, from], [50.0, to])).unwrap();
        }
        world.environment_mut().navigations.add(Navigation::new("ground", vec![])).unwrap();
        let goals = vec!["ground".to_owned()];
        let soldier = soldier().with_radius(0.4).with_max_speed(3.0).with_response(0.3);
        let soldier = world.add_species(soldier.with(1.0, WalkTo { goals, ..WalkTo::default() })).unwrap();
        let start = |n: usize| [20.0 + 1.5 * (n % 6) as f32, 40.0 + 1.5 * (n / 6) as f32];
        let mut squad: Vec<AgentId> = (0..24).map(|n| world.spawn(soldier, start(n), [0.0; 2]).unwrap()).collect();
        let formation = Formation::new(FormationShape::Box, 2.0);
        let order = |world: &mut World<2>, squad: &[AgentId], facing: [f32; 2], seconds: usize| {
            world.form(squad, &formation, [75.0, 60.0], facing).unwrap();
            (0..20 * seconds).for_each(|_| world.step());
            for id in squad {
                let (agents, row) = (world.agents(soldier).unwrap(), world.find(*id).unwrap().1);
                let off = agents.position(row) - agents.goal(row).unwrap();
                assert!(off.length() < 0.4 && agents.velocity(row).length() < 0.1, "{number}, {facing:?}: {off:?}");
            }
        };
        order(&mut world, &squad, [1.0, 0.0], 60);
        order(&mut world, &squad, [0.0, 1.0], 15);
        for id in squad.drain(5..13) {
            world.despawn(id).unwrap();
        }
        order(&mut world, &squad, [0.0, 1.0], 15);
    }
}
