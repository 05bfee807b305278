//! Tests of tables that trackers of animals write.

use std::path::Path;

use throng_formats::trajectory::{AgentRow, TrajectoryReader};

/// The rows of a table, the time between frames and the notes.
fn read(text: &str) -> Result<(Vec<AgentRow>, f64, Vec<String>), String> {
    let of = |error: &dyn std::fmt::Display| error.to_string();
    let mut reader = TrajectoryReader::csv(Path::new("tracks.csv"), text.as_bytes()).map_err(|error| of(&error))?;
    let rows = reader.all().map_err(|error| of(&error))?;
    Ok((rows, reader.tick_seconds().unwrap_or(f64::NAN), reader.notes()))
}

/// The frame, the id and the place of each row.
fn places(rows: &[AgentRow]) -> Vec<(u64, u64, f32, f32)> {
    rows.iter().map(|row| (row.tick, row.id, row.position[0], row.position[1])).collect()
}

#[test]
fn columns_of_trackpy_are_pixels_unless_there_is_a_scale() {
    let text = ",y,x,mass,frame,particle\n0,10.0,20.0,7.5,0,3.0\n1,12.0,24.0,7.5,1,3.0\n";
    let (rows, _, notes) = read(text).unwrap();
    assert_eq!(places(&rows), [(0, 3, 20.0, 10.0), (1, 3, 24.0, 12.0)]);
    assert_eq!(notes.len(), 3, "mass, scale and rate: {notes:?}");
    assert!(notes.iter().any(|note| note.contains("# scale: 0.002")), "{notes:?}");
    let (rows, seconds, notes) = read(&format!("# framerate: 50\n# scale: 0.5\n{text}")).unwrap();
    assert_eq!((places(&rows)[1], seconds), ((1, 3, 12.0, 6.0), 0.02));
    assert_eq!(notes, ["column mass not read"]);
    assert_eq!((rows[1].velocity[0], rows[1].velocity[1]), (100.0, 50.0));
}

#[test]
fn a_table_of_idtracker_has_two_columns_for_each_animal() {
    for time in ["time", "seconds", "time/seconds"] {
        let text = format!("{time},x1,y1,x2,y2\n0.000,10,20,30,40\n0.040,11,20,nan,nan\n0.080,12,20,34,40\n");
        let (rows, seconds, notes) = read(&format!("# scale: 0.1\n{text}")).unwrap();
        let expected = [(0, 1, 1.0, 2.0), (0, 2, 3.0, 4.0), (1, 1, 1.1, 2.0), (2, 1, 1.2, 2.0), (2, 2, 3.4, 4.0)];
        assert_eq!(places(&rows), expected, "{time}");
        assert!((seconds - 0.04).abs() < 1e-9 && notes.is_empty(), "{seconds} {notes:?}");
        // The animal that was missing has moved 0.4 m in two frames.
        assert!((rows[4].velocity[0] - 5.0).abs() < 1e-3, "{:?}", rows[4]);
    }
    let (_, seconds, notes) = read("# x1,y1\n1,2\n2,2\n").unwrap();
    assert_eq!((seconds, notes.len()), (1.0, 2), "neither a rate nor a scale: {notes:?}");
    let error = read("seconds,x1,y1\n0,1,2\n1,1,two\n").unwrap_err();
    assert!(error.starts_with("tracks.csv:3:5: y1 must be a number"), "{error}");
    assert!(read("x1,y1\n1\n").unwrap_err().starts_with("tracks.csv:2:2: y1"));
}

const HEADING: &str = "event-id,visible,timestamp,location-long,location-lat,individual-local-identifier";

