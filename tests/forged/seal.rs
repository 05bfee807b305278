//! Sections of a snapshot and their hashes, written independently of the engine: for forged snapshots. The fuzz targets
//! use this file too.

/// The length of the header before the first section, in bytes.
pub(crate) const HEADER: usize = 20;

/// The length of a section's tag and length, in bytes.
pub(crate) const HEAD: usize = 12;

/// The tag and the payload of a section.
pub(crate) type Section = (Vec<u8>, Vec<u8>);

/// The finaliser of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The hash of a section: of its tag, its length, and its payload in blocks of four words; the last block is filled up
/// with zeros.
fn hash(tag: [u8; 4], payload: &[u8]) -> u64 {
    let mut padded = payload.to_vec();
    padded.resize((payload.len() / 32 + 1) * 32, 0);
    let mut lanes = [0_u64; 4];
    for (number, word) in padded.as_chunks::<8>().0.iter().enumerate() {
        lanes[number % 4] = mix(lanes[number % 4] ^ u64::from_le_bytes(*word)).wrapping_add(1);
    }
    let start = mix(u64::from(u32::from_le_bytes(tag)) ^ mix(payload.len() as u64));
    lanes.iter().fold(start, |hash, lane| mix(hash ^ lane))
}

/// The start and the end of the payload of the section at `at`; `None` if the section is cut short.
fn payload(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at + HEAD;
    let length = u64::from_le_bytes(*bytes.get(at + 4..start)?.first_chunk()?);
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    (end.checked_add(8)? <= bytes.len()).then_some((start, end))
}

/// Gives every section the hash of its contents, and the last one the hash of all others, up to a section that is cut
/// short.
pub(crate) fn seal(bytes: &mut [u8]) {
    seal_from(bytes, HEADER);
}

/// The same for sections that begin at a number of bytes from the start. Sections after the last of a snapshot have
/// hashes of their own.
pub(crate) fn seal_from(bytes: &mut [u8], start: usize) {
    let (mut at, mut hashes) = (start, 0_u64);
    while let Some((start, end)) = payload(bytes, at) {
        let tag = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        if &tag == b"END_" && end == start + 8 {
            bytes[start..end].copy_from_slice(&hashes.to_le_bytes());
        }
        let found = hash(tag, &bytes[start..end]);
        if start < end {
            hashes = mix(hashes ^ found);
        }
        bytes[end..end + 8].copy_from_slice(&found.to_le_bytes());
        at = end + 8;
    }
}

/// The sections but the last.
pub(crate) fn sections(bytes: &[u8]) -> Vec<Section> {
    let (mut at, mut sections) = (HEADER, Vec::new());
    while let Some((start, end)) = payload(bytes, at) {
        sections.push((bytes[at..at + 4].to_vec(), bytes[start..end].to_vec()));
        at = end + 8;
    }
    assert_eq!((at, sections.pop().map(|(tag, _)| tag)), (bytes.len(), Some(b"END_".to_vec())));
    sections
}

/// The snapshot of these sections, with valid hashes.
pub(crate) fn sealed(header: &[u8], sections: &[Section]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    let end = (b"END_".to_vec(), vec![0; 8]);
    for (tag, payload) in sections.iter().chain([&end]) {
        bytes.extend(tag);
        bytes.extend((payload.len() as u64).to_le_bytes());
        bytes.extend(payload);
        bytes.extend([0; 8]);
    }
    seal(&mut bytes);
    bytes
}
