//! The numbers that an agent draws when it is spawned: functions of the seed of its world and of its id.

use crate::agents::BodyQuantities;
use crate::base::ids::AgentId;
use crate::environment::{Collection, Navigation};
use crate::maths::Noise;
use crate::species::tables::{BODY_QUANTITIES, MASS, MAX_SPEED, RADIUS_OF_BODY};
use crate::species::{Distribution, Familiar, Quantity, Species, tables};

/// The stream of an agent's kind, after the streams of its body and of its times.
const KIND: u64 = (BODY_QUANTITIES + tables::TIMES.len()) as u64;

impl<const D: usize> Species<D> {
    /// The place of an agent's kind in [`kinds`](Self::kinds), which it draws when it is spawned in a world with this
    /// seed; `None` if it has the quantities of the species.
    #[must_use]
    pub fn start_kind(&self, seed: u64, agent: AgentId) -> Option<usize> {
        if self.kinds.is_empty() {
            return None;
        }
        let mut left = Noise::new(seed, agent.to_bits(), KIND, Noise::BODY).unit();
        self.kinds.iter().position(|kind| {
            let is_it = left < kind.share;
            left -= kind.share;
            is_it
        })
    }

    /// Draws one of [`TIMES`](crate::species::tables::TIMES) for an agent.
    pub(crate) fn draw_time(&self, number: usize, seed: u64, agent: AgentId) -> Option<f32> {
        let noise = || Noise::new(seed, agent.to_bits(), (BODY_QUANTITIES + number) as u64, Noise::BODY);
        let kind = || self.start_kind(seed, agent).and_then(|kind| self.kinds[kind].pre_movement);
        let time = if number == 0 { kind().or(self.pre_movement) } else { self.times()[number] };
        time.map(|time| time.draw_from(noise))
    }

    pub(crate) fn body(&self) -> BodyQuantities {
        let varying = |number: usize| {
            let is_shared = self.kinds.iter().all(|kind| kind.quantity(number).is_none());
            tables::varying(self.quantities()[number], is_shared)
        };
        BodyQuantities { mass: varying(0), radius: varying(1), max_speed: varying(2), max_force: varying(3) }
    }

    /// Draws one quantity of an agent's body. Each quantity has its own random numbers, so a change of one quantity of
    /// the species does not change the others.
    pub(crate) fn draw(&self, quantity: usize, seed: u64, agent: AgentId) -> f32 {
        let kind = self.start_kind(seed, agent).map(|kind| &self.kinds[kind]);
        let own = kind.and_then(|kind| kind.quantity(quantity));
        // The widest of a kind are the heaviest.
        let stream = if own.is_some() && quantity == MASS { RADIUS_OF_BODY } else { quantity };
        let noise = || Noise::new(seed, agent.to_bits(), stream as u64, Noise::BODY);
        match (own, kind) {
            (Some(Distribution::Population(population)), Some(kind)) => {
                population.draw(&mut noise(), kind.ages, kind.sex)
            }
            (Some(own), _) => own.draw_from(noise),
            (None, _) => self.quantities()[quantity].draw_from(noise),
        }
    }

    /// The largest value of a quantity that an agent of any kind can draw.
    #[must_use]
    pub fn largest(&self, quantity: Quantity) -> f32 {
        let own = self.quantity(quantity).largest();
        let of_kinds = self.kinds.iter().filter_map(|kind| kind.quantity(quantity as usize));
        of_kinds.map(Distribution::largest).fold(own, |most, largest| if largest > most { largest } else { most })
    }

    /// The speed in metres per second with which a scenario file starts an agent if it names none: the largest speed that
    /// the agent draws when it is spawned, or the low end of an interval.
    #[must_use]
    pub fn start_speed(&self, seed: u64, agent: AgentId) -> f32 {
        match self.max_speed {
            Distribution::Uniform(low, _) if self.start_kind(seed, agent).is_none() => low,
            _ => self.draw(MAX_SPEED, seed, agent),
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
        self.draw(RADIUS_OF_BODY, seed, agent)
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

    /// Whether its agents know some goals and not others.
    pub(crate) fn knows_some(&self) -> bool {
        !self.familiar.is_empty() || self.kinds.iter().any(|kind| !kind.familiar.is_empty())
    }

    /// The goals that an agent knows when it is spawned in a world with this seed and these navigations, as the column
    /// `familiar` holds them ([`WalkTo`](crate::behaviours::WalkTo)), if the draw of `first` decides: of the first agent
    /// of its group. `None` if its agents know all goals.
    #[must_use]
    pub fn start_familiar<const E: usize>(
        &self,
        navigations: &Collection<Navigation<E>>,
        seed: u64,
        agent: AgentId,
        first: AgentId,
    ) -> Option<u32> {
        self.known_goals(navigations, (seed, agent, first), self.start_radius(seed, agent))
    }

    /// The same of an agent with this radius.
    pub(crate) fn known_goals<const E: usize>(
        &self,
        navigations: &Collection<Navigation<E>>,
        (seed, agent, first): (u64, AgentId, AgentId),
        radius: f32,
    ) -> Option<u32> {
        let of_kind = self.start_kind(seed, agent).map_or(&[][..], |kind| &self.kinds[kind].familiar);
        let shares = [&self.familiar[..], of_kind];
        self.knows_some().then(|| Familiar::known(shares, navigations, (seed, first), radius))
    }
}
