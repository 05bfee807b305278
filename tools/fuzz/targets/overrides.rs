//! `--set KEY=VALUE`, one per line, on a scenario with states, walls and sources.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_scenario::Scenario;

const TEXT: &str = include_str!("../../determinism/scenes/bottleneck.toml");

fuzz_target!(|text: &str| {
    let overrides: Vec<String> = text.lines().take(8).map(str::to_owned).collect();
    let Ok(scenario) = Scenario::parse_with(TEXT, "fuzz.toml", &overrides) else { return };
    if scenario.agents() <= 500 && scenario.check_limits().is_ok() {
        let _ = scenario.build_any().map(|mut world| world.step());
    }
});
