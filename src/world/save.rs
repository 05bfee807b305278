//! Snapshots of a world, and the hash of its state.

use std::io::{Read, Write};

use crate::base::settings::Settings;
use crate::species::registry::Registry;
use crate::state::snapshot::SnapshotError;
use crate::world::World;
use crate::world::compiled::Compiled;

impl<const D: usize> World<D> {
    /// Writes the state of the world: everything that the next tick depends on. Rules and motions are stored by
    /// name and parameters.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`] if a species has a rule or a motion without a table of parameters;
    /// [`SnapshotError::Io`] if writing fails.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world, and [`Ranks::gather`](crate::ranks::Ranks::gather) was not called since
    /// the last step.
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        (Compiled::functions().save)(self.whole(), to)
    }

    /// Reads a world, which continues with the same bits as the saved one. A snapshot does not contain the events and
    /// the profile of the last tick.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]. Any input gives either a world that can be stepped or an error.
    pub fn load(from: impl Read) -> Result<Self, SnapshotError> {
        Self::load_with(from, &Registry::new())
    }

    /// Reads a world whose rules and motions are in this registry.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`], as for [`load`](Self::load).
    pub fn load_with(mut from: impl Read, registry: &Registry) -> Result<Self, SnapshotError> {
        let state = (Compiled::functions().load)(&mut from, registry)?;
        let world = Self::new(Settings::default()).map_err(SnapshotError::from)?;
        Ok(world.with_state(state))
    }

    /// A hash of the world's state, over exactly the contents of a snapshot. Worlds with equal hashes continue with the
    /// same bits. The hash does not depend on how a world runs.
    ///
    /// A rule or a motion without a table of parameters enters the hash only by its name
    /// ([`Behaviour::name`](crate::Behaviour::name)): other data in its type is not known to throng.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world, and [`Ranks::gather`](crate::ranks::Ranks::gather) was not called since
    /// the last step: [`Ranks::state_hash`](crate::ranks::Ranks::state_hash) needs no gathering.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        (Compiled::functions().state_hash)(self.whole())
    }
}

#[cfg(test)]
mod tests {
    use crate::agents::columns::Owner;
    use crate::state::snapshot;
    use crate::{Edge, Region, RegionId, Settings, Shape, Species, Vector, World, Zone};

    fn saved(world: &World<2>) -> Vec<u8> {
        let mut bytes = Vec::new();
        snapshot::save(&world.state, &mut bytes).unwrap();
        bytes
    }

    /// Compares the bytes of a world with the bytes of a settled copy of its state.
    fn check(world: &World<2>, what: &str) {
        let mut settled = world.state.clone();
        settled.settle();
        let mut bytes = Vec::new();
        snapshot::save(&settled, &mut bytes).unwrap();
        assert!(!world.state.is_settled() && settled.is_settled(), "{what}");
        assert!(saved(world) == bytes, "{what}");
        assert_eq!(snapshot::state_hash(&world.state), snapshot::state_hash(&settled), "{what}");
    }

    fn region(world: &mut World<2>, number: usize) -> RegionId {
        let shape = Shape::Ball { centre: Vector([number as f32, 50.0]), radius: 20.0 };
        world.environment_mut().regions.add(Region { name: format!("region {number}"), shape }).unwrap()
    }

    #[test]
    fn unsettled_worlds_are_saved_as_they_will_be_settled() {
        let settings = Settings { edge: [Edge::Bounce; _], ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        for name in ["ant", "bee"] {
            let species = world.add_species(Species::new(name)).unwrap();
            world.add_column(species, "load", [1.0_f32, 2.0, 3.0]).unwrap();
            for number in 0..5000 {
                world.spawn(species, [(number % 100) as f32, 50.0], [1.0, 0.0]).unwrap();
            }
        }
        let mut ids: Vec<_> = (0..3).map(|number| region(&mut world, number)).collect();
        check(&world, "the first regions");
        world.step();
        world.environment_mut().regions.remove(ids.remove(0)).unwrap();
        check(&world, "one region fewer");
        world.step();
        ids.extend((3..70).map(|number| region(&mut world, number)));
        check(&world, "a wider column");
        world.step();
        world.environment_mut().regions.remove(ids.remove(40)).unwrap();
        ids.push(region(&mut world, 70));
        check(&world, "other regions");
        world.step();
        let zone = world.environment_mut().zones.add(Zone::new("region 5", 0.5)).unwrap();
        check(&world, "the first zone");
        world.step();
        world.step();
        world.environment_mut().zones.remove(zone).unwrap();
        check(&world, "no zone");
        ids.into_iter().for_each(|id| drop(world.environment_mut().regions.remove(id)));
        check(&world, "neither regions nor zones");
        world.step();
        let species = &world.state.agents[0];
        assert!(species.columns.of(Owner::Regions).is_none() && species.columns.of(Owner::FreeSpeed).is_none());
    }
}
