//! The force of each agent as an input of the host.

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, reflect, rule};

rule! {
    /// The force is the agent's value in a column of the host with one `f32` per dimension, in newtons
    /// ([`World::add_column`](crate::World::add_column)). Where a component is not finite, and without such a column,
    /// it is zero. A host writes the column between steps, for example with forces that a model in another language
    /// computes from the agents of the species.
    ///
    /// ```
    /// use throng::behaviours::HostForces;
    /// use throng::{Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings { tick_seconds: 0.1, ..Settings::default() })?;
    /// let probe = world.add_species(Species::new("probe").with(1.0, HostForces::default()))?;
    /// world.add_column(probe, "force", [0.0f32; 2])?;
    /// let agent = world.spawn(probe, [10.0, 10.0], [0.0, 0.0])?;
    /// world.set_column(probe, "force", &[[2.0f32, 0.0]])?;
    /// world.step();
    /// assert!((world.velocity(agent)?[0] - 0.2).abs() < 1e-6); // 1 kg for 0.1 s
    /// # Ok::<(), throng::Error>(())
    /// ```
    "host_forces": "Applies the forces in a column of the host."
    pub struct HostForces {
        /// The name of the column.
        pub column: String = "force".to_owned(), "", Kind::Text;
    }
}

impl<const D: usize> Behaviour<D> for HostForces {
    fn inputs(&self) -> Inputs {
        Inputs::default().column(&self.column).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let force = me.column::<[f32; D]>(0, me.species()).map(|column| Vector(column[me.row()]));
        force.filter(|force| force.is_finite()).unwrap_or(Vector::ZERO)
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{assert_near, force, ruled, spawn};

    #[test]
    fn the_force_is_that_of_the_column() {
        let mut world = ruled::<2>(Edge::Open, HostForces::default());
        let agent = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        assert_near(force(&mut world, agent), [0.0; 2]);
        let species = world.species_ids().next().unwrap();
        world.add_column(species, "force", [f32::NAN; 2]).unwrap();
        assert_near(force(&mut world, agent), [0.0; 2]);
        world.set_column_value(agent, "force", [1.5f32, -2.0]).unwrap();
        assert_near(force(&mut world, agent), [1.5, -2.0]);
    }
}
