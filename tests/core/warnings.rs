//! Warnings and faults: what a world allows and its author hardly means, and what went wrong in its ticks.

use throng::behaviours::{Alignment, AvoidWalls, Cohesion, HostForces, Separation, Wander};
use throng::motions::{CollisionFreeSpeed, Couzin, CuckerSmale, DOrsogna, Kinematic, NoiseKind, Vicsek};
use throng::{
    Edge, Event, Faults, Noise, Rule, Settings, Species, SpeciesFilter, State, Substance, Vector, WarningKind, World,
};

fn world(tick_seconds: f32) -> World<2> {
    World::new(Settings { tick_seconds, ..Settings::default() }).unwrap()
}

/// The kinds and keys of the warnings of a world with this species.
fn warned(tick_seconds: f32, species: Species<2>) -> Vec<(WarningKind, String)> {
    let mut world = world(tick_seconds);
    world.add_species(species).unwrap();
    world.warnings().into_iter().map(|warning| (warning.kind, warning.key)).collect()
}

fn flock() -> Species<2> {
    let [separation, alignment, cohesion] = [5.0, 5.0, 5.0];
    Species::new("bird")
        .with_max_speed(1.0)
        .with(1.5, Separation { radius: separation, ..Separation::default() })
        .with(1.0, Alignment { radius: alignment, ..Alignment::default() })
        .with(0.5, Cohesion { radius: cohesion, ..Cohesion::default() })
}

const OVERSHOOT: (WarningKind, &str) = (WarningKind::Overshoot, "species.bird.response");

fn overshoots(tick_seconds: f32, species: Species<2>) -> bool {
    let warned = warned(tick_seconds, species);
    assert!(warned.iter().all(|(kind, key)| (*kind, &key[..]) == OVERSHOOT), "{warned:?}");
    !warned.is_empty()
}

#[test]
fn rules_that_overshoot_are_named_with_what_helps() {
    let mut world = world(1.0);
    world.add_species(flock()).unwrap();
    let warnings = world.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(
        warnings[0].to_string(),
        "species.bird.response: rules overshoot: response 0.2 s, tick 1 s, sum of weights 3: use a tick of at most \
         0.0333 s or a response of at least 6 s"
    );
    // With the advice there is none.
    for (tick, response) in [(0.0333, 0.2), (1.0, 6.0), (0.05, 0.2)] {
        assert!(!overshoots(tick, flock().with_response(response)), "{tick} {response}");
    }
    assert!(!overshoots(0.1, flock()), "a tick goes past the velocity, and ends nearer");
    assert!(overshoots(0.15, flock()));
    assert!(!overshoots(0.15, flock().with_mass(4.0)), "a mass acts as a longer response");
    assert!(!overshoots(1.0, flock().with_max_force(0.05)), "a small force corrects little");
    assert!(!overshoots(1.0, flock().with_max_turn_rate(5.0)), "as does a narrow turn");
}

#[test]
fn only_rules_that_act_together_and_desire_a_velocity_count() {
    let alone = |species: Species<2>| Species { rules: Vec::new(), ..species };
    let seen = || Alignment { radius: 9.0, ..Alignment::default() };
    let states = || alone(flock()).with_state(State::new("calm")).with_state(State::new("alert"));
    // 0.1 s over 0.2 s: a sum of four is the most.
    let calm = |weight| states().with_during("calm", weight, seen()).with_during("alert", 3.0, seen());
    assert!(!overshoots(0.1, calm(3.0)), "a sum of three in either state");
    assert!(overshoots(0.1, calm(3.0).with(1.5, seen())), "the rule of all states counts in both");
    assert!(overshoots(0.1, calm(4.5)));
    let priority = Species { combine: throng::Combine::Priority(0.0), ..flock() };
    assert!(!overshoots(0.15, priority), "one rule decides alone");
    let force = alone(flock()).with(100.0, HostForces { column: "push".to_owned() });
    assert!(!overshoots(0.1, force), "a force differs from a desired velocity");
}

