//! Species that perceive each other share one order of their agents: neighbours are exact, and bits are the same
//! however a world is run.

use crate::strays::{BUSY, Host, SpeciesSpec, Start, edit, run};
use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::settings::NeighbourLists;
use throng::{
    Condition, Edge, Execution, InstructionSet, Noise, Rule, Settings, Species, SpeciesFilter, SpeciesId, State,
    Vector, World,
};

/// Seven species that all perceive each other: some by two rules, some their own species by a further rule.
fn seven() -> Vec<SpeciesSpec> {
    let kind = |number: usize| {
        let radius = 2.0 + 0.15 * number as f32;
        let mut looks = vec![(radius, SpeciesFilter::All)];
        looks.extend((number.is_multiple_of(2)).then_some((0.5 * radius, SpeciesFilter::All)));
        looks.extend((number.is_multiple_of(3)).then_some((1.5 * radius, SpeciesFilter::Own)));
        SpeciesSpec::new(20 + 40 * number, 1.0 + 0.3 * number as f32, &looks)
    };
    (0..7).map(kind).collect()
}

#[test]
fn neighbours_in_a_mix_are_exact_at_every_edge() {
    for edge in Edge::ALL {
        run("seven", ([60.0, 50.0], edge, Start::Uniform), &seven(), BUSY, 24, 30_000);
    }
    run("seven", ([30.0, 25.0, 20.0], Edge::Wrap, Start::Uniform), &seven(), BUSY, 20, 30_000);
    run("seven", ([30.0, 25.0, 20.0], Edge::Remove, Start::Uniform), &seven(), BUSY, 20, 30_000);
    run("seven, left alone", ([60.0, 50.0], Edge::Wrap, Start::Uniform), &seven(), Host::default(), 36, 30_000);
}

#[test]
fn neighbours_in_a_mix_are_exact_after_many_edits() {
    let host = Host { spawns: 200, despawns: 190, teleports: 100, pushes: 10, every: 7 };
    run("bursts", ([60.0, 50.0], Edge::Wrap, Start::Uniform), &seven(), host, 40, 30_000);
    run("bursts", ([30.0, 25.0, 20.0], Edge::Bounce, Start::Middle), &seven(), host, 22, 30_000);
    let growth = Host { spawns: 40, ..Host::default() };
    let none: Vec<SpeciesSpec> = seven().into_iter().map(|kind| kind.of(0)).collect();
    run("growth", ([40.0, 40.0], Edge::Wrap, Start::Uniform), &none, growth, 40, 10_000);
    let decline = Host { despawns: 20, ..Host::default() };
    run("decline", ([60.0, 50.0], Edge::Wrap, Start::Uniform), &seven(), decline, 60, 10_000);
}

#[test]
fn neighbours_in_a_mix_are_exact_beside_other_species() {
    let mut kinds = seven();
    kinds.push(SpeciesSpec::new(30, 2.0, &[(15.0, SpeciesFilter::All)]));
    kinds.push(SpeciesSpec::new(30, 90.0, &[(2.0, SpeciesFilter::All)]));
    kinds.push(SpeciesSpec::new(60, 1.0, &[]));
    for edge in [Edge::Wrap, Edge::Remove] {
        run("ten", ([60.0, 50.0], edge, Start::Uniform), &kinds, BUSY, 36, 30_000);
        run("ten", ([30.0, 25.0, 20.0], edge, Start::Uniform), &kinds, BUSY, 12, 30_000);
    }
    let three = SpeciesFilter::Named([0, 2, 3].map(|number| format!("species {number}")).to_vec());
    let named = [
        SpeciesSpec::new(300, 2.0, &[(3.0, three.clone()), (2.0, SpeciesFilter::All)]),
        SpeciesSpec::new(300, 2.0, &[(3.0, SpeciesFilter::Own), (2.0, SpeciesFilter::named("species 0"))]),
        SpeciesSpec::new(300, 2.0, &[(3.5, three.clone())]),
        SpeciesSpec::new(300, 2.0, &[(3.2, three), (10.0, SpeciesFilter::All)]),
    ];
    run("three of four", ([50.0, 50.0], Edge::Wrap, Start::Uniform), &named, BUSY, 36, 30_000);
}

