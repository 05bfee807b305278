//! Groups of people that walk together: Moussaïd, Perozo, Garnier, Helbing and Theraulaz, "The Walking Behaviour of
//! Pedestrian Social Groups and Its Impact on Crowd Dynamics" (2010).

use smallvec::SmallVec;

use crate::maths::Vector;
use crate::rules::behaviours::walk_to::HEADING;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, Neighbour, NeighbourSum, Perception, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering::{self, GroupForces};

rule! {
    /// Keeps an agent with the others of its group within `radius`: it slows down when it has to turn its head to see
    /// them, moves towards the middle of the group when that is farther away than half a metre per other member, and
    /// away from members that are nearer than its body's diameter and `gap`. Small groups thus walk side by side, and
    /// in a crowd as a V.
    ///
    /// The group changes the velocity of an agent by at most half of its largest speed, so it never turns back for others.
    /// On the way to a navigation (`walk_to`) an agent with a motion slows down while the last member has 1.5 m more to walk
    /// than itself, and stands from 3 m on; but not where it holds up strangers: three of them within 1.5 m behind it.
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

/// The distance within which others behind an agent are held up by it, in metres; and their number from which it does not
/// slow down for its group.
const CLOSE: f32 = 1.5;
const CROWD: f32 = 3.0;

/// The part of its way by which the last of a group may be behind before the others slow down, in metres. They stand at
/// twice as much.
const LAG: f32 = 1.5;

/// The most that a group changes the velocity of an agent, as a part of its largest speed: less than its way does, so that
/// it never turns back.
const MOST: f32 = 0.5;

impl StayInGroup {
    /// How much farther than the agent the last of these members has to walk to the same goal, in metres.
    fn lag<const D: usize>(me: &AgentRef<'_, D>, members: &[Neighbour<D>]) -> f32 {
        let way = |species, row: usize| {
            let [goal, left] = me.column::<[u32; 2]>(1, species).map_or([0, 0], |headings| headings[row]);
            (goal, f32::from_bits(left))
        };
        let (goal, left) = way(me.species(), me.row());
        let ways = members.iter().map(|other| way(other.species, other.row));
        let lags = ways.filter(|(theirs, _)| goal != 0 && *theirs == goal).map(|(_, theirs)| theirs - left);
        lags.fold(0.0, |most, lag| if lag > most { lag } else { most })
    }
}

impl<const D: usize> Behaviour<D> for StayInGroup {
    fn inputs(&self) -> Inputs {
        Inputs::default()
            .neighbours(Perception::within(self.radius, &self.from).with_sight(self.sight))
            .sum(NeighbourSum::Offset, Perception::within(CLOSE, &SpeciesFilter::All))
            .sum(NeighbourSum::Offset, Perception::within(CLOSE, &SpeciesFilter::All).with_field_of_view(180.0))
            .column(&self.column)
            .column(HEADING)
            .headings_of(&SpeciesFilter::Own)
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
        let members: SmallVec<[Neighbour<D>; 8]> = members.collect();
        let heading = me.heading();
        let behind = |offset: Vector<D>| -offset.dot(heading);
        let followers = members.iter().filter(|other| other.distance() < CLOSE && behind(other.offset) > 0.0).count();
        let strangers = me.count(0).saturating_sub(me.count(1) + followers as u32) as f32;
        let freedom = if strangers < CROWD { 1.0 - strangers / CROWD } else { 0.0 };

        let wait = ((Self::lag(me, &members) - LAG) / LAG).clamp(0.0, 1.0);
        me.hold_back(wait * freedom);
        let force = steering::stay_in_group(&forces, me.velocity(), members.iter().map(|other| other.offset));
        let back = behind(force);
        let force = if back > 0.0 { force + heading * (back * (1.0 - freedom)) } else { force };
        force.truncate(MOST * me.max_speed() / me.response())
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
