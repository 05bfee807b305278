//! The interface between a crowd and the painter: agents, shapes of the environment and facts about both, in metres.

use throng::Vector;

use crate::bounds::Bounds;

/// A source of pictures: a world, or a crowd from elsewhere, such as a recording.
///
/// ```
/// use throng::Vector;
/// use throng_draw::{DrawnAgent, Bounds, Drawable, Options, Subject, picture};
///
/// /// Points in a square of 100 by 100 metres.
/// struct Points(Vec<[f32; 2]>);
///
/// impl Drawable for Points {
///     fn subject(&self) -> Subject {
///         let bounds = Bounds { low: Vector::ZERO, high: Vector([100.0, 100.0, 0.0]) };
///         Subject { agents: self.0.len(), ..Subject::new(2, bounds) }
///     }
///     fn tick(&self) -> u64 {
///         0
///     }
///     fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
///         let agents: Vec<DrawnAgent> = self.0.iter().map(|&[x, y]| DrawnAgent::at(Vector([x, y, 0.0]))).collect();
///         each(&agents);
///     }
/// }
///
/// let picture = picture(&Points(vec![[20.0, 30.0], [70.0, 40.0]]), &Options::default())?;
/// assert_eq!((picture.width(), picture.height()), (1080, 1080));
/// # Ok::<(), throng_draw::Error>(())
/// ```
pub trait Drawable {
    /// The facts that hold at every tick. A [`Painter`](crate::Painter) asks for them once.
    fn subject(&self) -> Subject;

    /// The number of the present tick. Trails fade with ticks.
    fn tick(&self) -> u64;

    /// Calls `each` with the present agents, in blocks of any lengths. The order of agents, in which they are drawn, is
    /// the same in each call of one tick. A [`Painter`](crate::Painter) may make several.
    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent]));

    /// The values of a variable or another column of all agents, in the order of [`crowd`](Self::crowd); `None` if no
    /// species has it.
    fn values(&self, _name: &str) -> Option<Values> {
        None
    }

    /// The present environment, in the order of drawing.
    fn shapes(&self) -> Vec<EnvironmentShape> {
        Vec::new()
    }
}

/// The values of a variable of all agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The ends of the scale: the lowest and the highest value of a variable, or those present of another column.
    pub range: [f32; 2],
    /// One value for each agent; not a number for agents without one.
    pub numbers: Vec<f32>,
}

/// The facts about a crowd that hold at every tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Whether the world has two dimensions and is seen from above.
    pub flat: bool,
    /// The whole world, or the part of it that is shown.
    pub bounds: Bounds,
    /// The box around the present agents without strays; empty if there are none.
    pub crowd: Bounds,
    /// Whether the world is periodic, per axis.
    pub wraps: [bool; 3],
    /// Whether the world has no edge on some axis.
    pub is_open: bool,
    /// The approximate number of agents.
    pub agents: usize,
    /// The number of species.
    pub species: usize,
    /// The number of states of all species together.
    pub states: usize,
    /// The lowest and the highest speed to expect, in metres per second.
    pub speeds: [f32; 2],
    /// The radius of the smallest body that is not a point, in metres; infinite if all are points.
    pub smallest: f32,
    /// The radius of the largest body of each species, in metres; species beyond its end are points.
    pub largest: Vec<f32>,
    /// Whether each species is people, who are drawn as discs and counted per square metre; species beyond its end are
    /// not.
    pub people: Vec<bool>,
}

/// The share of the world on every axis below which a crowd is small.
const SMALL: f32 = 0.4;

impl Subject {
    /// A crowd of one species of points, with speeds up to one metre per second, in two or three dimensions.
    #[must_use]
    pub fn new(dimensions: usize, bounds: Bounds) -> Self {
        Self {
            flat: dimensions == 2,
            bounds,
            crowd: Bounds::EMPTY,
            wraps: [false; 3],
            is_open: false,
            agents: 0,
            species: 1,
            states: 1,
            speeds: [0.0, 1.0],
            smallest: f32::INFINITY,
            largest: Vec::new(),
            people: Vec::new(),
        }
    }

