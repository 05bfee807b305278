//! A small world of walls, ways, places and species of every definition that the main world lacks.

use throng::behaviours::{Seek, TakePlace, Wander};
use throng::{
    Arrivals, Catch, Combine, Condition, Distribution, Edge, Familiar, Goal, Kinematic, Mark, Navigation, PersonKind,
    Place, Places, Population, Region, Settings, Sex, Shape, Sight, Source, Species, SpeciesFilter, State, Target,
    Track, Tracks, Vector, Wall, WallShape, World,
};

/// Saved at a tick at which a door has closed, and a navigation has not yet followed it.
pub(crate) fn world() -> World<2> {
    let edge = [Edge::Bounce, Edge::Wrap];
    let settings = Settings { size: Vector([20.0, 10.0]), edge, tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let environment = world.environment_mut();
    let path = |points: &[[f32; 2]], closed| {
        Wall::new(WallShape::Path { points: points.iter().map(|&point| Vector(point)).collect(), closed })
    };
    environment.walls.add(path(&[[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]], true)).unwrap();
    environment
        .walls
        .add(Wall { name: Some("door".into()), open: vec![[0.0, 0.1]], ..path(&[[10.0, 0.0], [10.0, 9.0]], false) })
        .unwrap();
    let moving = WallShape::Box { centre: Vector([15.0, 5.0]), half: Vector([0.5, 1.0]) };
    environment.walls.add(Wall { velocity: Vector([0.1, -0.2]), ..Wall::new(moving) }).unwrap();
    environment.walls.add(Wall::new(WallShape::Ball { centre: Vector([6.0, 5.0]), radius: 0.5 })).unwrap();
    environment
        .walls
        .add(Wall::new(WallShape::Plane { point: Vector([19.0, 0.0]), normal: Vector([1.0, 0.0]) }))
        .unwrap();
    environment.marks.put(Mark::new("light", [1.0, 1.0])).unwrap();
    let shape = Shape::Box { centre: Vector([17.0, 5.0]), half: Vector([1.0, 1.0]) };
    environment.regions.add(Region { name: "hall".to_owned(), shape }).unwrap();
    let goals = vec![Goal::Point(Vector([17.0, 2.0])), Goal::Mark("light".into()), Goal::Region("hall".into())];
    environment.navigations.add(Navigation { cell: Some(0.5), ..Navigation::new("ways", goals) }).unwrap();
    environment.places.add(Places::queue("till", &[Vector([5.0, 8.0]), Vector([8.0, 8.0])], 1.0)).unwrap();
    let settings = world.settings().clone();
    let environment = world.environment_mut();
    environment.places.add(Places::area("room", &shape, 1.0, &settings)).unwrap();
    environment
        .sources
        .add(Source { limit: Some(9), ..Source::new("gate", "guest", "hall", Arrivals::Rate(3.0)) })
        .unwrap();
    let positions = (0..9).map(|frame| Vector([8.0 + 0.1 * frame as f32, 3.0])).collect();
    let late = Track { first: 40, positions: vec![Vector([9.0, 4.0])] };
    let tracks = vec![Track { first: 0, positions }, late];
    environment.tracks.add(Tracks::new("film", "guest", 0.5, tracks)).unwrap();

    let mut guest = Species::new("guest")
        .with(1.0, TakePlace { places: "till".into(), ..TakePlace::default() })
        .with(1.0, Seek { target: Target::Mark("light".into()) })
        .with_variable("calm", 0.5, 0.0, 1.0)
        .with_motion(Kinematic {});
    let place = || Place::Point(vec![3.0, 4.0]);
    guest.states = vec![
        State::new("waits")
            .with_transition("goes", Condition::Below("calm".into(), 0.1))
            .with_transition("goes", Condition::Above("calm".into(), 0.9))
            .with_transition("goes", Condition::Farther(SpeciesFilter::Own, 90.0))
            .with_transition("goes", Condition::NearerPlace(place(), 0.1))
            .with_transition("goes", Condition::FartherPlace(Place::Mark("light".into()), 90.0))
            .with_transition("goes", Condition::NearerPlace(Place::Region("hall".into()), 0.1)),
        State::new("goes")
            .with_transition("waits", Condition::After(5.0))
            .with_transition("waits", Condition::WasCaught)
            .with_transition("waits", Condition::Arrived)
            .with_transition("waits", Condition::Open("door".into()))
            .with_transition("goes", Condition::Closed("door".into())),
    ];
    guest.combine = Combine::Priority(0.5);
    guest.lifetime = Some(Distribution::Uniform(50.0, 60.0));
    guest.max_speed = Distribution::Population(Population::ALL[0]);
    guest.catch = Some(Catch { whom: SpeciesFilter::Own, distance: 0.1, remove: false, during: Vec::new() });
    let guest = world.add_species(guest).unwrap();
    let mut cart = Species::new("cart").with(1.0, Wander::default());
    (cart.combine, cart.moved_by_host) = (Combine::Truncated, true);
    (cart.pre_movement, cart.lifetime) = (Some(Distribution::Same(0.1)), Some(Distribution::Same(90.0)));
    cart.kinds = vec![PersonKind {
        sex: Some(Sex::Male),
        ages: Some([20.0, 30.0]),
        max_speed: Some(Population::Rimea.into()),
        pre_movement: Some(Distribution::Same(0.2)),
        familiar: vec![Familiar::new("out", 0.0)],
        ..PersonKind::new("wide", 0.5)
    }];
    cart.familiar = vec![Familiar::new("out", 0.5)];
    cart.sight = Sight::Walls;
    let cart = world.add_species(cart).unwrap();
    for number in 0..5 {
        let species = if number == 4 { cart } else { guest };
        let id = world.spawn(species, [4.0 + number as f32, 6.0], [0.5, 0.5]).unwrap();
        world.set_goal(id, (number == 2).then_some(Vector([9.0, 9.0]))).unwrap();
    }
    world.step();
    world.step();
    world
}
