//! The numbers that an agent draws when it is spawned: functions of the seed of its world and of its id.

use crate::agents::BodyQuantities;
use crate::base::ids::AgentId;
use crate::maths::Noise;
use crate::species::tables::BODY_QUANTITIES;
use crate::species::{Distribution, Species, tables};

impl<const D: usize> Species<D> {
    /// Draws one of [`TIMES`](crate::species::tables::TIMES) for an agent.
    pub(crate) fn draw_time(&self, number: usize, seed: u64, agent: AgentId) -> Option<f32> {
        let noise = || Noise::new(seed, agent.to_bits(), (BODY_QUANTITIES + number) as u64, Noise::BODY);
        self.times()[number].map(|time| time.draw_from(noise))
    }

    pub(crate) fn body(&self) -> BodyQuantities {
        BodyQuantities {
            mass: tables::varying(self.mass),
            radius: tables::varying(self.radius),
            max_speed: tables::varying(self.max_speed),
            max_force: tables::varying(self.max_force),
        }
    }

    /// Draws one quantity of an agent's body. Each quantity has its own random numbers, so a change of one quantity of
    /// the species does not change the others.
    pub(crate) fn draw(&self, quantity: usize, seed: u64, agent: AgentId) -> f32 {
        let distribution = [self.mass, self.radius, self.max_speed, self.max_force][quantity];
        distribution.draw_from(|| Noise::new(seed, agent.to_bits(), quantity as u64, Noise::BODY))
    }

    /// The speed in metres per second with which a scenario file starts an agent if it names none: the largest speed that
    /// the agent draws when it is spawned, or the low end of an interval.
    #[must_use]
    pub fn start_speed(&self, seed: u64, agent: AgentId) -> f32 {
        match self.max_speed {
            Distribution::Uniform(low, _) => low,
            _ => self.draw(2, seed, agent),
        }
    }

    /// The radius in metres that an agent draws when it is spawned in a world with this seed. A host knows it before it
    /// spawns the agent, and so finds room for its body: a new world assigns ids in order, from
    /// [`AgentId::from_bits`]`(0)` on.
    ///
    /// ```
    /// use throng::{AgentId, Distribution, Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let child = Species::new("child").with_radius(Distribution::Uniform(0.15, 0.25));
    /// let radius = child.start_radius(world.settings().seed, AgentId::from_bits(0));
    /// let species = world.add_species(child)?;
    /// world.spawn(species, [10.0, 10.0], [0.0, 0.0])?;
    /// assert_eq!(world.agents(species)?.radius(0), radius);
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[must_use]
    pub fn start_radius(&self, seed: u64, agent: AgentId) -> f32 {
        self.draw(1, seed, agent)
    }

    /// The time in seconds for which an agent rests after it is spawned in a world with this seed; `None` without
    /// [`pre_movement`](Self::pre_movement).
    #[must_use]
    pub fn start_pre_movement(&self, seed: u64, agent: AgentId) -> Option<f32> {
        self.draw_time(0, seed, agent)
    }

    /// Draws the quantities of an agent's body: mass, radius, largest speed, largest force.
    pub(crate) fn draw_body(&self, seed: u64, agent: AgentId) -> [f32; BODY_QUANTITIES] {
        std::array::from_fn(|quantity| self.draw(quantity, seed, agent))
    }
}
