//! The contradictions in a section of a snapshot whose hash is correct.

use std::fmt;

use crate::base::ids::AgentId;

/// A contradiction in a snapshot with correct hashes: a program other than throng wrote it, or throng has a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotFault {
    /// The section is too short for the counts that it holds.
    TooShort,
    /// The section continues after its last entry.
    TooLong,
    /// A text is not UTF-8.
    NotUtf8,
    /// A code or a name is unknown.
    Unknown {
        /// The kind of value that was expected.
        what: &'static str,
        /// The code or the name.
        found: String,
    },
    /// The key of a rule was never assigned, or two rules have it.
    RuleKey(u32),
    /// The slot of an agent does not exist, or belongs to another agent or to another row.
    Slot(AgentId),
    /// The list of free slots differs from the slots that are free.
    FreeSlots,
    /// The columns of a species differ from those that its definition requires.
    Columns {
        /// The name of the species.
        species: String,
    },
    /// A column does not have one value for each agent.
    ColumnLength {
        /// The name of the species.
        species: String,
        /// The name of the column.
        column: String,
    },
    /// Two agents of mixed species have this place, or the mix has fewer places.
    MixPlace(u32),
    /// The columns of mixed species and the mix disagree on places.
    Mix,
    /// An agent in the list of removals does not live.
    Leaver(AgentId),
    /// The removals by reason differ from those that the ids count.
    Tally,
    /// The progress of a source is one that no source can have.
    Progress,
    /// The length of a tick changed at a time that the world never had.
    Clock,
    /// The handles of marks, obstacles, regions or flow fields do not ascend, or were never assigned.
    Handles,
    /// A saved recorder has other measures, species, lines or areas.
    Recording,
}

impl SnapshotFault {
    pub(crate) fn unknown(what: &'static str, found: impl ToString) -> Self {
        Self::Unknown { what, found: found.to_string() }
    }
}

impl fmt::Display for SnapshotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => write!(f, "it is too short for the counts that it holds"),
            Self::TooLong => write!(f, "it has bytes after its last entry"),
            Self::NotUtf8 => write!(f, "a text is not UTF-8"),
            Self::Unknown { what, found } => write!(f, "{found} is not {what}"),
            Self::RuleKey(key) => write!(f, "the key {key} of a rule was never assigned, or two rules have it"),
            Self::Slot(id) => write!(f, "agent {id} has no slot of its own"),
            Self::FreeSlots => write!(f, "the list of free slots differs from the slots that are free"),
            Self::Columns { species } => {
                write!(f, "the columns of species `{species}` differ from those that its definition requires")
            }
            Self::ColumnLength { species, column } => {
                write!(f, "column `{column}` of species `{species}` does not have one value for each agent")
            }
            Self::MixPlace(place) => write!(f, "place {place} in the mix is occupied or does not exist"),
            Self::Mix => write!(f, "the columns of mixed species and the mix disagree on places"),
            Self::Leaver(id) => write!(f, "agent {id} is to be removed and does not live"),
            Self::Tally => write!(f, "the removals by reason differ from those that the ids count"),
            Self::Progress => write!(f, "the progress of a source is one that no source can have"),
            Self::Clock => write!(f, "the length of a tick changed at a time that the world never had"),
            Self::Handles => write!(f, "handles are not in their order"),
            Self::Recording => write!(f, "it has other measures, species, lines or areas"),
        }
    }
}