    /// Whether a picture encloses the crowd by default: in a world without edges, and where the box around the crowd is
    /// smaller than two fifths of the world on every axis.
    #[must_use]
    pub fn has_small_crowd(&self) -> bool {
        let axes = if self.flat { 2 } else { 3 };
        let (crowd, world) = (self.crowd.extent(), self.bounds.extent());
        !self.crowd.is_empty() && (self.is_open || (0..axes).all(|axis| crowd[axis] < SMALL * world[axis]))
    }

    /// Whether any species is people, in a world that is seen from above.
    #[must_use]
    pub fn has_people(&self) -> bool {
        self.flat && self.people.contains(&true)
    }
}

/// One agent to draw. Its vectors have three axes; the third is zero in 2D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnAgent {
    /// In metres.
    pub position: Vector<3>,
    /// In metres per second.
    pub velocity: Vector<3>,
    /// The position at the tick before, not wrapped: on the same side of a periodic boundary.
    pub before: Vector<3>,
    /// In metres.
    pub radius: f32,
    /// The number of its species.
    pub species: u32,
    /// The number of its state among the states of all species.
    pub state: u32,
}

impl DrawnAgent {
    /// A point at rest, of the first species and in the first state.
    #[must_use]
    pub fn at(position: Vector<3>) -> Self {
        Self { position, velocity: Vector::ZERO, before: position, radius: 0.0, species: 0, state: 0 }
    }
}

/// One shape of the environment, in metres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EnvironmentShape {
    /// A floor on which agents walk: what no floor has is outside.
    Floor {
        /// Its lowest and its highest coordinates.
        bounds: Bounds,
        /// The name to write into its corner; empty for none.
        name: String,
    },
    /// The amounts of a substance, seen from above.
    Substance {
        /// The part of the world that it fills.
        bounds: Bounds,
        /// The number of its cells along x and y.
        cells: [usize; 2],
        /// The amount in each cell as a part of 255, along x first.
        shares: Vec<u8>,
        /// Its number among the substances, which chooses its colour.
        number: usize,
    },
    /// A stroke along a flow field.
    Flow {
        /// Its start.
        from: Vector<3>,
        /// Its end, which is marked.
        to: Vector<3>,
    },
    /// A link from one region to another.
    Link {
        /// Its start.
        from: Vector<3>,
        /// Its end, which is marked.
        to: Vector<3>,
    },
    /// A disc or ball: a region.
    Ball {
        /// Its centre.
        centre: Vector<3>,
        /// Its radius.
        radius: f32,
        /// Its role for agents.
        role: Role,
        /// The name to write into it; empty for none.
        name: String,
    },
    /// A box along the axes: a region.
    Box {
        /// Its lowest and its highest coordinates.
        bounds: Bounds,
        /// Its role for agents.
        role: Role,
        /// The name to write into it; empty for none.
        name: String,
    },
    /// The path that a rule follows.
    Path {
        /// Its corners.
        points: Vec<Vector<3>>,
        /// The distance from the path, or from its corners, that the rule accepts.
        radius: f32,
        /// Whether the last corner is joined to the first.
        closed: bool,
    },
    /// An obstacle.
    Obstacle {
        /// Its centre.
        centre: Vector<3>,
        /// Its radius.
        radius: f32,
    },
    /// A segment of a wall, or an edge of one.
    Wall {
        /// One of its ends.
        from: Vector<3>,
        /// The other end.
        to: Vector<3>,
    },
    /// An opening between the ends of walls, or a door that stands open.
    Door {
        /// One of its ends.
        from: Vector<3>,
        /// The other end.
        to: Vector<3>,
    },
    /// A mark.
    Mark {
        /// Its position.
        at: Vector<3>,
    },
}

/// The action in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Nothing, or the use by rules.
    Plain,
    /// Agents come into the world.
    Source,
    /// Agents are removed.
    Sink,
    /// Agents are slower or faster.
    Zone,
}
