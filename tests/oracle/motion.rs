//! Tests of motion: truncation, velocity, position, and the edge of the world.

use proptest::prelude::*;
use throng::{Distribution, Edge, Event, Settings, Species, Vector, World};

use crate::crowds::{Crowd, cases, crowd, edges};
use crate::naive::{Agent, EPSILON, add, advance, agents, length, scale, sub};

throng::rule! {
    /// A random force for each agent and tick, often larger than the agent's largest force.
    "push": "Pushes at random."
    struct Push {}
}

impl<const D: usize> throng::Behaviour<D> for Push {
    fn steer(&self, me: &throng::AgentRef<'_, D>) -> Vector<D> {
        let mut noise = me.noise(throng::Noise::USER);
        noise.in_ball() * noise.between(0.0, 200.0)
    }

    throng::reflect!();
}

/// Returns position and velocity along an axis after the edge of the world was applied, and whether the agent has left.
fn confine(edge: Edge, position: f64, velocity: f64, size: f64) -> (f64, f64, bool) {
    let outside = !(0.0..=size).contains(&position);
    match edge {
        Edge::Wrap => (position.rem_euclid(size), velocity, false),
        Edge::Bounce if position < 0.0 => (0.0, velocity.abs(), false),
        Edge::Bounce if position > size => (size, -velocity.abs(), false),
        // It waits there for its removal, or respawns.
        Edge::Remove | Edge::Respawn => (position.clamp(0.0, size), velocity, outside),
        _ => (position, velocity, false),
    }
}

/// Compares an agent after a tick with the oracle. A velocity takes three operations and a position three more, so the
/// error bounds allow eight roundings.
fn check_agent<const D: usize>(world: &World<D>, before: &Agent<D>, after: &Agent<D>, force: [f64; D], min_speed: f32) {
    let Settings { edge, tick_seconds, size, .. } = *world.settings();
    let (velocity, position) = advance(before, force, tick_seconds, min_speed);
    let speeds = f64::from(before.max_speed)
        + f64::from(before.max_force * tick_seconds / before.mass)
        + length(before.velocity.map(f64::from));
    let slow = f64::from(min_speed) / length(velocity);
    let velocity_error = 8.0 * EPSILON * speeds * if slow > 0.999 { 1e4 } else { 1.0 };
    let position_error = velocity_error * f64::from(tick_seconds)
        + 8.0 * EPSILON * (length(position) + size.0.iter().map(|&size| f64::from(size)).sum::<f64>());
    let confined = |axis: usize| confine(edge[axis], position[axis], velocity[axis], f64::from(size[axis]));
    let left_by = |by: Edge| (0..D).any(|axis| edge[axis] == by && confined(axis).2);
    let (removed, respawned) = (left_by(Edge::Remove), left_by(Edge::Respawn));
    let near = |axis: usize| {
        position[axis].abs() <= position_error || (position[axis] - f64::from(size[axis])).abs() <= position_error
    };
    // Rounding may decide whether the agent left.
    let near_edge = (0..D).any(|axis| matches!(edge[axis], Edge::Remove | Edge::Respawn) && near(axis));
    for axis in 0..D {
        let (mut there, speed, _) = confined(axis);
        let (edge, size) = (edge[axis], f64::from(size[axis]));
        if respawned && !removed {
            there = 0.5 * size;
        }
        let mut error = (f64::from(after.position[axis]) - there).abs();
        if edge == Edge::Wrap && error > 0.5 * size {
            error = size - error;
        }
        assert!(error <= position_error || near_edge, "axis {axis}: at {there}\n{before:?}\n{after:?}");
        let error = (f64::from(after.velocity[axis]) - speed).abs();
        assert!(error <= velocity_error || near(axis), "axis {axis}: speed {speed}\n{before:?}\n{after:?}");
        if edge != Edge::Open {
            assert!((0.0..=size).contains(&f64::from(after.position[axis])), "outside: {after:?}");
        }
        if edge == Edge::Wrap {
            assert!(f64::from(after.position[axis]) < size, "on the seam: {after:?}");
        }
    }
}

