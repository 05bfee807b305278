//! Tests of motion far from the origin and in small steps, against closed forms and against the same steps in `f64`.

use throng::{
    AgentId, AgentRef, Behaviour, Edge, Inputs, Obstacle, Perception, Settings, Species, SpeciesFilter, SpeciesId,
    Vector, World,
};

/// Metres per second.
const SPEEDS: [f32; 4] = [0.01, 0.1, 1.3, 30.0];

/// Metres from the origin; in a periodic world the last ones are next to its seam.
const PLACES: [f32; 6] = [1e3, 1e4, 1e5, 5e5, 999_999.0, 0.5];

/// Half of the sides of the world, or all of it where it is periodic.
const SIZE: f32 = 1e6;

/// A world without rules.
fn world<const D: usize>(edge: Edge, tick_seconds: f32, species: Species<D>) -> (World<D>, SpeciesId) {
    let settings = Settings { size: Vector::splat(SIZE), edge: [edge; _], tick_seconds, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let species = world.add_species(species).unwrap();
    (world, species)
}

/// The position of an agent with its residual, in `f64`.
fn place<const D: usize>(world: &World<D>, id: AgentId) -> [f64; D] {
    let (species, row) = world.find(id).unwrap();
    let agents = world.agents(species).unwrap();
    std::array::from_fn(|axis| {
        f64::from(agents.positions()[axis][row]) + f64::from(agents.position_residuals()[axis][row])
    })
}

/// The offset from one point to another; in a periodic world, to its nearest image.
fn way<const D: usize>(edge: Edge, from: [f64; D], to: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| {
        let (way, size) = (to[axis] - from[axis], f64::from(SIZE));
        if edge == Edge::Wrap { way - (way / size).round() * size } else { way }
    })
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// Directions along the axes, between them and askew.
fn directions<const D: usize>() -> Vec<Vector<D>> {
    let numbers =
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.3, 0.9, -0.6], [-0.8, -0.1, 0.2], [0.02, -1.0, 1.0]];
    let mut all: Vec<_> = numbers.iter().map(|parts| Vector::<D>::from_fn(|axis| parts[axis]).direction()).collect();
    if D == 3 {
        all.push(Vector::from_fn(|axis| if axis == 2 { -1.0 } else { 0.0 }));
    }
    all
}

/// Agents that walk straight ahead, among others that are spawned and removed so that rows move.
fn walk<const D: usize>(edge: Edge, tick_seconds: f32, ticks: u32) {
    let (mut world, species) = world::<D>(edge, tick_seconds, Species::new("walker").with_max_speed(40.0));
    let mut walkers = Vec::new();
    for speed in SPEEDS {
        for far in PLACES.into_iter().filter(|far| edge == Edge::Wrap || (1e3..6e5).contains(far)) {
            for direction in directions::<D>() {
                let side = if edge == Edge::Open { [1.0, -1.0, 1.0] } else { [1.0; 3] };
                let at = Vector::from_fn(|axis| side[axis] * if axis == 1 { 0.7 * far } else { far });
                let id = world.spawn(species, at, direction * speed).unwrap();
                walkers.push((id, place(&world, id), world.velocity(id).unwrap()));
                world.spawn(species, at, -direction * speed).unwrap();
            }
        }
    }
    for tick in 0..ticks {
        if tick % 997 == 500 {
            let ids = world.agents(species).unwrap().ids();
            let others = || ids.iter().filter(|id| walkers.iter().all(|walker| walker.0 != **id));
            let other = others().nth(tick as usize % 7).copied();
            if let Some(other) = other {
                world.despawn(other).unwrap();
            }
            world.spawn(species, [5e5; D], [1.0; D]).unwrap();
        }
        world.step();
    }
    assert!(walkers.len() >= 4 * 4 * directions::<D>().len());
    let seconds = f64::from(tick_seconds) * f64::from(ticks);
    for (id, start, velocity) in walkers {
        assert_eq!(world.velocity(id).unwrap(), velocity);
        let expected: [f64; D] = velocity.0.map(|speed| f64::from(speed) * seconds);
        let here = place(&world, id);
        let error = length(way(edge, expected, way(edge, start, here)));
        let what = format!("{edge:?}, ticks of {tick_seconds} s, {velocity:?} from {start:?}: {error} m");
        assert!(error <= 1e-4 * length(expected), "{what} wrong of {}", length(expected));
        // Hosts read the position within the resolution of an `f32`, in a periodic world the resolution at its far end.
        let read = world.position(id).unwrap();
        for axis in 0..D {
            let lacking = (f64::from(read[axis]) - here[axis]).abs();
            let coarsest = if edge == Edge::Wrap { SIZE } else { read[axis].abs() };
            assert!(lacking <= f64::from(f32::EPSILON) * f64::from(coarsest), "{what}: {lacking} m off");
        }
    }
}

