//! Tests that neighbours stay exact while agents come and go: in every tick each agent's neighbours are compared with a
//! search through all agents.

use std::sync::Arc;

use crate::checker::{Checker, Tally};
use throng::behaviours::{Seek, Wander};
use throng::settings::NeighbourLists;
use throng::{AgentId, Edge, Execution, Noise, Settings, Species, SpeciesFilter, SpeciesId, Target, Vector, World};

/// One species: its number of agents, their speed, and their perception radii with the species that they perceive.
pub(crate) struct SpeciesSpec {
    count: usize,
    speed: f32,
    looks: Vec<(f32, SpeciesFilter)>,
}

impl SpeciesSpec {
    pub(crate) fn new(count: usize, speed: f32, looks: &[(f32, SpeciesFilter)]) -> Self {
        Self { count, speed, looks: looks.to_vec() }
    }

    /// Returns the same species with `count` agents.
    pub(crate) fn of(self, count: usize) -> Self {
        Self { count, ..self }
    }
}

/// The edits of the host between ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Host {
    pub(crate) spawns: usize,
    pub(crate) despawns: usize,
    pub(crate) teleports: usize,
    /// Steps to the side, as short as the steps of a tick.
    pub(crate) pushes: usize,
    /// The interval of the edits in ticks; zero for every tick.
    pub(crate) every: usize,
}

pub(crate) const BUSY: Host = Host { spawns: 9, despawns: 7, teleports: 5, pushes: 5, every: 0 };

/// The start of agents: uniform in the world, on a line along its first axis, or in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Start {
    Uniform,
    Line,
    Middle,
}

/// Runs a world. Every tick must compare all of its agents, and at least `least` neighbours in total.
pub(crate) fn run<const D: usize>(
    what: &str,
    (size, edge, start): ([f32; D], Edge, Start),
    kinds: &[SpeciesSpec],
    host: Host,
    ticks: usize,
    least: usize,
) {
    for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
        let settings = Settings {
            size: Vector(size),
            edge: [edge; _],
            tick_seconds: 0.05,
            seed: 6,
            pair_budget: None,
            ..Settings::default()
        };
        let mut world = World::<D>::new(settings).unwrap();
        world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
        let tally = Arc::new(Tally::default());
        let mut noise = Noise::new(17, D as u64, 4, Noise::USER);
        let place = |noise: &mut Noise| {
            Vector::<D>::from_fn(|axis| match start {
                Start::Line if axis > 0 => 0.5 * size[axis],
                Start::Middle => size[axis] * noise.between(0.4, 0.6),
                _ => noise.between(0.0, size[axis]),
            })
        };
        let mut species = Vec::new();
        for (number, kind) in kinds.iter().enumerate() {
            let mut definition = Species::new(format!("species {number}")).with(1.0, Wander::default());
            if start == Start::Line {
                // Agents move along the line and stay on it.
                let end =
                    Vector::from_fn(|axis| if axis == 0 { size[0] * (number % 2) as f32 } else { 0.5 * size[axis] });
                definition = Species::new(format!("species {number}")).with(1.0, Seek { target: Target::Point(end) });
            }
            for (radius, filter) in &kind.looks {
                definition = definition.with(0.0, Checker::new(*radius, filter.clone(), &tally));
            }
            definition.max_speed = kind.speed.into();
            let id = world.add_species(definition).unwrap();
            for _ in 0..kind.count {
                let velocity = if start == Start::Line { Vector::ZERO } else { noise.direction::<D>() * kind.speed };
                world.spawn(id, place(&mut noise), velocity).unwrap();
            }
            species.push(id);
        }
        let mut steered = 0;
        for tick in 0..ticks {
            if host.every == 0 || tick % host.every == 0 {
                edit(&mut world, &species, host, &mut noise, &place);
            }
            world.step();
            // The tick removes leavers before it steers.
            steered += world
                .all_agents()
                .iter()
                .zip(kinds)
                .map(|(agents, kind)| agents.len() * kind.looks.len())
                .sum::<usize>();
        }
        tally.settle(steered, least, &format!("{what}, {D}D, {edge:?}, {neighbour_lists:?}"));
    }
}

