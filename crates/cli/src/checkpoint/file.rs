//! The file of a checkpoint: a header, the progress of the outputs, and the snapshot of the world.
//!
//! `docs/checkpoints.md` describes the format.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::{AnyWorld, PHYSICS, SnapshotError};
use throng_scenario::shown;

use crate::atomic_file::AtomicFile;
use crate::checkpoint::interval::Interval;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::summed::Summed;

const MAGIC: [u8; 8] = *b"THRONGCP";
/// The version of the format. The layout up to the checksum of the header is the same in all of them.
const FORMAT: u32 = 4;
/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An output that grows with the run, and that a run from a checkpoint continues.
pub(crate) trait Resumable {
    /// The part of a checkpoint for the output: how far it is, and the data to continue from there.
    type State: Serialize + DeserializeOwned;

    /// Makes all that was written so far durable, and returns the state.
    fn mark(&mut self) -> Result<Self::State, Failure>;
}

/// The header of a checkpoint, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) version: String,
    pub(crate) physics: u32,
    /// The number of ticks that the world has advanced by.
    pub(crate) tick: u64,
    /// The last tick of the run.
    pub(crate) ticks: u64,
    pub(crate) every: Interval,
    #[serde(flatten)]
    pub(crate) origin: Origin,
}

/// The part of a checkpoint before the snapshot of its world.
pub(crate) struct Contents<P> {
    pub(crate) header: Header,
    /// How far the run is, without its world.
    pub(crate) progress: P,
}

/// The file of a checkpoint while it is written.
pub(crate) type CheckpointFile = Summed<AtomicFile>;

impl Header {
    /// The header of a checkpoint that this version writes.
    pub(crate) fn new(origin: &Origin, tick: u64, ticks: u64, every: Interval) -> Self {
        Self { version: VERSION.to_owned(), physics: PHYSICS, tick, ticks, every, origin: origin.clone() }
    }
}

/// Writes a checkpoint, with the snapshot that `save` writes. The file is complete and durable when this returns.
pub(crate) fn write(
    path: PathBuf,
    contents: &Contents<impl Serialize>,
    save: impl FnOnce(&mut CheckpointFile) -> Result<(), SnapshotError>,
) -> Result<(), Failure> {
    let encoded = |error: &dyn std::fmt::Display| Failure::Write(format!("{}: {error}", shown(&path)));
    let header = serde_json::to_vec(&contents.header).map_err(|error| encoded(&error))?;
    let progress = postcard::to_allocvec(&contents.progress).map_err(|error| encoded(&error))?;
    let mut to = Summed::new(AtomicFile::start(path.clone())?);
    let all = || -> Result<(), SnapshotError> {
        to.write_all(&MAGIC)?;
        to.write_all(&FORMAT.to_le_bytes())?;
        to.write_all(&(header.len() as u32).to_le_bytes())?;
        to.write_all(&header)?;
        let checksum = to.end();
        to.inner.write_all(&checksum.to_le_bytes())?;
        to.write_all(&(progress.len() as u64).to_le_bytes())?;
        to.write_all(&progress)?;
        save(&mut to)?;
        let checksum = to.end();
        to.inner.write_all(&checksum.to_le_bytes())?;
        Ok(())
    };
    all().map_err(|error| match error {
        SnapshotError::Io(error) => Failure::write(&path, &error),
        SnapshotError::UnknownRule(_) => Failure::Input(format!("checkpoints are not possible: {error}")),
        other => encoded(&other),
    })?;
    to.inner.keep_durably()
}

/// A checkpoint that has been read up to the snapshot of its world.
pub(crate) struct Opened<P, R = BufReader<File>> {
    pub(crate) header: Header,
    pub(crate) progress: P,
    pub(crate) saved: SavedWorld<R>,
}

/// The snapshot in a checkpoint, before it is read.
pub(crate) struct SavedWorld<R = BufReader<File>> {
    from: Summed<R>,
    tick: u64,
}

/// Opens a checkpoint that this version wrote.
///
/// # Errors
///
/// The text says why the file cannot be used.
pub(crate) fn open<P: DeserializeOwned>(path: &Path) -> Result<Opened<P>, String> {
    let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    decode(BufReader::with_capacity(1 << 16, file))
}

fn decode<P: DeserializeOwned, R: Read>(from: R) -> Result<Opened<P, R>, String> {
    let mut from = Summed::new(from);
    let mut magic = [0; 8];
    from.read_exact(&mut magic).map_err(|_| damaged("its header"))?;
    if magic != MAGIC {
        return Err("is not a checkpoint, or is damaged in its first bytes".to_owned());
    }
    let format = word(&mut from).ok_or_else(|| damaged("its header"))?;
    let length = word(&mut from).ok_or_else(|| damaged("its header"))?;
    let header = bytes(&mut from, length.into()).ok_or_else(|| damaged("its header"))?;
    let checksum = from.end();
    if word(&mut from.inner) != Some(checksum) {
        return Err(damaged("its header"));
    }
    let value: Value = serde_json::from_slice(&header).map_err(|error| format!("has an invalid header: {error}"))?;
    let version = value["version"].as_str().unwrap_or("unknown");
    if version != VERSION || format != FORMAT {
        return Err(format!("is of version {version}, format {format}: this is version {VERSION}, format {FORMAT}"));
    }
    if value["physics"] != PHYSICS {
        return Err(format!("is of physics {}: this version has physics {PHYSICS}", value["physics"]));
    }
    let header: Header = serde_json::from_value(value).map_err(|error| format!("has an invalid header: {error}"))?;
    let mut length = [0; 8];
    from.read_exact(&mut length).map_err(|_| damaged("the state of its outputs"))?;
    let progress = bytes(&mut from, u64::from_le_bytes(length)).ok_or_else(|| damaged("the state of its outputs"))?;
    let progress = postcard::from_bytes(&progress).map_err(|_| damaged("the state of its outputs"))?;
    let saved = SavedWorld { from, tick: header.tick };
    Ok(Opened { header, progress, saved })
}

