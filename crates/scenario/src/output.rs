//! The output settings of a scenario: trajectory, picture and page.

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
    /// The values whose sliders a page shows first, as `SPECIES.QUANTITY`, `SPECIES.motion.PARAMETER` or
    /// `SPECIES.RULE.PARAMETER`.
    pub show: Vec<String>,
    /// Whether every tick is tested for agents that cross walls.
    pub audit: bool,
}

/// The quantity that the colour of an agent shows in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A variable with this name.
    Variable(String),
}

impl Colour {
    /// All that need no variable, in the order of their documentation.
    pub const ALL: [Self; 5] = [Self::Species, Self::Heading, Self::Speed, Self::Neighbours, Self::State];

    /// The colour with this name in a scenario file: a variable, unless it is one of [`ALL`](Self::ALL).
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|colour| colour.name() == name).unwrap_or_else(|| Self::Variable(name.to_owned()))
    }

    /// The name in a scenario file.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Species => "species",
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Neighbours => "neighbours",
            Self::State => "state",
            Self::Variable(name) => name,
        }
    }
}