fn check<const D: usize>(crowd: &Crowd, min_speed: f32, mass: f32) {
    let mover = |name: &str| {
        let mut mover = Species::new(name).with(1.0, Push {});
        mover.max_speed = Distribution::Uniform(0.5, 30.0);
        mover.max_force = Distribution::Uniform(0.0, 150.0);
        mover.mass = Distribution::Uniform(0.5 * mass, mass);
        mover.min_speed = min_speed;
        mover
    };
    let mut world: World<D> = crowd.world_of([mover("light"), mover("heavy")]);
    let (mut leavers, mut restored): (_, Option<World<D>>) = (Vec::new(), None);
    for tick in 0..6 {
        let before = agents(&world);
        world.step();
        if let Some(restored) = &mut restored {
            restored.step();
            assert_eq!((restored.state_hash(), restored.events()), (world.state_hash(), world.events()));
        }
        if tick == 1 {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            let registry = throng::Registry::new().with(Push {}).unwrap();
            restored = Some(World::load_with(&bytes[..], &registry).unwrap());
        }
        for id in &leavers {
            assert_eq!(world.find(*id), Err(throng::Error::NoSuchAgent(*id)), "leavers are removed first");
        }
        let after = agents(&world);
        assert_eq!(after.len() + leavers.len(), before.len());
        let mut row_of = [0, 0];
        for after in &after {
            let before = before.iter().find(|before| before.id == after.id).unwrap();
            let forces = world.steering(world.find(after.id).unwrap().0).unwrap();
            let row = row_of[after.species];
            row_of[after.species] += 1;
            check_agent(&world, before, after, forces.map(|axis| f64::from(axis[row])), min_speed);
            assert!(length(after.velocity.map(f64::from)) <= f64::from(after.max_speed) * (1.0 + 8.0 * EPSILON));
        }
        let left = |event: &Event| match event {
            Event::Left { agent, .. } => Some(*agent),
            _ => None,
        };
        let Settings { edge, size, .. } = world.settings();
        let (mut respawned, mut removed) = (Vec::new(), Vec::new());
        for id in world.events().iter().filter_map(left) {
            let position = after.iter().find(|agent| agent.id == id).unwrap().position;
            let at_boundary = |axis: usize| position[axis] == 0.0 || position[axis] == size[axis];
            let waits = (0..D).any(|axis| edge[axis] == Edge::Remove && at_boundary(axis));
            if waits { &mut removed } else { &mut respawned }.push(id);
            assert!(waits || Vector(position) == *size * 0.5, "{id} left and is at {position:?}");
        }
        assert!(edge.contains(&Edge::Respawn) || respawned.is_empty());
        leavers = removed;
    }
}

fn any_edges() -> impl Strategy<Value = [Edge; 3]> {
    edges(prop::sample::select(&Edge::ALL).boxed())
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn motion_in_two_dimensions(crowd in crowd(600), edge in any_edges(), min in 0.0f32..2.0, mass in 0.1f32..9.0) {
        check::<2>(&Crowd { edge, ..crowd }, min, mass);
    }

    #[test]
    fn motion_in_three_dimensions(crowd in crowd(600), edge in any_edges(), min in 0.0f32..2.0, mass in 0.1f32..9.0) {
        check::<3>(&Crowd { edge, ..crowd }, min, mass);
    }
}

