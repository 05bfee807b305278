//! Tests of files that are cut short, damaged or forged, and of files of other programs.

use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "sqlite")]
use throng_formats::trajectory::Database;
use throng_formats::trajectory::{
    AgentRow, ColumnHeading, Frame, Heading, NumberKind, Numbers, SpeciesHeading, SpeciesRows, TrajectoryError,
    TrajectoryFormat, TrajectoryReader, walkable_area,
};

/// A file in the folder for temporary files, removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("throng-formats-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn heading() -> Heading {
    let species = |name: &str, states: &[&str]| SpeciesHeading {
        name: name.to_owned(),
        states: states.iter().map(ToString::to_string).collect(),
    };
    let column = |name: &str, width, kind| ColumnHeading { name: name.to_owned(), width, kind };
    Heading {
        scenario: "test".to_owned(),
        version: "0".to_owned(),
        tick_seconds: 0.05,
        every: 2,
        dimensions: 2,
        bounds: [[0.0, 0.0], [10.0, 10.0]],
        walkable: walkable_area([[0.0, 0.0], [10.0, 10.0]], &[], &[], &[]),
        species: vec![species("bird", &["fresh", "tired"]), species("hawk", &[])],
        columns: vec![column("energy", 1, Some(NumberKind::F32)), column("pair", 2, Some(NumberKind::U64))],
        ..Heading::default()
    }
}

fn frame(tick: u64) -> Frame {
    let at = |scale: f32| (0..5).map(|row| scale * row as f32 + tick as f32).collect::<Vec<f32>>();
    let birds = SpeciesRows {
        species: 0,
        ids: (0..5).collect(),
        positions: vec![at(0.1), at(0.2)],
        velocities: vec![at(0.3), at(-0.1)],
        states: vec![0, 1, 0, 1, 1],
        columns: vec![Some((1, Numbers::F32(at(1.0)))), None],
        ..SpeciesRows::default()
    };
    let hawks = SpeciesRows {
        species: 1,
        ids: vec![7 << 32 | 9],
        positions: vec![vec![1.0], vec![2.0]],
        velocities: vec![vec![3.0], vec![4.0]],
        columns: vec![None, Some((2, Numbers::U64(vec![5, 6])))],
        ..SpeciesRows::default()
    };
    Frame { tick, seconds: 0.05 * tick as f64, species: vec![birds, hawks] }
}

fn encoded(format: TrajectoryFormat) -> Vec<u8> {
    let mut encoder = format.encoder(Path::new("a"), &heading()).unwrap().unwrap();
    let mut bytes = Vec::new();
    encoder.start(&mut bytes).unwrap();
    (0..4).for_each(|number| encoder.write(&frame(2 * number), &mut bytes).unwrap());
    encoder.finish(&mut bytes).unwrap();
    bytes
}

fn read(path: &Path) -> Result<Vec<AgentRow>, TrajectoryError> {
    let (mut reader, mut rows) = (TrajectoryReader::open(path)?, Vec::new());
    while let Some(row) = reader.row()? {
        rows.push(row);
    }
    Ok(rows)
}

/// Reads the bytes cut at every length and with every byte changed; a reader may find nothing wrong, and must not
/// panic.
fn damage(name: &str, bytes: &[u8]) {
    let file = Temporary::new(name, bytes);
    let whole = read(&file.0).unwrap();
    assert_eq!(whole.len(), 24);
    assert_eq!((whole[5].tick, whole[5].id), (0, 7 << 32 | 9));
    for length in (0..bytes.len()).step_by(3) {
        fs::write(&file.0, &bytes[..length]).unwrap();
        let _ = read(&file.0);
    }
    let mut damaged = bytes.to_vec();
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            damaged[at] ^= change;
            fs::write(&file.0, &damaged).unwrap();
            let _ = read(&file.0);
            damaged[at] ^= change;
        }
    }
}

#[test]
fn damaged_texts_are_read_without_a_panic() {
    damage("damaged.csv", &encoded(TrajectoryFormat::Csv));
    damage("damaged.txt", &encoded(TrajectoryFormat::Text));
}

#[cfg(feature = "parquet")]
/// Numbers of every width that a trajectory has, as fields of a text table.
#[cfg(feature = "parquet")]
#[test]
fn a_parquet_trajectory_is_a_table_of_the_same_numbers() {
    let file = Temporary::new("table.parquet", &encoded(TrajectoryFormat::Parquet));
    let table = throng_formats::table::read_parquet(fs::File::open(&file.0).unwrap()).unwrap();
    let rows = read(&file.0).unwrap();
    assert_eq!((table.len(), rows.len()), (25, 24), "a heading, and four frames of six agents");
    let place = |name: &str| table[0].iter().position(|heading| heading == name).unwrap();
    let [tick, id, x, y, pair] = ["tick", "id", "x", "y", "pair.1"].map(place);
    for (fields, row) in table[1..].iter().zip(&rows) {
        assert_eq!((fields[tick].parse(), fields[id].parse()), (Ok(row.tick), Ok(row.id)));
        let position = [x, y].map(|column| fields[column].parse::<f32>().unwrap());
        assert_eq!(position, [row.position[0], row.position[1]]);
        // Hawks alone have the column.
        assert_eq!(fields[pair], if row.id > 4 { "6" } else { "" });
    }
}

