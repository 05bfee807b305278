//! Drawn worlds of walls that go beyond the edge, lie on it, join and move, with agents exactly on edges, seams, faces
//! and joints: an audit that shares no code with the stage counts no crossing, and every step leaves agents outside of
//! solids.

use throng::behaviours::Wander;
use throng::{
    AgentId, Agents, Distribution, Edge, Noise, Settings, Species, SpeciesId, Vector, Wall, WallAudit, WallShape, World,
};

/// The worlds that a test draws, of each number of dimensions.
const WORLDS: u64 = 150;

fn of<T: Copy>(noise: &mut Noise, all: &[T]) -> T {
    all[noise.between(0.0, all.len() as f32 - 0.001) as usize]
}

fn is(noise: &mut Noise, share: f32) -> bool {
    noise.between(0.0, 1.0) < share
}

/// A coordinate of the world: on an edge, in the middle, or anywhere.
fn coordinate(noise: &mut Noise, size: f32) -> f32 {
    let any = noise.between(0.0, size);
    of(noise, &[0.0, size, 0.5 * size, any, any, any])
}

fn point<const D: usize>(noise: &mut Noise, size: f32) -> Vector<D> {
    Vector::from_fn(|_| coordinate(noise, size))
}

/// A wall that may reach beyond the world on both sides.
fn draw_wall<const D: usize>(noise: &mut Noise, size: f32) -> Wall<D> {
    let at = point::<D>(noise, size);
    let beyond = of(noise, &[0.05, 0.5, 1.5, 3.0]) * size;
    let shape = match noise.between(0.0, 6.0) as usize {
        // A line across the world, with joints.
        0 | 1 if D == 2 => {
            let along = usize::from(is(noise, 0.5));
            let slope = of(noise, &[0.0, 0.05, 1.0]);
            let steps = of(noise, &[1, 2, 4, 7]);
            let corner = |number: usize| {
                let mut point = at;
                point[along] = -beyond + (size + 2.0 * beyond) * number as f32 / steps as f32;
                point[1 - along] += slope * size * noise.between(-0.3, 0.3);
                point
            };
            WallShape::Path { points: (0..=steps).map(corner).collect(), closed: false }
        }
        2 if D == 2 => {
            let (a, b) = (noise.between(0.05, 0.3) * size, noise.between(-0.3, -0.05) * size);
            let points =
                vec![at, at + Vector::from_fn(|axis| [a, 0.0][axis]), at + Vector::from_fn(|axis| [0.0, b][axis])];
            WallShape::Path { points, closed: true }
        }
        3 => {
            let mut normal = Vector::<D>::ZERO;
            if is(noise, 0.5) {
                normal[0] = 1.0
            } else {
                normal = Vector::from_fn(|_| noise.between(-1.0, 1.0))
            }
            WallShape::Plane { point: at, normal }
        }
        4 => WallShape::Ball { centre: at, radius: of(noise, &[0.01, 0.125, 0.25, 0.6]) * size },
        _ => {
            WallShape::Box { centre: at, half: Vector::from_fn(|_| of(noise, &[1e-4, 0.01, 0.125, 0.25, 0.7]) * size) }
        }
    };
    let velocity = if is(noise, 0.25) { Vector::from_fn(|_| noise.between(-0.1, 0.1) * size) } else { Vector::ZERO };
    let open = if is(noise, 0.15) { vec![[0.5, 1.0], [2.0, 2.5]] } else { Vec::new() };
    Wall { velocity, open, ..Wall::new(shape) }
}

/// Points of the walls of a world: corners, middles of segments, and points beside them by one bit.
fn on_walls<const D: usize>(noise: &mut Noise, world: &World<D>) -> Vec<Vector<D>> {
    let mut points = Vec::new();
    for wall in world.environment().walls.items() {
        for [a, b] in wall.shape.edges() {
            points.extend([a, b, (a + b) * 0.5]);
        }
        if let WallShape::Ball { centre, radius } = wall.shape {
            let mut at = centre;
            at[0] += radius;
            points.push(at);
            points.push(centre + noise.direction() * radius);
        }
        if let WallShape::Box { centre, half } = wall.shape {
            let mut at = centre;
            at[0] += half[0];
            points.push(at);
        }
        if let WallShape::Plane { point, .. } = wall.shape {
            points.push(point);
        }
    }
    points.extend(points.clone().iter().map(|point| Vector::from_fn(|axis| point[axis].next_up())));
    points
}

