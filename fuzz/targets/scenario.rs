//! Scenario text: it is refused with places, or gives a world that steps and stays finite.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng::with_world;
use throng_scenario::Scenario;

fuzz_target!(|text: &str| {
    let Ok(scenario) = Scenario::parse(text, "fuzz.toml") else { return };
    if scenario.agents() > 500 {
        return;
    }
    let Ok(mut world) = scenario.build_any() else { return };
    (0..2).for_each(|_| world.step());
    with_world!(&world, world => {
        for species in world.species_ids() {
            let agents = world.agents(species).expect("it exists");
            let columns = agents.positions().into_iter().chain(agents.velocities());
            assert!(columns.flatten().all(|number| number.is_finite()));
        }
    });
});
