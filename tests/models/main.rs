//! The models of the literature against closed forms, by the public interface.

mod active_brownian;
mod expressions;
mod flocks;

use throng::behaviours::Seek;
use throng::motions::{
    ActiveBrownian, Couzin, CuckerSmale, DOrsogna, GregoireChate, MovedWith, NoiseKind, OlfatiSaber, Orca, Vicsek,
};
use throng::{AgentId, AgentRef, Edge, Inputs, Motion, Noise, Registry, Settings, Species, SpeciesId, Vector, World};

fn world<const D: usize>(size: f32, edge: Edge, tick_seconds: f32) -> World<D> {
    let settings = Settings { tick_seconds, seed: 5, ..Settings::default() };
    World::new(Settings { size: Vector([size; D]), edge: [edge; D], ..settings }).unwrap()
}

/// A world with agents of one species at random places, with random headings at `speed`.
fn crowd<const D: usize>(mut world: World<D>, species: Species<D>, agents: u64, speed: f32) -> (World<D>, SpeciesId) {
    let (kind, size) = (world.add_species(species).unwrap(), world.settings().size);
    for agent in 0..agents {
        let mut noise = Noise::new(11, agent, 0, Noise::USER);
        let at = Vector::<D>::from_fn(|axis| noise.unit() * size[axis]);
        world.spawn(kind, at, noise.direction::<D>() * speed).unwrap();
    }
    (world, kind)
}

/// The length of the mean of the headings.
fn order<const D: usize>(world: &World<D>, kind: SpeciesId) -> f64 {
    let agents = world.agents(kind).unwrap();
    let mut sum = [0.0; D];
    for row in 0..agents.len() {
        let heading = agents.velocity(row).direction();
        (0..D).for_each(|axis| sum[axis] += f64::from(heading[axis]));
    }
    sum.iter().map(|sum| sum * sum).sum::<f64>().sqrt() / agents.len() as f64
}

fn vicsek(noise: f32) -> Vicsek {
    Vicsek { noise, ..Vicsek::default() }
}

fn birds<const D: usize>(motion: Vicsek) -> Species<D> {
    Species::new("bird").with_max_speed(0.03).with_motion(motion)
}

/// The mean order over 200 ticks, after 100 others.
fn mean_order<const D: usize>(mut world: World<D>, kind: SpeciesId) -> f64 {
    (0..100).for_each(|_| world.step());
    (0..200).map(|_| (world.step(), order(&world, kind)).1).sum::<f64>() / 200.0
}

#[test]
fn vicsek_agents_that_all_see_each_other_have_the_order_of_their_noise() {
    for (noise, order) in [(1.0, 0.9589), (3.0, 0.6650), (5.0, 0.2394)] {
        for moved_with in [MovedWith::OldHeading, MovedWith::NewHeading] {
            let species = birds::<2>(Vicsek { moved_with, ..vicsek(noise) });
            let (world, kind) = crowd(world(1.0, Edge::Wrap, 1.0), species, 1000, 0.03);
            let measured = mean_order(world, kind);
            assert!((measured - order).abs() < 0.004, "{noise}: {measured}");
        }
    }
    // All headings are random: the length of the mean of N unit vectors is sqrt(pi / 4 N).
    let (world, kind) = crowd(world(7.0, Edge::Wrap, 1.0), birds::<2>(vicsek(std::f32::consts::TAU)), 300, 0.03);
    let measured = mean_order(world, kind);
    assert!((measured - 0.0512).abs() < 0.006, "{measured}");
}

#[test]
fn vectorial_noise_gives_the_order_of_its_mean_field() {
    // Where all see all, the order solves p = <(p + e cos a) / |p + e u(a)|> over all angles a.
    for noise in [0.3f32, 0.6] {
        let mut order = 1.0f64;
        for _ in 0..500 {
            let eta = f64::from(noise);
            let mean = |sum: f64, step: u32| {
                let (sine, cosine) = (f64::from(step) * std::f64::consts::TAU / 720.0).sin_cos();
                sum + (order + eta * cosine) / ((order + eta * cosine).powi(2) + (eta * sine).powi(2)).sqrt() / 720.0
            };
            order = (0..720).fold(0.0, mean);
        }
        let species = || birds::<2>(Vicsek { noise_kind: NoiseKind::Vectorial, ..vicsek(noise) });
        let (mut ordered, kind) = crowd(world(1.0, Edge::Wrap, 1.0), species(), 1000, 0.03);
        let ids: Vec<AgentId> = ordered.agents(kind).unwrap().ids().to_vec();
        ids.iter().for_each(|id| ordered.set_velocity(*id, [0.03, 0.0]).unwrap());
        let measured = mean_order(ordered, kind);
        assert!((measured - order).abs() < 0.006, "{noise}: {measured}, {order}");
        // From random headings the order grows by a factor 1 / (2 noise) per tick, so above 1/2 both states last.
        let (random, kind) = crowd(world(1.0, Edge::Wrap, 1.0), species(), 1000, 0.03);
        let measured = mean_order(random, kind);
        let wanted = if noise < 0.5 { order } else { 0.05 };
        assert!((measured - wanted).abs() < 0.03, "{noise}: {measured}, {wanted}");
    }
}