impl<R: Read> SavedWorld<R> {
    /// Reads the world by this function, and checks the end of the file.
    ///
    /// # Errors
    ///
    /// The text says why the file cannot be used.
    pub(crate) fn read(
        mut self,
        load: impl FnOnce(&mut Summed<R>) -> Result<AnyWorld, SnapshotError>,
    ) -> Result<AnyWorld, String> {
        let world = load(&mut self.from).map_err(|error| format!("cannot be used: {error}"))?;
        let checksum = self.from.end();
        let ends = word(&mut self.from.inner) == Some(checksum) && matches!(self.from.inner.read(&mut [0]), Ok(0));
        if ends && world.tick() == self.tick { Ok(world) } else { Err(damaged("its end")) }
    }
}

fn damaged(what: &str) -> String {
    format!("is damaged or cut short in {what}")
}

fn word(from: &mut impl Read) -> Option<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// Reads this many bytes. Memory grows with the bytes read, so a forged length allocates nothing.
fn bytes(from: &mut impl Read, length: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == length).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use throng::{Noise, Registry};
    use throng_scenario::Scenario;

    use super::*;
    use crate::running::Progress;
    use crate::series::Series;
    use crate::summary::Totals;
    use crate::telling::Telling;
    use crate::trajectory::TrajectoriesState;

    /// A checkpoint of a world with agents, and the hash of the world.
    fn checkpoint(name: &str) -> (Vec<u8>, u64) {
        let text = "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 20.0]\n[species.bird]\ncount = 5\n\
            behaviours = [{ rule = \"wander\" }]\n[output.measures]\nnames = [\"stuck\"]\n";
        let origin = Origin::of("small.toml".into(), text.to_owned(), Vec::new());
        let scenario = Scenario::parse(text, "small.toml").unwrap();
        let mut world = scenario.build_any().unwrap();
        world.step();
        let series = Series::start(None, None, &scenario, &world).unwrap().mark().unwrap();
        let (trajectories, telling) = (TrajectoriesState::default(), Telling::default());
        let progress = Progress { totals: Totals::default(), trajectories, series, telling };
        let header = Header::new(&origin, 1, 9, "3".parse().unwrap());
        let path = std::env::temp_dir().join(format!("throng-{name}-{}.ckpt", std::process::id()));
        write(path.clone(), &Contents { header, progress }, |to| world.save(to)).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        (bytes, world.state_hash())
    }

    /// Decodes a checkpoint with its world.
    fn decode_all(bytes: &[u8], registry: &Registry) -> Result<(Header, AnyWorld), String> {
        let Opened { header, saved, .. } = decode::<Progress, _>(bytes)?;
        Ok((header, saved.read(|from| AnyWorld::load_with(from, registry))?))
    }

    /// Decodes the checkpoint cut at every byte, and with this many random single bytes changed.
    fn damage(flips: u64) {
        let (bytes, hash) = checkpoint(&format!("damaged-{flips}"));
        let registry = Registry::new();
        let (header, world) = decode_all(&bytes, &registry).unwrap();
        assert_eq!((header.tick, header.ticks, world.state_hash()), (1, 9, hash));
        for length in 0..bytes.len() {
            assert!(decode_all(&bytes[..length], &registry).is_err(), "{length}");
        }
        let mut damaged = bytes.clone();
        damaged.push(0);
        assert!(decode_all(&damaged, &registry).is_err());
        damaged.pop();
        let mut noise = Noise::new(1, 0, 0, Noise::USER);
        for number in 0..flips {
            let at = (f64::from(noise.unit()) * bytes.len() as f64) as usize;
            let change = (noise.unit() * 255.0) as u8 + 1;
            damaged[at] ^= change;
            assert!(decode_all(&damaged, &registry).is_err(), "{number}: byte {at} by {change}");
            damaged[at] ^= change;
        }
    }

    #[test]
    fn a_damaged_checkpoint_is_refused() {
        damage(2000);
    }

    #[test]
    #[ignore = "takes minutes: scripts/faults.sh runs it"]
    fn a_million_damaged_checkpoints_are_refused() {
        damage(1_000_000);
    }

    #[test]
    fn a_forged_length_allocates_nothing() {
        let (bytes, _) = checkpoint("forged");
        let header = 20 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        for length in [u64::MAX, 1 << 62, 1 << 40, bytes.len() as u64] {
            let mut forged = bytes.clone();
            forged[header..header + 8].copy_from_slice(&length.to_le_bytes());
            assert!(decode_all(&forged, &Registry::new()).is_err());
        }
        let mut forged = bytes;
        forged[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(decode_all(&forged, &Registry::new()).is_err());
    }
}
