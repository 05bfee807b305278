//! The check of targets that run worlds.

use throng::{AnyWorld, with_world};

/// Fails unless all positions and velocities are finite.
pub fn check(world: &AnyWorld) {
    with_world!(world, world => {
        for species in world.species_ids() {
            let agents = world.agents(species).expect("it exists");
            let columns = agents.positions().into_iter().chain(agents.velocities());
            assert!(columns.flatten().all(|number| number.is_finite()));
        }
    });
}