#[test]
fn a_flock_without_noise_stays_in_order() {
    for noise_kind in [NoiseKind::Angular, NoiseKind::Vectorial] {
        let (mut world, kind) =
            crowd(world::<2>(7.0, Edge::Wrap, 1.0), birds(Vicsek { noise_kind, ..vicsek(0.0) }), 300, 0.0);
        let ids: Vec<AgentId> = world.agents(kind).unwrap().ids().to_vec();
        ids.iter().for_each(|id| world.set_velocity(*id, [0.018, 0.024]).unwrap());
        (0..500).for_each(|_| world.step());
        assert!(order(&world, kind) > 1.0 - 1e-6);
    }
}

/// A motion that computes agents one by one.
#[derive(Debug)]
struct OneByOne(Vicsek);

impl<const D: usize> Motion<D> for OneByOne {
    fn inputs(&self) -> Inputs {
        Motion::<D>::inputs(&self.0)
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        self.0.velocity(me, wanted)
    }

    fn is_explicit(&self) -> bool {
        Motion::<D>::is_explicit(&self.0)
    }
}

#[test]
fn vicsek_in_lanes_has_the_bits_of_one_by_one() {
    for noise_kind in [NoiseKind::Angular, NoiseKind::Vectorial] {
        let motion = Vicsek { noise_kind, ..vicsek(0.7) };
        let species = |motion: std::sync::Arc<dyn Motion<2>>| {
            let rule = throng::behaviours::Seek { target: [3.0, 3.0].into() };
            let mut species = Species::<2>::new("bird").with_max_speed(throng::Distribution::Uniform(0.02, 0.04));
            species.motion = Some(motion);
            species.with(0.1, rule)
        };
        let run = |motion| {
            let (mut world, kind) = crowd(world(7.0, Edge::Wrap, 1.0), species(motion), 301, 0.03);
            (0..20).for_each(|_| world.step());
            let agents = world.agents(kind).unwrap();
            let bits =
                |columns: [&[f32]; 2]| columns.map(|column| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
            (bits(agents.positions()), bits(agents.velocities()))
        };
        assert!(run(std::sync::Arc::new(motion.clone())) == run(std::sync::Arc::new(OneByOne(motion))));
    }
}

/// Models of constant speed: agents that a host spawned at rest set off, each in a direction of its own.
#[test]
fn agents_at_rest_set_off_at_full_speed_in_all_directions() {
    fn check<const D: usize>(species: Species<D>) {
        let name = species.name.clone();
        let (mut world, kind) = crowd::<D>(world(1e4, Edge::Wrap, 1.0), species.with_max_speed(0.5), 400, 0.0);
        for _ in 0..2 {
            world.step();
        }
        let agents = world.agents(kind).unwrap();
        for row in 0..agents.len() {
            let speed = agents.velocity(row).length();
            assert!((speed - 0.5).abs() < 1e-5, "{name} in {D} dimensions: {speed}");
        }
        // The order of random headings is about 1 / √400.
        assert!(order(&world, kind) < 0.15, "{name} in {D} dimensions");
    }
    fn check_all<const D: usize>() {
        for noise_kind in [NoiseKind::Angular, NoiseKind::Vectorial] {
            for noise in [0.0, 1.0] {
                check::<D>(Species::new("vicsek").with_motion(Vicsek { noise_kind, noise, ..Vicsek::default() }));
                let gregoire = GregoireChate { noise_kind, noise, ..GregoireChate::default() };
                check::<D>(Species::new("gregoire_chate").with_motion(gregoire));
            }
        }
        check::<D>(Species::new("couzin").with_motion(Couzin::default()));
        check::<D>(Species::new("active_brownian").with_motion(ActiveBrownian::default()));
    }
    check_all::<2>();
    check_all::<3>();
    // One that cannot move stays.
    let (mut world, kind) = crowd::<2>(
        world(100.0, Edge::Wrap, 1.0),
        Species::new("stone").with_motion(vicsek(1.0)).with_max_speed(0.0),
        1,
        0.0,
    );
    world.step();
    assert_eq!(world.agents(kind).unwrap().velocity(0), Vector::ZERO);
}

#[test]
fn the_convention_decides_which_heading_moves_an_agent() {
    for (moved_with, x) in [(MovedWith::OldHeading, 0.03), (MovedWith::NewHeading, 0.015)] {
        let mut world = world::<2>(7.0, Edge::Wrap, 1.0);
        let kind = world.add_species(birds(Vicsek { moved_with, ..vicsek(0.0) })).unwrap();
        let one = world.spawn(kind, [3.0, 3.0], [0.03, 0.0]).unwrap();
        // The mean direction of both is 60 degrees to the left.
        let (sine, cosine) = throng::maths::sin_cos(std::f32::consts::TAU / 3.0);
        world.spawn(kind, [3.5, 3.0], [0.03 * cosine, 0.03 * sine]).unwrap();
        world.step();
        let moved = world.position(one).unwrap() - Vector([3.0, 3.0]);
        assert!((moved[0] - x).abs() < 1e-6, "{moved:?}");
        assert!((world.velocity(one).unwrap() - Vector([0.015, 0.025_980_76])).length() < 1e-6);
    }
}

#[test]
fn a_shift_of_the_whole_flock_leaves_its_order() {
    let series = |shift: f32| {
        let (mut world, kind) = crowd(world::<2>(7.0, Edge::Wrap, 1.0), birds(vicsek(1.0)), 300, 0.03);
        let ids: Vec<AgentId> = world.agents(kind).unwrap().ids().to_vec();
        for id in ids {
            let at = world.position(id).unwrap();
            world.set_position(id, at.0.map(|x| (x + shift) % 7.0)).unwrap();
        }
        (0..10).map(|_| (world.step(), order(&world, kind)).1).collect::<Vec<_>>()
    };
    for (a, b) in series(0.0).iter().zip(series(3.4)) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

/// The velocity of the first of two agents after a tick, the second at `offset` from it.
fn answer<const D: usize>(species: Species<D>, dt: f32, offset: [f32; D], velocities: [[f32; D]; 2]) -> Vector<D> {
    let mut world = world::<D>(1000.0, Edge::Open, dt);
    let kind = world.add_species(species).unwrap();
    let first = world.spawn(kind, Vector([10.0; D]), velocities[0]).unwrap();
    world.spawn(kind, Vector([10.0; D]) + Vector(offset), velocities[1]).unwrap();
    world.step();
    world.velocity(first).unwrap()
}

#[test]
fn gregoire_chate_keeps_its_distances() {
    let model = GregoireChate { alignment: 0.0, noise: 0.0, ..GregoireChate::default() };
    let towards = |distance: f32| {
        let bird = Species::<2>::new("bird").with_max_speed(0.05).with_motion(model.clone());
        answer(bird, 1.0, [distance, 0.0], [[0.0, 0.05]; 2])[0]
    };
    for (distance, direction) in [(0.1, -1.0), (0.3, -1.0), (0.7, 1.0), (0.9, 1.0), (1.1, 0.0)] {
        assert!((towards(distance) - 0.05 * direction).abs() < 1e-6, "{distance}: {}", towards(distance));
    }
    // The force at 0.7 m is (0.7 - 0.5) / (4 * 0.3) = 1/6, and the sum of two headings has the length 2.
    let both = GregoireChate { alignment: 1.0, cohesion: 3.0, noise: 0.0, ..GregoireChate::default() };
    let bird = Species::<2>::new("bird").with_max_speed(0.05).with_motion(both);
    let velocity = answer(bird, 1.0, [0.7, 0.0], [[0.0, 0.05]; 2]);
    assert!((velocity[0] / velocity[1] - 0.25).abs() < 1e-5, "{velocity:?}");
}

#[test]
fn couzin_has_three_zones() {
    let model = Couzin { noise: 0.0, turning_rate: 36e3, orientation_width: 2.0, ..Couzin::default() };
    let fish = |model: &Couzin| Species::<3>::new("fish").with_max_speed(3.0).with_motion(model.clone());
    let (ahead, up) = ([3.0, 0.0, 0.0], [0.0, 0.0, 3.0]);
    for (x, wanted) in [(0.5, [-3.0, 0.0, 0.0]), (2.0, up), (5.0, ahead), (30.0, ahead)] {
        let velocity = answer(fish(&model), 0.1, [x, 0.0, 0.0], [ahead, up]);
        assert!((velocity - Vector(wanted)).length() < 1e-5, "{x}: {velocity:?}");
    }
    // Neighbours behind are seen only in the zone of repulsion.
    for (x, wanted) in [(-0.5, ahead), (-2.0, ahead), (-5.0, ahead)] {
        let velocity = answer(fish(&model), 0.1, [x, 0.0, 0.0], [ahead, up]);
        assert!((velocity - Vector(wanted)).length() < 1e-5, "{x}: {velocity:?}");
    }
    // 40 degrees per second turn by 4 degrees in a tick of 0.1 s.
    let slow = Couzin { turning_rate: 40.0, ..model };
    let velocity = answer(fish(&slow), 0.1, [0.0, 0.9, 0.0], [ahead, up]);
    let angle = throng::maths::atan2(-velocity[1], velocity[0]) * 180.0 / std::f32::consts::PI;
    assert!((angle - 4.0).abs() < 1e-3 && velocity[1] < 0.0, "{velocity:?}");
}

#[test]
fn cohesion_with_a_slowing_radius_arrives() {
    // The force is (desired - velocity) / response, with the desired speed 10 beyond the slowing radius.
    for (slowing_radius, desired) in [(0.0, 10.0), (2.0, 10.0), (10.0, 5.0), (20.0, 2.5)] {
        let cohesion = throng::behaviours::Cohesion { slowing_radius, ..Default::default() };
        let bird = Species::<2>::new("bird").with_max_force(1e3).with_response(0.5).with(1.0, cohesion);
        let velocity = answer(bird, 0.01, [3.0, 4.0], [[1.0, 0.0], [0.0; 2]]);
        let force = (Vector([0.6, 0.8]) * desired - Vector([1.0, 0.0])) / 0.5;
        let wanted = Vector([1.0, 0.0]) + force * 0.01;
        assert!((velocity - wanted).length() < 1e-5, "{slowing_radius}: {velocity:?}, {wanted:?}");
    }
}

/// The distance and the relative velocity of two birds of Cucker and Smale after `seconds`.
fn two_birds(speed: f32, dt: f32, seconds: f32) -> (f64, f64) {
    let mut world = world::<2>(1000.0, Edge::Open, dt);
    let model = CuckerSmale { exponent: 1.0, ..CuckerSmale::default() };
    let kind = world.add_species(Species::new("bird").with_motion(model)).unwrap();
    let birds = [0.5, -0.5].map(|side| world.spawn(kind, [0.0, 0.0], [side * speed, 0.0]).unwrap());
    (0..(seconds / dt).round() as u64).for_each(|_| world.step());
    let [a, b] = birds.map(|bird| (world.position(bird).unwrap()[0], world.velocity(bird).unwrap()[0]));
    assert!((a.1 + b.1).abs() < 1e-6, "the mean velocity is conserved: {a:?}, {b:?}");
    (f64::from(a.0) - f64::from(b.0), f64::from(a.1) - f64::from(b.1))
}

#[test]
fn two_birds_of_cucker_and_smale_follow_the_closed_form() {
    // v = v0 - 2 atan(x): below v0 = pi they stay at tan(v0 / 2), above they part at v0 - pi.
    for (dt, tolerance) in [(0.01, 0.1), (0.001, 0.01)] {
        let (distance, velocity) = two_birds(2.0, dt, 40.0);
        assert!((distance - 1f64.tan()).abs() < tolerance && velocity.abs() < 1e-3, "{distance} {velocity}");
        let (distance, velocity) = two_birds(4.0, dt, 40.0);
        let error = velocity - (4.0 - 2.0 * distance.atan());
        assert!(error.abs() < tolerance, "{velocity}: {error}");
    }
}

#[test]
fn dorsogna_propels_and_attracts() {
    let model = DOrsogna::default();
    let alone = answer(Species::<2>::new("fish").with_motion(model.clone()), 0.01, [5e3, 0.0], [[0.3, 0.4], [0.0; 2]]);
    // (1 - 0.5 * 0.25) * v in a tick.
    assert!((alone - Vector([0.3, 0.4]) * (1.0 + 0.01 * 0.875)).length() < 1e-7, "{alone:?}");
    for distance in [0.5f32, 1.0, 4.0] {
        let pair = answer(Species::<2>::new("fish").with_motion(model.clone()), 0.01, [distance, 0.0], [[0.0; 2]; 2]);
        let slope = 0.5 / 3.0 * throng::maths::exp(-distance / 3.0) - 2.0 * throng::maths::exp(-distance / 0.5);
        assert!((pair[0] - 0.01 * slope).abs() < 1e-7, "{distance}: {pair:?}");
    }
    let mut world = world::<2>(1e4, Edge::Open, 0.01);
    let kind = world.add_species(Species::new("fish").with_motion(model)).unwrap();
    let fish = world.spawn(kind, [0.0, 0.0], [0.1, 0.0]).unwrap();
    (0..2000).for_each(|_| world.step());
    assert!((world.velocity(fish).unwrap()[0] - 2f32.sqrt()).abs() < 1e-5);
}

#[test]
fn a_pair_of_olfati_saber_settles_at_the_spacing() {
    let mut world = world::<2>(1000.0, Edge::Open, 0.02);
    let kind = world.add_species(Species::new("robot").with_motion(OlfatiSaber::<2>::default())).unwrap();
    let pair = [[10.0, 10.0], [17.5, 10.0]].map(|at| world.spawn(kind, at, [0.25, 0.5]).unwrap());
    (0..3000).for_each(|_| world.step());
    let [a, b] = pair.map(|agent| (world.position(agent).unwrap(), world.velocity(agent).unwrap()));
    assert!(((b.0 - a.0).length() - 7.0).abs() < 1e-3, "{a:?} {b:?}");
    assert!((a.1 - Vector([0.25, 0.5])).length() < 1e-3 && (b.1 - a.1).length() < 1e-3, "{a:?} {b:?}");
}

#[test]
fn a_world_with_every_motion_is_saved_and_loaded() {
    for motion in Registry::new().motions::<2>() {
        let mut species = Species::new("agent").with_max_speed(0.5);
        let mut changed = motion.duplicate();
        if let Some(number) = changed.get("noise").and_then(|noise| noise.number()) {
            changed.set("noise", &(0.5 * number).into()).unwrap();
        }
        species.motion = Some(std::sync::Arc::from(changed as Box<dyn Motion<2>>));
        let (mut world, kind) = crowd(world(10.0, Edge::Wrap, 0.1), species, 40, 0.5);
        (0..3).for_each(|_| world.step());
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let mut again = World::<2>::load(&bytes[..]).unwrap();
        (0..3).for_each(|_| (world.step(), again.step()).1);
        assert_eq!(world.state_hash(), again.state_hash(), "{}", motion.rule());
        assert!(again.set_parameter(kind, "motion.unknown", 1.0).is_err());
        if motion.get("noise").is_some() {
            again.set_parameter(kind, "motion.noise", 0.25).unwrap();
            assert_ne!(world.state_hash(), again.state_hash(), "{}", motion.rule());
            assert!(again.set_parameter(kind, "motion.noise", -1.0).unwrap_err().to_string().contains("noise = -1"));
        }
    }
}

mod files {
    use throng_scenario::Scenario;

    fn parse(motion: &str) -> Result<Scenario, String> {
        let text = format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [7.0, 7.0]\n[species.bird]\ncount = 3\nmotion = {motion}\n"
        );
        Scenario::parse(&text, "birds.toml").map_err(|problems| problems.to_string())
    }

    #[test]
    fn a_motion_of_a_file_has_its_parameters() {
        let world = parse("{ model = \"vicsek\", noise = 2.5, moved_with = \"new_heading\" }").unwrap();
        let world = world.build::<2>().unwrap();
        let species = world.species(world.find_species("bird").unwrap()).unwrap();
        let table = species.motion.as_ref().unwrap().table().unwrap();
        assert_eq!(table.get("noise").unwrap().number(), Some(2.5));
        assert_eq!(table.get("moved_with").unwrap().word(), Some("new_heading"));
    }

    #[test]
    fn a_wrong_motion_is_refused_with_its_place_and_range() {
        for (motion, parts) in [
            (
                "{ model = \"vicsek\", noise = -1.0 }",
                &["birds.toml:7:", "species.bird.motion.noise", "-1", "[0, 6.28"][..],
            ),
            ("{ model = \"vicsek\", nose = 1.0 }", &["birds.toml:7:", "species.bird.motion.nose", "noise"]),
            ("{ model = \"vixek\" }", &["species.bird.motion.model", "vixek", "vicsek"]),
            ("{ noise = 1.0 }", &["species.bird.motion.model"]),
            ("\"vicsek\"", &["species.bird.motion", "a table with a model"]),
        ] {
            let refused = parse(motion).unwrap_err();
            assert!(parts.iter().all(|part| refused.contains(part)), "{motion}: {refused}");
        }
    }
}

mod own {
    use throng::parameters::{Kind, Range};
    use throng::{AgentRef, Error, Motion, Registry, Species, Vector, World};

    throng::rule! {
        /// The agent moves along one axis.
        "conveyor": "Is carried along the first axis."
        pub struct Conveyor {
            /// Speed of the belt.
            pub speed: f32 = 2.0, "m/s", Kind::Number(Range::from(0.0, 10.0));
        }
    }

    impl<const D: usize> Motion<D> for Conveyor {
        fn velocity(&self, _me: &AgentRef<'_, D>, _wanted: Vector<D>) -> Vector<D> {
            Vector::from_fn(|axis| if axis == 0 { self.speed } else { 0.0 })
        }

        throng::reflect!(motion);
    }

    #[test]
    fn a_motion_of_a_user_has_a_name() {
        let registry = Registry::new().with_motion(Conveyor { speed: 3.0 }).unwrap();
        assert!(matches!(registry.clone().with_motion(Conveyor::default()), Err(Error::RuleTaken(_))));
        assert!(Registry::new().with_motion(Conveyor { speed: 11.0 }).is_err());
        assert_ne!(registry, Registry::new());
        let mut world = World::<3>::new(throng::Settings::default()).unwrap();
        let kind = world.add_species(Species::new("crate").with_motion(Conveyor { speed: 4.0 })).unwrap();
        let agent = world.spawn(kind, [1.0, 1.0, 1.0], [0.0; 3]).unwrap();
        world.step();
        assert_eq!(world.velocity(agent).unwrap(), Vector([4.0, 0.0, 0.0]));
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        assert!(World::<3>::load(&bytes[..]).is_err(), "the built-in registry lacks the motion");
        let again = World::<3>::load_with(&bytes[..], &registry).unwrap();
        assert_eq!(again.state_hash(), world.state_hash());
    }

    #[test]
    fn files_take_a_motion_of_a_user() {
        let text = "format = 1\n[world]\ndimensions = 3\nsize = [9.0, 9.0, 9.0]\n[species.box]\ncount = 1\n\
                    motion = { model = \"conveyor\" }\n";
        let registry = Registry::new().with_motion(Conveyor { speed: 3.0 }).unwrap();
        let scenario = throng_scenario::Scenario::parse_in(&registry, text, "belt.toml", &[]).unwrap();
        let mut world = scenario.build::<3>().unwrap();
        world.step();
        let boxes = world.agents(world.find_species("box").unwrap()).unwrap();
        assert_eq!(boxes.velocity(0), Vector([3.0, 0.0, 0.0]));
        assert!(throng_scenario::Scenario::parse(text, "belt.toml").is_err());
    }
}

#[test]
fn a_motion_prefers_the_velocity_that_rules_want() {
    let mut world = world::<2>(100.0, Edge::Open, 0.1);
    let seek = Seek { target: [50.0, 20.0].into() };
    let walker = Species::new("walker")
        .with(1.0, seek)
        .with_motion(Orca { sidestep: 0.0, ..Orca::default() })
        .with_max_speed(2.0);
    let walker = world.add_species(walker).unwrap();
    let id = world.spawn(walker, [20.0, 20.0], [0.5, 1.0]).unwrap();
    world.step();
    // Full speed towards the target, whatever the velocity was.
    let preferred = world.preferred_velocity(id).unwrap();
    assert!(preferred.distance(Vector([2.0, 0.0])) < 1e-5, "{preferred:?}");
    assert_eq!(world.velocity(id).unwrap(), preferred);
}
