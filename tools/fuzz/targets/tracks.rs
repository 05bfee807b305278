//! Tables of tracks: they are refused, or give a world of two or three dimensions whose agents follow them. The first byte
//! chooses the format and the dimensions.
#![no_main]

mod finite;
mod temporary;

use libfuzzer_sys::fuzz_target;
use throng_formats::trajectory::TrajectoryReader;
use throng_scenario::Scenario;

fuzz_target!(|data: &[u8]| {
    let Some((&which, table)) = data.split_first() else { return };
    let name = ["tracks.csv", "tracks.txt"][usize::from(which) % 2];
    let file = temporary::write(name, table);
    if let Ok(mut reader) = TrajectoryReader::open(&file) {
        let rows = reader.all().unwrap_or_default();
        assert!(rows.iter().all(|row| row.position.iter().chain(&row.velocity).all(|number| number.is_finite())));
    }
    let (dimensions, size) = [(2, "[40.0, 40.0]"), (3, "[40.0, 40.0, 40.0]")][usize::from(which) / 2 % 2];
    let frames =
        ["", "frame_seconds = 0.25\n", "from = 2\n", "frame_seconds = 0.01\nfrom = 1\n"][usize::from(which) / 4 % 4];
    let text = format!(
        "format = 1\n[world]\ndimensions = {dimensions}\nsize = {size}\ntick = 0.1\n[[tracks]]\nspecies = \"walker\"\n\
         file = \"{name}\"\n{frames}[species.walker]\nradius = 0.2\n"
    );
    let beside = file.with_file_name("fuzz.toml").to_string_lossy().into_owned();
    let Ok(scenario) = Scenario::parse(&text, &beside) else { return };
    let Ok(mut world) = scenario.build_any() else { return };
    (0..4).for_each(|_| world.step());
    finite::check(&world);
});