#[test]
fn fixes_of_movebank_in_metres_are_preferred() {
    let rows = "1,true,2009-07-15 06:00:00.000,13.40,52.50,ann,500000.0,5800000.0,32N\n\
                2,true,2009-07-15 06:00:10.000,13.41,52.50,ann,500010.0,5800020.0,32N\n\
                3,true,2009-07-15 06:00:20.000,13.42,52.50,ann,500020.0,5800040.0,32N\n\
                4,true,2009-07-15 06:00:10.000,13.40,52.50,bob,500005.0,5800000.0,32N\n\
                5,false,2009-07-15 06:00:15.000,0,0,bob,0,0,32N\n\
                6,true,2009-07-15 06:00:20,13.40,52.50,bob,500005.0,5800002.0,32N\n";
    for heading in [HEADING.to_owned(), HEADING.replace('-', "."), HEADING.replace('-', "_")] {
        let text = format!("{heading},utm-easting,utm-northing,utm-zone\n{rows}");
        let (rows, seconds, notes) = read(&text).unwrap();
        let expected = [(0, 0, 0.0, 0.0), (1, 0, 10.0, 20.0), (1, 1, 5.0, 0.0), (2, 0, 20.0, 40.0), (2, 1, 5.0, 2.0)];
        assert_eq!((places(&rows), seconds), (expected.to_vec(), 10.0));
        assert!(notes.len() == 2 && notes[0].contains("500000 m east and 5800000 m north"), "{notes:?}");
        assert!(notes[1].starts_with("1 rows without a position"), "{notes:?}");
    }
    let zones = format!("{HEADING},utm-easting,utm-northing,utm-zone\n{}", rows.replacen("32N", "33N", 1));
    assert!(read(&zones).unwrap_err().contains(":3:"), "the second row has another zone than the first");
}

/// A degree of latitude is 111.195 km on the sphere, and one of longitude at 60 degrees half of it.
#[test]
fn degrees_are_projected_with_a_note_and_times_are_interpolated() {
    let row = |time: &str, place: &str, name: &str| format!("1,true,2020-02-29 {time},{place},{name}\n");
    let text = [
        row("23:59:00", "10.00,59.99", "a"),
        row("23:59:30", "10.01,59.99", "b"),
        row("23:59:50", "10.00,60.00", "a"),
        row("23:59:58", "10.00,60.01", "a"),
    ];
    let text = format!("{HEADING}\n{}", text.concat()).replace("2020-02-29 23:59:58", "2020-03-01 00:00:40");
    let (rows, seconds, notes) = read(&text).unwrap();
    let found = places(&rows);
    assert!(seconds == 50.0 && found.len() == 3 && found.iter().all(|row| row.1 == 0), "{seconds} {found:?}");
    assert!((found[1].3 - 1111.95).abs() < 0.1 && (found[2].3 - 2223.9).abs() < 0.1, "{found:?}");
    assert!(notes[0].contains("latitude 60.000") && notes[0].contains("utm-easting"), "{notes:?}");
    // The first two animals are half a minute and half a hundredth of a degree apart; one alone sets the frames.
    let late = text.replace("00:00:40", "00:00:50");
    let (rows, seconds, notes) = read(&late).unwrap();
    assert_eq!(seconds, 60.0);
    assert!((places(&rows)[1].3 - 1111.95 - 111.195 * 10.0 / 6.0).abs() < 0.2, "a sixth of the way: {rows:?}");
    assert!(notes.iter().any(|note| note.contains("60 s apart")), "{notes:?}");
    let far = text.replace("60.01", "70.0");
    assert!(read(&far).unwrap_err().contains("export it with the columns utm-easting and utm-northing"));
}

#[test]
fn mistakes_of_trackers_have_their_line() {
    let of = |rows: &str| read(&format!("{HEADING}\n{rows}")).unwrap_err();
    let one = "1,true,2009-07-15 06:00:00,13.4,52.5,ann\n";
    assert!(of(&format!("{one}{one}")).starts_with("tracks.csv:3:1: the animal has two positions"));
    assert!(of("1,true,15.07.2009 06:00,13.4,52.5,ann\n").starts_with("tracks.csv:2:8: timestamp must be a time"));
    assert!(of("1,true,2009-07-15 06:00:00,13.4,95,ann\n").starts_with("tracks.csv:2:33: location-lat must be"));
    assert!(of(one).contains("no animal has positions at two times"));
    let error = read("when,where\n1,2\n").unwrap_err();
    for known in ["tracks.csv:1:1: has no column x", "when, where", "x1, y1", "individual-local-identifier"] {
        assert!(error.contains(known), "{error}");
    }
}
