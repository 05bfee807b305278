//! The observers that a recorder feeds after each tick.

use crate::base::ids::SpeciesId;
use crate::measures::autocorrelation::VelocityAutocorrelation;
use crate::measures::displacement::Displacement;
use crate::measures::exit_times::ExitTimes;
use crate::measures::flow_line::FlowLine;
use crate::measures::persons::Persons;
use crate::measures::stuck::Stuck;
use crate::measures::table::{Measure, Quantity};
use crate::measures::windowed::Windowed;
use crate::state::snapshot::Saved;
use crate::state::snapshot::{Reader, SnapshotError, Writer};
use crate::world::World;

/// Observers that follow agents from tick to tick; `None` where nothing needs them.
#[derive(Clone, Debug, Default)]
pub(super) struct Followers {
    displacement: Option<Displacement>,
    autocorrelation: Option<VelocityAutocorrelation>,
    pub(super) stuck: Option<Stuck>,
    pub(super) exit_times: Option<ExitTimes>,
    pub(super) persons: Option<Persons>,
    /// The velocities that measures use in place of momentary ones.
    pub(super) windowed: Option<Windowed>,
    /// Lines with their names.
    pub(super) lines: Vec<(String, FlowLine)>,
}

impl Followers {
    /// Adds the observers of a crowd.
    pub(super) fn follow_crowd(&mut self) {
        self.stuck.get_or_insert_default();
        self.exit_times.get_or_insert_default();
    }

    /// Adds the observer that a measure needs, if any.
    pub(super) fn follow(&mut self, measure: &Measure) {
        match &measure.quantity {
            Quantity::MeanSquaredDisplacement => _ = self.displacement.get_or_insert_default(),
            Quantity::VelocityAutocorrelation => _ = self.autocorrelation.get_or_insert_default(),
            Quantity::Stuck => _ = self.stuck.get_or_insert_default(),
            _ => {}
        }
    }

    /// Returns whether there are observers.
    pub(super) fn are_any(&self) -> bool {
        let Self { displacement, autocorrelation, stuck, exit_times, persons, windowed, lines } = self;
        let of_all = displacement.is_some() || autocorrelation.is_some() || windowed.is_some();
        let crowd = stuck.is_some() || exit_times.is_some() || persons.is_some();
        of_all || crowd || !lines.is_empty()
    }

    /// Saves the memory of the observers, without the names of lines.
    pub(super) fn save(&self, to: &mut Writer<'_>) {
        self.displacement.save(to);
        self.autocorrelation.save(to);
        self.stuck.save(to);
        self.exit_times.save(to);
        self.persons.save(to);
        self.windowed.save(to);
        self.lines.iter().for_each(|(_, line)| line.save(to));
    }

    /// Loads the memory that the same observers saved; false if they are others.
    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<bool, SnapshotError> {
        let mut same = load_same(&mut self.displacement, from)?;
        same &= load_same(&mut self.autocorrelation, from)?;
        same &= load_same(&mut self.stuck, from)?;
        same &= load_same(&mut self.exit_times, from)?;
        same &= load_same(&mut self.persons, from)?;
        same &= load_same(&mut self.windowed, from)?;
        for (_, line) in &mut self.lines {
            let loaded = FlowLine::load(from)?;
            same &= loaded.same_ends(line);
            *line = loaded;
        }
        Ok(same)
    }

    pub(super) fn observe<const D: usize>(&mut self, world: &World<D>) {
        if let Some(displacement) = &mut self.displacement {
            displacement.observe(world);
        }
        if let Some(autocorrelation) = &mut self.autocorrelation {
            autocorrelation.observe(world);
        }
        if let Some(stuck) = &mut self.stuck {
            stuck.observe(world);
        }
        if let Some(exit_times) = &mut self.exit_times {
            exit_times.observe(world);
        }
        if let Some(persons) = &mut self.persons {
            persons.observe(world);
        }
        if let Some(windowed) = &mut self.windowed {
            windowed.observe(world);
        }
        self.lines.iter_mut().for_each(|(_, line)| line.observe(world));
    }

    /// Returns whether an observation now would leave out ticks that an observer needs.
    pub(super) fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.displacement.as_ref().is_some_and(|displacement| displacement.misses(world))
            || self.stuck.as_ref().is_some_and(|stuck| stuck.misses(world))
            || self.exit_times.as_ref().is_some_and(|times| times.misses(world))
            || self.persons.as_ref().is_some_and(|persons| persons.misses(world))
            || self.windowed.as_ref().is_some_and(|windowed| windowed.misses(world))
            || self.lines.iter().any(|(_, line)| line.misses(world))
    }

    /// The value of a measure that needs more than a sample, for all agents or for one species.
    pub(super) fn value<const D: usize>(
        &self,
        measure: &Measure,
        world: &World<D>,
        species: Option<SpeciesId>,
    ) -> Option<f64> {
        match &measure.quantity {
            Quantity::Own(own) => Some(own.value(world, species)),
            Quantity::MeanSquaredDisplacement => Some(self.displacement.as_ref()?.mean_squared(world, species)),
            Quantity::VelocityAutocorrelation => Some(self.autocorrelation.as_ref()?.value(species)),
            Quantity::Stuck => {
                let stuck = self.stuck.as_ref()?;
                Some(if stuck.has_missed() { f64::NAN } else { stuck.count(species) as f64 })
            }
            _ => None,
        }
    }
}

/// Loads an observer that exists here if and only if it existed there.
pub(super) fn load_same<T: Saved>(observer: &mut Option<T>, from: &mut Reader<'_>) -> Result<bool, SnapshotError> {
    let loaded = Option::load(from)?;
    let same = loaded.is_some() == observer.is_some();
    *observer = loaded;
    Ok(same)
}
