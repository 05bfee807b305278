//! Tests of the persistence and the speed of wandering agents, against the tutorials' formula in double precision.

use std::f64::consts::TAU;

use throng::behaviours::{Wander, WanderStyle};
use throng::{Edge, Noise, Settings, Species, World};

const AGENTS: u64 = 1200;
const TICKS: usize = 300;

/// The numbers of the tutorials, for a tick of a second and a response of a second.
const MAX_SPEED: f64 = 3.0;
const MAX_FORCE: f64 = 0.5;
const RADIUS: f64 = 8.0;
const DISTANCE: f64 = 6.0;

/// The velocities of every agent, tick by tick.
type Walks = Vec<Vec<[f64; 2]>>;

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

fn truncate([x, y]: [f64; 2], longest: f64) -> [f64; 2] {
    let factor = (longest / length([x, y])).min(1.0);
    [x * factor, y * factor]
}

/// The tutorials' agents: `force = direction(v) * distance + radius * (cos a, sin a)`, and `a` walks.
fn tutorial(mass: f64) -> Walks {
    let walk = |agent| {
        let mut noise = Noise::new(2, agent, 0, Noise::USER);
        let (mut angle, mut velocity) = (f64::from(noise.unit()) * TAU, [MAX_SPEED, 0.0]);
        let step = |_| {
            let factor = DISTANCE / length(velocity);
            let force = [velocity[0] * factor + RADIUS * angle.cos(), velocity[1] * factor + RADIUS * angle.sin()];
            angle += f64::from(noise.unit()) - 0.5;
            let force = truncate(force, MAX_FORCE);
            velocity = truncate([velocity[0] + force[0] / mass, velocity[1] + force[1] / mass], MAX_SPEED);
            velocity
        };
        (0..TICKS).map(step).collect()
    };
    (0..AGENTS).map(walk).collect()
}

/// Runs a world in which every agent wanders and starts at top speed.
fn wander(tick_seconds: f32, rule: Wander, species: Species<2>) -> Walks {
    let settings = Settings { edge: [Edge::Open; _], tick_seconds, seed: 4, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let kind = world.add_species(species.with(1.0, rule)).unwrap();
    let ids: Vec<_> = (0..AGENTS).map(|_| world.spawn(kind, [0.0, 0.0], [10.0, 0.0]).unwrap()).collect();
    let mut walks = vec![Vec::new(); ids.len()];
    for _ in 0..TICKS {
        world.step();
        for (id, walk) in ids.iter().zip(&mut walks) {
            let (_, row) = world.find(*id).unwrap();
            walk.push(world.agents(kind).unwrap().velocity(row).0.map(f64::from));
        }
    }
    walks
}

/// Runs wandering agents with the numbers of the tutorials.
fn with_their_numbers(style: WanderStyle, mass: f64) -> Walks {
    let angle_change = 1f64.to_degrees() as f32;
    let rule = Wander { circle_radius: RADIUS as f32, circle_distance: DISTANCE as f32, angle_change, style };
    let species = Species {
        max_speed: (MAX_SPEED as f32).into(),
        max_force: (MAX_FORCE as f32).into(),
        mass: (mass as f32).into(),
        response: 1.0,
        ..Species::new("wanderer")
    };
    wander(1.0, rule, species)
}

/// Returns the cosine of the angle between two velocities.
fn cosine(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) / (length(a) * length(b))
}

/// Returns the mean cosine between headings `lag` ticks apart, from tick 100 on.
fn persistence(walks: &Walks, lag: usize) -> f64 {
    let cosines = |walk: &Vec<[f64; 2]>| -> Vec<f64> {
        (100..TICKS - lag).map(|tick| cosine(walk[tick], walk[tick + lag])).collect()
    };
    let cosines: Vec<f64> = walks.iter().flat_map(cosines).collect();
    cosines.iter().sum::<f64>() / cosines.len() as f64
}

/// Returns the lowest speed of all agents and ticks.
fn slowest(walks: &Walks) -> f64 {
    walks.iter().flatten().map(|&velocity| length(velocity)).fold(f64::INFINITY, f64::min)
}

/// Returns the widest turn in a tick and the root mean square of all turns, in degrees.
fn turns(walks: &Walks) -> (f64, f64) {
    let turn = |pair: &[[f64; 2]]| cosine(pair[0], pair[1]).clamp(-1.0, 1.0).acos().to_degrees();
    let turns: Vec<f64> = walks.iter().flat_map(|walk| walk.windows(2).map(turn)).collect();
    let squares: f64 = turns.iter().map(|turn| turn * turn).sum();
    (turns.iter().copied().fold(0.0, f64::max), (squares / turns.len() as f64).sqrt())
}

#[test]
fn the_tutorial_style_has_the_persistence_of_the_tutorials() {
    for (mass, after_ten) in [(1.0, 0.87), (4.0, 0.97)] {
        let (ours, theirs) = (with_their_numbers(WanderStyle::Tutorial, mass), tutorial(mass));
        for lag in [1, 10, 20, 50] {
            let (ours, theirs) = (persistence(&ours, lag), persistence(&theirs, lag));
            assert!((ours - theirs).abs() < 0.03, "{mass} kg, {lag}: {ours}, not {theirs}");
        }
        assert!((persistence(&ours, 10) - after_ten).abs() < 0.02, "{mass} kg: {}", persistence(&ours, 10));
        assert!((turns(&ours).1 - turns(&theirs).1).abs() < 0.1 * turns(&theirs).1);
        // An agent stops only if the point stays straight behind it, which is rare for both.
        for walks in [ours, theirs] {
            let slow = walks.iter().flatten().filter(|&&velocity| length(velocity) < 0.1 * MAX_SPEED).count();
            assert!(slow < AGENTS as usize * TICKS / 10_000, "{mass} kg: {slow}");
        }
    }
}

#[test]
fn a_circle_wider_than_its_distance_neither_stalls_nor_chatters() {
    // The desired velocity is at most 60 degrees off the heading, so agents keep half of the top speed.
    for mass in [1.0, 4.0] {
        let ours = with_their_numbers(WanderStyle::Heading, mass);
        assert!(slowest(&ours) > 0.5 * MAX_SPEED - 1e-4, "{mass} kg: {}", slowest(&ours));
        // The widest turn has the force across the velocity, at half of the top speed.
        let most = (MAX_FORCE / mass / (0.5 * MAX_SPEED)).atan().to_degrees();
        let (widest, root_mean_square) = turns(&ours);
        assert!(widest < most + 1e-2, "{mass} kg: {widest}, not {most}");
        assert!(root_mean_square < 0.8 * most, "{mass} kg: {root_mean_square}");
    }

    for (circle_radius, circle_distance) in [(4.5, 4.0), (6.0, 4.0), (8.0, 6.0), (5.0, 0.0)] {
        let rule = Wander { circle_radius, circle_distance, ..Wander::default() };
        let species = Species { max_force: 1e6.into(), ..Species::new("wanderer") };
        let share = 1.0 / 60.0 / f64::from(species.response);
        let walks = wander(1.0 / 60.0, rule, species);
        assert!(slowest(&walks) > 5.0 - 1e-3, "{}", slowest(&walks));
        // A tick replaces a share of the velocity by one that is at most 60 degrees off.
        let most = (3f64.sqrt() * share).atan().to_degrees();
        assert!(turns(&walks).0 < most + 1e-2, "{:?}, not {most}", turns(&walks));
    }
}