#[test]
fn motions_that_take_the_velocity_at_once_do_not_depend_on_tick_and_response() {
    let kinematic = |weight| {
        let rule = Wander::default();
        Species::new("bird").with_motion(Kinematic {}).with(weight, rule)
    };
    for tick in [0.001, 10.0] {
        assert!(!overshoots(tick, kinematic(2.0)) && overshoots(tick, kinematic(2.1)), "{tick}");
    }
    let walker = Species::new("bird").with_max_speed(1.0).with_motion(CollisionFreeSpeed::default());
    assert!(overshoots(0.01, walker.with(1.0, Wander::default()).with(2.0, AvoidWalls::default())));
    // Without rules that desire a velocity nothing overshoots.
    assert!(!overshoots(1.0, Species::new("bird").with_max_speed(0.5).with_motion(Vicsek::default())));
}

#[test]
fn steps_over_neighbours_are_named() {
    let vicsek = |max_speed| Species::new("bird").with_max_speed(max_speed).with_motion(Vicsek::default());
    assert_eq!(warned(1.0, vicsek(0.03)), []);
    assert_eq!(warned(1.0, vicsek(8.0)), [(WarningKind::LongStep, "species.bird.motion".to_owned())]);
    let short = Species::new("bird").with(0.1, Separation { radius: 0.1, ..Separation::default() });
    assert_eq!(warned(0.05, short), [(WarningKind::LongStep, "species.bird.separation".to_owned())]);
    let off = Species::new("bird").with(0.1, Separation { radius: 0.0, ..Separation::default() });
    assert_eq!(warned(0.05, off), []);
}

