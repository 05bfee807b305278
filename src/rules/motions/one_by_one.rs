//! Tests: the kernels of walkers and flocks give the same bits as one agent at a time.

use crate::base::settings::{Edge, Settings};
use crate::maths::Noise;
use crate::rules::behaviours::Seek;
use crate::rules::interface::{AgentRef, Inputs};
use crate::rules::motion::Motion;
use crate::rules::motions::{
    CollisionFreeSpeed, Couzin, CuckerSmale, DOrsogna, GregoireChate, Integrator, OlfatiSaber, Orca, Pedvo, SocialForce,
};
use crate::species::{Distribution, Species};
use crate::{Vector, Wall, WallShape, World};

/// A motion without its kernels.
#[derive(Clone, Debug)]
struct OneByOne<M>(M);

impl<const D: usize, M: Motion<D>> Motion<D> for OneByOne<M> {
    fn inputs(&self) -> Inputs {
        self.0.inputs()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        self.0.velocity(me, wanted)
    }

    fn is_explicit(&self) -> bool {
        self.0.is_explicit()
    }

    fn displaces(&self) -> bool {
        self.0.displaces()
    }

    fn displacement(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        self.0.displacement(me)
    }
}

/// Two species of walkers, some at one point, in a crowd of `size` metres.
fn world<const D: usize>(motion: impl Motion<D> + Clone, edge: Edge, size: f32, walls: bool) -> World<D> {
    let settings =
        Settings { size: Vector::splat(size), edge: [edge; D], tick_seconds: 0.05, seed: 4, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let mut noise = Noise::new(21, 0, 0, 0);
    if walls {
        let mut add = |shape| world.environment_mut().walls.add(Wall::new(shape)).unwrap();
        add(WallShape::Box { centre: Vector::splat(0.3 * size), half: Vector::splat(0.05 * size) });
        add(WallShape::Ball { centre: Vector::splat(0.7 * size), radius: 0.1 * size });
        if D == 2 {
            let points = [[0.1, 0.5], [0.5, 0.5], [0.6, 0.9]];
            let points = points.map(|at: [f32; 2]| Vector::from_fn(|axis| at[axis] * size)).to_vec();
            add(WallShape::Path { points, closed: false });
        }
    }
    for (name, at) in [("here", 0.2), ("there", 0.8)] {
        let rule = Seek { target: Vector::<D>::splat(at * size).0.into() };
        let species = Species::new(name)
            .with_mass(60.0)
            .with_radius(if name == "here" { 0.3.into() } else { Distribution::Uniform(0.2, 0.4) })
            .with_max_speed(Distribution::Uniform(0.5, 2.0))
            .with_variable("priority", 1.0, 0.0, 9.0)
            .with_motion(motion.clone())
            .with(1.0, rule);
        let species = world.add_species(species).unwrap();
        for number in 0..150 {
            let at = if number % 50 == 7 {
                Vector::splat(0.4 * size)
            } else {
                Vector::from_fn(|_| noise.between(0.0, size))
            };
            let velocity = if number % 50 == 7 { Vector::ZERO } else { noise.in_ball::<D>() };
            let id = world.spawn(species, at, velocity).unwrap();
            if number % 3 == 0 {
                world.set_column_value(id, "priority", noise.between(0.0, 2.0)).unwrap();
            }
        }
    }
    world
}

fn bits<const D: usize>(world: &World<D>) -> Vec<u32> {
    let columns =
        world.all_agents().iter().flat_map(|agents| agents.positions().into_iter().chain(agents.velocities()));
    columns.flatten().map(|number| number.to_bits()).collect()
}

fn compare<const D: usize>(motion: impl Motion<D> + Clone) {
    for (edge, size, walls) in
        [(Edge::Wrap, 12.0, false), (Edge::Open, 40.0, false), (Edge::Bounce, 18.0, true), (Edge::Wrap, 25.0, true)]
    {
        let mut many = world(motion.clone(), edge, size, walls);
        let mut single = world(OneByOne(motion.clone()), edge, size, walls);
        for tick in 0..20 {
            many.step();
            single.step();
            let (many, single) = (bits(&many), bits(&single));
            let different = many.iter().zip(&single).filter(|(a, b)| a != b).count();
            assert_eq!(different, 0, "of {} in tick {tick}: {motion:?} {edge:?} {size} {walls}", many.len());
            assert!(many.iter().all(|&bits| f32::from_bits(bits).is_finite()));
        }
    }
}

#[test]
fn kernels_match_single_agents() {
    compare::<2>(Orca::default());
    compare::<2>(Orca { max_neighbours: 3, neighbour_dist: 2.0, sidestep: 0.0, ..Orca::default() });
    compare::<3>(Orca { max_neighbours: 5, ..Orca::default() });
    compare::<2>(Pedvo::default());
    compare::<2>(Pedvo { max_neighbours: 4, core: 0.9, ..Pedvo::default() });
    compare::<3>(Pedvo::default());
    compare::<2>(SocialForce::default());
    compare::<3>(SocialForce::default());
    compare::<2>(CollisionFreeSpeed::default());
    compare::<3>(CollisionFreeSpeed::default());
}

#[test]
fn kernels_of_flocks_match_single_agents() {
    fn compare_all<const D: usize>() {
        let approach = CuckerSmale { strength: 1e-3, ..CuckerSmale::default() };
        compare::<D>(CuckerSmale { integrator: Integrator::AdamsBashforth, ..approach.clone() });
        compare::<D>(approach);
        compare::<D>(DOrsogna::default());
        compare::<D>(Couzin::default());
        compare::<D>(Couzin { fov: 360.0, ..Couzin::default() });
        compare::<D>(GregoireChate { radius: 5.0, ..GregoireChate::default() });
        compare::<D>(OlfatiSaber { near: 0.5, far: 1.0, ..OlfatiSaber::default() });
    }
    compare_all::<2>();
    compare_all::<3>();
}
