//! Start files of other programs, and files that are not scenarios.

use throng::World;
use throng_scenario::Scenario;

use super::{Folder, bodies};

fn scenario(file: &str, dimensions: usize) -> String {
    let size = &"[10.0, 10.0, 10.0]"[..if dimensions == 2 { 11 } else { 17 }];
    format!(
        "format = 1\n[world]\ndimensions = {dimensions}\nsize = {size}]\nedge = \"bounce\"\n\
         [species.walker]\nradius = 0.2\nplace = {{ file = \"{file}\" }}"
    )
}

#[test]
fn experiments_start_a_world_whatever_their_columns() {
    let folder = Folder::new("archive");
    let rate = "no frame rate";
    let (z, unit) = ("z is not read", "no unit");
    for (text, speed, notes) in [
        ("# framerate: 25 fps\n# id frame x/m y/m z/m\n1 0 2.0 3.0 1.76\n1 1 2.05 3.0 1.76\n", 1.25, vec![z]),
        ("# framerate: 25\n1 0 2.0 3.0\n1 1 2.05 3.0\n", 1.25, vec![unit]),
        ("1 0 2.0 3.0\n1 1 2.05 3.0\n", 0.05, vec![rate, unit]),
        ("id frame x y z\n1 0 2.0 3.0 1.8\n1 1 2.05 3.0 1.8\n", 0.05, vec![z, rate, unit]),
        (
            "# framerate: 25\n1 0 2.0 3.0 1.8 0.5 7\n1 1 2.05 3.0 1.8 0.5 7\n",
            1.25,
            vec![z, "columns 6, 7 not read", unit],
        ),
    ] {
        folder.write("start.txt", text);
        let loaded = folder.load(&scenario("start.txt", 2)).unwrap();
        let found: Vec<String> = loaded.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), notes.len(), "{text}: {found:?}");
        for (found, note) in found.iter().zip(notes) {
            assert!(found.starts_with("species.walker.place.file: ") && found.contains(note), "{text}: {found}");
        }
        let world: World<2> = loaded.build().unwrap();
        let at = bodies(&world, "walker")[0].0;
        assert!((at[0] - 2.05).abs() < 1e-6 && at[1] == 3.0, "{at:?}");
        let agents = world.agents(world.find_species("walker").unwrap()).unwrap();
        assert!((agents.velocity(0)[0] - speed).abs() < 1e-4, "{text}: {:?}", agents.velocity(0));
    }
    // A world of three dimensions needs heights.
    folder.write("start.txt", "1 0 2.0 3.0\n");
    assert!(
        folder.load(&scenario("start.txt", 3)).map(drop).unwrap_err().contains("has 2 dimensions, and the world 3")
    );
    // States and columns of a run are named.
    folder.write("start.csv", "tick,id,species,x,y,vx,vy,time,state,hunger\n0,0,walker,1,2,0.5,0,0,eating,0.3\n");
    let warnings = folder.load(&scenario("start.csv", 2)).unwrap().warnings();
    assert!(warnings.len() == 1 && warnings[0].message.contains("columns state, hunger not read"), "{warnings:?}");
}

#[test]
fn a_file_that_is_no_scenario_is_named_in_one_line() {
    let folder = Folder::new("other");
    for (name, bytes) in [
        ("run.traj", &b"timeStep pedestrianId x y\n1 1 2 3\n"[..]),
        ("run.scenario", b"{\n \"name\": \"x\",\n \"release\": 1\n}\n"),
        ("run.json", b"{}"),
        ("run.txt", b"# framerate: 25\n1 0 2 3\n"),
        ("run.h5", b"\x89HDF\r\n\x1a\n"),
    ] {
        let file = folder.0.join(name);
        std::fs::write(&file, bytes).unwrap();
        let found = Scenario::load(&file).unwrap_err().to_string();
        let expected = "is not a scenario, which is TOML; trajectories are .csv, .txt, .sqlite or .parquet";
        assert!(found.trim_end().ends_with(expected) && found.trim_end().lines().count() == 1, "{name}: {found}");
    }
    // A scenario may have any name, and its mistakes have places.
    let text = scenario("none.csv", 2).replace("file = \"none.csv\"", "");
    let file = folder.write("odd.name", &text.replace("radius = 0.2", "radius = 0.2\ncount = 1"));
    assert!(Scenario::load(&file).is_ok());
    let file = folder.write("bad.toml", "format = \n");
    assert!(Scenario::load(&file).unwrap_err().to_string().contains("not TOML"));
}
