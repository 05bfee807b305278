//! Expression: variables of agents and steering forces as statements in the definition.

use crate::base::error::Error;
use crate::maths::Vector;
use crate::rules::expressions::Statements;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Perception, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};

rule! {
    /// Each statement sets a variable of the species, the steering force or the desired velocity: `phase += dt *
    /// mean(sin(phase_j - phase))`. Names without an ending are the agent's own, those that end in `_j` are of a
    /// neighbour. All statements read the state at the start of the tick.
    ///
    /// The page `docs/expressions.md` of the repository has all names and functions.
    "expression": "Sets variables or the force by statements over neighbours."
    pub struct Expression {
        /// Statements: `NAME = ...` or `NAME += ...`, with a variable, `force` or `velocity` as the name.
        pub set: Statements = Statements::default(), "", Kind::Statements;
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

impl<const D: usize> Behaviour<D> for Expression {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        self.set.inputs::<D>(view)
    }

    fn check_variables(&self, own: &[&str], all: Option<&[&str]>) -> Result<(), Error> {
        let theirs = if self.from == SpeciesFilter::Own { Some(own) } else { all };
        self.set.check::<D>(own, theirs)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let mut all = [[0.0; crate::kernels::CHUNK]; D];
        let mut forces = Forces { forces: &mut all, first: me.rows.first, len: me.rows.len };
        self.set.evaluate(me.rows, &mut forces);
        forces.get(me)
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        self.set.evaluate(rows, forces);
    }

    reflect!();
}