/// The edge and the size of a world, and its budget of pairs.
type Setting = (Edge, [f32; 2], Option<usize>);

/// A flock of several species; the last looks at its own kind only.
fn flock((edge, size, pair_budget): Setting) -> (World<2>, Vec<SpeciesId>) {
    let size = Vector(size);
    let settings = Settings { size, edge: [edge; _], tick_seconds: 0.05, pair_budget, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let mut noise = Noise::new(9, 4, 0, Noise::USER);
    let species = (0..5).map(|number| {
        let from = if number == 4 { SpeciesFilter::Own } else { SpeciesFilter::All };
        let narrow = 360.0 - 30.0 * number as f32;
        let filter = if number == 2 { SpeciesFilter::Own } else { from.clone() };
        let cohesion = Cohesion { radius: 3.0, fov: 300.0, from: filter, ..Cohesion::default() };
        let species = Species::new(format!("species {number}"))
            .with(1.5, Separation { radius: 1.5, from: from.clone(), ..Separation::default() })
            .with(1.0, Alignment { radius: 3.0, fov: narrow, from, ..Alignment::default() })
            .with(1.0, cohesion)
            .with_max_speed(2.0 + 0.2 * number as f32);
        let id = world.add_species(species).unwrap();
        for _ in 0..100 + 150 * number {
            let place = Vector::from_fn(|axis| noise.between(0.0, world.settings().size[axis]));
            // Some agents coincide.
            let place = if noise.unit() < 0.05 { Vector::splat(10.0) } else { place };
            world.spawn(id, place, noise.direction() * 2.0).unwrap();
        }
        id
    });
    let species = species.collect();
    (world, species)
}

/// The hashes of ticks with edits between them; `meddle` may replace this world by another one.
fn course(
    setting: Setting,
    threads: usize,
    execution: Execution,
    meddle: impl Fn(usize, &mut World<2>) + Sync,
) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let (mut world, species) = flock(setting);
        world.set_execution(execution).unwrap();
        let mut noise = Noise::new(5, 0, 0, Noise::USER);
        let place = |noise: &mut Noise| Vector(setting.1.map(|side| noise.between(0.0, side)));
        let tick = |tick: usize| {
            match tick {
                11..30 => edit(&mut world, &species, BUSY, &mut noise, &place),
                40 => world.set_parameter(species[1], "alignment.radius", 2.5).unwrap(),
                // The radius is too large for the mix, and later small enough.
                50 => world.set_parameter(species[0], "alignment.radius", 9.0).unwrap(),
                55 => world.set_parameter(species[0], "alignment.radius", 3.0).unwrap(),
                60 => drop(world.add_species(Species::new("stone")).unwrap()),
                _ => {}
            }
            meddle(tick, &mut world);
            world.step();
            world.state_hash()
        };
        (0..75).map(tick).collect()
    })
}

