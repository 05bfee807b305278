//! Encoding and decoding of sources, sinks, zones and the tally of removals.

use crate::agents::columns::Owner;
use crate::base::values::Kind;
use crate::environment::source::Progress;
use crate::environment::{Against, Arrivals, Environment, Sink, Source, Zone};
use crate::species::{MAX_SPEED, QUANTITIES};
use crate::state::State;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::definitions::{read_distribution, write_distribution};
use crate::state::snapshot::environment::{read_all, write_all};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;
use crate::state::tally::Tally;

/// Returns whether the world ever had a source, a sink or a zone, or removed an agent.
pub(crate) fn exist<const D: usize>(state: &State<D>) -> bool {
    let Environment { sources, sinks, zones, .. } = &state.environment;
    !(sources.is_new() && sinks.is_new() && zones.is_new() && state.tally == Tally::default())
}

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, state: &State<D>) {
    let Environment { sources, sinks, zones, .. } = &state.environment;
    write_all(to, sources, write_source);
    write_all(to, sinks, |to, sink, ()| {
        to.text(&sink.name);
        to.text(&sink.region);
        to.list(sink.species.iter(), |to, name| to.text(name));
        to.list(sink.states.iter(), |to, name| to.text(name));
    });
    write_all(to, zones, |to, zone, ()| {
        to.text(&zone.region);
        to.f32(zone.factor);
        to.flag(zone.against.is_some());
        if let Some(Against { direction, factor }) = zone.against {
            to.vector(direction);
            to.f32(factor);
        }
    });
    to.list(state.tally.iter(), |to, (reason, count)| {
        to.text(reason);
        to.u64(count);
    });
}

fn write_source<const D: usize>(to: &mut Writer<'_>, source: &Source<D>, progress: &Progress) {
    let Source { name, species, region, arrivals, limit, heading, speed } = source;
    [name, species, region].into_iter().for_each(|text| to.text(text));
    match arrivals {
        Arrivals::Rate(rate) => {
            to.u8(0);
            to.f32(*rate);
        }
        Arrivals::Poisson(rate) => {
            to.u8(1);
            to.f32(*rate);
        }
        Arrivals::Schedule(times) => {
            to.u8(2);
            to.list(times.iter(), |to, (time, number)| {
                to.f32(*time);
                to.u64(*number);
            });
        }
        Arrivals::OnEntry(region) => {
            to.u8(3);
            to.text(region);
        }
    }
    to.u64(limit.unwrap_or(u64::MAX));
    to.flag(heading.is_some());
    heading.iter().for_each(|heading| to.vector(*heading));
    to.flag(speed.is_some());
    speed.iter().for_each(|speed| write_distribution(to, *speed));
    let Progress { arrived, spawned, seconds, expected } = progress;
    to.u64(*arrived);
    to.u64(*spawned);
    to.f64(*seconds);
    to.f64(*expected);
}

/// Reads the section into a state whose agents and regions have been read.
pub(crate) fn read<const D: usize>(from: &mut Reader<'_>, state: &mut State<D>) -> Result<(), SnapshotError> {
    if from.is_empty() {
        return Ok(());
    }
    state.environment.sources = read_all(from, read_source)?;
    state.environment.sinks = read_all(from, |from| {
        let (name, region) = (from.text()?, from.text()?);
        Ok((Sink { name, region, species: from.list(Reader::text)?, states: from.list(Reader::text)? }, ()))
    })?;
    state.environment.zones = read_all(from, |from| {
        let (region, factor) = (from.text()?, from.f32()?);
        let against =
            if from.flag()? { Some(Against { direction: from.vector()?, factor: from.f32()? }) } else { None };
        Ok((Zone { region, factor, against }, ()))
    })?;
    state.tally = Tally::from_parts(from.list(|from| Ok((from.text()?, from.u64()?)))?);
    state.zoned = !state.environment.zones().is_empty();
    let table = &QUANTITIES[MAX_SPEED];
    let Kind::Number(range) = table.kind else { return Ok(()) };
    let mut speeds =
        state.agents.iter().flat_map(|agents| agents.columns.values::<f32>(Owner::FreeSpeed).unwrap_or_default());
    match speeds.find(|speed| !range.contains(f64::from(**speed))) {
        Some(&speed) => Err(table.refuse(&speed.into()).into()),
        None => Ok(()),
    }
}

fn read_source<const D: usize>(from: &mut Reader<'_>) -> Result<(Source<D>, Progress), SnapshotError> {
    let (name, species, region) = (from.text()?, from.text()?, from.text()?);
    let arrivals = match from.u8()? {
        0 => Arrivals::Rate(from.f32()?),
        1 => Arrivals::Poisson(from.f32()?),
        2 => Arrivals::Schedule(from.list(|from| Ok((from.f32()?, from.u64()?)))?),
        3 => Arrivals::OnEntry(from.text()?),
        other => return Err(from.unknown("the arrivals of a source", other)),
    };
    let limit = Some(from.u64()?).filter(|&limit| limit != u64::MAX);
    let heading = if from.flag()? { Some(from.vector()?) } else { None };
    let speed = if from.flag()? { Some(read_distribution(from)?) } else { None };
    let progress = Progress { arrived: from.u64()?, spawned: from.u64()?, seconds: from.f64()?, expected: from.f64()? };
    if !progress.is_valid() {
        return Err(from.invalid(SnapshotFault::Progress));
    }
    Ok((Source { name, species, region, arrivals, limit, heading, speed }, progress))
}
