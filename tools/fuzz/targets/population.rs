//! The body of a species of people, with kinds, populations and sources: it is refused, or gives a world that stays finite.
#![no_main]

mod finite;

use libfuzzer_sys::fuzz_target;
use throng_scenario::Scenario;

const HEAD: &str = "format = 1
[world]
dimensions = 2
size = [20.0, 12.0]
edge = \"bounce\"
tick = 0.1
[[region]]
name = \"hall\"
centre = [5.0, 6.0]
size = [8.0, 10.0]
[[region]]
name = \"out\"
centre = [19.0, 6.0]
size = [1.0, 4.0]
[navigation.out]
goals = [\"region:out\"]
[species.person]
";

/// The most agents: a larger world would make the fuzzer slow.
const MOST_AGENTS: usize = 500;

fuzz_target!(|body: &str| {
    let Ok(scenario) = Scenario::parse(&format!("{HEAD}{body}"), "fuzz.toml") else { return };
    if scenario.agents() > MOST_AGENTS as u64 || scenario.check_limits().is_err() {
        return;
    }
    let Ok(mut world) = scenario.build_any() else { return };
    for _ in 0..3 {
        if world.population() > MOST_AGENTS {
            return;
        }
        world.step();
    }
    finite::check(&world);
});
