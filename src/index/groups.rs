//! The members of groups: agents of a species with the same number in one of its columns.

use crate::agents::Agents;
use crate::agents::columns::Stored as _;

/// The groups of all species, rebuilt in each tick in which a rule asks for them.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Ascending: so the members of a group are side by side, by their ids.
    members: Vec<Member>,
}

/// A member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    /// The species, the place of its column, and the number of the group in it.
    group: [u32; 3],
    /// The bits of the agent's id.
    pub(crate) id: u64,
    pub(crate) row: u32,
}

impl Groups {
    /// Removes all groups.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
    }

    /// Adds the groups of a species by the column at a place. Agents with zero in it belong to none.
    pub(crate) fn add<const D: usize>(&mut self, agents: &Agents<D>, column: usize) {
        let [species, place] = [agents.species.0, column as u32];
        let numbers = agents.columns.0.get(column).and_then(|column| u32::rows(&column.data)).unwrap_or_default();
        for (row, (&number, id)) in numbers.iter().zip(&agents.id).enumerate().filter(|(_, (number, _))| **number != 0)
        {
            self.members.push(Member { group: [species, place, number], id: id.to_bits(), row: row as u32 });
        }
    }

    /// Sorts the members after all have been added, some of them more than once.
    pub(crate) fn sort(&mut self) {
        self.members.sort_unstable();
        self.members.dedup();
    }

    /// The members of the group with this number, by their ids; none for zero.
    pub(crate) fn of(&self, species: u32, column: usize, number: u32) -> &[Member] {
        let group = [species, column as u32, number];
        let first = self.members.partition_point(|member| member.group < group);
        let members = &self.members[first..];
        &members[..members.partition_point(|member| member.group == group)]
    }
}
