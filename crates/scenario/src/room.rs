//! The check that the agents of each species have room where they start.

use throng::{AgentId, Environment};

use crate::definition::Scenario;
use crate::draw::{CHECK_DRAWS, OccupiedSpace};
use crate::fields::{Fields, Reader};
use crate::reason::Reason;

/// Refuses regions without room for the agents of their species. `tables` has the table of each species' place, or of
/// the species.
pub(crate) fn check_room(reader: &mut Reader<'_>, tables: &[Fields<'_>], scenario: &Scenario) {
    match scenario.dimensions {
        3 => check_room_in::<3>(reader, tables, scenario),
        _ => check_room_in::<2>(reader, tables, scenario),
    }
}

fn check_room_in<const D: usize>(reader: &mut Reader<'_>, tables: &[Fields<'_>], scenario: &Scenario) {
    let (Some(settings), mut environment) = (scenario.settings::<D>(), Environment::default()) else { return };
    // An environment that a world refuses, and too many agents, are reported when the world is built.
    if scenario.environment.build(&mut environment).is_err() || scenario.check_limits().is_err() {
        return;
    }
    let space = OccupiedSpace::new(&environment, &settings, scenario);
    let mut space = space.with_few_bodies(&scenario.groups);
    let mut first = 0;
    for (group, fields) in scenario.groups.iter().zip(tables) {
        let reason = if !group.finds_place(&space, AgentId::from_bits(first)) {
            Some(Reason::NoFreePlace { draws: CHECK_DRAWS })
        } else if space.bodies.is_some() {
            space.place(group, first).err().map(|fit| Reason::TooFull { fit, count: group.count })
        } else {
            None
        };
        if let Some(reason) = reason {
            let at = fields.entry("centre").or(fields.entry("region")).map_or(fields.at, |entry| entry.at);
            reader.note(at, fields.path.clone(), None, reason);
        }
        first += group.count;
    }
}
