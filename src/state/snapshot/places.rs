//! Encoding and decoding of queues and waiting areas with their handles and the agents that have places.

use crate::base::ids::AgentId;
use crate::environment::handles::Collection;
use crate::environment::places::Occupants;
use crate::environment::{Places, PlacesId};
use crate::state::snapshot::environment::{read_all, write_all};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, places: &Collection<PlacesId, Places<D>>) {
    write_all(to, places, |to, places, occupants| {
        to.text(&places.name);
        to.flag(places.is_queue);
        to.list(places.points.iter(), |to, point| to.vector(*point));
        to.list(occupants.0.iter(), |to, agent| {
            to.flag(agent.is_some());
            to.u64(agent.map_or(0, AgentId::to_bits));
        });
    });
}

pub(crate) fn read<const D: usize>(from: &mut Reader<'_>) -> Result<Collection<PlacesId, Places<D>>, SnapshotError> {
    read_all(from, |from| {
        let (name, is_queue) = (from.text()?, from.flag()?);
        let points = from.list(|from| from.vector())?;
        let occupants = from.list(|from| {
            let (taken, agent) = (from.flag()?, from.u64()?);
            Ok(taken.then_some(AgentId::from_bits(agent)))
        })?;
        Ok((Places { name, points, is_queue }, Occupants(occupants)))
    })
}
