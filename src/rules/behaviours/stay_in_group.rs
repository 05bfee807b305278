//! Groups of people that walk together: Moussaïd, Perozo, Garnier, Helbing and Theraulaz, "The Walking Behaviour of
//! Pedestrian Social Groups and Its Impact on Crowd Dynamics" (2010).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, Perception, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering::{self, GroupForces};

rule! {
    /// Keeps an agent with the others of its group within `radius`: it slows down when it has to turn its head to see
    /// them, moves towards the middle of the group when that is farther away than half a metre per other member, and
    /// away from members that are nearer than its body's diameter and `gap`. Small groups thus walk side by side, and
    /// in a crowd as a V.
    ///
    /// A column of the host with one `u32` per agent holds the group
    /// ([`World::add_column`](crate::World::add_column)); agents with zero, and agents without the column, belong to
    /// none. In scenario files the key `place.group_size` of a species fills the column `group`.
    ///
    /// ```
    /// use throng::behaviours::{PreferVelocity, StayInGroup};
    /// use throng::{Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings { tick_seconds: 0.05, ..Settings::default() })?;
    /// let species = Species::new("walker").with_radius(0.25).with_max_speed(1.5);
    /// let walker = world.add_species(species.with(1.0, StayInGroup::default()))?;
    /// world.add_column(walker, "group", 0u32)?;
    /// let friends = [[50.0, 50.0], [54.0, 50.0]].map(|at| world.spawn(walker, at, [0.0, 0.0]));
    /// for friend in friends.clone() {
    ///     world.set_column_value(friend?, "group", 1u32)?;
    /// }
    /// for _ in 0..200 {
    ///     world.step();
    /// }
    /// let [one, other] = friends.map(|friend| friend.and_then(|friend| world.position(friend)));
    /// assert!(one?.distance(other?) < 1.5);
    /// # Ok::<(), throng::Error>(())
    /// ```
    "stay_in_group": "Keeps together with the group, side by side."
    pub struct StayInGroup {
        /// The distance within which an agent heeds the others of its group.
        pub radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// β1 of the paper: how much the agent slows down per radian that it turns its head.
        pub gaze: f32 = 4.0, "1/s", Kind::Number(Range::from(0.0, 1e3));
        /// β2 of the paper: the acceleration towards the middle of the group.
        pub attraction: f32 = 3.0, "m/s²", Kind::Number(Range::from(0.0, 1e3));
        /// β3 of the paper: the acceleration away from a member that is too near.
        pub repulsion: f32 = 1.0, "m/s²", Kind::Number(Range::from(0.0, 1e3));
        /// The angle of sight without turning the head, to both sides together.
        pub fov: f32 = 180.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// The gap between bodies within which members repel each other.
        pub gap: f32 = 0.2, "m", Kind::Number(Range::LENGTH);
        /// The name of the column with the group.
        pub column: String = "group".to_owned(), "", Kind::Text;
        /// The species to which other members may belong.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for StayInGroup {
    fn inputs(&self) -> Inputs {
        Inputs::default()
            .neighbours(Perception::within(self.radius, &self.from).with_sight(self.sight))
            .column(&self.column)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let group = |species, row: usize| me.column::<u32>(0, species).map_or(0, |column| column[row]);
        let mine = group(me.species(), me.row());
        if mine == 0 {
            return Vector::ZERO;
        }
        let forces = GroupForces {
            gaze: self.gaze,
            attraction: self.attraction,
            repulsion: self.repulsion,
            sight: self.fov * (std::f32::consts::PI / 360.0),
            apart: 2.0 * me.radius() + self.gap,
        };
        let members = me.neighbours(0).filter(|other| group(other.species, other.row) == mine);
        steering::stay_in_group(&forces, me.velocity(), members.map(|other| other.offset))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{assert_near, force, ruled, spawn};

    #[test]
    fn only_agents_of_the_same_group_count() {
        let mut world = ruled::<2>(Edge::Open, StayInGroup::default());
        let me = spawn(&mut world, [50.0, 50.0], [0.0, 0.0]);
        let friend = spawn(&mut world, [53.0, 50.0], [0.0, 0.0]);
        let stranger = spawn(&mut world, [50.0, 53.0], [0.0, 0.0]);
        assert_near(force(&mut world, me), [0.0; 2]);
        let species = world.species_ids().next().unwrap();
        world.add_column(species, "group", 0u32).unwrap();
        assert_near(force(&mut world, me), [0.0; 2]);
        for (agent, group) in [(me, 7u32), (friend, 7), (stranger, 8)] {
            world.set_column_value(agent, "group", group).unwrap();
        }
        assert_near(force(&mut world, me), [3.0, 0.0]);
        assert_near(force(&mut world, stranger), [0.0; 2]);
    }
}
