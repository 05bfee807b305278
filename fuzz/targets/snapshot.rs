//! Snapshots whose hashes are right: they are refused, or give a world that steps.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng::AnyWorld;

/// The length of the header before the first section, and of the tag and length of a section, in bytes.
const HEADER: usize = 20;
const HEAD: usize = 12;

/// The finaliser of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The hash of a section, as in `src/state/snapshot/digest.rs`.
fn digest(tag: [u8; 4], payload: &[u8]) -> u64 {
    let mut lanes = [0_u64; 4];
    let padded = payload.len() + 32 - payload.len() % 32;
    let mut bytes = payload.to_vec();
    bytes.resize(padded, 0);
    for (number, word) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let lane = &mut lanes[number % 4];
        *lane = mix(*lane ^ u64::from_le_bytes(*word)).wrapping_add(1);
    }
    let start = mix(u64::from(u32::from_le_bytes(tag)) ^ mix(payload.len() as u64));
    lanes.iter().fold(start, |hash, lane| mix(hash ^ lane))
}

/// Gives every section the hash of its contents.
fn mend(bytes: &mut [u8]) {
    let (mut at, mut hashes) = (HEADER, 0_u64);
    while let Some(head) = bytes.get(at..at + HEAD) {
        let tag = [head[0], head[1], head[2], head[3]];
        let length = u64::from_le_bytes(head[4..].try_into().expect("eight bytes"));
        let Some(end) = usize::try_from(length).ok().and_then(|length| (at + HEAD).checked_add(length)) else { return };
        if end.checked_add(8).is_none_or(|after| after > bytes.len()) {
            return;
        }
        if &tag == b"END_" && length == 8 {
            bytes[at + HEAD..end].copy_from_slice(&hashes.to_le_bytes());
        }
        let hash = digest(tag, &bytes[at + HEAD..end]);
        if length > 0 {
            hashes = mix(hashes ^ hash);
        }
        bytes[end..end + 8].copy_from_slice(&hash.to_le_bytes());
        at = end + 8;
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    mend(&mut bytes);
    if let Ok(mut world) = AnyWorld::load(&bytes[..]) {
        (0..2).for_each(|_| world.step());
        let mut again = Vec::new();
        world.save(&mut again).expect("a vector takes every byte");
        assert!(AnyWorld::load(&again[..]).is_ok());
    }
});