#[test]
fn a_mix_has_equal_bits_for_every_execution() {
    let run = |neighbour_lists| Execution { neighbour_lists, ..Execution::default() };
    // The last world exceeds its budget.
    let wide = [70.0, 50.0];
    for setting in [(Edge::Wrap, wide, None), (Edge::Respawn, wide, Some(4096)), (Edge::Bounce, [30.0, 20.0], Some(64))]
    {
        let expected = course(setting, 1, run(NeighbourLists::Fresh), |_, _| ());
        for threads in [1, 2, 3, 8] {
            assert_eq!(course(setting, threads, run(NeighbourLists::Kept), |_, _| ()), expected, "{threads} threads");
        }
        for set in InstructionSet::available() {
            let execution = Execution { instruction_set: Some(set), ..Execution::default() };
            assert_eq!(course(setting, 2, execution, |_, _| ()), expected, "{set}");
        }
        let forget = |_, world: &mut World<2>| world.release_memory();
        assert_eq!(course(setting, 2, run(NeighbourLists::Kept), forget), expected, "forgotten");
        let clone = |tick, world: &mut World<2>| {
            if tick % 5 == 2 {
                *world = world.clone();
            }
        };
        assert_eq!(course(setting, 2, Execution::default(), clone), expected, "cloned");
        let save = |tick, world: &mut World<2>| {
            if tick % 5 == 3 {
                let mut bytes = Vec::new();
                world.save(&mut bytes).unwrap();
                *world = World::load(&bytes[..]).unwrap();
            }
        };
        assert_eq!(course(setting, 2, Execution::default(), save), expected, "saved and loaded");
        let ask = |tick: usize, world: &mut World<2>| {
            let before = world.state_hash();
            let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).collect();
            world.explain(ids[tick * 71 % ids.len()]).unwrap();
            assert_eq!(world.state_hash(), before, "a question changed the state");
        };
        assert_eq!(course(setting, 2, Execution::default(), ask), expected, "asked");
    }
}

/// An explanation equals the motion of the next tick.
#[test]
fn explanations_use_the_sums_of_the_mix() {
    let (mut world, _) = flock((Edge::Wrap, [70.0, 50.0], None));
    (0..3).for_each(|_| world.step());
    let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).step_by(37).collect();
    let expected: Vec<_> = ids.iter().map(|&id| world.explain(id).unwrap().steering).collect();
    assert!(expected.iter().filter(|steering| **steering != Vector::ZERO).count() * 2 > ids.len());
    world.step();
    for (id, expected) in ids.into_iter().zip(expected) {
        assert_eq!(world.steering_of(id).unwrap(), expected, "agent {id}");
    }
}

/// Rules that act in different states share their sums, in the mix as elsewhere. A state in which both would act keeps
/// them apart, and changes no bit of the others.
#[test]
fn rules_of_a_mix_in_different_states_see_what_they_would_see_alone() {
    let run = |apart: bool| {
        let settings = Settings { size: Vector([40.0, 40.0]), tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let mut noise = Noise::new(3, 1, 0, Noise::USER);
        for number in 0..3 {
            // The last looks too far for the mix in one of its states.
            let radii = [2.5 + 0.2 * number as f32, if number == 2 { 12.0 } else { 1.8 }];
            let rule = |radius: f32, fov: f32, states: &[&str]| {
                let rule = Alignment { radius, fov, from: SpeciesFilter::All, ..Alignment::default() };
                let rule = Rule::new(1.0, rule);
                states.iter().fold(rule, |rule, state| rule.during(*state))
            };
            let states = |own: &'static str| if apart { vec![own, "both"] } else { vec![own] };
            let mut species = Species::new(format!("species {number}"))
                .with_state(State::new("calm").with_transition("alert", Condition::After(0.7 + 0.1 * number as f32)))
                .with_state(State::new("alert").with_transition("calm", Condition::After(0.4)))
                .with_state(State::new("both"))
                .with_max_speed(2.0);
            species.rules = vec![rule(radii[0], 360.0, &states("calm")), rule(radii[1], 200.0, &states("alert"))];
            let id = world.add_species(species).unwrap();
            for _ in 0..400 {
                let place = Vector::from_fn(|_| noise.between(0.0, 40.0));
                world.spawn(id, place, noise.direction() * 2.0).unwrap();
            }
        }
        // Variables, columns and states are alike, so the hash of positions shows which agents they saw.
        let positions = |world: &World<2>| {
            let columns = world.all_agents().iter().flat_map(|agents| agents.positions().map(<[f32]>::to_vec));
            columns.flatten().map(f32::to_bits).collect::<Vec<_>>()
        };
        (0..40).map(|_| (world.step(), positions(&world)).1).collect::<Vec<_>>()
    };
    assert!(run(false) == run(true));
}