pub(crate) fn edit<const D: usize>(
    world: &mut World<D>,
    species: &[SpeciesId],
    host: Host,
    noise: &mut Noise,
    place: &impl Fn(&mut Noise) -> Vector<D>,
) {
    let pick = |world: &World<D>, noise: &mut Noise| -> Option<AgentId> {
        let number = (noise.unit() * species.len() as f32) as usize;
        let ids = world.agents(species[number]).unwrap().ids();
        ids.get((noise.unit() * ids.len() as f32) as usize).copied()
    };
    for number in 0..host.despawns {
        if let Some(id) = pick(world, noise) {
            world.despawn(id).unwrap();
        }
        if number < host.spawns {
            // Right after the despawn, so that the spawn reuses the freed slot.
            world.spawn(species[number % species.len()], place(noise), Vector::ZERO).unwrap();
        }
    }
    for number in host.despawns..host.spawns {
        let id = species[number % species.len()];
        let young = world.spawn(id, place(noise), noise.direction::<D>()).unwrap();
        if number % 4 == 0 {
            world.set_position(young, place(noise)).unwrap();
        }
    }
    for _ in 0..host.teleports {
        if let Some(id) = pick(world, noise) {
            world.set_position(id, place(noise)).unwrap();
        }
    }
    for _ in 0..host.pushes {
        if let Some(id) = pick(world, noise) {
            let (at, size) = (world.position(id).unwrap(), world.settings().size);
            let near = Vector::from_fn(|axis| (at[axis] + noise.between(-0.05, 0.05)).clamp(0.0, size[axis]));
            world.set_position(id, near).unwrap();
        }
    }
}

fn two() -> Vec<SpeciesSpec> {
    vec![
        SpeciesSpec::new(700, 4.0, &[(4.0, SpeciesFilter::All), (2.5, SpeciesFilter::Own)]),
        SpeciesSpec::new(300, 6.0, &[(5.0, SpeciesFilter::named("species 0"))]),
    ]
}

#[test]
fn neighbours_are_exact_after_spawns_despawns_and_teleports() {
    for edge in Edge::ALL {
        run("busy", ([60.0, 50.0], edge, Start::Uniform), &two(), BUSY, 20, 10_000);
    }
    for edge in [Edge::Wrap, Edge::Remove] {
        run("busy", ([30.0, 25.0, 20.0], edge, Start::Uniform), &two(), BUSY, 20, 10_000);
    }
}

#[test]
fn neighbours_are_exact_after_bursts_of_edits() {
    let host = Host { spawns: 200, despawns: 190, teleports: 100, pushes: 10, every: 7 };
    for edge in [Edge::Wrap, Edge::Bounce, Edge::Respawn] {
        run("bursts", ([60.0, 50.0], edge, Start::Uniform), &two(), host, 22, 10_000);
    }
    run("bursts", ([30.0, 25.0, 20.0], Edge::Wrap, Start::Uniform), &two(), host, 22, 10_000);
    let growth = Host { spawns: 40, ..Host::default() };
    run(
        "growth",
        ([60.0, 50.0], Edge::Wrap, Start::Uniform),
        &[SpeciesSpec::new(0, 4.0, &[(4.0, SpeciesFilter::All)])],
        growth,
        30,
        4_000,
    );
    let decline = Host { despawns: 20, ..Host::default() };
    run("decline", ([60.0, 50.0], Edge::Wrap, Start::Uniform), &two(), decline, 40, 10_000);
}

#[test]
fn neighbours_are_exact_where_the_edge_removes_or_respawns() {
    // Fast agents in a small world: some leave in every tick.
    let kinds = [
        SpeciesSpec::new(900, 30.0, &[(4.0, SpeciesFilter::All)]),
        SpeciesSpec::new(200, 30.0, &[(6.0, SpeciesFilter::named("species 0"))]),
    ];
    let spawns = Host { spawns: 60, ..Host::default() };
    for edge in [Edge::Respawn, Edge::Remove] {
        run("leaving", ([60.0, 50.0], edge, Start::Uniform), &kinds, spawns, 12, 10_000);
        run("leaving", ([30.0, 25.0, 20.0], edge, Start::Uniform), &kinds, spawns, 12, 10_000);
    }
}

#[test]
fn neighbours_are_exact_in_corridors_on_lines_and_in_flat_worlds() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        run("corridor", ([800.0, 2.0], edge, Start::Uniform), &two(), BUSY, 12, 4_000);
        run("corridor", ([2.0, 800.0], edge, Start::Uniform), &two(), BUSY, 12, 4_000);
        run("line", ([400.0, 50.0], edge, Start::Line), &two(), BUSY, 12, 10_000);
        run("flat", ([60.0, 50.0, 0.5], edge, Start::Uniform), &two(), BUSY, 12, 10_000);
        run("flat", ([0.5, 60.0, 50.0], edge, Start::Uniform), &two(), BUSY, 12, 10_000);
        run("rod", ([1.0, 1.0, 900.0], edge, Start::Uniform), &two(), BUSY, 12, 4_000);
    }
}