#[test]
fn walks_far_from_the_origin_have_the_exact_length() {
    walk::<2>(Edge::Open, 1.0 / 60.0, 216_000);
    walk::<2>(Edge::Wrap, 1.0 / 60.0, 216_000);
    walk::<3>(Edge::Open, 1.0 / 60.0, 36_000);
    walk::<3>(Edge::Wrap, 1.0 / 60.0, 36_000);
    for edge in [Edge::Open, Edge::Wrap, Edge::Bounce, Edge::Respawn, Edge::Remove] {
        walk::<2>(edge, 1e-3, 10_000);
        walk::<3>(edge, 1e-3, 10_000);
    }
}

#[test]
#[ignore = "an hour in milliseconds takes minutes"]
fn an_hour_in_milliseconds() {
    walk::<2>(Edge::Open, 1e-3, 3_600_000);
    walk::<2>(Edge::Wrap, 1e-3, 3_600_000);
    walk::<3>(Edge::Open, 1e-3, 3_600_000);
    walk::<3>(Edge::Wrap, 1e-3, 3_600_000);
}

/// Obstacles that drift for a while, beside one that the host turns halfway.
fn drift_of_obstacles<const D: usize>(edge: Edge, tick_seconds: f32, ticks: u32) {
    let (mut world, _) = world::<D>(edge, tick_seconds, Species::new("walker"));
    let mut drifting = Vec::new();
    for speed in SPEEDS {
        for far in [1e5, 999_999.0].into_iter().filter(|far| edge == Edge::Wrap || *far < 6e5) {
            for direction in directions::<D>() {
                let (centre, velocity) = (Vector::splat(far), direction * speed);
                let id =
                    world.environment_mut().obstacles.add(Obstacle { velocity, ..Obstacle::new(centre, 1.0) }).unwrap();
                drifting.push((id, centre, velocity));
            }
        }
    }
    let bend = Obstacle { velocity: Vector::splat(0.1), ..Obstacle::new(Vector::splat(1e5), 1.0) };
    let bends = world.environment_mut().obstacles.add(bend).unwrap();
    for tick in 0..ticks {
        if tick == ticks / 2 {
            let now = *world.environment().obstacles.get(bends).unwrap();
            world.environment_mut().obstacles.set(bends, Obstacle { velocity: -now.velocity, ..now }).unwrap();
        }
        world.step();
    }
    let here = |id| {
        let (obstacle, residual) =
            (world.environment().obstacles.get(id).unwrap(), world.environment().obstacle_residual(id).unwrap());
        std::array::from_fn(|axis| f64::from(obstacle.centre[axis]) + f64::from(residual[axis]))
    };
    let seconds = f64::from(tick_seconds) * f64::from(ticks);
    for (id, start, velocity) in drifting {
        let expected: [f64; D] = velocity.0.map(|speed| f64::from(speed) * seconds);
        let gone = way(edge, start.0.map(f64::from), here(id));
        let error = length(way(edge, expected, gone));
        assert!(error <= 1e-4 * length(expected), "{edge:?}: {velocity:?} from {start:?}: {error} m wrong");
    }
    // The residual of an obstacle survives an edit of its velocity.
    let error = length(sub(here(bends), bend.centre.0.map(f64::from)));
    assert!(error <= 1e-5 * seconds, "{edge:?}: {error} m from its start");
}

#[test]
fn obstacles_far_from_the_origin_drift_the_exact_distance() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Bounce] {
        drift_of_obstacles::<2>(edge, 1e-3, 20_000);
        drift_of_obstacles::<3>(edge, 1e-3, 20_000);
    }
}

