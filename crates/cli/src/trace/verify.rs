//! The command `throng verify`: the first difference of two traces.

use std::path::Path;

use throng::{AgentId, Profile};
use throng_scenario::shown;

use crate::arguments::VerifyOptions;
use crate::failure::Failure;
use crate::output::print_folded;
use crate::trace::read::{Line, Place, Reader};
use crate::trace::settings;

/// Runs the command `throng verify`.
pub(crate) fn verify(options: &VerifyOptions) -> Result<(), Failure> {
    let mut traces = [Reader::open(&options.first)?, Reader::open(&options.second)?];
    let names = [&options.first, &options.second].map(|path| shown(path).to_string());
    let (mut lines, mut tick) = (0_u64, 0);
    loop {
        let place = match [traces[0].peek(), traces[1].peek()] {
            [None, None] => return print_folded(&format!("equal: {tick} ticks, {lines} hashes\n")),
            [Some(line), None] | [None, Some(line)] => {
                let shorter = usize::from(traces[0].peek().is_some());
                let next = line.place.tick;
                return Err(Failure::Unexpected(format!("{} ends before tick {next}", names[shorter])));
            }
            [Some(first), Some(second)] if same(first, second) => None,
            [Some(first), Some(second)] => Some((first.place.clone(), second.place.clone())),
        };
        match place {
            None => {
                lines += 1;
                traces[0].take()?;
                tick = traces[1].take()?.map_or(tick, |line| line.place.tick);
            }
            Some(places) => return Err(differ(&mut traces, &names, places)?),
        }
    }
}

fn same(first: &Line, second: &Line) -> bool {
    first.place == second.place && first.hash == second.hash && first.values.rows == second.values.rows
}

/// The failure for two traces whose next lines differ.
fn differ(traces: &mut [Reader; 2], names: &[String; 2], (first, second): (Place, Place)) -> Result<Failure, Failure> {
    let place = if first == second {
        traces[0].take()?;
        traces[1].take()?;
        first
    } else if (first.tick, stage(&first)) != (second.tick, stage(&second)) {
        // A column changed in one run, and in the other none before a later stage.
        let earlier = usize::from((second.tick, stage(&second)) < (first.tick, stage(&first)));
        traces[earlier].take()?;
        if earlier == 0 { first } else { second }
    } else if skips(&mut traces[1], &first)? {
        traces[0].take()?;
        first
    } else {
        second
    };
    let [held, other] =
        [traces[0].column(&place.species, &place.column)?, traces[1].column(&place.species, &place.column)?];
    let Place { tick, stage, species, column } = &place;
    let what = match (&species[..], &column[..]) {
        ("", "SETT") => settings::difference([0, 1].map(|trace: usize| Path::new(&names[trace]))),
        _ => None,
    };
    let what = what.unwrap_or_else(|| match species.is_empty() {
        true => settings::section(column),
        false => format!("{species}.{column} differs"),
    });
    let mut text = format!("tick {tick}, stage {stage}: {what}");
    let size = (held.0.size() * held.0.width) as usize;
    if size > 0 {
        let rows = |bytes: &'_ [u8]| bytes.chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (held_rows, other_rows) = (rows(&held.1), rows(&other.1));
        let row = held_rows.iter().zip(&other_rows).take_while(|(held, other)| held == other).count();
        let value = |rows: &[Vec<u8>], number: &str| {
            rows.get(row).map_or_else(|| "nothing".to_owned(), |bytes| numbers(number, bytes))
        };
        let (held, other) = (value(&held_rows, &held.0.number), value(&other_rows, &other.0.number));
        let agent = agent(traces, species, row)?;
        text += &format!(": agent {agent} has {held} in {}, {other} in {}", names[0], names[1]);
    }
    Ok(Failure::Unexpected(text))
}

/// Whether the stage at hand of a trace has no line for this column. Takes the lines of the stage up to it.
fn skips(trace: &mut Reader, place: &Place) -> Result<bool, Failure> {
    while let Some(line) = trace.peek() {
        if (line.place.tick, &line.place.stage) != (place.tick, &place.stage) {
            break;
        }
        if line.place == *place {
            return Ok(false);
        }
        trace.take()?;
    }
    Ok(true)
}

/// The number of a stage in a tick.
fn stage(place: &Place) -> usize {
    let stages = Profile::default().stages();
    stages.iter().position(|(stage, _)| *stage == place.stage).map_or(0, |number| number + 1)
}

/// The id of the agent in a row.
fn agent(traces: &[Reader; 2], species: &str, row: usize) -> Result<String, Failure> {
    for trace in traces {
        let (_, ids) = trace.column(species, "id")?;
        if let Some(id) = ids.as_chunks::<8>().0.get(row) {
            return Ok(AgentId::from_bits(u64::from_le_bytes(*id)).to_string());
        }
    }
    Ok(format!("in row {row}"))
}

/// The numbers of a row with their bits.
fn numbers(number: &str, bytes: &[u8]) -> String {
    let size = if number == "u64" { 8 } else { 4 };
    let numbers = bytes.chunks(size).map(|bytes| {
        let bits = bytes.iter().rev().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        if number == "f32" { format!("{} (bits {bits:08x})", f32::from_bits(bits as u32)) } else { bits.to_string() }
    });
    numbers.collect::<Vec<_>>().join(", ")
}
