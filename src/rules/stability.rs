//! The stability of motions: how far a tick changes velocities, and how long it may be.

/// One tick of the agents of a species, for which a motion estimates its [`Stability`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TickOfSpecies {
    /// The length of the tick in seconds.
    pub tick_seconds: f32,
    /// The mass of an agent in kilograms.
    pub mass: f32,
    /// The largest speed of most agents, in metres per second.
    pub max_speed: f32,
    /// The response of the species in seconds.
    pub response: f32,
    /// The number of its agents.
    pub agents: u64,
    /// The largest distance of two agents inside the world, in metres.
    pub diameter: f32,
}

/// How far a tick changes the velocities of agents, and how long it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stability {
    /// The part of the difference to a velocity that a rule of weight one desires by which a tick changes the velocity;
    /// zero if unknown. Times the sum of the weights of rules that act together: above one a tick carries agents past the
    /// velocity, above two it ends farther from it than it began.
    pub reaction: f32,
    /// The longest tick with which the motion's own forces are stable, in seconds; infinite if unknown.
    pub longest_tick: f32,
}

impl Stability {
    /// A motion without known properties.
    pub const UNKNOWN: Self = Self { reaction: 0.0, longest_tick: f32::INFINITY };

    /// A motion with this [`reaction`](Self::reaction).
    #[must_use]
    pub fn reaction(reaction: f32) -> Self {
        Self { reaction, ..Self::UNKNOWN }
    }

    /// The same with ticks of at most this many seconds. Numbers that are not positive are ignored.
    #[must_use]
    pub fn within(self, longest_tick: f32) -> Self {
        let shorter = longest_tick > 0.0 && longest_tick < self.longest_tick;
        Self { longest_tick: if shorter { longest_tick } else { self.longest_tick }, ..self }
    }
}

impl TickOfSpecies {
    /// The part of a difference of velocities that a force `difference / response` removes in the tick.
    #[must_use]
    pub fn reaction(&self) -> f32 {
        self.tick_seconds / (self.mass * self.response)
    }
}