#[test]
fn hash_and_snapshots_include_the_residual_of_an_obstacle() {
    let (mut world, _) = world::<2>(Edge::Open, 1e-3, Species::new("walker"));
    let obstacle = Obstacle { velocity: Vector::splat(1.0), ..Obstacle::new(Vector::splat(1e5), 1.0) };
    let id = world.environment_mut().obstacles.add(obstacle).unwrap();
    let start = world.state_hash();
    world.step();
    // The step is below the resolution of the centre.
    assert_eq!(world.environment().obstacles.get(id), Some(&obstacle));
    assert_eq!(world.environment().obstacle_residual(id), Some(Vector::splat(1e-3)));
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    assert_eq!(loaded.environment(), world.environment());
    assert!(loaded.state_hash() == world.state_hash() && start != world.state_hash());
    for _ in 0..20 {
        world.step();
        loaded.step();
    }
    assert_eq!((loaded.environment(), loaded.state_hash()), (world.environment(), world.state_hash()));
    world.environment_mut().obstacles.set(id, obstacle).unwrap();
    assert_eq!(world.environment().obstacle_residual(id), Some(Vector::ZERO));
}

/// A constant force on every agent, in newtons.
#[derive(Debug)]
struct Drift<const D: usize>(Vector<D>);

impl<const D: usize> Behaviour<D> for Drift<D> {
    fn steer(&self, _: &AgentRef<'_, D>) -> Vector<D> {
        self.0
    }
}

/// Uniform acceleration from half of the largest speed: `v = v0 + a t`, `x = v0 t + a t (t + dt) / 2`.
fn drift<const D: usize>(tick_seconds: f32, acceleration: f32, ticks: u32) {
    let force = Vector::<D>::from_fn(|axis| [0.6, -0.8, 0.3][axis] * acceleration);
    let start = Vector::<D>::from_fn(|axis| [1.1, 1.3, -0.9][axis]);
    let (mut world, species) =
        world(Edge::Open, tick_seconds, Species::new("pushed").with(1.0, Drift(force * 2.0)).with_mass(2.0));
    let id = world.spawn(species, [1e5; D], start).unwrap();
    let from = place(&world, id);
    (0..ticks).for_each(|_| world.step());
    let (dt, ticks) = (f64::from(tick_seconds), f64::from(ticks));
    let gained = world.velocity(id).unwrap() - start;
    for axis in 0..D {
        let per_tick = f64::from(force[axis]) * dt;
        let lacking = (f64::from(gained[axis]) - per_tick * ticks).abs();
        // Hosts read a velocity within the resolution of an `f32`.
        assert!(lacking <= 1e-4 * (per_tick * ticks).abs() + 1.2e-7, "{acceleration}: {lacking} m/s of {gained:?}");
        let expected = f64::from(start[axis]) * dt * ticks + per_tick * dt * ticks * (ticks + 1.0) / 2.0;
        let gone = place(&world, id)[axis] - from[axis];
        assert!((gone - expected).abs() <= 1e-6 * expected.abs(), "{acceleration}: {gone} m, not {expected} m");
    }
}

#[test]
fn small_forces_add_up() {
    for acceleration in [1e-2, 1e-4, 1e-5, 1e-6] {
        drift::<2>(1.0 / 60.0, acceleration, 20_000);
        drift::<3>(1e-3, acceleration, 60_000);
    }
}

/// Cucker and Smale, "Emergent Behavior in Flocks" (2007): agents take on each other's velocities, the less the farther
/// apart they are.
#[derive(Debug)]
struct CuckerSmale;

impl Behaviour<2> for CuckerSmale {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(1e3, &SpeciesFilter::Own))
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let pull = |neighbour: throng::Neighbour<2>| {
            let near = 1.0 + neighbour.distance_squared;
            (neighbour.velocity - me.velocity()) * (0.5 / (near * near.sqrt()))
        };
        me.neighbours(0).map(pull).sum()
    }
}

/// The distance of two such birds after some seconds in the engine, and after the same steps in `f64`.
fn two_birds(far: f32, tick_seconds: f32, seconds: f32) -> (f64, f64) {
    let (mut world, species) = world(Edge::Open, tick_seconds, Species::new("bird").with(1.0, CuckerSmale));
    let mut place_of = [[f64::from(far), 0.0], [f64::from(far) + 2.0, 1.0]];
    let mut velocity = [[1.0, 0.25], [1.5, 0.5]];
    let ids = [0, 1].map(|bird| {
        world.spawn(species, place_of[bird].map(|at| at as f32), velocity[bird].map(|speed| speed as f32)).unwrap()
    });
    let dt = f64::from(tick_seconds);
    for _ in 0..(seconds / tick_seconds) as u32 {
        world.step();
        let [x, y] = sub(place_of[1], place_of[0]);
        let near = 1.0 + x * x + y * y;
        let push = sub(velocity[1], velocity[0]).map(|part| part * dt * 0.5 / (near * near.sqrt()));
        for axis in 0..2 {
            velocity[0][axis] += push[axis];
            velocity[1][axis] -= push[axis];
            place_of[0][axis] += velocity[0][axis] * dt;
            place_of[1][axis] += velocity[1][axis] * dt;
        }
    }
    (length(sub(place(&world, ids[1]), place(&world, ids[0]))), length(sub(place_of[1], place_of[0])))
}

