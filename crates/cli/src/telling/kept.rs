//! The agents and the environment of one tick, as checkpoints hold them.

use serde::{Deserialize, Serialize};
use throng::Vector;
use throng_draw::{Bounds, Drawable, DrawnAgent, EnvironmentShape, Role, Values};

/// The data for a picture of one tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) tick: u64,
    /// Position, velocity and radius.
    numbers: Vec<[f32; 7]>,
    /// The numbers of species and state.
    kinds: Vec<[u32; 2]>,
    shapes: Vec<KeptShape>,
    /// The ends of the scale of the variable that colours show, and its values.
    range: [f32; 2],
    values: Vec<f32>,
}

/// A shape of the environment, with its numbers in the order of its fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptShape {
    kind: Kind,
    points: Vec<[f32; 3]>,
    radius: f32,
    closed: bool,
    /// The number of its role in [`ROLES`].
    role: u8,
    name: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Kind {
    Flow,
    Ball,
    Box,
    Path,
    Obstacle,
    Wall,
    Door,
    Mark,
    Link,
}

const ROLES: [Role; 4] = [Role::Plain, Role::Source, Role::Sink, Role::Zone];

impl Kept {
    /// Copies the present tick, with the variable that colours show.
    pub(super) fn of(drawable: &impl Drawable, variable: Option<&str>) -> Self {
        let (mut numbers, mut kinds) = (Vec::new(), Vec::new());
        drawable.crowd(&mut |agents: &[DrawnAgent]| {
            numbers.extend(agents.iter().map(|agent| {
                let ([x, y, z], [vx, vy, vz]) = (agent.position.0, agent.velocity.0);
                [x, y, z, vx, vy, vz, agent.radius]
            }));
            kinds.extend(agents.iter().map(|agent| [agent.species, agent.state]));
        });
        let shapes = drawable.shapes().into_iter().filter_map(KeptShape::of).collect();
        let Values { range, numbers: values } = variable.and_then(|name| drawable.values(name)).unwrap_or_default();
        Self { tick: drawable.tick(), numbers, kinds, shapes, range, values }
    }

    pub(super) fn crowd(&self) -> Vec<DrawnAgent> {
        let agents = self.numbers.iter().zip(&self.kinds);
        let agent = |(&[x, y, z, vx, vy, vz, radius], &[species, state]): (&[f32; 7], &[u32; 2])| DrawnAgent {
            position: Vector([x, y, z]),
            velocity: Vector([vx, vy, vz]),
            before: Vector([x, y, z]),
            radius,
            species,
            state,
        };
        agents.map(agent).collect()
    }

    pub(super) fn values(&self) -> Values {
        Values { range: self.range, numbers: self.values.clone() }
    }

    pub(super) fn shapes(&self) -> Vec<EnvironmentShape> {
        self.shapes.iter().filter_map(KeptShape::shape).collect()
    }
}

impl KeptShape {
    fn of(shape: EnvironmentShape) -> Option<Self> {
        let plain = |kind, points: &[Vector<3>], radius| Self {
            kind,
            points: points.iter().map(|point| point.0).collect(),
            radius,
            closed: false,
            role: 0,
            name: String::new(),
        };
        let named = |kept: Self, role, name| {
            let role = ROLES.iter().position(|known| *known == role).unwrap_or(0) as u8;
            Self { role, name, ..kept }
        };
        Some(match shape {
            EnvironmentShape::Flow { from, to } => plain(Kind::Flow, &[from, to], 0.0),
            EnvironmentShape::Ball { centre, radius, role, name } => {
                named(plain(Kind::Ball, &[centre], radius), role, name)
            }
            EnvironmentShape::Box { bounds, role, name } => {
                named(plain(Kind::Box, &[bounds.low, bounds.high], 0.0), role, name)
            }
            EnvironmentShape::Path { points, radius, closed } => Self { closed, ..plain(Kind::Path, &points, radius) },
            EnvironmentShape::Obstacle { centre, radius } => plain(Kind::Obstacle, &[centre], radius),
            EnvironmentShape::Wall { from, to } => plain(Kind::Wall, &[from, to], 0.0),
            EnvironmentShape::Door { from, to } => plain(Kind::Door, &[from, to], 0.0),
            EnvironmentShape::Mark { at } => plain(Kind::Mark, &[at], 0.0),
            EnvironmentShape::Link { from, to } => plain(Kind::Link, &[from, to], 0.0),
            _ => return None,
        })
    }

    fn shape(&self) -> Option<EnvironmentShape> {
        let points: Vec<Vector<3>> = self.points.iter().copied().map(Vector).collect();
        let &from = points.first()?;
        let to = points.get(1).copied().unwrap_or(from);
        let (radius, role, name) = (self.radius, *ROLES.get(usize::from(self.role))?, self.name.clone());
        Some(match self.kind {
            Kind::Flow => EnvironmentShape::Flow { from, to },
            Kind::Ball => EnvironmentShape::Ball { centre: from, radius, role, name },
            Kind::Box => EnvironmentShape::Box { bounds: Bounds { low: from, high: to }, role, name },
            Kind::Path => EnvironmentShape::Path { points, radius, closed: self.closed },
            Kind::Obstacle => EnvironmentShape::Obstacle { centre: from, radius },
            Kind::Wall => EnvironmentShape::Wall { from, to },
            Kind::Door => EnvironmentShape::Door { from, to },
            Kind::Mark => EnvironmentShape::Mark { at: from },
            Kind::Link => EnvironmentShape::Link { from, to },
        })
    }
}
