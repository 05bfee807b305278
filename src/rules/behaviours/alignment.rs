//! Alignment: Reynolds, "Flocks, Herds, and Schools" (1987) and "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::combine::{along_sum, to_mean};
use crate::maths::Vector;
use crate::rules::interface::{
    AgentRef, Behaviour, Forces, Inputs, NeighbourSum, Perception, Rows, Sight, SpeciesFilter, limited,
};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;

choice! {
    /// The speed of the velocity that [`Alignment`] desires.
    pub enum AlignmentSpeed {
        /// The mean velocity of the neighbours, which is slow where their headings differ.
        Mean = "mean",
        /// The agent's largest speed along the mean velocity of the neighbours, as in "The Nature of Code" and p5.js.
        Full = "full",
    }
}

rule! {
    /// The desired velocity is the mean velocity of the neighbours. Without neighbours the force is zero.
    ///
    /// A flock takes the mean speed of its members, which falls while their headings differ. With `speed = "full"` it
    /// flies at its largest speed.
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
        /// The largest force of this rule by itself, before its weight; 0 for none.
        pub max_force: f32 = 0.0, "N", Kind::Number(Range::from(0.0, 1e9)), added;
        /// The speed of the desired velocity: the `mean` of the neighbours, or `full` along it.
        pub speed: AlignmentSpeed = AlignmentSpeed::Mean, "", AlignmentSpeed::KIND, added;
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
        // A force with a limit of its own does not grow with the difference to the velocity.
        self.max_force == 0.0
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let force = match self.speed {
            AlignmentSpeed::Full => me.towards(steering::seek(me.sum(0), me.max_speed())),
            AlignmentSpeed::Mean if me.count(0) > 0 => me.towards(me.sum(0) / me.count(0) as f32),
            AlignmentSpeed::Mean => Vector::ZERO,
        };
        limited(force, self.max_force)
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        match self.speed {
            AlignmentSpeed::Full => along_sum(rows.level, &rows.steered(), &rows.sums[0], 1.0, forces.forces),
            AlignmentSpeed::Mean => to_mean(rows.level, &rows.steered(), &rows.sums[0], forces.forces),
        }
        forces.limit(self.max_force);
    }

    reflect!();
}
