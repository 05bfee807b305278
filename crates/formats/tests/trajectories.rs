//! Tests of files that are cut short, damaged or forged, and of files of other programs.

use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "sqlite")]
use throng_formats::trajectory::Database;
use throng_formats::trajectory::{
    AgentRow, ColumnHeading, Frame, Heading, NumberKind, Numbers, SpeciesHeading, SpeciesRows, TrajectoryError,
    TrajectoryFormat, TrajectoryReader, Walls, walkable_area,
};

/// A file or a folder in the folder for temporary files, removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("throng-formats-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn folder(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("throng-formats-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = if self.0.is_dir() { fs::remove_dir_all(&self.0) } else { fs::remove_file(&self.0) };
    }
}

fn heading() -> Heading {
    let species = |name: &str, states: &[&str]| SpeciesHeading {
        name: name.to_owned(),
        states: states.iter().map(ToString::to_string).collect(),
        is_people: false,
    };
    let column = |name: &str, width, kind| ColumnHeading { name: name.to_owned(), width, kind };
    Heading {
        scenario: "test".to_owned(),
        version: "0".to_owned(),
        tick_seconds: 0.05,
        every: 2,
        dimensions: 2,
        bounds: [[0.0, 0.0], [10.0, 10.0]],
        walkable: walkable_area([[0.0, 0.0], [10.0, 10.0]], &Walls::default(), &[]),
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

#[cfg(feature = "parquet")]
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

/// Frames that are far too near in time give large speeds, which are numbers.
#[test]
fn speeds_are_finite_at_any_frame_rate() {
    for rate in ["9".repeat(60), "9".repeat(400)] {
        let file = Temporary::new("rate.txt", format!("# framerate: {rate}\n1 0 -1e9 2\n1 1 1e9 2\n").as_bytes());
        let rows = read(&file.0).unwrap();
        assert!(rows.iter().all(|row| row.velocity.iter().all(|number| number.is_finite())), "{rows:?}");
    }
}

/// A run that fails after a checkpoint keeps the frames that the checkpoint refers to.
#[test]
fn a_cut_keeps_the_frames_before_a_mark() {
    for (format, others) in [(TrajectoryFormat::Vtk, 0), (TrajectoryFormat::Ply, 0), (TrajectoryFormat::Usd, 1)] {
        let folder = Temporary::folder("cut");
        let named = folder.0.join("run").with_extension(format.ending());
        let mut encoder = format.encoder(&named, &heading()).unwrap().unwrap();
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
            let frames = fs::read_dir(folder.0.join("run")).unwrap().count() - others;
            assert_eq!((frames, encoder.written()), (kept, Some(2 * (kept as u64 - 1))), "{format:?}");
        }
    }
}

/// The list of a trajectory that is continued from a mark names all frames, also those before it.
#[test]
fn a_resumed_list_names_all_frames() {
    for format in [TrajectoryFormat::Vtk, TrajectoryFormat::Ply, TrajectoryFormat::Usd] {
        let folder = Temporary::folder("resumed");
        let named = folder.0.join("run").with_extension(format.ending());
        let encoder = || format.encoder(&named, &heading()).unwrap().unwrap();
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let mut first = encoder();
        first.start(&mut whole).unwrap();
        (2..6).for_each(|number| first.write(&frame(2 * number), &mut whole).unwrap());
        first.finish(&mut whole).unwrap();
        let mut before = encoder();
        before.start(&mut parts).unwrap();
        (2..4).for_each(|number| before.write(&frame(2 * number), &mut parts).unwrap());
        let mark = before.mark(&mut parts).unwrap();
        // Lost: written after the mark.
        before.write(&frame(8), &mut Vec::new()).unwrap();
        let mut after = encoder();
        after.resume(&mark).unwrap();
        (4..6).for_each(|number| after.write(&frame(2 * number), &mut parts).unwrap());
        after.finish(&mut parts).unwrap();
        assert_eq!(String::from_utf8(parts).unwrap(), String::from_utf8(whole).unwrap(), "{format:?}");
    }
}

#[test]
fn points_of_ply_have_the_values_of_their_agents() {
    let folder = Temporary::folder("ply");
    let mut encoder = TrajectoryFormat::Ply.encoder(&folder.0.join("run.ply"), &heading()).unwrap().unwrap();
    let mut list = Vec::new();
    encoder.start(&mut list).unwrap();
    let mut drawn = frame(2);
    drawn.species[0].colours = vec![[10, 20, 30]; 5];
    drawn.species[0].radii = vec![0.25; 5];
    encoder.write(&drawn, &mut list).unwrap();
    encoder.finish(&mut list).unwrap();
    assert_eq!(
        String::from_utf8(list).unwrap(),
        "{\"file-series-version\": \"1.0\", \"files\": [\n{\"name\": \"run/000000002.ply\", \"time\": 0.1}\n]}\n"
    );
    let bytes = fs::read(folder.0.join("run/000000002.ply")).unwrap();
    let end = b"end_header\n";
    let body = bytes.windows(end.len()).position(|part| part == end).unwrap() + end.len();
    let head = std::str::from_utf8(&bytes[..body]).unwrap();
    assert!(head.contains("\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"), "{head}");
    assert!(head.ends_with("property double energy\nproperty double pair_0\nproperty double pair_1\nend_header\n"));
    // Seven floats, a colour, a double, two whole numbers, and three doubles of columns.
    let size = 7 * 4 + 3 + 8 + 2 * 4 + 3 * 8;
    assert_eq!(bytes.len() - body, 6 * size);
    let row = |row: usize| &bytes[body + row * size..body + (row + 1) * size];
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes[..4].try_into().unwrap());
    let double = |bytes: &[u8]| f64::from_le_bytes(bytes[..8].try_into().unwrap());
    let second = row(1);
    let found = [0, 1, 2, 3, 4, 5, 6].map(|number| float(&second[4 * number..]));
    assert_eq!(found, [2.1, 2.2, 0.0, 2.3, 1.9, 0.0, 0.25]);
    assert_eq!(second[28..31], [10, 20, 30]);
    assert_eq!((double(&second[31..]), double(&second[47..])), (1.0, 3.0));
    assert_eq!((row(1)[43..47].to_vec(), row(5)[43..47].to_vec()), (vec![1, 0, 0, 0], vec![255; 4]));
    assert!(double(&second[55..]).is_nan() && double(&row(5)[63..]) == 6.0);
}

