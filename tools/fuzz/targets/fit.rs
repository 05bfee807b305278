//! Fits of a small scenario to any table of tracks: they are refused, or end with finite distances. The first byte chooses
//! between patterns and persons.
#![no_main]

mod temporary;

use libfuzzer_sys::fuzz_target;
use throng::Registry;
use throng_scenario::fit::{Fit, FitDesign, Sought};

const TEXT: &str = "format = 1
[world]
dimensions = 2
size = [20.0, 10.0]
edge = \"bounce\"
tick = 0.1
[species.walker]
count = 12
max_speed = 1.3
motion = { model = \"collision_free_speed\" }
behaviours = [{ rule = \"seek\", target = [19.0, 5.0] }]
";

/// The most ticks of all runs: more would make the fuzzer slow.
const MOST_TICKS: u64 = 400;

fuzz_target!(|data: &[u8]| {
    let Some((&which, table)) = data.split_first() else { return };
    let design = FitDesign {
        registry: Registry::new(),
        text: TEXT.to_owned(),
        file: "fuzz.toml".to_owned(),
        set: Vec::new(),
        tracks: temporary::write(["fit.csv", "fit.txt"][usize::from(which) % 2], table),
        species: (which & 2 != 0).then(|| "walker".to_owned()),
        sought: vec![Sought::parse("species.walker.max_speed=0.5..2.5").expect("it is a range")],
        patterns: Vec::new(),
        from: 0,
        every: (which & 4 != 0).then_some(1),
        frames: Some(4),
        persons: (which & 8 != 0).then_some(2),
        seeds: 1,
        points: 2,
    };
    let Ok(fit) = Fit::new(design) else { return };
    if fit.ticks() > MOST_TICKS {
        return;
    }
    // A run may fail, as where a person of the tracks starts outside the world.
    let Ok(points) = fit.run(&|_| true) else { return };
    for point in points {
        assert!(point.distance.is_finite() && point.values.iter().all(|value| (0.5..=2.5).contains(value)));
        let persons = fit.persons(&point.values, &|_| true).expect("the runs have no fault");
        let compared = fit.compare(&point.values, &|_| true).expect("the runs have no fault");
        assert!(persons.iter().all(|person| person.place.is_finite()));
        assert!(compared.iter().all(|of| of.recorded.is_finite()));
    }
});
