//! A complete host program in a few lines, and a test that the library reads no environment variable.

use std::path::Path;

use throng::behaviours::*;
use throng::{Settings, Species, World};

#[test]
#[rustfmt::skip]
fn a_host_spawns_edits_saves_and_continues() {
    let mut w = World::<2>::new(Settings { size: [300.0, 200.0].into(), tick_seconds: 0.1, seed: 3, ..Settings::default() }).unwrap();
    let s = w.add_species(Species::new("bird").with(1.0, Separation::default()).with(1.0, Alignment::default()).with(0.5, Wander::default())).unwrap();
    let mut ids = Vec::new();
    for i in 0..3000 { let f = i as f32; ids.push(w.spawn(s, [(f * 0.7) % 300.0, (f * 1.3) % 200.0], [1.0, f % 3.0]).unwrap()); }
    w.add_column::<f32>(s, "energy", 1.0).unwrap();
    for _ in 0..50 { w.step(); }
    for id in ids.iter().step_by(7) { w.despawn(*id).unwrap(); }
    w.set_parameter(s, "separation.radius", 3.0).unwrap();
    assert!(w.set_parameter(s, "separation.radius", f64::NAN).is_err(), "NaN is refused");
    w.edit_rule::<Separation>(s, 0, |rule| rule.radius = 4.0).unwrap(); assert!(w.edit_rule::<Separation>(s, 0, |rule| rule.radius = f32::NAN).is_err());
    let _ = w.position(ids[1]).unwrap(); assert!(!w.contains(ids[0]));
    let mut bytes = Vec::new(); w.save(&mut bytes).unwrap();
    let mut v = World::<2>::load(&bytes[..]).unwrap(); let mut c = w.clone();
    assert_eq!(w.state_hash(), v.state_hash());
    for cut in [0, 1, 7, bytes.len() / 2, bytes.len() - 1] { assert!(World::<2>::load(&bytes[..cut]).is_err(), "a cut snapshot is refused"); }
    let mut bad = 0; for k in 0..500 { let mut b = bytes.clone(); let at = (k * 7919) % b.len(); b[at] ^= 1 << (k % 8); if World::<2>::load(&b[..]).is_ok() { bad += 1; } }
    assert!(bad == 0, "{bad} of 500 flipped snapshots load");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for k in 0..100 { w.step(); one.install(|| v.step()); c.step(); assert_eq!(w.state_hash(), v.state_hash(), "tick {k}"); assert_eq!(w.state_hash(), c.state_hash()); }
    let fresh = w.spawn(s, [1.0, 1.0], [0.0, 0.0]).unwrap(); let again = v.spawn(s, [1.0, 1.0], [0.0, 0.0]).unwrap(); assert_eq!(fresh, again, "a restored world hands out the same ids");
    println!("snapshot {} bytes for {} agents; 100 ticks equal; 505 damaged snapshots refused", bytes.len(), w.population());
}

/// Calls `see` with every Rust file of a folder.
fn each_source(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_source(&path, see);
        } else if path.extension().is_some_and(|end| end == "rs") {
            see(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn the_library_reads_no_environment_variable() {
    let mut files = 0;
    each_source(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut |path, text| {
        files += 1;
        for (number, line) in text.lines().enumerate() {
            for read in ["std::env", "env::var", "env::args", "option_env!"] {
                assert!(!line.contains(read), "{}:{}: {line}", path.to_string_lossy(), number + 1);
            }
        }
    });
    assert!(files > 90, "{files} files were read, expected more than 90");
}
