//! Random initial positions and velocities of the agents of a scenario.

use std::ops::Range;

use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow};
use crate::base::settings::{Edge, Settings};
use crate::environment::index::EnvironmentIndex;
use crate::environment::tree::Aabb;
use crate::environment::{Environment, Obstacle};
use crate::maths::{Noise, Vector, sin_cos};
use crate::scenario::definition::{Group, Scenario};
use crate::scenario::start::{Heading, Start, StartRegion, in_dimensions};
use crate::species::start_speed;
use crate::world::World;

/// The largest number of draws for a position clear of obstacles when a scenario is checked, for one agent.
pub(crate) const CHECK_DRAWS: u32 = 1000;

/// The same for each agent when a world is built.
const DRAWS: u32 = 100_000;

/// The column of the numbers of groups.
pub(super) const GROUP: &str = "group";

/// The start of an agent.
pub(super) struct AgentStart<const D: usize> {
    /// Its number in its species.
    pub(super) number: u64,
    pub(super) id: AgentId,
    pub(super) position: Vector<D>,
    pub(super) velocity: Vector<D>,
    heading: Vector<D>,
    goal: Option<Vector<D>>,
    group: Option<u32>,
}

impl<const D: usize> AgentStart<D> {
    /// Sets the goal and the group of the agent, which a world has at this row, and the heading of one at rest.
    pub(super) fn complete(&self, world: &mut World<D>, at: AgentRow) -> Result<(), Error> {
        world.face_at_rest(at, self.heading);
        if let Some(group) = self.group {
            world.set_value_at(at, GROUP, group)?;
        }
        if self.goal.is_some() {
            world.set_goal_at(at, self.goal)?;
        }
        Ok(())
    }
}

impl Start {
    /// Draws a position. On a circle and from a file it is not drawn, and follows from the number of the agent among
    /// this many.
    fn draw_position<const D: usize>(
        &self,
        settings: &Settings<D>,
        noise: &mut Noise,
        [number, count]: [u64; 2],
    ) -> Vector<D> {
        let turn = number as f64 / count as f64;
        let mut position = match &self.region {
            StartRegion::Recorded(agents) => {
                let recorded = agents.get(number as usize).map_or([0.0; 3], |agent| agent.position);
                in_dimensions(&recorded)
            }
            StartRegion::All => Vector::from_fn(|axis| noise.between(0.0, settings.size[axis])),
            StartRegion::Disc(centre, radius) => {
                let offset = noise.in_ball::<D>() * *radius;
                Vector::from_fn(|axis| centre[axis] + offset[axis])
            }
            StartRegion::Circle(centre, radius) => {
                let (sine, cosine) = sin_cos((turn * std::f64::consts::TAU) as f32);
                let offset = [cosine, sine];
                Vector::from_fn(|axis| centre[axis] + offset.get(axis).map_or(0.0, |along| along * radius))
            }
            StartRegion::Box(centre, size) => {
                Vector::from_fn(|axis| centre[axis] + noise.between(-0.5 * size[axis], 0.5 * size[axis]))
            }
        };
        for axis in 0..D {
            if !matches!(settings.edge[axis], Edge::Wrap | Edge::Open) {
                // Rounding of the sum may move the position beyond a boundary.
                position[axis] = position[axis].clamp(0.0, settings.size[axis]);
            }
        }
        position
    }

    /// The point opposite a position, beyond the centre of the region.
    fn opposite<const D: usize>(&self, settings: &Settings<D>, position: Vector<D>) -> Vector<D> {
        let centre = match &self.region {
            StartRegion::All | StartRegion::Recorded(_) => settings.size * 0.5,
            StartRegion::Disc(centre, _) | StartRegion::Circle(centre, _) | StartRegion::Box(centre, _) => {
                in_dimensions(centre)
            }
        };
        centre + (centre - position)
    }
}

/// The obstacles and walls, which agents must not overlap when they start, and their index.
#[derive(Debug)]
pub(crate) struct OccupiedSpace<'a, const D: usize> {
    environment: &'a Environment<D>,
    index: EnvironmentIndex<D>,
}

impl<'a, const D: usize> OccupiedSpace<'a, D> {
    pub(crate) fn new(environment: &'a Environment<D>, settings: &Settings<D>) -> Self {
        let mut index = EnvironmentIndex::default();
        index.update(environment, settings);
        Self { environment, index }
    }

    /// Whether a body of this radius touches an obstacle or a wall, or its centre is inside a solid.
    pub(super) fn touches(&self, settings: &Settings<D>, position: Vector<D>, radius: f32) -> bool {
        let mut near = Vec::new();
        self.index.obstacles_within(&Aabb { centre: position, half: Vector::ZERO }, radius, &mut near);
        let overlaps = |&number: &u32| {
            let obstacle: &Obstacle<D> = &self.environment.obstacles()[number as usize];
            let reach = obstacle.radius + radius;
            settings.offset(position, obstacle.centre).length_squared() < reach * reach
        };
        near.iter().any(overlaps) || self.is_walled(settings, position, radius, &mut near)
    }