/// scripts/formats.sh reads such a stage with USD itself.
#[test]
fn a_stage_of_usd_has_a_clip_for_each_frame_and_a_prototype_for_each_species() {
    let folder = Temporary::folder("usd");
    let mut encoder = TrajectoryFormat::Usd.encoder(&folder.0.join("run.usda"), &heading()).unwrap().unwrap();
    let mut stage = Vec::new();
    encoder.start(&mut stage).unwrap();
    [4, 6].into_iter().for_each(|tick| encoder.write(&frame(tick), &mut stage).unwrap());
    encoder.finish(&mut stage).unwrap();
    let stage = String::from_utf8(stage).unwrap();
    for part in [
        "timeCodesPerSecond = 10\n",
        "startTimeCode = 2\n    endTimeCode = 3\n",
        "asset[] assetPaths = [@@@./run/000000004.usda@@@, @@@./run/000000006.usda@@@]\n",
        "double2[] active = [(2, 0), (3, 1)]\n",
        "rel prototypes = [</World/agents/bird>, </World/agents/hawk>]\n",
    ] {
        assert!(stage.contains(part), "{part}{stage}");
    }
    let layer = fs::read_to_string(folder.0.join("run/000000006.usda")).unwrap();
    for part in [
        "int[] protoIndices.timeSamples = { 3: [0, 0, 0, 0, 0, 1] }\n",
        "int64[] ids.timeSamples = { 3: [0, 1, 2, 3, 4, 30064771081] }\n",
        "point3f[] positions.timeSamples = { 3: [(6, 6, 0), (6.1, 6.2, 0), ",
        "int[] primvars:state.timeSamples = { 3: [0, 1, 0, 1, 1, -1] }\n",
        "float[] primvars:column_pair_1.timeSamples = { 3: [nan, nan, nan, nan, nan, 6] }\n",
    ] {
        assert!(layer.contains(part), "{part}{layer}");
    }
}

