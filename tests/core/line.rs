//! A small world whose agents start on a line.

use throng::{AgentId, Edge, Settings, Species, SpeciesId, World};

/// The settings of a world with walls and ten ticks per second.
pub(crate) fn settings() -> Settings<2> {
    Settings { edge: [Edge::Bounce; _], tick_seconds: 0.1, ..Settings::default() }
}

/// A world with one species whose agents are a metre apart on a line.
pub(crate) fn line(species: Species<2>, agents: usize) -> (World<2>, SpeciesId, Vec<AgentId>) {
    let mut world = World::new(settings()).unwrap();
    let id = world.add_species(species).unwrap();
    let ids = (0..agents).map(|number| world.spawn(id, [number as f32, 50.0], [1.0, 0.0]).unwrap()).collect();
    (world, id, ids)
}
