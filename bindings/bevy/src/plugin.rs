//! The plugin and its system sets.

use bevy_app::{App, FixedUpdate, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_time::{Fixed, Time};

use crate::messages::{SpawnRefused, StepFailed, WorldEvent};
use crate::{existence, interpolate, read, step, write};

/// The system sets of a run, one after the other.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThrongSystems {
    /// Agents of new entities are added to their worlds, and entities of new agents are spawned.
    Existence,
    /// Bodies that the host has changed go to the worlds.
    Read,
    /// Every world advances by one tick.
    Step,
    /// Bodies, forces and transforms get the results. Entities of agents that have gone are removed.
    Write,
}

/// Steps the worlds of `D` dimensions, which are [`Throng`](crate::Throng) components, and keeps their entities.
#[derive(Clone, Copy, Debug)]
pub struct ThrongPlugin<const D: usize> {
    schedule: InternedScheduleLabel,
    tick: Option<f32>,
}

impl<const D: usize> Default for ThrongPlugin<D> {
    /// Steps in `FixedUpdate`.
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl<const D: usize> ThrongPlugin<D> {
    /// Steps in this schedule, once per run. In `FixedUpdate`, transforms are interpolated between ticks in every
    /// frame; in other schedules they are the transforms of the last tick.
    ///
    /// The length of a tick comes from each world, not from the schedule. Set `Time<Fixed>` to the same by
    /// [`with_tick`](Self::with_tick), or let ticks follow the frames: `World::set_tick_seconds` before each run.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), tick: None }
    }

    /// Sets `Time<Fixed>` to ticks of this many seconds, as the worlds have, so that simulated time passes as real time
    /// does. Bevy's own are a 64th of a second.
    ///
    /// # Panics
    ///
    /// When the plugin is added, unless `seconds` is finite and positive.
    #[must_use]
    pub fn with_tick(mut self, seconds: f32) -> Self {
        self.tick = Some(seconds);
        self
    }
}

impl<const D: usize> Plugin for ThrongPlugin<D> {
    fn build(&self, app: &mut App) {
        use ThrongSystems::{Existence, Read, Step, Write};
        app.add_message::<WorldEvent>().add_message::<StepFailed>().add_message::<SpawnRefused>();
        if let Some(seconds) = self.tick {
            app.insert_resource(Time::<Fixed>::from_seconds(f64::from(seconds)));
        }
        app.add_observer(existence::remove_agent::<D>);
        app.add_observer(read::remove_goal::<D>);
        app.add_observer(interpolate::place::<D>);
        app.configure_sets(self.schedule, (Existence, Read, Step, Write).chain());
        app.add_systems(
            self.schedule,
            (
                (existence::add_agents::<D>, existence::add_entities::<D>).chain().in_set(Existence),
                (read::read_bodies::<D>, read::read_goals::<D>).chain().in_set(Read),
                step::step::<D>.in_set(Step),
                write::write_bodies::<D>.in_set(Write),
            ),
        );
        // Plugins for worlds of two and of three dimensions share the drawing of all agents.
        if app.world().contains_resource::<Drawing>() {
            return;
        }
        app.init_resource::<Drawing>();
        if self.schedule == FixedUpdate.intern() {
            let after = RunFixedMainLoopSystems::AfterFixedMainLoop;
            app.add_systems(RunFixedMainLoop, interpolate::interpolate.in_set(after));
        } else {
            app.add_systems(self.schedule, interpolate::follow.after(Write));
        }
    }
}

/// Present when a plugin has added the systems that move transforms.
#[derive(Resource, Default)]
struct Drawing;