/// Positions and velocities are the sums of their steps, as `f64` adds them up: rounding is made up for in the next
/// tick, however far out agents are and however small their steps.
fn check_sums<const D: usize>(crowd: &Crowd, far: f32, tick_seconds: f32) {
    let mover = |name: &str| {
        let mut mover = Species::new(name).with(1e-3, Push {});
        (mover.max_speed, mover.max_force) = (1e3.into(), 1e3.into());
        mover.mass = Distribution::Uniform(0.5, 2.0);
        mover
    };
    let mut world: World<D> = crowd.world_of([mover("light"), mover("heavy")]);
    world.set_settings(Settings { tick_seconds, ..world.settings().clone() }).unwrap();
    if crowd.edge.contains(&Edge::Open) {
        let far = Vector::from_fn(|axis| if crowd.edge[axis] == Edge::Open { far } else { 0.0 });
        let moved = |agent: &Agent<D>| (agent.id, Vector(agent.position) + far);
        // The outlier of a crowd is near the end of the world already.
        let inside = |(_, position): &(_, Vector<D>)| (0..D).all(|axis| position[axis].abs() < 9.9e5);
        for (id, position) in agents(&world).iter().map(moved).filter(inside).collect::<Vec<_>>() {
            world.set_position(id, position).unwrap();
        }
    }
    let start = agents(&world);
    let mut sums: Vec<_> =
        start.iter().map(|agent| [agent.position, agent.velocity].map(|x| x.map(f64::from))).collect();
    let mut steps = vec![[0.0; 2]; sums.len()];
    let dt = f64::from(tick_seconds);
    for _ in 0..200 {
        world.step();
        for ((agent, [position, velocity]), [way, change]) in start.iter().zip(&mut sums).zip(&mut steps) {
            let (species, row) = world.find(agent.id).unwrap();
            let force = world.steering(species).unwrap().map(|axis| f64::from(axis[row]));
            let push = scale(force, dt / f64::from(agent.mass));
            let step = scale(world.velocity(agent.id).unwrap().0.map(f64::from), dt);
            (*velocity, *position) = (add(*velocity, push), add(*position, step));
            *change += length(push);
            *way += length(step);
        }
    }
    for ((agent, [position, velocity]), [way, change]) in start.iter().zip(&sums).zip(&steps) {
        let (species, row) = world.find(agent.id).unwrap();
        let rows = world.agents(species).unwrap();
        for axis in 0..D {
            let size = f64::from(world.settings().size[axis]);
            let here = f64::from(rows.positions()[axis][row]) + f64::from(rows.position_residuals()[axis][row]);
            let mut off = here - position[axis];
            if crowd.edge[axis] == Edge::Wrap {
                off -= (off / size).round() * size;
            }
            // A residual is an `f32` too.
            let finest = 2.0 * EPSILON * EPSILON * (here.abs() + size);
            assert!(off.abs() <= 8.0 * EPSILON * way + 200.0 * finest, "{off} m after {way} m, {far} m out: {agent:?}");
            let speed = f64::from(rows.velocities()[axis][row]);
            let off = (speed - velocity[axis]).abs();
            assert!(off <= 2.0 * EPSILON * speed.abs() + 8.0 * EPSILON * change, "{off} m/s after {change} m/s");
        }
    }
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn sums_in_two_dimensions(crowd in crowd(100), wraps: [bool; 3], far in -5e5f32..5e5, tick in 1e-4f32..1e-2) {
        check_sums::<2>(&Crowd { edge: wraps.map(|wraps| if wraps { Edge::Wrap } else { Edge::Open }), ..crowd }, far, tick);
    }

    #[test]
    fn sums_in_three_dimensions(crowd in crowd(100), wraps: [bool; 3], far in -5e5f32..5e5, tick in 1e-4f32..1e-2) {
        check_sums::<3>(&Crowd { edge: wraps.map(|wraps| if wraps { Edge::Wrap } else { Edge::Open }), ..crowd }, far, tick);
    }
}

fn angle<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let (a, b) = (scale(a, 1.0 / length(a)), scale(b, 1.0 / length(b)));
    2.0 * (0.5 * length(sub(a, b))).asin()
}

/// Checks that no agent turns faster than its turn rate allows, for any force. The engine takes the direction of a turn
/// from the part of the new velocity that is perpendicular to the old one. The closer the two are to opposite, the less
/// of it remains after rounding.
fn check_turns<const D: usize>(crowd: &Crowd, degrees: f32) {
    let turner = |name: &str| {
        let mut turner = Species::new(name).with(1.0, Push {});
        turner.max_turn_rate = degrees;
        turner.max_force = 300.0.into();
        turner
    };
    let crowd = Crowd { edge: [Edge::Wrap; _], ..crowd.clone() };
    let mut world: World<D> = crowd.world_of([turner("light"), turner("heavy")]);
    let most = f64::from(degrees * world.settings().tick_seconds).to_radians();
    for _ in 0..3 {
        let before = agents(&world);
        world.step();
        for after in agents(&world) {
            let before = before.iter().find(|before| before.id == after.id).unwrap();
            let (species, row) = world.find(after.id).unwrap();
            let force = world.steering(species).unwrap().map(|axis| f64::from(axis[row]));
            let (asked, _) = advance(before, force, world.settings().tick_seconds, 0.0);
            let (from, to) = (before.velocity.map(f64::from), after.velocity.map(f64::from));
            if length(from) * length(to) > 0.0 {
                let (turn, wanted) = (angle(from, to), angle(from, asked));
                let error = 32.0 * EPSILON / wanted.sin().abs();
                let expected = if wanted > most { most } else { wanted };
                assert!((turn - expected).abs() <= 1e-5 + error, "{turn}, not {expected}: {before:?} {after:?}");
                assert!((length(to) - length(asked)).abs() <= (1e-5 + error) * length(asked), "{before:?} {after:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn turns_in_two_dimensions(crowd in crowd(200), degrees in 1.0f32..2000.0) {
        check_turns::<2>(&crowd, degrees);
    }

    #[test]
    fn turns_in_three_dimensions(crowd in crowd(200), degrees in 1.0f32..2000.0) {
        check_turns::<3>(&crowd, degrees);
    }
}
