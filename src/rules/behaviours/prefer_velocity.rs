//! A preferred velocity of each agent, as an input of the host: the "preferred velocity" of van den Berg, Guy, Lin and
//! Manocha, "Reciprocal n-body Collision Avoidance" (2011), and the "desired velocity" of Helbing and Molnár, "Social
//! force model for pedestrian dynamics" (1995).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, reflect, rule};

rule! {
    /// The desired velocity is the agent's value in a column of the host with one `f32` per dimension, in metres per
    /// second ([`World::add_column`](crate::World::add_column)), truncated to the largest speed. Where a component is not
    /// finite, and without such a column, the force is zero: the agent has no preference.
    ///
    /// ```
    /// use throng::behaviours::PreferVelocity;
    /// use throng::{Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let walker = world.add_species(Species::new("walker").with(1.0, PreferVelocity::default()))?;
    /// world.add_column(walker, "preferred", [f32::NAN; 2])?;
    /// let agent = world.spawn(walker, [10.0, 10.0], [0.0, 0.0])?;
    /// world.set_column_value(agent, "preferred", [1.3f32, 0.0])?;
    /// for _ in 0..600 {
    ///     world.step();
    /// }
    /// assert!((world.velocity(agent)?[0] - 1.3).abs() < 1e-3);
    /// # Ok::<(), throng::Error>(())
    /// ```
    "prefer_velocity": "Takes on the velocity in a column of the host."
    pub struct PreferVelocity {
        /// The name of the column.
        pub column: String = "preferred".to_owned(), "", Kind::Text;
    }
}

impl<const D: usize> Behaviour<D> for PreferVelocity {
    fn inputs(&self) -> Inputs {
        Inputs::default().column(&self.column).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let preferred = me.column::<[f32; D]>(0, me.species()).map(|column| Vector(column[me.row()]));
        me.towards(preferred.filter(|velocity| velocity.is_finite()).map(|velocity| velocity.truncate(me.max_speed())))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{RESPONSE, assert_near, force, ruled, spawn};

    #[test]
    fn the_desired_velocity_is_that_of_the_column() {
        let mut world = ruled::<2>(Edge::Open, PreferVelocity::default());
        let agent = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        assert_near(force(&mut world, agent), [0.0; 2]);
        let species = world.species_ids().next().unwrap();
        world.add_column(species, "preferred", [f32::NAN; 2]).unwrap();
        assert_near(force(&mut world, agent), [0.0; 2]);
        world.set_column_value(agent, "preferred", [1.0f32, -2.0]).unwrap();
        world.set_velocity(agent, [3.0, 0.0]).unwrap();
        assert_near(force(&mut world, agent), [-2.0 / RESPONSE, -2.0 / RESPONSE]);
        // A velocity beyond the largest speed, 10 m/s, is truncated.
        world.set_column_value(agent, "preferred", [30.0f32, 40.0]).unwrap();
        world.set_velocity(agent, [0.0, 0.0]).unwrap();
        assert_near(force(&mut world, agent), [6.0 / RESPONSE, 8.0 / RESPONSE]);
    }
}
