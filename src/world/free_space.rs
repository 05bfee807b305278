//! Whether a body has room somewhere: clear of obstacles, walls and agents.

use std::fmt;

use fearless_simd::Level;

use crate::base::error::Error;
use crate::base::settings::{Settings, within_limit};
use crate::base::values::{Allowed, Range};
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::kernels::simd::InstructionSet;
use crate::maths::Vector;
use crate::world::World;
use crate::world::compiled::Compiled;

/// Where bodies have room: a view of an environment, or of a world with its agents, for many questions.
///
/// A place is free if a body there overlaps no obstacle, no wall that exists at the time and, in a world, no agent, and
/// if its centre is on the side of closed walls on which agents start ([`Wall::solid`](crate::Wall::solid)): neither in
/// a column nor outside of a building.
///
/// ```
/// use throng::{FreeSpace, Obstacle, Settings, Species, Vector, Wall, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let visitor = world.add_species(Species::new("visitor").with_radius(0.3))?;
/// world.environment_mut().obstacles.add(Obstacle::new([50.0, 50.0], 2.0))?;
/// world.environment_mut().walls.add(Wall::segment([20.0, 10.0], [20.0, 30.0]))?;
/// world.spawn(visitor, [10.0, 10.0], [0.0, 0.0])?;
///
/// let space = world.free_space();
/// assert!(space.is_free([30.0, 30.0], 0.3)?);
/// assert!(!space.is_free([51.0, 50.0], 0.3)? && !space.is_free([20.1, 20.0], 0.3)? && !space.is_free([10.5, 10.0], 0.3)?);
/// // Before there is a world, without agents.
/// let space = FreeSpace::new(world.environment(), world.settings(), &[]);
/// assert!(space.is_free([10.5, 10.0], 0.3)?);
/// # Ok::<(), throng::Error>(())
/// ```
pub struct FreeSpace<'a, const D: usize> {
    settings: &'a Settings<D>,
    environment: &'a Environment<D>,
    index: EnvironmentIndex<D>,
    /// The simulated time, in seconds.
    seconds: f64,
    /// The agents, and the largest radius of one.
    agents: Option<(&'a World<D>, f32)>,
}

impl<const D: usize> fmt::Debug for FreeSpace<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreeSpace").field("seconds", &self.seconds).finish_non_exhaustive()
    }
}

impl<'a, const D: usize> FreeSpace<'a, D> {
    /// The free space of an environment at the time zero. `starts` has points of each region in which agents will
    /// start, such as its [`samples`](crate::Shape::samples): like a region of the environment, one that a closed wall
    /// encloses makes the wall the outline of a building, unless the wall says on which side agents start.
    #[must_use]
    pub fn new(environment: &'a Environment<D>, settings: &'a Settings<D>, starts: &[Vec<[f64; 2]>]) -> Self {
        let level = InstructionSet::widest().level().unwrap_or_else(Level::new);
        let index = (Compiled::functions().index_starts)(level, environment, settings, starts);
        Self { settings, environment, index, seconds: 0.0, agents: None }
    }

    /// Whether a body of this radius in metres has room at a point.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the point or the radius is not finite or beyond [`LIMIT`](crate::LIMIT), or the radius is
    /// negative.
    pub fn is_free(&self, point: impl Into<Vector<D>>, radius: f32) -> Result<bool, Error> {
        let point = within_limit("point", point.into(), "m")?;
        if !Range::LENGTH.contains(radius.into()) {
            return Err(Error::bad("radius", radius, Allowed::number(Range::LENGTH, "m")));
        }
        let Self { settings, environment, index, seconds, agents } = self;
        let functions = Compiled::functions();
        Ok((functions.has_room)(environment, index, settings, *seconds, point, radius)
            && agents.is_none_or(|(world, widest)| !(functions.touches)(world, point, radius, widest)))
    }

    /// Whether agents that start anywhere in the world may start at a point: not in a column, and inside where closed
    /// walls are outlines of buildings, also of those whose outside [`is_free`](Self::is_free) allows because they do not
    /// say on which side agents start.
    #[must_use]
    pub fn is_ground(&self, point: impl Into<Vector<D>>) -> bool {
        self.index.ground.holds(self.settings, point.into(), true)
    }
}

impl<const D: usize> World<D> {
    /// Where a body has room now, for many questions: the obstacles and walls are indexed once.
    #[must_use]
    pub fn free_space(&self) -> FreeSpace<'_, D> {
        let widest = self.state.widest();
        let space = FreeSpace::new(self.environment(), self.settings(), &[]);
        FreeSpace { seconds: self.view().seconds(), agents: Some((self, widest)), ..space }
    }

    /// Whether a body at a point overlaps an agent, none of which is wider than `widest`.
    pub(super) fn touches(&self, point: Vector<D>, radius: f32, widest: f32) -> bool {
        self.everyone().touch(&self.settings().period(), (point, radius), widest, &mut Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Edge, Noise, Obstacle, Settings, Species, Vector, World};

    /// A place is free unless an obstacle or an agent, one by one, overlaps it: also across the seam, for agents that
    /// were added since the last tick and those that moved in it.
    #[test]
    fn free_places_are_those_of_a_search_one_by_one() {
        let settings = Settings::<2> { size: Vector([20.0; 2]), edge: [Edge::Wrap; 2], ..Settings::default() };
        let (mut world, mut noise) = (World::new(settings).unwrap(), Noise::new(5, 0, 0, Noise::USER));
        let kinds = [0.2, 0.5].map(|radius| Species::new(format!("of{radius}")).with_radius(radius));
        let kinds = kinds.map(|species| world.add_species(species).unwrap());
        let mut point = || Vector([0, 1].map(|_| noise.between(0.0, 20.0)));
        for _ in 0..5 {
            let obstacle = Obstacle::new(point(), 1.0);
            world.environment_mut().obstacles.add(obstacle).unwrap();
        }
        for number in 0..120 {
            if number == 60 {
                world.step();
            }
            world.spawn(kinds[number % 2], point(), [1.0, 0.0]).unwrap();
        }
        let space = world.free_space();
        let mut count = 0;
        for _ in 0..500 {
            let at = point();
            let near = |centre: Vector<2>, reach: f32| {
                world.settings().offset(at, centre).length_squared() < (reach + 0.3) * (reach + 0.3)
            };
            let obstacles = world.environment().obstacles.items().iter().any(|disc| near(disc.centre, disc.radius));
            let agents = world
                .all_agents()
                .iter()
                .any(|agents| (0..agents.len()).any(|row| near(agents.position(row), agents.radius(row))));
            assert_eq!(space.is_free(at, 0.3).unwrap(), !obstacles && !agents, "{at:?}");
            count += usize::from(!obstacles && !agents);
        }
        assert!((50..450).contains(&count), "{count}");
        for (at, radius) in [([f32::NAN, 0.0], 0.3), ([2e6, 0.0], 0.3), ([1.0; 2], -1.0), ([1.0; 2], f32::NAN)] {
            assert!(space.is_free(at, radius).is_err(), "{at:?} {radius}");
        }
    }
}
