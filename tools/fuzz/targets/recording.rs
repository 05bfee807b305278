//! Recordings whose hashes are right: they are refused, or replayed up to an error.
#![no_main]

#[path = "../../../tests/forged/seal.rs"]
#[allow(dead_code, reason = "the tests take snapshots apart, too")]
mod seal;

use libfuzzer_sys::fuzz_target;
use throng::{AnyRecording, Recording, Registry};

/// The header of a recording, before its snapshot.
const HEADER: usize = 12;

/// The most ticks of a replay, and the most agents.
const MOST_TICKS: usize = 8;
const MOST_AGENTS: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    seal::seal_from(&mut bytes, HEADER + seal::HEADER);
    match AnyRecording::read_with(&bytes[..], &Registry::new()) {
        Ok(AnyRecording::Flat(recording)) => replay(&recording),
        Ok(AnyRecording::Space(recording)) => replay(&recording),
        Err(_) => {}
    }
});

fn replay<const D: usize>(recording: &Recording<D>) {
    let mut again = Vec::new();
    recording.write(&mut again).expect("a vector takes every byte");
    assert!(Recording::<D>::read(&again[..]).is_ok());
    assert!(recording.edits().all(|(_, words)| !words.is_empty()));
    let mut replay = recording.replay().expect("the arithmetic is the default");
    for _ in 0..MOST_TICKS {
        if replay.world().population() > MOST_AGENTS || !matches!(replay.step(), Ok(true)) {
            return;
        }
    }
}
