//! Measures of collective order, computed through the public API.
//!
//! Sums are formed in `f64` and in row order, so they do not depend on the number of threads.

use crate::maths::Vector;
use crate::world::World;

/// The polarisation: the length of the mean heading. It is 1 if all agents have the same heading and near 0 for random
/// headings. Agents at rest have no heading and are left out; the result is 0 if no agent moves.
#[must_use]
pub fn polarisation<const D: usize>(world: &World<D>) -> f64 {
    let mut sum = [0.0; D];
    let mut moving = 0u64;
    for velocity in velocities(world) {
        let heading = velocity.direction();
        if heading != Vector::ZERO {
            moving += 1;
            for axis in 0..D {
                sum[axis] += f64::from(heading[axis]);
            }
        }
    }
    if moving == 0 { 0.0 } else { length(sum) / moving as f64 }
}

/// The mean speed of all agents, in metres per second; 0 in an empty world.
#[must_use]
pub fn mean_speed<const D: usize>(world: &World<D>) -> f64 {
    let sum: f64 = velocities(world).map(|velocity| f64::from(velocity.length())).sum();
    let agents = world.population();
    if agents == 0 { 0.0 } else { sum / agents as f64 }
}

fn velocities<const D: usize>(world: &World<D>) -> impl Iterator<Item = Vector<D>> {
    let species = world.species_ids().filter_map(|id| world.agents(id).ok());
    species.flat_map(|agents| (0..agents.len()).map(|row| agents.velocity(row)))
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Species};

    fn world(velocities: &[[f32; 2]]) -> World<2> {
        let mut world = World::new(Settings::default()).unwrap();
        let species = world.add_species(Species::new("starling")).unwrap();
        for velocity in velocities {
            world.spawn(species, [50.0, 50.0], *velocity).unwrap();
        }
        world
    }

    #[test]
    fn polarisation_is_one_in_a_row_and_zero_in_a_star() {
        assert_eq!(polarisation(&world(&[[2.0, 0.0], [5.0, 0.0], [0.0, 0.0]])), 1.0);
        assert_eq!(polarisation(&world(&[[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0], [0.0, -3.0]])), 0.0);
        assert_eq!(polarisation(&world(&[[0.0, 0.0]])), 0.0);
        assert_eq!(polarisation(&world(&[])), 0.0);
    }

    #[test]
    fn the_mean_speed_includes_agents_at_rest() {
        assert_eq!(mean_speed(&world(&[[3.0, 4.0], [0.0, 0.0]])), 2.5);
        assert_eq!(mean_speed(&world(&[])), 0.0);
    }
}