fn draw_world<const D: usize>(seed: u64, noise: &mut Noise) -> (World<D>, SpeciesId) {
    let size = of(noise, &[1.0, 10.0, 33.3, 100.0, 4096.0]);
    let edges = [Edge::Bounce, Edge::Wrap, Edge::Open, Edge::Remove, Edge::Respawn];
    let edge = of(noise, &edges);
    let edge = std::array::from_fn(|_| if is(noise, 0.7) { edge } else { of(noise, &edges) });
    let tick_seconds = of(noise, &[0.01, 0.1, 0.25, 1.0]);
    let settings = Settings { size: Vector::splat(size), edge, tick_seconds, seed, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    // From at rest to several worlds in a tick.
    let fastest = (of(noise, &[0.0, 0.01, 0.1, 0.1, 0.5, 5.0]) * size / tick_seconds).clamp(0.0, 1e5);
    let mut species = Species::new("walker").with(1.0, Wander::default());
    (species.max_speed, species.max_force) = (fastest.into(), (10.0 * fastest).into());
    let widest = of(noise, &[0.0, 1e-6, 1e-3, 0.05, 0.3]) * size;
    species.radius = if is(noise, 0.5) { widest.into() } else { Distribution::Uniform(0.0, widest) };
    let species = world.add_species(species).unwrap();
    for _ in 0..of(noise, &[1, 1, 2, 5, 9]) {
        // Some of the lines cross themselves.
        let _ = world.environment_mut().walls.add(draw_wall(noise, size));
    }
    let on = on_walls(noise, &world);
    for number in 0..60 {
        let at = if number % 3 == 0 && !on.is_empty() { of(noise, &on) } else { point(noise, size) };
        let velocity = noise.direction::<D>() * fastest;
        // A point beyond the world is refused.
        let _ = world.spawn(species, at, velocity);
    }
    (world, species)
}

/// Puts some agents on edges and walls again, and turns others.
fn disturb<const D: usize>(world: &mut World<D>, noise: &mut Noise, species: SpeciesId) {
    let (size, on) = (world.settings().size[0], on_walls(noise, world));
    let fastest = world.species(species).unwrap().max_speed.largest();
    for id in world.agents(species).unwrap().ids().to_vec() {
        if is(noise, 0.05) && !on.is_empty() {
            let _ = world.set_position(id, of(noise, &on));
        } else if is(noise, 0.05) {
            world.set_position(id, point(noise, size)).unwrap();
        }
        if is(noise, 0.3) {
            let towards = Vector::from_fn(|_| of(noise, &[-1.0, 0.0, 1.0, 0.3]) * fastest);
            world.set_velocity(id, towards).unwrap();
        }
    }
}

/// The positions of all agents, with their ids.
fn positions<const D: usize>(world: &World<D>) -> Vec<(AgentId, Vector<D>)> {
    let of_species = |agents: &Agents<D>| {
        agents.ids().iter().enumerate().map(|(row, &id)| (id, agents.position(row))).collect::<Vec<_>>()
    };
    world.all_agents().iter().flat_map(of_species).collect()
}

/// The steps of a world, one of which crossed a wall.
fn crossed<const D: usize>(before: &[(AgentId, Vector<D>)], world: &World<D>) -> String {
    let steps = before.iter().filter_map(|(id, from)| Some(format!("{from:?} to {:?}", world.position(*id).ok()?)));
    steps.collect::<Vec<_>>().join(", ")
}

/// Steps drawn worlds. Returns the number of steps of agents.
fn audit<const D: usize>(worlds: u64) -> u64 {
    let mut agents = 0;
    for seed in 0..worlds {
        let mut noise = Noise::new(seed, D as u64, 0, Noise::USER);
        let (mut world, species) = draw_world::<D>(seed, &mut noise);
        let mut audit = WallAudit::default();
        for tick in 0..60 {
            let before: Vec<_> = positions(&world);
            audit.before(&world);
            world.step();
            agents += before.len() as u64;
            if audit.after(&world) > 0 {
                let walls = world.environment().walls.items();
                panic!(
                    "{D}D, world {seed}, tick {tick}: {:?}, {walls:?}: {}",
                    world.settings(),
                    crossed(&before, &world)
                );
            }
            if tick % 3 == 2 {
                disturb(&mut world, &mut noise, species);
            }
        }
    }
    agents
}

/// `THRONG_WORLDS` draws more of them.
fn worlds() -> u64 {
    std::env::var("THRONG_WORLDS").map_or(WORLDS, |worlds| worlds.parse().expect("THRONG_WORLDS is a number of worlds"))
}

#[test]
fn no_centre_crosses_a_wall_of_a_drawn_world_in_the_plane() {
    assert!(audit::<2>(worlds()) > 1000 * worlds());
}

#[test]
fn no_centre_crosses_a_wall_of_a_drawn_world_in_space() {
    assert!(audit::<3>(worlds()) > 1000 * worlds());
}
