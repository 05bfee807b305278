//! Cohesion: Reynolds, "Flocks, Herds, and Schools" (1987) and "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::combine::{along_sum, arrive_at_mean};
use crate::maths::Vector;
use crate::rules::interface::{
    AgentRef, Behaviour, Forces, Inputs, NeighbourSum, Perception, Rows, Sight, SpeciesFilter, limited,
};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// The desired velocity is full speed towards the mean position of the neighbours. Without neighbours, or exactly
    /// at their mean position, the force is zero.
    ///
    /// With a `slowing_radius` the agent arrives instead of seeking: within this distance of the mean position the
    /// desired speed falls linearly with the distance, to zero. At full strength agents rush through the mean position
    /// from all sides, which keeps a flock with a full view from taking one direction.
    "cohesion": "Moves towards the mean position of the neighbours."
    pub struct Cohesion {
        /// Perception radius.
        pub radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 360.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// Distance to the mean position at which the agent begins to slow down; 0 for full speed at any distance.
        pub slowing_radius: f32 = 0.0, "m", Kind::Number(Range::LENGTH);
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
        /// The largest number of neighbours, nearest first; 0 for no limit.
        pub nearest: u32 = 0, "", Perception::NEAREST;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND;
        /// The largest force of this rule by itself, before its weight; 0 for none.
        pub max_force: f32 = 0.0, "N", Kind::Number(Range::from(0.0, 1e9)), added;
    }
}

impl<const D: usize> Behaviour<D> for Cohesion {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().sum(NeighbourSum::Offset, view).nearby()
    }

    fn desires_velocity(&self) -> bool {
        // A force with a limit of its own does not grow with the difference to the velocity.
        self.max_force == 0.0
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        if self.slowing_radius == 0.0 {
            return limited(me.towards(steering::seek(me.sum(0), me.max_speed())), self.max_force);
        }
        let mean = (me.count(0) > 0).then(|| me.sum(0) / me.count(0) as f32);
        let force = me.towards(mean.map(|mean| steering::arrive(mean, me.max_speed(), self.slowing_radius)));
        limited(force, self.max_force)
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        if self.slowing_radius == 0.0 {
            along_sum(rows.level, &rows.steered(), &rows.sums[0], 1.0, forces.forces);
        } else {
            arrive_at_mean(rows.level, &rows.steered(), &rows.sums[0], self.slowing_radius, forces.forces);
        }
        forces.limit(self.max_force);
    }

    reflect!();
}
