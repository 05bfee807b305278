//! Random worlds for the oracle: the shape of the crowd, the edge of the world, the species and their rules.

use proptest::prelude::*;
use throng::behaviours::{Alignment, Cohesion, Seek, Separation};
use throng::settings::NeighbourLists;
use throng::{
    Distribution, Edge, Execution, Noise, Settings, Species, SpeciesFilter, SpeciesId, Target, Vector, World,
};

use crate::naive::{Formula, Rule};

/// The species of every test world, in order.
pub(crate) const NAMES: [&str; 2] = ["starling", "hawk"];

/// The response of every species here, in seconds.
pub(crate) const RESPONSE: f32 = 0.25;

/// The shape of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Uniform,
    /// In clumps of about forty.
    Clumps,
    /// All agents on one point.
    OnePoint,
    /// Pairs of coincident agents.
    Pairs,
    /// On both sides of the world's seam.
    Seam,
    /// On whole metres, with exact distances.
    Lattice,
    /// In one corner, except for one agent that is far away.
    Outlier,
    /// In groups of nine: one agent, and pairs on opposite sides of it, so that its sums over neighbours nearly cancel.
    Opposite,
}

/// The description of a world, in two or three dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) shape: Shape,
    /// One per axis.
    pub(crate) edge: [Edge; 3],
    pub(crate) neighbour_lists: NeighbourLists,
    /// The size of the first axis, in metres; the second is longer, the third shorter.
    pub(crate) size: f32,
    /// The number of agents of each species.
    pub(crate) counts: [usize; 2],
    pub(crate) seed: u64,
}

/// Crowds of up to `most` starlings and up to a third of that number of hawks.
pub(crate) fn crowd(most: usize) -> impl Strategy<Value = Crowd> {
    let shape = prop_oneof![
        3 => Just(Shape::Uniform),
        3 => Just(Shape::Clumps),
        1 => Just(Shape::OnePoint),
        1 => Just(Shape::Pairs),
        2 => Just(Shape::Seam),
        1 => Just(Shape::Lattice),
        1 => Just(Shape::Outlier),
        2 => Just(Shape::Opposite),
    ];
    // Small counts occur often: none, one, two, and about a cluster.
    let count = prop_oneof![1 => 0..4usize, 1 => 14..19usize, 4 => 0..=most];
    let hawks = prop_oneof![1 => 0..3usize, 2 => 0..=most / 3];
    let edge = edges(prop_oneof![3 => Just(Edge::Wrap), 1 => Just(Edge::Bounce), 1 => Just(Edge::Open)].boxed());
    let neighbour_lists = prop::sample::select(&[NeighbourLists::Fresh, NeighbourLists::Kept]);
    (shape, edge, neighbour_lists, 8.0f32..64.0, [count.boxed(), hawks.boxed()], any::<u64>()).prop_map(
        |(shape, edge, neighbour_lists, size, counts, seed)| Crowd { shape, edge, neighbour_lists, size, counts, seed },
    )
}

/// One edge for all axes, or one for each.
pub(crate) fn edges(edge: BoxedStrategy<Edge>) -> impl Strategy<Value = [Edge; 3]> {
    prop_oneof![edge.clone().prop_map(|edge| [edge; 3]), [edge.clone(), edge.clone(), edge]]
}

/// Up to `most` rules, with fields of view and radii of every size. Radii suit a world of 64 m, so that many exceed
/// half of a smaller world.
pub(crate) fn rules(most: usize) -> impl Strategy<Value = Vec<Rule>> {
    let kind = prop_oneof![
        3 => Just(Formula::Separation),
        3 => Just(Formula::Alignment),
        3 => Just(Formula::Cohesion),
        1 => (0.0f32..8.0).prop_map(Formula::Seek),
    ];
    let radius = prop_oneof![1 => Just(0.0f32), 4 => 0.1f32..8.0, 3 => 8.0f32..64.0, 1 => Just(3.0), 1 => Just(1e6)];
    let filter = prop_oneof![
        3 => Just(SpeciesFilter::Own),
        2 => Just(SpeciesFilter::All),
        1 => Just(SpeciesFilter::named(NAMES[0])),
        1 => Just(SpeciesFilter::named(NAMES[1])),
        1 => Just(SpeciesFilter::named("absent")),
    ];
    let rule = (kind, -1.0f32..2.0, radius, fov(), filter).prop_map(|(kind, weight, radius, fov, filter)| Rule {
        kind,
        weight,
        radius,
        fov,
        filter,
    });
    prop::collection::vec(rule, 0..=most)
}

/// Fields of view, in degrees.
pub(crate) fn fov() -> impl Strategy<Value = f32> {
    prop_oneof![3 => Just(360.0f32), 1 => Just(270.0), 1 => Just(180.0), 1 => Just(90.0), 1 => 0.0f32..360.0]
}

/// Runs `cases` cases, unless `PROPTEST_CASES` sets the number. The seeds of cases that failed are kept in files and
/// run first.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    config
}

