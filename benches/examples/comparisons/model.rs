//! What the models share: the start of a world.

use throng::{Error, Noise, SpeciesId, Vector, World};

/// Spawns agents, each with a species, a position and a velocity that are drawn for it.
pub(crate) fn spawn<const D: usize>(
    world: &mut World<D>,
    agents: usize,
    species: impl Fn(&mut Noise) -> SpeciesId,
    start: impl Fn(&mut Noise) -> (Vector<D>, Vector<D>),
) -> Result<(), Error> {
    let seed = world.settings().seed;
    for number in 0..agents {
        let mut noise = Noise::new(seed, number as u64, 0, Noise::USER);
        let species = species(&mut noise);
        let (position, velocity) = start(&mut noise);
        world.spawn(species, position, velocity)?;
    }
    Ok(())
}
