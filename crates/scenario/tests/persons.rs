//! Fits person by person: a model that made the tracks walks as they do, and another pace does not.
#![cfg(feature = "fit")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use throng::Registry;
use throng_scenario::Scenario;
use throng_scenario::fit::{Fit, FitDesign, FitFault, Fitted, PersonFit, Sought, means};

/// People in two streams of different paces cross a room with a column, and leave it by sinks.
const ROOM: &str = r#"format = 1
[world]
dimensions = 2
size = [14.0, 8.0]
edge = "bounce"
tick = 0.05
[[wall]]
centre = [7.0, 3.0]
radius = 0.6
[[region]]
name = "west"
centre = [2.0, 4.0]
size = [3.0, 6.0]
[[region]]
name = "east"
centre = [13.0, 4.0]
size = [1.5, 6.0]
[navigation.out]
goals = ["region:east"]
[[sink]]
name = "out"
region = "east"
[species.walker]
count = 14
place = { region = "region:west", speed = 0.0 }
motion = { model = "collision_free_speed" }
radius = 0.2
max_speed = 1.3
behaviours = [{ rule = "walk_to", goals = ["out"] }]
"#;

/// The tracks of a run, as text with a frame every two ticks.
fn record(folder: &Path) -> PathBuf {
    let mut world = Scenario::parse(ROOM, "room.toml").unwrap().build::<2>().unwrap();
    let mut text = "# framerate: 10\n".to_owned();
    while world.population() > 0 {
        if world.tick().is_multiple_of(2) {
            for agent in world.all_agents()[0].iter() {
                let [x, y] = agent.position.0;
                writeln!(text, "{} {} {x} {y}", agent.id.to_bits(), world.tick() / 2).unwrap();
            }
        }
        world.step();
    }
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join("tracks.txt");
    std::fs::write(&file, text).unwrap();
    file
}

fn design(tracks: &Path, set: &[&str], vary: &[&str]) -> FitDesign {
    FitDesign {
        registry: Registry::new(),
        text: ROOM.to_owned(),
        file: "room.toml".to_owned(),
        set: set.iter().map(|&set| set.to_owned()).collect(),
        tracks: vec![tracks.to_owned()],
        species: None,
        sought: vary.iter().map(|text| Sought::parse(text).unwrap()).collect(),
        patterns: Vec::new(),
        persons: Some(u64::MAX),
        from: 0,
        every: None,
        frames: None,
        seeds: 1,
        points: 12,
        interval: false,
    }
}

fn persons(tracks: &Path, set: &[&str]) -> Vec<PersonFit> {
    let fit = Fit::new(design(tracks, set, &[])).unwrap();
    let points = fit.run(&|_| true).unwrap();
    let persons = fit.persons(&points[0].values, &|_| true).unwrap();
    assert!((points[0].distance - means(&persons)[0]).abs() < 1e-12);
    persons
}

#[test]
fn a_simulated_person_walks_like_a_recorded_one_of_the_same_model() {
    let folder = std::env::temp_dir().join(format!("throng-persons-{}", std::process::id()));
    let tracks = record(&folder);
    let same = persons(&tracks, &[]);
    assert_eq!(same.len(), 14);
    let [place, end, speed, late, overlap, recorded] = means(&same);
    assert!(place < 0.1 && end < 0.2 && speed < 0.03, "{same:?}");
    assert!(late.abs() < 0.11 && (overlap - recorded).abs() < 0.02, "{same:?}");
    // In eight seconds a walker of 1.1 m/s falls back by 1.6 m.
    let slow = means(&persons(&tracks, &["species.walker.max_speed=1.1"]));
    assert!((0.4..1.2).contains(&slow[0]) && (0.8..2.2).contains(&slow[1]), "{slow:?}");
    assert!((0.15..0.25).contains(&slow[2]) && (0.8..2.5).contains(&slow[3]), "{slow:?}");
    // The pace is found again, and the same points on one thread.
    let vary = ["species.walker.max_speed=0.9..1.7"];
    let fitted = || -> Vec<Fitted> {
        Fit::new(FitDesign { persons: Some(4), ..design(&tracks, &[], &vary) }).unwrap().run(&|_| true).unwrap()
    };
    let points = fitted();
    assert!((points[0].values[0] - 1.3).abs() < 0.06, "{:?}", points[0]);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(fitted), points);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn designs_without_persons_are_refused() {
    let folder = std::env::temp_dir().join(format!("throng-no-persons-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let tracks = folder.join("tracks.txt");
    let refused = |text: &str, change: fn(&mut FitDesign)| {
        std::fs::write(&tracks, text).unwrap();
        let mut design = design(&tracks, &[], &[]);
        change(&mut design);
        match Fit::new(design) {
            Err(FitFault::Design(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    let two = "# framerate: 10\n1 0 2 2\n1 1 2.1 2\n1 2 2.2 2\n";
    assert!(refused("# framerate: 100\n1 0 2 2\n1 1 2 2\n", |_| ()).contains("no track lasts for a tick"));
    assert!(refused(two, |design| design.species = Some("owl".to_owned())).contains("no such species"));
    assert!(refused(two, |design| design.patterns = vec![throng::measures::Pattern::Speed]).contains("exclude"));
    std::fs::remove_dir_all(&folder).unwrap();
}
