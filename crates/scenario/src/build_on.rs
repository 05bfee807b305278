//! Construction of the world of a scenario on several ranks, each of which starts with its own agents.

use std::fmt::Write as _;

use throng::maths::mix64;
use throng::ranks::{Ranks, all_succeed};
use throng::{AnyWorld, World};

use crate::build::BuildError;
use crate::definition::Scenario;
use crate::draw::OccupiedSpace;
use crate::start_columns::StartValue;

impl Scenario {
    /// Builds the world on several ranks, at tick zero, and divides it among them: see [`Ranks::divide`]. Every rank
    /// makes this call. Where the rules of the world allow that, each rank draws only its own agents, and pages for the
    /// others are left untouched. Until [`Ranks::gather`], a rank has only its own agents.
    ///
    /// # Errors
    ///
    /// [`BuildError`]; [`Error::RankDiffers`](throng::Error::RankDiffers) in it if a rank has another scenario, or cannot
    /// build it.
    ///
    /// # Panics
    ///
    /// If another rank cannot be reached: see [`Transport`](throng::ranks::Transport).
    pub fn build_on<const D: usize>(&self, ranks: &Ranks) -> Result<World<D>, BuildError> {
        let Some(transport) = ranks.transport() else { return self.build() };
        let built = self.check_limits_on(ranks.count()).and_then(|()| self.build_without_agents());
        let mut world: World<D> =
            all_succeed(&**transport, built, |_| format!("starts {:016x}", self.hash_of_starts()))?;
        ranks.divide(&mut world)?;
        let started = self.start_own(ranks, &mut world).and_then(|starts_apart| {
            if !starts_apart {
                self.check_limits()?;
            }
            Ok(starts_apart)
        });
        if !all_succeed(&**transport, started, |_| "none".to_owned())? {
            ranks.gather(&mut world);
        }
        Ok(world)
    }

    /// Builds the world in the number of dimensions of the scenario on several ranks: see [`build_on`](Self::build_on).
    ///
    /// # Errors
    ///
    /// As for [`build_on`](Self::build_on).
    pub fn build_any_on(&self, ranks: &Ranks) -> Result<AnyWorld, BuildError> {
        match self.dimensions {
            3 => self.build_on(ranks).map(AnyWorld::Space),
            _ => self.build_on(ranks).map(AnyWorld::Flat),
        }
    }

    /// Adds the agents of this rank. Returns `false` if every rank needs all agents.
    fn start_own<const D: usize>(&self, ranks: &Ranks, world: &mut World<D>) -> Result<bool, BuildError> {
        let (settings, environment) = (world.settings().clone(), world.environment().clone());
        let mut space = OccupiedSpace::new(&environment, &settings, self).with_bodies(&self.groups);
        let (mut first, mut own) = (0, ranks.start_own(world));
        for group in &self.groups {
            let numbers = own.next_species(group.count, group.start.opposite && group.count > 0)?;
            for start in space.starts(group, first, numbers)? {
                own.spawn(&start.agent)?;
                for (column, value) in group.start_values((&environment, settings.seed), &start) {
                    match value {
                        StartValue::Number(number) => own.set_column_value(column, number)?,
                        StartValue::Whole(number) => own.set_column_value(column, number)?,
                    }
                }
            }
            first += group.count;
        }
        Ok(own.finish())
    }

    /// A hash of the numbers and the starts of agents.
    fn hash_of_starts(&self) -> u64 {
        let mut hash = TextHash(0);
        for group in &self.groups {
            // Writing to a hash does not fail.
            let _ = write!(hash, "{} {:?}", group.count, group.start);
        }
        hash.0
    }
}

/// A hash of text that is written to it.
struct TextHash(u64);

impl std::fmt::Write for TextHash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        text.bytes().for_each(|byte| self.0 = mix64(self.0 ^ u64::from(byte)).wrapping_add(1));
        Ok(())
    }
}