/// The rows of a text, and the notes; the ending of the name is the format's.
fn foreign(name: &str, text: &[u8]) -> Result<(Vec<AgentRow>, Vec<String>), String> {
    let file = Temporary::new(name, text);
    let rows = read(&file.0).map_err(|error| error.to_string())?;
    Ok((rows, TrajectoryReader::open(&file.0).unwrap().notes()))
}

/// Excel writes a mark and, in some countries, semicolons and decimal commas; R writes quotes; pandas writes frames.
#[test]
fn tables_of_other_programs_are_read() {
    let own = "tick,id,species,x,y,vx,vy\n0,3,a,5,5.5,1,0\n0,4,b,6,5,0,0\n";
    let (expected, _) = foreign("own.csv", own.as_bytes()).unwrap();
    let marked = format!("\u{feff}{}", own.replace('\n', "\r\n"));
    let quoted = own.lines().map(|line| format!("\"{}\"\n", line.replace(',', "\",\""))).collect::<String>();
    let german = format!("sep=;\r\n{}", own.replace(',', ";").replace("5.5", "5,5"));
    let tabs = own.replace(',', "\t");
    for (name, text) in [("marked.csv", marked), ("quoted.csv", quoted), ("german.csv", german), ("tabs.csv", tabs)] {
        let (rows, notes) = foreign(name, text.as_bytes()).unwrap();
        let without_lines = |rows: &[AgentRow]| rows.iter().map(|row| AgentRow { line: 0, ..*row }).collect::<Vec<_>>();
        assert_eq!((without_lines(&rows), notes), (without_lines(&expected), Vec::new()), "{name}");
    }
    // In the order of ids, in centimetres, with a rate and a column that is not read.
    let text = "# framerate: 10\nid,frame,x [cm],y [cm],area\n1,0,100,50,2\n1.0,1,120,50,2\n2,0,0,0,3\n";
    let (rows, notes) = foreign("pandas.csv", text.as_bytes()).unwrap();
    assert_eq!(rows.iter().map(|row| (row.tick, row.id)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 1)]);
    assert_eq!((rows[2].position, notes), ([1.2, 0.5, 0.0], vec!["column area not read".to_owned()]));
    assert!((rows[2].velocity[0] - 2.0).abs() < 1e-5, "{:?}", rows[2]);
    let timed = "frame,id,x,y,time\n4,1,0,0,2.0\n6,1,1,0,3.0\n";
    let (rows, notes) = foreign("timed.csv", timed.as_bytes()).unwrap();
    assert_eq!((rows[1].velocity[0], notes), (1.0, Vec::new()));
    let numpy = "# id,frame,x,y\n1,0,5,5\n1,1,6,5\n";
    let (rows, notes) = foreign("numpy.csv", numpy.as_bytes()).unwrap();
    assert!(rows.len() == 2 && notes[0].starts_with("no frame rate"), "{rows:?} {notes:?}");
    // Places alone.
    let (rows, _) = foreign("places.csv", b"x;y\n1,5;2\n3;4\n").unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.tick, row.id, row.position[0])).collect::<Vec<_>>(),
        [(0, 0, 1.5), (0, 1, 3.0)]
    );
}