#[test]
fn smaller_ticks_do_not_increase_the_error_of_two_birds() {
    for (far, tolerance) in [(0.0, 2e-6), (1e4, 1e-4)] {
        for (tick_seconds, seconds) in [(1e-2, 60.0), (1e-3, 60.0), (1e-4, 30.0)] {
            let (found, expected) = two_birds(far, tick_seconds, seconds);
            let error = (found - expected).abs() / expected;
            assert!(error <= tolerance, "{far} m out, ticks of {tick_seconds} s: {found} m, not {expected} m");
        }
    }
}

#[test]
fn positions_set_by_the_host_are_exact() {
    let (mut world, species) = world::<2>(Edge::Wrap, 1e-3, Species::new("walker"));
    let ids: [_; 3] = [0.0, 1.0, 2.0].map(|at| world.spawn(species, [5e5, at], [0.01, 0.02]).unwrap());
    let lacks = |world: &World<2>| {
        ids.map(|id| {
            let (species, row) = world.find(id).unwrap();
            world.agents(species).unwrap().position_residuals().map(|axis| axis[row])
        })
    };
    (0..100).for_each(|_| world.step());
    assert!(lacks(&world).iter().all(|lacks| lacks[0] > 9e-4), "{:?}", lacks(&world));
    world.set_position(ids[0], [5e5, 0.0]).unwrap();
    let after = lacks(&world);
    assert_eq!(after[0], [0.0; 2]);
    assert_ne!(after[1], [0.0; 2]);
    let all = world.agents(species).unwrap().positions().map(<[f32]>::to_vec);
    world.set_positions(species, all.each_ref().map(|axis| &axis[..])).unwrap();
    assert_eq!(lacks(&world), [[0.0; 2]; 3]);
    (0..100).for_each(|_| world.step());
    // A world of another period has other residuals.
    world.set_settings(Settings { tick_seconds: 2e-3, ..world.settings().clone() }).unwrap();
    assert!(lacks(&world).iter().all(|lacks| lacks[0] > 9e-4));
    world.set_settings(Settings { edge: [Edge::Open; _], ..world.settings().clone() }).unwrap();
    assert_eq!(lacks(&world), [[0.0; 2]; 3]);
}

#[test]
fn velocities_set_by_the_host_are_exact() {
    let pushed = || Species::new("pushed").with(1.0, Drift(Vector([1e-6, 0.0])));
    let (mut world_before, species) = world::<2>(Edge::Open, 1e-2, pushed());
    let id = world_before.spawn(species, [0.0; 2], [1.0, 0.0]).unwrap();
    (0..7).for_each(|_| world_before.step());
    world_before.set_velocity(id, [2.0, 0.0]).unwrap();
    let (mut fresh, _) = world::<2>(Edge::Open, 1e-2, pushed());
    let other = fresh.spawn(species, [0.0; 2], [2.0, 0.0]).unwrap();
    for tick in 0..100 {
        world_before.step();
        fresh.step();
        assert_eq!(world_before.velocity(id), fresh.velocity(other), "tick {tick}");
    }
}

#[test]
fn an_agent_that_respawns_starts_in_the_middle() {
    let settings =
        Settings { size: Vector([1000.0; 2]), edge: [Edge::Respawn; _], tick_seconds: 1e-3, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let species = world.add_species(Species::new("walker")).unwrap();
    world.spawn(species, [999.999, 300.0], [0.011, 0.003]).unwrap();
    for _ in 0..200 {
        world.step();
        if world.events().len() == 1 {
            let agents = world.agents(species).unwrap();
            assert_eq!((agents.position(0), agents.position_residuals()), (Vector([500.0; 2]), [&[0.0][..], &[0.0]]));
            return;
        }
    }
    panic!("it stayed in the world");
}
