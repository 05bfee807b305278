//! Scenario text: it is refused with places, or gives a world that steps and stays finite.
#![no_main]

mod finite;

use libfuzzer_sys::fuzz_target;
use throng_scenario::Scenario;

fuzz_target!(|text: &str| {
    let Ok(scenario) = Scenario::parse(text, "fuzz.toml") else { return };
    if scenario.agents() > 500 {
        return;
    }
    let Ok(mut world) = scenario.build_any() else { return };
    (0..2).for_each(|_| world.step());
    finite::check(&world);
});