#[test]
fn stiff_models_are_named_where_parameters_give_a_bound() {
    let kinds = |tick, motion: DOrsogna| {
        let mut world = world(tick);
        let fish = world.add_species(Species::new("fish").with_motion(motion)).unwrap();
        for agent in 0..100 {
            world.spawn(fish, [agent as f32, 50.0], [1.0, 0.0]).unwrap();
        }
        world.warnings().iter().map(|warning| warning.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(0.01, DOrsogna::default()), []);
    assert_eq!(kinds(0.5, DOrsogna::default()), [WarningKind::Stiff]);
    assert_eq!(kinds(5.0, DOrsogna { radius: 1.0, ..DOrsogna::default() }), [WarningKind::Stiff], "its drag");
}

#[test]
fn angles_in_radians_and_noises_without_order_are_named() {
    let of = |motion: Couzin| warned(0.1, Species::new("fish").with_max_speed(1.0).with_motion(motion));
    let key = |kind, name: &str| vec![(kind, format!("species.fish.motion.{name}"))];
    assert_eq!(of(Couzin::default()), []);
    assert_eq!(of(Couzin { fov: 4.71, ..Couzin::default() }), key(WarningKind::Unit, "fov"));
    assert_eq!(of(Couzin { turning_rate: 0.698, ..Couzin::default() }), key(WarningKind::Unit, "turning_rate"));
    assert_eq!(of(Couzin { turning_rate: 2.5, ..Couzin::default() }), []);
    assert_eq!(of(Couzin { noise: 5.0, ..Couzin::default() }), key(WarningKind::Noise, "noise"));
    let vicsek = |noise, noise_kind| {
        let motion = Vicsek { noise, noise_kind, ..Vicsek::default() };
        warned(0.1, Species::new("fish").with_max_speed(1.0).with_motion(motion)).len()
    };
    assert_eq!([2.0, 4.5, 5.0, 6.2].map(|noise| vicsek(noise, NoiseKind::Angular)), [0, 0, 1, 1]);
    assert_eq!([0.5, 1.0, 3.0].map(|noise| vicsek(noise, NoiseKind::Vectorial)), [0, 0, 1]);
    let view = Species::new("fish").with(0.1, Cohesion { fov: 1.5, ..Cohesion::default() });
    assert_eq!(warned(0.01, view), [(WarningKind::Unit, "species.fish.cohesion.fov".to_owned())]);
    let turn = Species::new("fish").with_max_turn_rate(0.698);
    assert_eq!(warned(0.01, turn), [(WarningKind::Unit, "species.fish.max_turn_rate".to_owned())]);
}

/// Spawns agents around the middle of a world, at draws of a normal distribution, with drawn velocities.
fn cloud(world: &mut World<2>, species: Species<2>, agents: u64, width: f32) -> Vec<(Vector<2>, Vector<2>)> {
    let species = world.add_species(species).unwrap();
    let drawn = (0..agents).map(|agent| {
        let mut noise = Noise::new(5, agent, 0, Noise::USER);
        let at = Vector([50.0; 2]) + Vector::from_fn(|_| noise.normal() * width);
        let velocity = Vector::from_fn(|_| noise.normal());
        world.spawn(species, at, velocity).unwrap();
        (at, velocity)
    });
    drawn.collect()
}

#[test]
fn models_of_all_pairs_are_exact_at_any_budget() {
    let tick_seconds = 0.001;
    let settings = Settings { edge: [Edge::Open; 2], tick_seconds, pair_budget: Some(64), ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let model = CuckerSmale { strength: 1.0, scale: 1.0, exponent: 0.4, ..CuckerSmale::default() };
    let agents = cloud(&mut world, Species::new("bird").with_motion(model), 700, 10.0);
    let ids: Vec<_> = world.agents(world.species_ids().next().unwrap()).unwrap().ids().to_vec();
    world.step();
    assert_eq!((world.profile().capped, world.faults().inexact), (0, 0));
    for (id, (at, velocity)) in ids.iter().zip(&agents).take(20) {
        let mut exact = [0.0f64; 2];
        for (other, of_other) in &agents {
            let offset = [0, 1].map(|axis| f64::from(other[axis]) - f64::from(at[axis]));
            let weight = (1.0 + offset[0] * offset[0] + offset[1] * offset[1]).powf(-0.4);
            for axis in 0..2 {
                exact[axis] += weight * (f64::from(of_other[axis]) - f64::from(velocity[axis]));
            }
        }
        let gained = world.velocity(*id).unwrap() - *velocity;
        for axis in 0..2 {
            let measured = f64::from(gained[axis]) / f64::from(tick_seconds);
            assert!((measured - exact[axis]).abs() < 0.01 * (1.0 + exact[axis].abs()), "{measured} {exact:?}");
        }
    }
}

#[test]
fn the_budget_limits_neighbourhoods_and_not_perceptions_of_all() {
    let inexact = |edge: Edge, radius: f32, nearest: u32| {
        let settings = Settings { edge: [edge; 2], pair_budget: Some(64), ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let rule = Cohesion { radius, nearest, from: SpeciesFilter::Own, ..Cohesion::default() };
        cloud(&mut world, Species::new("bird").with(1.0, rule), 900, 1.0);
        (0..2).for_each(|_| world.step());
        let faults = world.faults();
        assert_eq!((faults.ticks, faults.agents), (2, 1800));
        let kinds: Vec<_> = faults.warnings().iter().map(|warning| warning.kind).collect();
        assert_eq!(kinds.contains(&WarningKind::Inexact), faults.inexact > 0);
        assert_eq!(world.clone().faults(), faults, "clones continue the counts");
        faults.inexact
    };
    // The world is 100 m wide: agents are 141 m apart at most, and 71 m across seams.
    assert_eq!(inexact(Edge::Bounce, 30.0, 0), 1800, "all agents of both ticks");
    assert_eq!(inexact(Edge::Bounce, 142.0, 0), 0);
    assert_eq!(inexact(Edge::Wrap, 60.0, 0), 1800);
    assert_eq!(inexact(Edge::Wrap, 71.0, 0), 0);
    assert_eq!(inexact(Edge::Open, 1e6, 0), 0);
    assert_eq!(inexact(Edge::Open, 1e6, 7), 0, "the nearest few are found without a look at all");
}

#[test]
fn many_agents_that_perceive_all_others_cost_much() {
    let mut world = world(0.001);
    let bird = world.add_species(Species::new("bird").with_motion(CuckerSmale::default())).unwrap();
    for agent in 0..9999 {
        world.spawn(bird, [agent as f32 * 0.01, 50.0], [0.0; 2]).unwrap();
    }
    assert_eq!(world.warnings(), []);
    world.spawn(bird, [50.0, 50.0], [0.0; 2]).unwrap();
    let said = world.warnings()[0].to_string();
    assert_eq!(said, "species.bird: each of 10000 agents perceives all 10000: 1.0e8 pairs in each tick");
}

#[test]
fn faults_of_a_tick_that_is_too_long_are_counted() {
    let settings = Settings { edge: [Edge::Open; 2], tick_seconds: 5.0, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    cloud(&mut world, Species::new("fish").with_motion(DOrsogna::default()), 60, 2.0);
    let (mut quarantined, mut left) = (0, 0);
    for _ in 0..60 {
        world.step();
        quarantined += world.events().iter().filter(|event| matches!(event, Event::Quarantined { .. })).count() as u64;
        left += world.events().iter().filter(|event| matches!(event, Event::Left { .. })).count() as u64;
    }
    let faults = world.faults();
    assert!(quarantined > 0 && left > 0 && faults.leaps > 0, "{faults:?}");
    assert_eq!((faults.quarantined, faults.left, faults.lost), (quarantined, left, left));
    let kinds: Vec<_> = faults.warnings().iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::Quarantined, WarningKind::Lost, WarningKind::Leap]);
    let mut file = Vec::new();
    world.save(&mut file).unwrap();
    assert_eq!(World::<2>::load(&file[..]).unwrap().faults(), Faults::default(), "since loading");
}

#[test]
fn agents_that_leave_as_they_are_to_are_no_fault() {
    for edge in [Edge::Remove, Edge::Respawn] {
        let mut world = World::<2>::new(Settings { edge: [edge, Edge::Open], ..Settings::default() }).unwrap();
        let bird = world.add_species(Species::new("bird")).unwrap();
        world.spawn(bird, [99.95, 50.0], [9.0, 0.0]).unwrap();
        (0..3).for_each(|_| world.step());
        assert_eq!((world.faults().left, world.faults().lost), (1, 0), "{edge}");
        assert_eq!(world.warnings(), []);
    }
}

#[test]
fn a_rule_of_a_host_is_not_said_to_overshoot() {
    #[derive(Debug)]
    struct Spring;
    impl throng::Behaviour<2> for Spring {
        fn steer(&self, me: &throng::AgentRef<'_, 2>) -> Vector<2> {
            -me.velocity()
        }
    }
    let species = Species { rules: vec![Rule::new(50.0, Spring)], ..flock() };
    assert_eq!(warned(1.0, species), []);
}

#[test]
fn substances_that_cannot_be_as_they_say_are_named() {
    let warned = |cell: f32, diffusion: f32| {
        let mut world = world(0.1);
        let substance = Substance { diffusion, ..Substance::new("trail", cell) };
        world.environment_mut().substances.add(substance).unwrap();
        world.warnings().into_iter().map(|warning| (warning.kind, warning.to_string())).collect::<Vec<_>>()
    };
    assert!(warned(0.5, 39.0).is_empty() && warned(0.03, 0.0).is_empty());
    let of = |found: &[(WarningKind, String)], key: &str, number: &str| matches!(found, [(WarningKind::Cut, text)] if text.starts_with(key) && text.contains(number));
    // 32 = 2 * diffusion * 0.1 s / (0.5 m)^2
    let found = warned(0.5, 100.0);
    assert!(of(&found, "trail.diffusion", " 40 m²/s"), "{found:?}");
    let found = warned(0.001, 0.0);
    assert!(of(&found, "trail.cell", " m: "), "{found:?}");
}