#[test]
fn neighbours_are_exact_with_very_different_radii() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let kinds = [
            SpeciesSpec::new(700, 2.0, &[(0.3, SpeciesFilter::All)]),
            SpeciesSpec::new(40, 2.0, &[(30.0, SpeciesFilter::named("species 0")), (0.3, SpeciesFilter::Own)]),
        ];
        run("radii", ([60.0, 50.0], edge, Start::Uniform), &kinds, BUSY, 20, 10_000);
        run("radii", ([60.0, 50.0, 20.0], edge, Start::Middle), &kinds, BUSY, 20, 10_000);
        let one = [SpeciesSpec::new(800, 2.0, &[(0.2, SpeciesFilter::Own), (20.0, SpeciesFilter::Own)])];
        run("radii of one", ([60.0, 50.0], edge, Start::Uniform), &one, BUSY, 15, 10_000);
        // A radius beyond half of the world, and a radius of zero.
        let far = [SpeciesSpec::new(300, 2.0, &[(1e6, SpeciesFilter::All), (0.0, SpeciesFilter::All)])];
        run("all and none", ([60.0, 50.0], edge, Start::Uniform), &far, BUSY, 10, 10_000);
    }
}

#[test]
fn neighbours_are_exact_with_fast_and_slow_species() {
    for edge in [Edge::Wrap, Edge::Bounce, Edge::Respawn] {
        let kinds = [
            SpeciesSpec::new(700, 0.05, &[(3.0, SpeciesFilter::All)]),
            SpeciesSpec::new(60, 80.0, &[(3.0, SpeciesFilter::All)]),
            SpeciesSpec::new(60, 0.0, &[(3.0, SpeciesFilter::named("species 1"))]),
        ];
        run("fast and slow", ([60.0, 50.0], edge, Start::Uniform), &kinds, BUSY, 20, 4_000);
        run("fast and slow", ([30.0, 25.0, 20.0], edge, Start::Uniform), &kinds, BUSY, 10, 1_000);
        run("fast and slow, left alone", ([60.0, 50.0], edge, Start::Uniform), &kinds, Host::default(), 40, 4_000);
    }
}

#[test]
fn neighbours_are_exact_with_ten_species() {
    for edge in [Edge::Wrap, Edge::Remove] {
        let kinds: Vec<SpeciesSpec> = (0..10)
            .map(|number| {
                let next = SpeciesFilter::Named(vec![format!("species {}", (number + 1) % 10), "species 3".to_owned()]);
                let filter = if number % 3 == 0 { SpeciesFilter::All } else { next };
                SpeciesSpec::new(20 + 30 * number, 1.0 + number as f32, &[(2.0 + 0.5 * number as f32, filter)])
            })
            .collect();
        run("ten species", ([60.0, 50.0], edge, Start::Uniform), &kinds, BUSY, 20, 10_000);
        run("ten species", ([30.0, 25.0, 20.0], edge, Start::Uniform), &kinds, BUSY, 20, 10_000);
    }
}

/// The agent of the last row is moved, removed and replaced in three ticks, while lists are kept.
#[test]
fn kept_lists_survive_an_emptied_and_refilled_last_row() {
    let run = |neighbour_lists| {
        let size = Vector([60.0, 60.0]);
        let mut world = World::<2>::new(Settings { size, ..Settings::default() }).unwrap();
        world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
        let mut slow = Species::new("slow").with(1.0, throng::behaviours::Separation::default());
        slow.max_speed = 0.1.into();
        let slow = world.add_species(slow).unwrap();
        let spawn = |world: &mut World<2>, number: u64| {
            let mut noise = Noise::new(1, number, 0, Noise::USER);
            let place = Vector::from_fn(|_| noise.between(0.0, 60.0));
            world.spawn(slow, place, noise.direction() * 0.1).unwrap();
        };
        (0..640).for_each(|number| spawn(&mut world, number));
        let mut hashes = Vec::new();
        for tick in 0..60 {
            let last = *world.agents(slow).unwrap().ids().last().unwrap();
            match tick % 6 {
                2 => world.set_position(last, [1.0, 1.0]).unwrap(),
                3 => world.despawn(last).unwrap(),
                4 => spawn(&mut world, 1000 + tick),
                _ => {}
            }
            world.step();
            hashes.push(world.state_hash());
        }
        hashes
    };
    assert_eq!(run(NeighbourLists::Kept), run(NeighbourLists::Fresh));
}
