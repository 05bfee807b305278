//! The world of a run's picture: that with the most agents, and the latest of several.

use throng::{AnyWorld, Edge, Registry, World, with_world};

use crate::failure::Failure;

/// The most copies of a world that a run makes.
const MOST_COPIES: u64 = 100;

/// A copy of the world at its busiest tick so far, where agents may leave it.
#[derive(Debug)]
pub(crate) struct Busiest {
    /// The number of ticks between two looks at the world; `None` if the last tick is drawn in any case.
    every: Option<u64>,
    copy: Option<AnyWorld>,
}

impl Busiest {
    /// Starts with a run of this many ticks. A world that is `divided` among ranks is drawn as it is at the end.
    pub(crate) fn start(world: &AnyWorld, ticks: u64, divided: bool) -> Self {
        let every = ticks.div_ceil(MOST_COPIES).clamp(1, u64::MAX);
        let wanted = !divided && with_world!(world, world => may_lose(world));
        Self { every: wanted.then_some(every), copy: None }
    }

    /// Looks at the world after a tick.
    pub(crate) fn observe(&mut self, world: &AnyWorld) {
        let due = self.every.is_some_and(|every| world.tick().is_multiple_of(every));
        if due && self.copy.as_ref().is_none_or(|copy| copy.population() <= world.population()) {
            self.copy = Some(world.clone());
        }
    }

    /// The world to draw, at the end of a run.
    pub(crate) fn choose<'w>(&'w self, world: &'w AnyWorld) -> &'w AnyWorld {
        self.copy.as_ref().filter(|copy| copy.population() > world.population()).unwrap_or(world)
    }

    /// The copy as a checkpoint holds it.
    pub(crate) fn save(&self) -> Result<Option<Vec<u8>>, Failure> {
        let saved = self.copy.as_ref().map(|copy| {
            let mut bytes = Vec::new();
            copy.save(&mut bytes).map(|()| bytes)
        });
        saved.transpose().map_err(|error| Failure::Write(format!("the world of the picture: {error}")))
    }

    /// Takes up the copy of a checkpoint. Without it the picture is of a later tick, and the run does not fail.
    pub(crate) fn load(&mut self, saved: Option<&[u8]>, registry: &Registry) {
        self.copy = saved.and_then(|bytes| AnyWorld::load_with(bytes, registry).ok());
    }
}

/// Whether agents may leave a world by themselves.
fn may_lose<const D: usize>(world: &World<D>) -> bool {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    let mut mortal =
        species.map(|species| species.lifetime.is_some() || species.catch.as_ref().is_some_and(|catch| catch.remove));
    !world.environment().sinks().is_empty() || world.settings().edge.contains(&Edge::Remove) || mortal.any(|dies| dies)
}

#[cfg(test)]
mod tests {
    use throng::Scenario;

    use super::*;

    #[test]
    fn the_latest_tick_with_the_most_agents_is_chosen() {
        let text = include_str!("../../scenarios/bottleneck.toml");
        let mut world = Scenario::parse(text, "x").unwrap().build_any().unwrap();
        let mut busiest = Busiest::start(&world, 150, false);
        let mut last_of_most = (0, 0);
        for _ in 0..150 {
            world.step();
            busiest.observe(&world);
            if world.tick().is_multiple_of(2) && world.population() >= last_of_most.0 {
                last_of_most = (world.population(), world.tick());
            }
        }
        // All are there at first, and some have left at the end.
        with_world!(&mut world, world => while world.population() > 20 { world.step(); });
        let chosen = busiest.choose(&world);
        assert_eq!((chosen.population(), chosen.tick()), last_of_most);
        assert!(last_of_most.0 > 100 && last_of_most.1 > 1, "{last_of_most:?}");
        let mut again = Busiest::start(&world, 150, false);
        again.load(busiest.save().unwrap().as_deref(), &Registry::new());
        assert_eq!(again.choose(&world).state_hash(), chosen.state_hash());
        // Nobody can leave a flock: it is drawn as it is, without copies.
        let mut flock = Scenario::parse(include_str!("../../scenarios/flock.toml"), "x").unwrap().build_any().unwrap();
        let mut none = Busiest::start(&flock, 10, false);
        flock.step();
        none.observe(&flock);
        assert!(none.copy.is_none() && none.choose(&flock).tick() == 1);
    }
}