#[test]
fn damaged_parquet_is_read_without_a_panic() {
    // The library for Parquet may panic on a damaged file, which is caught.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let read = std::panic::catch_unwind(|| damage("damaged.parquet", &encoded(TrajectoryFormat::Parquet)));
    std::panic::set_hook(hook);
    read.unwrap();
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_goes_on_from_a_mark() {
    let mut whole = Vec::new();
    let new = || TrajectoryFormat::Parquet.encoder(Path::new("a"), &heading()).unwrap().unwrap();
    let mut encoder = new();
    encoder.start(&mut whole).unwrap();
    (0..2).for_each(|number| encoder.write(&frame(2 * number), &mut whole).unwrap());
    assert_eq!(encoder.written(), None);
    let state = encoder.mark(&mut whole).unwrap();
    assert_eq!(encoder.written(), Some(2));
    let length = whole.len() as u64;
    let mut resumed = whole.clone();
    for (encoder, bytes) in [(&mut encoder, &mut whole), (&mut new(), &mut resumed)] {
        if encoder.written().is_none() {
            encoder.resume(&state).unwrap();
        }
        (2..4).for_each(|number| encoder.write(&frame(2 * number), bytes).unwrap());
        encoder.finish(bytes).unwrap();
    }
    let file = Temporary::new("marked.parquet", &whole);
    let other = Temporary::new("resumed.parquet", &resumed);
    assert_eq!(read(&other.0), read(&file.0));
    let straight = Temporary::new("straight.parquet", &encoded(TrajectoryFormat::Parquet));
    assert_eq!(read(&file.0), read(&straight.0));
    // Cut at the mark, the file has the frames before.
    encoder.cut(length);
    whole.truncate(length as usize);
    encoder.finish(&mut whole).unwrap();
    fs::write(&file.0, &whole).unwrap();
    assert_eq!(read(&file.0).unwrap().len(), 12);
    // States of other encoders are refused.
    for state in [&[][..], &[0; 8], &[0; 20], &[255; 40]] {
        assert!(new().resume(state).is_err(), "{state:?}");
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn damaged_databases_are_read_without_a_panic() {
    let file = Temporary::new("damaged.sqlite", &[]);
    let mut database = Database::create(&file.0, &heading()).unwrap();
    (0..4).for_each(|number| database.write(&frame(2 * number)).unwrap());
    database.finish().unwrap();
    drop(database);
    let bytes = fs::read(&file.0).unwrap();
    let whole = read(&file.0).unwrap();
    assert_eq!((whole.len(), whole[5].tick, whole[5].id, whole[6].tick), (24, 0, 7 << 32 | 9, 2));
    // The velocity is the change of the position over a frame.
    assert!((whole[0].velocity[0] - 20.0).abs() < 1e-3, "{:?}", whole[0]);
    for length in (0..bytes.len()).step_by(509) {
        fs::write(&file.0, &bytes[..length]).unwrap();
        // The part that was cut off may be an index of the database.
        assert!(read(&file.0).map_or(true, |rows| rows == whole) || length == 0, "{length}");
    }
    let mut damaged = bytes.clone();
    for at in (0..bytes.len()).step_by(61) {
        damaged[at] ^= 0xff;
        fs::write(&file.0, &damaged).unwrap();
        let _ = read(&file.0);
        damaged[at] ^= 0xff;
    }
}

#[test]
fn the_text_of_experiments_is_read() {
    // Sorted by agents, in centimetres, with a height.
    let text = "# description: a corridor\n# framerate: 16.00\n# id frame x/cm y/cm z/cm\n1 10 100 50 170\n1 11 110.5 50 170\n\
                2 10 0 0 160\n";
    let file = Temporary::new("experiment.txt", text.as_bytes());
    let rows = read(&file.0).unwrap();
    assert_eq!(rows.iter().map(|row| (row.tick, row.id)).collect::<Vec<_>>(), [(10, 1), (10, 2), (11, 1)]);
    assert_eq!(rows[0].position, [1.0, 0.5, 1.7]);
    assert!((rows[0].velocity[0] - 0.105 * 16.0).abs() < 1e-4, "{:?}", rows[0]);
    assert_eq!(rows[1].velocity, [0.0; 3]);
    for (text, said) in [
        ("1 2 x 4\n", ":1:1: a coordinate must be a number"),
        ("# framerate: 16\n1 2 3\n", ":2:1: a row has id, frame, x and y"),
        ("-1 2 3 4\n", ":1:1: id must be a whole number"),
        ("1 2 1e30 4\n", "within 1e9"),
    ] {
        fs::write(&file.0, text).unwrap();
        let error = read(&file.0).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// A run that fails after a checkpoint keeps the frames that the checkpoint refers to.
#[test]
fn a_cut_keeps_the_frames_before_a_mark() {
    let folder = std::env::temp_dir().join(format!("throng-formats-{}-cut", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut encoder = TrajectoryFormat::Vtk.encoder(&folder.join("run.vtp"), &heading()).unwrap().unwrap();
    let (mut list, mut ends) = (Vec::new(), Vec::new());
    encoder.start(&mut list).unwrap();
    for tick in 0..6 {
        encoder.write(&frame(2 * tick), &mut list).unwrap();
        ends.push(list.len() as u64);
        if tick % 2 == 1 {
            encoder.mark(&mut list).unwrap();
        }
    }
    for kept in [5, 3, 2, 1] {
        encoder.cut(ends[kept - 1]);
        let frames = fs::read_dir(folder.join("run")).unwrap().count();
        assert_eq!((frames, encoder.written()), (kept, Some(2 * (kept as u64 - 1))));
    }
    fs::remove_dir_all(&folder).unwrap();
}
