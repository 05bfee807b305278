//! Separation: Reynolds, "Flocks, Herds, and Schools" (1987) and "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::combine::along_sum;
use crate::maths::Vector;
use crate::rules::interface::{
    AgentRef, Behaviour, Forces, Inputs, NeighbourSum, Perception, Rows, Sight, SpeciesFilter, limited,
};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// The desired velocity is full speed along `-sum(offset / |offset|²)`, so nearer neighbours count more. Coincident
    /// agents part in a direction that is random for each pair. Without neighbours the force is zero.
    "separation": "Keeps a distance from neighbours."
    pub struct Separation {
        /// Distance within which a neighbour repels the agent.
        pub radius: f32 = 5.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 360.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
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

impl<const D: usize> Behaviour<D> for Separation {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().sum(NeighbourSum::InverseOffset, view).nearby()
    }

    fn only_avoids(&self) -> bool {
        true
    }

    fn desires_velocity(&self) -> bool {
        // A force with a limit of its own does not grow with the difference to the velocity.
        self.max_force == 0.0
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        limited(me.towards(steering::seek(-me.sum(0), me.max_speed())), self.max_force)
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        along_sum(rows.level, &rows.steered(), &rows.sums[0], -1.0, forces.forces);
        forces.limit(self.max_force);
    }

    reflect!();
}
