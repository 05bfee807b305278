//! The columns of a world, one by one, for programs that compare two runs.

use crate::agents::columns::{Column, ColumnSlice, ColumnView, Owner};
use crate::agents::{Agents, BodyQuantity};
use crate::world::World;
use crate::world::compiled::Compiled;

/// An entry of [`World::trace`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TraceEntry<'a> {
    /// A part of the state that is not a column of agents, by the tag of its section in snapshots.
    Section {
        /// Its tag, such as `SETT` for settings and tick.
        tag: &'a str,
        /// The hash of its contents.
        hash: u64,
    },
    /// A column of agents.
    Column {
        /// The name of the species.
        species: &'a str,
        /// The column. The first one of each species is `id`, whose rows are [`AgentId::to_bits`](crate::AgentId).
        column: ColumnView<'a>,
    },
}

const AXES: [char; 3] = ['x', 'y', 'z'];

impl<const D: usize> World<D> {
    /// Calls `each` with the sections of settings and definitions, every column of agents, and the other sections of
    /// the state, in a fixed order. Steering forces are included, although they are not part of the state: a difference
    /// of two runs appears there first.
    pub fn trace(&self, mut each: impl FnMut(TraceEntry<'_>)) {
        let sections = (Compiled::functions().section_hashes)(&self.state);
        let (definitions, others) = sections.split_at(sections.partition_point(|(tag, _)| is_definition(tag)));
        for &(tag, hash) in definitions {
            each(TraceEntry::Section { tag, hash });
        }
        for (agents, output) in self.state.agents.iter().zip(&self.derived.outputs) {
            let mut column = |name: &str, width, numbers: ColumnSlice<'_>| {
                each(TraceEntry::Column { species: agents.name(), column: ColumnView { name, width, numbers } });
            };
            trace_agents(agents, &mut column);
            for (axis, force) in AXES.iter().zip(&output.force) {
                let known = force.len().clamp(0, agents.len());
                column(&format!("force.{axis}"), 1, ColumnSlice::F32(&force[..known]));
            }
        }
        for &(tag, hash) in others {
            each(TraceEntry::Section { tag, hash });
        }
    }
}

/// Whether a section, one of the first two, defines the data that the columns follow from.
fn is_definition(tag: &str) -> bool {
    matches!(tag, "SETT" | "SPEC")
}

fn trace_agents<const D: usize>(agents: &Agents<D>, column: &mut dyn FnMut(&str, usize, ColumnSlice<'_>)) {
    let ids: Vec<u64> = agents.ids().iter().map(|id| id.to_bits()).collect();
    column("id", 1, ColumnSlice::U64(&ids));
    let vectors = [
        ("position", Some(&*agents.position)),
        ("position_residual", Some(&agents.position_residual)),
        ("velocity", Some(&agents.velocity)),
        ("velocity_residual", Some(&agents.velocity_residual)),
        ("goal", agents.goal.as_ref()),
        ("heading", agents.heading.as_ref()),
    ];
    for (name, vector) in vectors.into_iter().filter_map(|(name, vector)| Some((name, vector?))) {
        for (axis, values) in AXES.iter().zip(vector) {
            column(&format!("{name}.{axis}"), 1, ColumnSlice::F32(&values[..agents.len()]));
        }
    }
    let body = &agents.body;
    let quantities = [
        ("mass", &body.mass),
        ("radius", &body.radius),
        ("max_speed", &body.max_speed),
        ("max_force", &body.max_force),
    ];
    for (name, quantity) in quantities {
        if let BodyQuantity::Each(values) = quantity {
            column(name, 1, ColumnSlice::F32(&values[..agents.len()]));
        }
    }
    for typed in agents.columns.0.iter().filter(|column| column.owner.is_state()) {
        let view = typed.view();
        column(&qualified(typed), view.width, view.numbers);
    }
}

/// The name of a column with its owner, where names of several owners could be equal.
fn qualified(column: &Column) -> String {
    match column.owner {
        Owner::Rule(key) => format!("memory.{key}.{}", column.name),
        Owner::State => "state".to_owned(),
        Owner::Seconds => "seconds_in_state".to_owned(),
        Owner::Flags => "flags".to_owned(),
        Owner::FreeSpeed => "free_speed".to_owned(),
        Owner::Regions => "regions".to_owned(),
        Owner::Moved => "moved".to_owned(),
        Owner::Mix => "place_in_mix".to_owned(),
        Owner::Jumps => "jumps".to_owned(),
        Owner::Variable | Owner::Time | Owner::Host | Owner::Local => column.name.clone(),
    }
}
