//! The correlation of velocities with the first ones.

use crate::base::ids::SpeciesId;
use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::saved;
use crate::world::World;

/// Measures how well agents remember their velocities: ⟨v(t) · v(0)⟩ / ⟨v(0)²⟩ over the agents that were present at the
/// first observation and still are. It is 1 at first, and 0 once velocities are independent of the first ones.
///
/// It observes the world before the first tick and whenever a value is wanted.
///
/// ```
/// use throng::measures::VelocityAutocorrelation;
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let bird = world.add_species(Species::new("bird"))?;
/// let id = world.spawn(bird, [1.0, 1.0], [4.0, 3.0])?;
/// let mut memory = VelocityAutocorrelation::new();
/// memory.observe(&world);
/// world.set_velocity(id, [-3.0, 4.0])?;
/// memory.observe(&world);
/// assert_eq!(memory.value(None), 0.0);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VelocityAutocorrelation {
    velocities: ByAgent<(u32, Velocities)>,
    observed: bool,
}

/// The first and the last velocity of an agent, in metres per second.
#[derive(Clone, Copy, Debug)]
struct Velocities {
    first: [f32; 3],
    last: [f32; 3],
}

saved!(struct VelocityAutocorrelation { velocities, observed });
saved!(struct Velocities { first, last });

impl VelocityAutocorrelation {
    /// A measure that starts with its first observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the world. Agents that appear after the first observation are left out.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        self.velocities.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let velocity = agents.velocity(row);
                let last = std::array::from_fn(|axis| if axis < D { velocity[axis] } else { 0.0 });
                if !self.observed {
                    self.velocities.set(id, (agents.species().0, Velocities { first: last, last }));
                } else if let Some((_, velocities)) = self.velocities.touch(id) {
                    velocities.last = last;
                }
            }
        }
        self.observed = true;
        self.velocities.gone(|_| {});
    }

    /// The correlation at the last observation, of all agents or of one species. NaN without agents, and if all were at
    /// rest at first.
    #[must_use]
    pub fn value(&self, species: Option<SpeciesId>) -> f64 {
        let dot = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(&a, b)| f64::from(a) * f64::from(b)).sum::<f64>();
        let (mut product, mut square) = (0.0, 0.0);
        for (own, Velocities { first, last }) in self.velocities.values() {
            if species.is_none_or(|id| id.0 == *own) {
                product += dot(*first, *last);
                square += dot(*first, *first);
            }
        }
        product / square
    }
}