#[test]
fn mistakes_in_tables_have_their_line_and_column() {
    let cases: [(&str, &[u8], &str); 10] = [
        ("twice.csv", b"id,frame,x,y\n1,0,1,1\n2,0,1,1\n1,0,2,2\n", ":4:1: agent 1 has two positions at 0"),
        ("twice.txt", b"1 0 5 5\n2 0 5 5\n1 0 6 6\n", ":3:1: agent 1 has two positions at 0"),
        ("own.csv", b"tick,id,species,x,y,vx,vy\n0,1,a,1,1,0,0\n0,1,a,1,1,0,0\n", ":3:1: agent 1 has two"),
        ("field.csv", b"\"id\";\"frame\";\"x\";\"y\"\n\"1\";\"0\";\"5\";\"five\"\n", ":2:13: y must be a number"),
        ("quote.csv", b"id,frame,x,y\n1,0,\"5,5\n", ":2:5: a quote has no end"),
        ("wide.csv", b"\xff\xfei\0d\0", ":1:1: is UTF-16: save it as UTF-8"),
        ("empty.csv", b"", ":1:1: the table is empty"),
        ("names.csv", b"person,frame,x,y\n1,0,1,1\n", "has no column id: a trajectory has tick or frame, id, x and y"),
        ("feet.csv", b"id,frame,x/ft,y/ft\n1,0,1,1\n", "x has the unit ft: units are m, cm and mm"),
        ("short.csv", b"x,y\n1\n", ":2:2: there must be 2 numbers and names"),
    ];
    for (name, text, said) in cases {
        let error = foreign(name, text).unwrap_err();
        assert!(error.contains(said), "{name}: {error}");
    }
}

#[test]
fn a_text_is_asked_for_its_unit() {
    let notes = |text: &str| foreign("unit.txt", text.as_bytes()).unwrap().1;
    assert!(notes("# framerate: 5\n1 0 5 5\n")[0].starts_with("no unit"));
    for head in ["# id frame x/m y/m", "# x [cm]", "# positions in mm", "id frame x/m y/m"] {
        assert_eq!(notes(&format!("{head}\n# framerate: 5\n1 0 5 5\n")), [""; 0], "{head}");
    }
    assert_eq!(foreign("unit.txt", b"# x/mm y/mm\n1 0 5000 0\n").unwrap().0[0].position[0], 5.0);
}

/// Rows that a database computes have no end.
#[cfg(feature = "sqlite")]
#[test]
fn databases_that_compute_their_rows_are_refused() {
    let file = Temporary::new("view.sqlite", &[]);
    let connection = rusqlite::Connection::open(&file.0).unwrap();
    let endless = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c)";
    let metadata =
        "CREATE TABLE metadata(key TEXT, value TEXT); INSERT INTO metadata VALUES('version', '2'), ('fps', '5');";
    let view = format!(
        "CREATE VIEW trajectory_data AS {endless} SELECT n AS frame, n AS id, 1.0 AS pos_x, 1.0 AS pos_y FROM c;"
    );
    connection.execute_batch(&format!("{metadata}{view}")).unwrap();
    let error = read(&file.0).unwrap_err().to_string();
    assert!(error.contains("has no tables `trajectory_data`"), "{error}");
}

/// Equal cells take no room in a file: the claims of a file are compared with its length before they are decoded.
#[cfg(feature = "parquet")]
#[test]
fn files_that_grow_beyond_their_length_are_refused_first() {
    use parquet::data_type::Int64Type;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message m { required int64 tick; required int64 id; required int64 x; required int64 y; }";
    let schema = std::sync::Arc::new(parse_message_type(schema).unwrap());
    let properties = std::sync::Arc::new(WriterProperties::builder().set_dictionary_enabled(true).build());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let zeros = vec![0; 5 << 19];
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        column.typed::<Int64Type>().write_batch(&zeros, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let file = Temporary::new("grows.parquet", &bytes);
    let said = "claims 2621440 rows in";
    let error = read(&file.0).unwrap_err().to_string();
    assert!(bytes.len() < 100_000 && error.contains(said), "{} bytes: {error}", bytes.len());
    assert!(throng_formats::table::read_parquet(fs::File::open(&file.0).unwrap()).unwrap_err().contains(said));
}
