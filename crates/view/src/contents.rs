//! The contents of a frame: the values of the agents of each species.

use throng::{AgentId, Agents, Edge, Vector, World};

use super::shade::Values;

/// The most forces of a frame.
const MAX_FORCES: usize = 2000;

/// The values in a frame.
#[derive(Debug)]
pub struct Contents<'w> {
    /// The number of dimensions.
    pub dimensions: usize,
    /// The tick.
    pub tick: u64,
    /// The ends of the scale of positions, in metres.
    pub low: [f32; 3],
    /// See `low`.
    pub high: [f32; 3],
    /// The agents of each species.
    pub species: Vec<Rows<'w>>,
    /// The values that colours show.
    pub values: Option<Values>,
    /// The forces on a sample of agents.
    pub forces: Option<Forces>,
}

/// The agents of one species, one column per axis.
#[derive(Debug)]
pub struct Rows<'w> {
    /// The positions, in metres.
    pub positions: Vec<&'w [f32]>,
    /// The velocities, in metres per second.
    pub velocities: Vec<&'w [f32]>,
    /// The radii of bodies.
    pub radii: Radii,
    /// The ids.
    pub ids: &'w [AgentId],
}

/// The radii of the agents of a species, in metres.
#[derive(Clone, Debug)]
pub enum Radii {
    /// All are equal.
    Same(f32),
    /// One for each agent.
    Each(Vec<f32>),
}

/// The forces on every agent whose number, over all species, `stride` divides.
#[derive(Debug)]
pub struct Forces {
    /// The distance of two agents of the sample, in rows.
    pub stride: usize,
    /// The forces, in newtons.
    pub forces: Vec<[f32; 3]>,
}

impl<'w> Contents<'w> {
    /// The contents of a world, with the forces on a sample of agents if `forced`.
    #[must_use]
    pub fn of<const D: usize>(world: &'w World<D>, values: Option<Values>, forced: bool) -> Self {
        let (low, high) = bounds(world);
        let rows = world.species_ids().flat_map(|id| world.agents(id)).map(|agents| {
            // Shoulders that yield in a press would overlap in a picture.
            let core = world.species(agents.species()).map_or(1.0, |species| species.cores()[0]);
            Rows {
                positions: agents.positions().to_vec(),
                velocities: agents.velocities().to_vec(),
                radii: Radii::of((0..agents.len()).map(|row| core * agents.radius(row))),
                ids: agents.ids(),
            }
        });
        Self {
            dimensions: D,
            tick: world.tick(),
            low: padded(low),
            high: padded(high),
            species: rows.collect(),
            values,
            forces: forced.then(|| forces(world)),
        }
    }

    /// The number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.species.iter().map(Rows::len).sum()
    }
}

impl Rows<'_> {
    /// The number of agents.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nothing asks whether rows are empty")]
    pub fn len(&self) -> usize {
        self.positions.first().map_or(0, |column| column.len())
    }
}

impl Radii {
    /// Equal radii are one number.
    #[must_use]
    pub fn of(mut radii: impl Iterator<Item = f32> + Clone) -> Self {
        let all = radii.clone();
        let first = radii.next().unwrap_or(0.0);
        if radii.all(|radius| radius == first) { Self::Same(first) } else { Self::Each(all.collect()) }
    }

    /// The largest of them.
    #[must_use]
    pub fn largest(&self) -> f32 {
        match self {
            Self::Same(radius) => *radius,
            Self::Each(radii) => radii.iter().fold(0.0, |most, &radius| if radius > most { radius } else { most }),
        }
    }
}

fn padded<const D: usize>(vector: Vector<D>) -> [f32; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}

/// The forces of the last tick on a sample of agents.
fn forces<const D: usize>(world: &World<D>) -> Forces {
    let agents: usize = world.all_agents().iter().map(Agents::len).sum();
    let stride = agents.div_ceil(MAX_FORCES).max(1);
    let mut forces = Vec::new();
    let mut before = 0;
    for agents in world.all_agents() {
        let columns = world.steering(agents.species()).ok();
        let first = (stride - before % stride) % stride;
        forces.extend((first..agents.len()).step_by(stride).map(|row| {
            // An agent that was added after the last tick has no force yet.
            padded(Vector::<D>::from_fn(|axis| {
                columns.and_then(|columns| columns[axis].get(row).copied()).unwrap_or(0.0)
            }))
        }));
        before += agents.len();
    }
    Forces { stride, forces }
}

/// Returns the two ends of the scale: the corners of the world, widened to hold all agents on open axes.
fn bounds<const D: usize>(world: &World<D>) -> (Vector<D>, Vector<D>) {
    let settings = world.settings();
    let (mut low, mut high) = (Vector::ZERO, settings.size);
    for agents in world.all_agents() {
        for (axis, column) in agents.positions().into_iter().enumerate() {
            if settings.edge[axis] == Edge::Open {
                for &at in column {
                    low[axis] = if at < low[axis] { at } else { low[axis] };
                    high[axis] = if at > high[axis] { at } else { high[axis] };
                }
            }
        }
    }
    (low, high)
}
