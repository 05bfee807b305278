//! Snapshots that all ranks of a run write into one file, at the same time.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use throng::ranks::{Ranks, Transport};
use throng::{AnyWorld, SnapshotError, with_world};

use crate::checkpoint::CheckpointFile;
use crate::summed::Extent;

/// A part of a snapshot that a rank has written: its place, and its bytes.
type Part = (u64, Extent);

/// The report of a rank: its parts, or the reason why it failed.
const DONE: u8 = 1;
const FAILED: u8 = 0;

/// Writes the snapshot to the file of the first rank, together with the others, which call [`follow`]. Returns `false` if
/// another rank cannot open the file, because it is on a machine that does not see it.
pub(crate) fn lead(ranks: &Ranks, world: &AnyWorld, to: &mut CheckpointFile) -> Result<bool, SnapshotError> {
    let Some(transport) = ranks.transport() else { return Ok(false) };
    // The other ranks check its length.
    to.inner.sync()?;
    let start = to.inner.position();
    let path = std::path::absolute(to.inner.temporary()).unwrap_or_default();
    let mut request = start.to_le_bytes().to_vec();
    request.extend(path.to_str().unwrap_or_default().as_bytes());
    transport.gather(&request, &mut Vec::new());
    let Some(parts) = write(ranks, &**transport, world, open(&path, start), start)? else { return Ok(false) };
    for (_, extent) in parts {
        to.append(extent);
        to.inner.append(extent)?;
    }
    Ok(true)
}

/// Writes this rank's part of a snapshot.
pub(crate) fn follow(ranks: &Ranks, world: &AnyWorld) {
    let Some(transport) = ranks.transport() else { return };
    let mut all = Vec::new();
    transport.gather(&[], &mut all);
    let (start, path) =
        all[0].split_first_chunk().map_or((0, &[][..]), |(start, path)| (u64::from_le_bytes(*start), path));
    let file = open(Path::new(&*String::from_utf8_lossy(path)), start);
    // The first rank reports failures.
    let _ = write(ranks, &**transport, world, file, start);
}

/// Opens a file that the first rank has started, which has this length.
fn open(path: &Path, length: u64) -> io::Result<File> {
    let file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() == length { Ok(file) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Writes this rank's part, if all ranks have opened the file. Returns the parts of all ranks in order.
fn write(
    ranks: &Ranks,
    transport: &dyn Transport,
    world: &AnyWorld,
    file: io::Result<File>,
    start: u64,
) -> Result<Option<Vec<Part>>, SnapshotError> {
    let mut all = Vec::new();
    transport.gather(&[u8::from(file.is_ok())], &mut all);
    let Some(mut file) = file.ok().filter(|_| all.iter().all(|opened| opened == &[1])) else { return Ok(None) };
    let mut parts = Vec::new();
    let mut write_at = |at: u64, bytes: &[u8]| {
        file.seek(SeekFrom::Start(start + at))?;
        file.write_all(bytes)?;
        parts.extend(at.to_le_bytes());
        parts.extend((bytes.len() as u64).to_le_bytes());
        parts.extend(crc32fast::hash(bytes).to_le_bytes());
        Ok(())
    };
    let saved = with_world!(world, world => ranks.save_part(world, &mut write_at)).and_then(|()| Ok(file.sync_data()?));
    let report = match &saved {
        Ok(()) => [&[DONE], &parts[..]].concat(),
        Err(error) => [&[FAILED], error.to_string().as_bytes()].concat(),
    };
    transport.gather(&report, &mut all);
    saved?;
    let failed = all.iter().enumerate().find_map(|(rank, report)| Some((rank, report.strip_prefix(&[FAILED])?)));
    if let Some((rank, reason)) = failed {
        return Err(io::Error::other(format!("rank {rank}: {}", String::from_utf8_lossy(reason))).into());
    }
    let mut parts: Vec<Part> = all.iter().flat_map(|report| report[1..].as_chunks().0).map(part).collect();
    parts.sort_by_key(|(at, _)| *at);
    Ok(Some(parts))
}

fn part(bytes: &[u8; 20]) -> Part {
    let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    let checksum = u32::from_le_bytes(std::array::from_fn(|byte| bytes[16 + byte]));
    (number(0), Extent { length: number(8), checksum })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use throng::ranks::in_process;
    use throng_scenario::Scenario;

    use super::*;
    use crate::atomic_file::AtomicFile;
    use crate::summed::Summed;

    const SCENARIO: &str = "format = 1\n[world]\ndimensions = 2\nsize = [90.0, 70.0]\nedge = \"wrap\"\n\
        [species.starling]\ncount = 900\nbehaviours = [{ rule = \"alignment\", radius = 4.0 }]\n";

    /// Writes a file on three ranks; the last one may not see it. Returns whether they wrote it together.
    fn save_on_ranks(name: &str, is_seen: bool) -> bool {
        let path = std::env::temp_dir().join(format!("throng-{name}-{}", std::process::id()));
        let build = || Scenario::parse(SCENARIO, "small.toml").unwrap().build_any().unwrap();
        let save_on = |transport: Arc<dyn Transport>| {
            let mut world = build();
            let ranks = Ranks::from(Arc::clone(&transport));
            with_world!(&mut world, world => ranks.divide(world)).unwrap();
            (0..5).for_each(|_| world.step());
            match transport.rank() {
                0 => {
                    let mut to = Summed::new(AtomicFile::start(path.clone()).unwrap());
                    to.write_all(b"before").unwrap();
                    let is_shared = lead(&ranks, &world, &mut to).unwrap();
                    to.write_all(b"after").unwrap();
                    let extents = (to.extent(), to.inner.complete().unwrap());
                    assert_eq!(extents.0, extents.1);
                    (is_shared, extents.0)
                }
                2 if !is_seen => {
                    transport.gather(&[], &mut Vec::new());
                    let unseen = Err(io::ErrorKind::NotFound.into());
                    assert!(matches!(write(&ranks, &*transport, &world, unseen, 0), Ok(None)));
                    (false, Extent { length: 0, checksum: 0 })
                }
                _ => {
                    follow(&ranks, &world);
                    (false, Extent { length: 0, checksum: 0 })
                }
            }
        };
        let (is_shared, extent) = std::thread::scope(|scope| {
            let ranks = in_process(3).into_iter().map(|rank| scope.spawn(|| save_on(Arc::new(rank))));
            ranks.collect::<Vec<_>>().into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>()[0]
        });
        let found = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let mut expected = b"before".to_vec();
        if is_shared {
            let mut world = build();
            (0..5).for_each(|_| world.step());
            world.save(&mut expected).unwrap();
        }
        expected.extend(b"after");
        assert!(found == expected);
        assert_eq!(extent, Extent { length: expected.len() as u64, checksum: crc32fast::hash(&expected) });
        is_shared
    }

    #[test]
    fn ranks_that_see_a_file_write_it_together() {
        assert!(save_on_ranks("seen", true));
        assert!(!save_on_ranks("unseen", false));
    }
}
