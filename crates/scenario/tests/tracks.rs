//! Tracks of trajectories: their frames, and those that scenarios refuse.
#![cfg(feature = "trajectories")]

use throng::{Settings, Track, Vector};
use throng_scenario::Scenario;
use throng_scenario::trajectories::{RecordedTracks, TrackOptions, TrackRow};

fn rows(rows: &[(u64, u64, f32)]) -> Vec<TrackRow<2>> {
    rows.iter().map(|&(id, tick, x)| (id, tick, Vector([x, 1.0]))).collect()
}

fn read(all: &[(u64, u64, f32)], from: Option<u64>) -> Result<RecordedTracks<2>, String> {
    let options = TrackOptions { from, ..TrackOptions::default() };
    RecordedTracks::of_rows(rows(all), &Settings::default(), options, Some(0.1))
}

fn x(tracks: &RecordedTracks<2>) -> Vec<(u64, u64, Vec<f32>)> {
    let one = |(id, track): (&u64, &Track<2>)| {
        (*id, track.first, track.positions.iter().map(|position| position[0]).collect())
    };
    tracks.ids.iter().zip(&tracks.tracks).map(one).collect()
}

#[test]
fn frames_count_from_the_first_and_gaps_are_straight() {
    let all = [(7, 14, 3.0), (7, 10, 1.0), (3, 12, 5.0), (7, 20, 9.0), (3, 14, 5.5), (3, 10, 4.0)];
    let tracks = read(&all, None).unwrap();
    assert_eq!(tracks.frame_seconds, 0.2);
    let (three, seven) = (vec![4.0, 5.0, 5.5], vec![1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);
    assert_eq!(x(&tracks), [(3, 0, three), (7, 0, seven)]);
    let late = read(&all, Some(16)).unwrap();
    assert_eq!(x(&late), [(7, 0, vec![5.0, 7.0, 9.0])]);
    let early = read(&all, Some(6)).unwrap();
    assert_eq!((early.tracks[0].first, early.tracks[1].first), (2, 2));
}

#[test]
fn rows_that_make_no_tracks_are_refused() {
    let reason = |all: &[(u64, u64, f32)], from| read(all, from).unwrap_err();
    assert_eq!(reason(&[], None), "holds no agents");
    assert_eq!(reason(&[(1, 2, 0.0), (1, 2, 1.0)], None), "agent 1 has two positions at 2");
    assert_eq!(reason(&[(1, 2, 0.0)], Some(3)), "holds no agents from 3 on");
    assert!(reason(&[(1, 0, 0.0), (1, 1, 0.0), (2, 1 << 40, 1.0)], None).contains("frames of 0.1 s after the first"));
    assert!(reason(&[(1, 0, 0.0), (1, 1, 0.0), (1, 1 << 25, 1.0)], None).contains("frames of agents are missing"));
    let timeless = RecordedTracks::of_rows(rows(&[(1, 2, 0.0)]), &Settings::default(), TrackOptions::default(), None);
    assert!(timeless.unwrap_err().contains("frame_seconds"));
}

/// A scenario with tracks of this text, and these further keys.
fn scenario(name: &str, text: &str, keys: &str) -> Result<Scenario, String> {
    let folder = std::env::temp_dir().join(format!("throng-tracks-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tracks.txt"), text).unwrap();
    let file = folder.join("s.toml").to_string_lossy().into_owned();
    let text = format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 10.0]\nedge = \"bounce\"\ntick = 0.1\n\
         [[tracks]]\nspecies = \"walker\"\nfile = \"tracks.txt\"\n{keys}[species.walker]\nradius = 0.2\n"
    );
    let read = Scenario::parse(&text, &file).map_err(|problems| problems.to_string());
    std::fs::remove_dir_all(&folder).unwrap();
    read
}

const TWO: &str = "# framerate: 10\n1 3 2.0 5.0\n1 4 2.5 5.0\n1 5 3.0 5.0\n2 4 9.0 1.0\n2 5 9.0 1.5\n2 6 9.0 2.0\n";

#[test]
fn a_scenario_has_the_agents_of_its_tracks() {
    let mut world = scenario("good", TWO, "").unwrap().build::<2>().unwrap();
    let mut found = Vec::new();
    for _ in 0..4 {
        world.step();
        let agents = world.all_agents()[0].iter().map(|agent| agent.position.0);
        found.push(agents.collect::<Vec<_>>());
    }
    let expected: [&[[f32; 2]]; 4] = [&[[2.5, 5.0], [9.0, 1.0]], &[[3.0, 5.0], [9.0, 1.5]], &[[9.0, 2.0]], &[]];
    assert_eq!(found, expected);
    let mut late = scenario("late", TWO, "from = 5\nframe_seconds = 0.2\n").unwrap().build::<2>().unwrap();
    late.step();
    assert_eq!(late.all_agents()[0].iter().map(|agent| agent.position.0).collect::<Vec<_>>(), [[9.0, 1.75]]);
}

