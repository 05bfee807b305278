//! Frames from a scenario, drawn while it runs.

use throng::{AnyWorld, Edge, Registry, Vector, with_world};

use super::footage::{Footage, Ticks, no_frames};
use crate::arguments::Render;
use crate::execution;
use crate::failure::Failure;
use crate::picture::{Camera, NOWHERE, Shape, Sight, Subject, Wishes, around, see, shapes, with_margin};
use crate::signals::Signals;

/// A world that steps when the next tick is requested.
#[derive(Debug)]
struct Simulation {
    world: AnyWorld,
    subject: Subject,
    wishes: Wishes,
    ticks: Ticks,
    started: bool,
}

/// Opens the scenario of the command line.
pub(super) fn open(render: &Render, registry: &Registry, signals: &Signals) -> Result<Box<dyn Footage>, Failure> {
    let scenario = render.source.load(registry, render.engine.seed)?;
    scenario.check_limits()?;
    let last = render.ticks.unwrap_or(scenario.ticks());
    if render.from > last {
        return Err(no_frames(render.from, last));
    }
    let ticks = Ticks { first: render.from, last, count: last.saturating_add(1) };
    let world = execution::build(&scenario)?;
    let mut subject = Subject::of(&world);
    if world.settings().edge == Edge::Open {
        subject.bounds = reach(world.clone(), ticks.last, signals)?.unwrap_or(subject.bounds);
    }
    Ok(Box::new(Simulation { world, subject, wishes: Wishes::of(scenario.output()), ticks, started: false }))
}

/// Runs an open world to find the bounds of all positions up to tick `ticks`.
fn reach(mut world: AnyWorld, ticks: u64, signals: &Signals) -> Result<Option<[Vector<3>; 2]>, Failure> {
    let (mut bounds, mut crowd) = (NOWHERE, Vec::new());
    for tick in 0..=ticks {
        signals.check()?;
        if tick > 0 {
            world.step();
        }
        with_world!(&world, world => see(world, &mut crowd));
        bounds = crowd.iter().fold(bounds, |bounds, sight| around(bounds, sight.position));
    }
    Ok((bounds[0][0] <= bounds[1][0]).then(|| with_margin(bounds, world.dimensions())))
}

impl Footage for Simulation {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn wishes(&self) -> Wishes {
        self.wishes.clone()
    }

    fn ticks(&self) -> Ticks {
        self.ticks
    }

    fn next(&mut self, crowd: &mut Vec<Sight>) -> Result<Option<u64>, Failure> {
        if self.world.tick() == self.ticks.last && self.started {
            return Ok(None);
        }
        if self.started {
            self.world.step();
        }
        self.started = true;
        with_world!(&self.world, world => see(world, crowd));
        Ok(Some(self.world.tick()))
    }

    fn scenery(&self, camera: &Camera) -> Vec<Shape> {
        with_world!(&self.world, world => shapes(world, camera))
    }
}
