//! The contents of a trajectory: its heading and its frames.

/// The values that a trajectory has once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// The title of the scenario.
    pub scenario: String,
    /// The version of the program that wrote it.
    pub version: String,
    /// The seed of the run.
    pub seed: u64,
    /// The simulated time per tick, in seconds.
    pub tick_seconds: f64,
    /// The number of ticks between frames.
    pub every: u64,
    /// The number of dimensions: 2 or 3.
    pub dimensions: usize,
    /// The lower and the upper corner of the world, in metres.
    pub bounds: [[f64; 2]; 2],
    /// The area without walls, as well-known text, if the format has a place for it.
    pub walkable: String,
    /// The species, in the order of their numbers.
    pub species: Vec<SpeciesHeading>,
    /// Whether frames have unwrapped positions: without the jumps at the seams of a periodic world.
    pub unwrapped: bool,
    /// The columns of agents other than position and velocity.
    pub columns: Vec<ColumnHeading>,
}

/// The name and the states of a species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeciesHeading {
    /// The name.
    pub name: String,
    /// The names of the states; empty without states.
    pub states: Vec<String>,
    /// Whether its agents are people: they stand on the ground.
    pub is_people: bool,
}

/// The name and the kind of a column of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnHeading {
    /// The name.
    pub name: String,
    /// The number of numbers per agent.
    pub width: usize,
    /// The kind of the numbers; `None` where species differ.
    pub kind: Option<NumberKind>,
}

/// A kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Single precision.
    F32,
    /// Whole numbers of 32 bits.
    U32,
    /// Whole numbers of 64 bits.
    U64,
}

/// Numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Single precision.
    F32(Vec<f32>),
    /// Whole numbers of 32 bits.
    U32(Vec<u32>),
    /// Whole numbers of 64 bits.
    U64(Vec<u64>),
}

/// All agents at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The number of ticks since the start.
    pub tick: u64,
    /// The simulated time, in seconds.
    pub seconds: f64,
    /// The agents of each species.
    pub species: Vec<SpeciesRows>,
}

/// The agents of one species at one time; lists have an entry per agent, in the same order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeciesRows {
    /// The number of the species in the heading.
    pub species: usize,
    /// The ids: the slot in the lower 32 bits, and how often the slot was used before in the upper ones.
    pub ids: Vec<u64>,
    /// The positions in metres, a list per axis.
    pub positions: Vec<Vec<f32>>,
    /// The velocities in metres per second, a list per axis.
    pub velocities: Vec<Vec<f32>>,
    /// The unwrapped positions in metres, a list per axis; empty where the heading has none.
    pub unwrapped: Vec<Vec<f64>>,
    /// The numbers of the states; empty for a species without states.
    pub states: Vec<u32>,
    /// For each column of the heading its width in this species and its numbers; `None` if the species lacks it.
    pub columns: Vec<Option<(usize, Numbers)>>,
    /// The radii in metres; empty where all agents are points.
    pub radii: Vec<f32>,
    /// The colours in a picture: red, green and blue; empty for white.
    pub colours: Vec<[u8; 3]>,
}

impl Heading {
    /// The number of frames per simulated second.
    #[must_use]
    pub fn frame_rate(&self) -> f64 {
        1.0 / (self.tick_seconds * self.every as f64)
    }

    /// The number of the frame of a tick.
    #[must_use]
    pub fn frame(&self, tick: u64) -> u64 {
        tick / if self.every == 0 { 1 } else { self.every }
    }

    /// Whether any species has states.
    #[must_use]
    pub fn has_states(&self) -> bool {
        self.species.iter().any(|species| !species.states.is_empty())
    }

    /// The names of the axes.
    #[must_use]
    pub fn axes(&self) -> &'static [&'static str] {
        &["x", "y", "z"][..self.dimensions.clamp(0, 3)]
    }

    /// The name of a state of a species; empty for none.
    #[must_use]
    pub fn state(&self, species: usize, state: u32) -> &str {
        let states = self.species.get(species).map_or(&[][..], |species| &species.states);
        states.get(state as usize).map_or("", |name| name)
    }

    /// The names of all numbers of the columns: the name of the column, with a number where it is wide.
    pub fn column_names(&self) -> impl Iterator<Item = (String, Option<NumberKind>)> {
        self.columns.iter().flat_map(|column| {
            let name = |place| if column.width == 1 { column.name.clone() } else { format!("{}.{place}", column.name) };
            (0..column.width).map(move |place| (name(place), column.kind))
        })
    }
}

impl Frame {
    /// The number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.species.iter().map(|rows| rows.ids.len()).sum()
    }
}

impl SpeciesRows {
    /// The position of an agent on an axis: unwrapped where the trajectory has it.
    #[cfg(feature = "sqlite")]
    pub(crate) fn position(&self, row: usize, axis: usize) -> f64 {
        match self.unwrapped.get(axis) {
            Some(unwrapped) => unwrapped[row],
            None => self.positions.get(axis).map_or(0.0, |positions| shortest(positions[row])),
        }
    }

    /// The same in space, in single precision; a missing axis is zero.
    pub(super) fn point(&self, row: usize) -> [f32; 3] {
        std::array::from_fn(|axis| match self.unwrapped.get(axis) {
            Some(unwrapped) => unwrapped[row] as f32,
            None => self.positions.get(axis).map_or(0.0, |positions| positions[row]),
        })
    }

    /// The velocity of an agent in space; a missing axis is zero.
    pub(super) fn velocity(&self, row: usize) -> [f32; 3] {
        std::array::from_fn(|axis| self.velocities.get(axis).map_or(0.0, |velocities| velocities[row]))
    }

    /// A number of a column; NaN where the species lacks it.
    pub(super) fn value(&self, column: usize, row: usize, place: usize) -> f64 {
        match self.columns.get(column) {
            Some(Some((width, numbers))) if place < *width => match numbers {
                Numbers::F32(numbers) => f64::from(numbers[row * width + place]),
                Numbers::U32(numbers) => f64::from(numbers[row * width + place]),
                Numbers::U64(numbers) => numbers[row * width + place] as f64,
            },
            _ => f64::NAN,
        }
    }
}

/// Converts through the shortest decimal text: 0.3, not 0.30000001192092896.
#[must_use]
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}