#[test]
fn tracks_that_a_world_cannot_have_are_refused_with_their_place() {
    for (name, text, keys, reason) in [
        ("none", "# framerate: 10\n", "", "s.toml:9:8: tracks.0.file = \"tracks.txt\""),
        ("outside", "# framerate: 10\n1 1 2.0 50.0\n", "", "must lie in the world"),
        ("late", TWO, "from = 9\n", "holds no agents from 9 on"),
        ("twice", &TWO.replace("1 4", "1 3"), "", "agent 1 has two positions at 3"),
        ("time", TWO, "frame_seconds = 0.0\n", "must be a number in (0, 1000] s"),
        ("key", TWO, "fps = 9\n", "tracks.0.fps: unknown key"),
        ("name", TWO, "[[tracks]]\nspecies = \"walker\"\nfile = \"tracks.txt\"\n", "no other tracks has"),
        ("species", TWO, "[[tracks]]\nspecies = \"bird\"\nfile = \"tracks.txt\"\n", "bird"),
    ] {
        let error = scenario(name, text, keys).unwrap_err();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

/// What a run would refuse, a check refuses, with the line of the file and once.
#[test]
fn one_mistake_in_a_file_of_tracks_is_one_message_with_its_line() {
    let head = "# framerate: 20\n# x/m\n";
    for (rows, said) in [
        ("1 0 5 nan\n", "tracks.txt:3:1: a coordinate must be a number"),
        ("1 0 5 5\n2 9000000000000000000 5 5\n", "tracks.txt:4:1: frames are 450000000000000000 s apart"),
        ("1 0 5 5\n1 1000000000 6 6\n", "tracks.txt:4:1: frames are 50000000 s apart"),
        ("1 0 5 5\n1 1 5 5\n1 9000000 6 6\n", "tracks.txt:5:1: agent 1 has no position from 1 on: 8999998 frames"),
        ("1 0 5 5\n1 1 5 5\n2 9000000000 6 6\n", "tracks.txt:5:1: lies 9000000000 frames of 0.05 s after the first"),
        ("1 0 5 5\n1 1 5 5\n1 0 6 6\n", "tracks.txt:5:1: agent 1 has two positions at 0"),
    ] {
        let error = scenario("mistakes", &format!("{head}{rows}"), "").unwrap_err();
        assert!(error.contains(said) && error.lines().count() == 1, "{error}");
    }
}

/// An item that cannot be read is there: a reference to it is not a second mistake.
#[test]
fn what_follows_from_a_mistake_is_left_out() {
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 10.0]\n\
                [[region]]\nname = \"door\"\ncentre = [1.0, 1.0]\nsize = [-1.0, 1.0]\n\
                [[source]]\nname = \"in\"\nspecies = \"walker\"\nregion = \"door\"\nrate = 1.0\n[species.walker]\n";
    let error = Scenario::parse(text, "s.toml").unwrap_err().to_string();
    assert!(error.contains("region.0.size") && error.lines().count() == 1, "{error}");
    let error =
        Scenario::parse(&text.replace("-1.0", "1.0").replace("rate = 1.0", "rate = -1.0"), "s.toml").unwrap_err();
    assert!(error.to_string().contains("rate") && error.to_string().lines().count() == 1, "{error}");
    let both = text.replace("region = \"door\"", "region = \"dor\"");
    assert_eq!(Scenario::parse(&both, "s.toml").unwrap_err().count(), 2);
    let plan = text.replace("[[region]]\nname = \"door\"\ncentre = [1.0, 1.0]\nsize = [-1.0, 1.0]\n", "");
    let plan = plan.replace("[world]", "floor_plan = \"none.wkt\"\n[world]");
    let error = Scenario::parse(&plan, "s.toml").unwrap_err().to_string();
    assert!(error.contains("none.wkt") && error.lines().count() == 1, "{error}");
}

/// The layout of the pedestrian data archive in a flat world; a table without frames is not a track.
#[test]
fn tables_of_other_programs_are_tracks() {
    let with_z = "# framerate: 10\n# id frame x/m y/m z/m\n1 0 2 5 1.7\n1 1 2.5 5 1.7\n";
    let read = scenario("height", with_z, "").unwrap();
    assert!(read.warnings().iter().any(|warning| warning.to_string().contains("z is not read")));
}