    /// Whether a body of this radius touches a wall, or its centre is inside a solid one.
    fn is_walled(&self, settings: &Settings<D>, position: Vector<D>, radius: f32, near: &mut Vec<u32>) -> bool {
        if self.environment.walls().is_empty() {
            return false;
        }
        self.index.walls.find(&Aabb { centre: position, half: Vector::splat(radius) }, near);
        self.environment.is_walled(&self.index.walls, near, settings, 0.0, position, radius)
    }
}

impl Group {
    /// Returns whether the draws find a position clear of obstacles for one agent.
    pub(crate) fn finds_place<const D: usize>(&self, scenario: &Scenario) -> bool {
        // The places of a file are taken as they are.
        let searched = self.count > 0 && !matches!(self.start.region, StartRegion::Recorded(_));
        let Some(settings) = scenario.settings::<D>().filter(|_| searched) else { return true };
        let mut noise = Noise::new(settings.seed, 0, 0, Noise::PLACE);
        let mut environment = Environment::default();
        // An environment that a world refuses is reported when the world is built.
        if scenario.environment.build(&mut environment).is_err() {
            return true;
        }
        self.draw_position(&settings, &OccupiedSpace::new(&environment, &settings), &mut noise, 0, CHECK_DRAWS).1
    }

    /// Draws the starts of the agents with these numbers in their species, whose first agent has the id `first`.
    pub(super) fn starts<'a, const D: usize>(
        &'a self,
        settings: &'a Settings<D>,
        occupied: &'a OccupiedSpace<'a, D>,
        first: u64,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = AgentStart<D>> + 'a {
        let mut gathering = self.gathering();
        // A member of a group starts beside the first one, so groups are drawn from the first agent on.
        let drawn = if gathering.is_some() { 0 } else { numbers.start };
        let starts = (drawn..numbers.end).map(move |number| {
            // A new world assigns ids in order, so the draws of an agent are known before it is spawned.
            let id = AgentId::from_bits(first + number);
            let (mut position, velocity, heading, goal) = self.draw(settings, occupied, id, number);
            if let Some(gathering) = &mut gathering {
                position = gathering.join(settings, occupied, id, position);
            }
            let group = gathering.as_ref().map(|gathering| gathering.number);
            AgentStart { number, id, position, velocity, heading, goal, group }
        });
        starts.skip((numbers.start - drawn) as usize)
    }

    /// Draws the initial position, velocity and heading of the agent with this number in its species, and its goal, if
    /// the agents of the species have goals of their own.
    pub(crate) fn draw<const D: usize>(
        &self,
        settings: &Settings<D>,
        occupied: &OccupiedSpace<'_, D>,
        id: AgentId,
        number: u64,
    ) -> (Vector<D>, Vector<D>, Vector<D>, Option<Vector<D>>) {
        let mut noise = Noise::new(settings.seed, id.to_bits(), 0, Noise::PLACE);
        let (position, _) = self.draw_position(settings, occupied, &mut noise, number, DRAWS);
        let recorded: Option<Vector<D>> = match &self.start.region {
            StartRegion::Recorded(agents) => agents.get(number as usize).map(|agent| in_dimensions(&agent.velocity)),
            _ => None,
        };
        let heading = match (&self.start.heading, recorded) {
            (Heading::Random, Some(velocity)) => velocity.direction(),
            (Heading::Random, None) => noise.direction(),
            (Heading::Along(vector), _) => Vector::from_fn(|axis| vector[axis]).direction(),
        };
        let speed = match (self.start.speed, recorded) {
            (Some(speed), _) => speed.draw(&mut noise),
            (None, Some(velocity)) => velocity.length(),
            (None, None) => start_speed(self.quantities[2], settings.seed, id),
        };
        let goal = self.start.opposite.then(|| self.start.opposite(settings, position));
        (position, heading * speed, heading, goal)
    }

    /// Draws positions until one is clear of obstacles, at most `draws` times. Returns the last position, and whether
    /// it is clear.
    fn draw_position<const D: usize>(
        &self,
        settings: &Settings<D>,
        occupied: &OccupiedSpace<'_, D>,
        noise: &mut Noise,
        number: u64,
        draws: u32,
    ) -> (Vector<D>, bool) {
        let radius = self.quantities[1].largest();
        let mut position = Vector::ZERO;
        let is_drawn = !matches!(self.start.region, StartRegion::Circle(..) | StartRegion::Recorded(_));
        for _ in 0..if is_drawn { draws } else { 1 } {
            position = self.start.draw_position(settings, noise, [number, self.count]);
            if !occupied.touches(settings, position, radius) {
                return (position, true);
            }
        }
        (position, false)
    }
}