/// A species with these rules.
pub(crate) fn species<const D: usize>(name: &str, rules: &[Rule]) -> Species<D> {
    let mut species = Species::new(name);
    species.response = RESPONSE;
    for Rule { kind, weight, radius, fov, filter } in rules.iter().cloned() {
        species = match kind {
            Formula::Separation => {
                species.with(weight, Separation { radius, fov, from: filter, ..Separation::default() })
            }
            Formula::Alignment => species.with(weight, Alignment { radius, fov, from: filter, ..Alignment::default() }),
            Formula::Cohesion => {
                species.with(weight, Cohesion { radius, fov, from: filter, nearest: 0, ..Cohesion::default() })
            }
            Formula::Seek(target) => species.with(weight, Seek { target: Target::Point(Vector::splat(target)) }),
        };
    }
    species
}

impl Crowd {
    /// Returns the settings of the crowd's world, without a budget of pairs, so that results are exact.
    pub(crate) fn settings<const D: usize>(&self) -> Settings<D> {
        Settings {
            size: Vector::from_fn(|axis| self.size * [1.0, 1.375, 0.75][axis]),
            edge: std::array::from_fn(|axis| self.edge[axis]),
            tick_seconds: 1.0 / 16.0,
            seed: self.seed,
            pair_budget: None,
            ..Settings::default()
        }
    }

    /// Makes the world with two species; speeds and forces vary from starling to starling.
    pub(crate) fn world<const D: usize>(&self, rules: [&[Rule]; 2]) -> World<D> {
        let mut starling = species(NAMES[0], rules[0]);
        starling.max_speed = Distribution::Uniform(2.0, 9.0);
        starling.max_force = Distribution::Uniform(5.0, 50.0);
        self.world_of([starling, species(NAMES[1], rules[1])])
    }

    /// Makes the world of these two species.
    pub(crate) fn world_of<const D: usize>(&self, species: [Species<D>; 2]) -> World<D> {
        let mut world = World::new(self.settings()).unwrap();
        world.set_execution(Execution { neighbour_lists: self.neighbour_lists, ..Execution::default() }).unwrap();
        let ids = species.map(|species| world.add_species(species).unwrap());
        for (number, &id) in ids.iter().enumerate() {
            self.spawn(&mut world, id, self.counts[number]);
        }
        world
    }

    fn spawn<const D: usize>(&self, world: &mut World<D>, species: SpeciesId, count: usize) {
        for number in 0..count {
            let key = (species.number() * 1_000_000 + number) as u64;
            let mut noise = Noise::new(self.seed, key, 0, Noise::USER);
            let position = self.place(&mut noise, number, count);
            // Some agents rest, and so see in all directions.
            let speed = if noise.unit() < 0.125 { 0.0 } else { noise.between(0.1, 6.0) };
            world.spawn(species, position, noise.direction() * speed).unwrap();
        }
    }

    fn place<const D: usize>(&self, noise: &mut Noise, number: usize, count: usize) -> Vector<D> {
        let size = self.settings::<D>().size;
        let shared = |about: usize| Noise::new(self.seed, about as u64, 1, Noise::USER);
        let anywhere = |noise: &mut Noise| Vector::<D>::from_fn(|axis| noise.between(0.0, size[axis]));
        let position = match self.shape {
            Shape::Uniform => anywhere(noise),
            Shape::Clumps => anywhere(&mut shared(number / 40)) + noise.in_ball() * (0.05 * self.size),
            Shape::OnePoint => anywhere(&mut shared(0)),
            Shape::Pairs => anywhere(&mut shared(number / 2)),
            Shape::Seam => Vector::from_fn(|axis| size[axis] * noise.between(0.0, if axis == 0 { 0.1 } else { 1.0 })),
            Shape::Lattice => Vector::from_fn(|axis| (noise.unit() * size[axis]).floor()),
            Shape::Outlier if number > 0 && number + 1 == count => {
                Vector::from_fn(|axis| if self.edge[axis] == Edge::Open { -9e5 } else { size[axis] * 0.9 })
            }
            Shape::Outlier => anywhere(noise) * 0.1,
            Shape::Opposite => {
                let way = shared(1 + number / 9 * 9 + (number % 9).div_ceil(2)).in_ball() * (0.1 * self.size);
                let side = if number.is_multiple_of(9) { 0.0 } else { (number % 2) as f32 * 2.0 - 1.0 };
                anywhere(&mut shared(1_000_000 + number / 9)) + way * side
            }
        };
        let seam = if self.shape == Shape::Seam { 0.05 * size[0] } else { 0.0 };
        let position: Vector<D> = Vector::from_fn(|axis| position[axis] - if axis == 0 { seam } else { 0.0 });
        Vector::from_fn(|axis| match self.edge[axis] {
            // The world wraps the position, or has no edge.
            Edge::Wrap | Edge::Open => position[axis],
            _ => position[axis].clamp(0.0, size[axis]),
        })
    }
}
