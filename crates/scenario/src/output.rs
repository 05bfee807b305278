//! The output settings of a scenario: trajectory and picture.

/// The output of a run of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The interval in ticks at which positions and velocities are written; `None` for never.
    pub trajectory_every: Option<u64>,
    /// Whether a trajectory also has positions without the jumps at the seams of a periodic world.
    pub trajectory_unwrapped: bool,
    /// The quantity that the colour of an agent shows; `None` to choose by the number of species.
    pub colour: Option<Colour>,
    /// The width of the picture in pixels; `None` to choose by the shape of the world.
    pub width: Option<u32>,
    /// The height of the picture in pixels; `None` to choose by the shape of the world.
    pub height: Option<u32>,
    /// Whether every tick is tested for agents that cross walls.
    pub audit: bool,
}

/// The quantity that the colour of an agent shows in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The species.
    Species,
    /// The direction of motion.
    Heading,
    /// The speed.
    Speed,
    /// The number of agents nearby.
    Neighbours,
    /// The state and the species.
    State,
}

impl Colour {
    /// All variants, in the order of their documentation.
    pub const ALL: [Self; 5] = [Self::Species, Self::Heading, Self::Speed, Self::Neighbours, Self::State];

    /// The name in a scenario file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Species => "species",
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Neighbours => "neighbours",
            Self::State => "state",
        }
    }
}
