//! Alignment: Reynolds, "Flocks, Herds, and Schools" (1987) and "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::combine::to_mean;
use crate::maths::Vector;
use crate::rules::interface::{
    AgentRef, Behaviour, Forces, Inputs, NeighbourSum, Perception, Rows, Sight, SpeciesFilter,
};
use crate::rules::parameters::{Kind, Range, reflect, rule};

rule! {
    /// The desired velocity is the mean velocity of the neighbours. Without neighbours the force is zero.
    "alignment": "Matches the mean velocity of the neighbours."
    pub struct Alignment {
        /// Perception radius.
        pub radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 360.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
        /// The largest number of neighbours, nearest first; 0 for no limit.
        pub nearest: u32 = 0, "", Perception::NEAREST;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND;
    }
}

impl<const D: usize> Behaviour<D> for Alignment {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().sum(NeighbourSum::Velocity, view).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        if me.count(0) > 0 { me.towards(me.sum(0) / me.count(0) as f32) } else { Vector::ZERO }
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        to_mean(rows.level, &rows.steered(), &rows.sums[0], forces.forces);
    }

    reflect!();
}
