//! Frames from a scenario, drawn while it runs.

use throng::{AnyWorld, Edge, Registry};
use throng_draw::{Agent, Bounds, Drawable, EnvironmentShape, Options, Subject};

use super::caption::Names;
use super::frame_source::{FrameSource, Ticks, has_extension, no_frames};
use crate::arguments::RenderOptions;
use crate::execution;
use crate::failure::Failure;
use crate::signals::Signals;

/// A world that steps when the next tick is requested.
#[derive(Debug)]
struct Simulation {
    world: AnyWorld,
    subject: Subject,
    options: Options,
    ticks: Ticks,
    names: Names,
    started: bool,
}

/// Opens the scenario of the command line.
pub(super) fn open(
    render: &RenderOptions,
    registry: &Registry,
    signals: &Signals,
) -> Result<Box<dyn FrameSource>, Failure> {
    let scenario = render.source.load(registry, render.engine.seed)?;
    scenario.check_limits()?;
    let last = render.ticks.unwrap_or(scenario.ticks());
    if render.from > last {
        return Err(no_frames(render.from, last));
    }
    let frames = (last - render.from) / render.every;
    if !has_extension(&render.output, "png") && frames >= MOST_FRAMES {
        return Err(Failure::Input(format!("--every {}: a film can have {MOST_FRAMES} frames at most", render.every)));
    }
    let ticks = Ticks { first: render.from, last, count: last.saturating_add(1) };
    let world = execution::build(&scenario)?;
    let mut subject = world.subject();
    let open = world.settings().edge.map(|edge| edge == Edge::Open);
    if open.contains(&true)
        && let Some(reach) = reach(world.clone(), ticks.last, signals)?
    {
        subject.bounds = subject.bounds.with_axes(open, reach);
    }
    let options = Options::from(scenario.output());
    let names = Names::of(scenario.name(), &world);
    Ok(Box::new(Simulation { world, subject, options, ticks, names, started: false }))
}

/// The most frames of a film: eleven hours at the usual 25 a second.
const MOST_FRAMES: u64 = 1_000_000;

/// Runs a world with open axes up to tick `ticks`, and returns the bounds of all positions.
fn reach(mut world: AnyWorld, ticks: u64, signals: &Signals) -> Result<Option<Bounds>, Failure> {
    let mut bounds = Bounds::EMPTY;
    for tick in 0..=ticks {
        signals.check()?;
        if tick > 0 {
            world.step();
        }
        world.crowd(&mut |agents| {
            bounds = agents.iter().fold(bounds, |bounds, agent| bounds.including(agent.position));
        });
    }
    Ok((!bounds.is_empty()).then(|| bounds.with_margin(world.dimensions())))
}

impl Drawable for Simulation {
    fn subject(&self) -> Subject {
        self.subject.clone()
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn crowd(&self, each: &mut dyn FnMut(&[Agent])) {
        self.world.crowd(each);
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        self.world.shapes()
    }
}

impl FrameSource for Simulation {
    fn options(&self) -> Options {
        self.options.clone()
    }

    fn ticks(&self) -> Ticks {
        self.ticks
    }

    fn names(&self) -> Names {
        self.names.clone()
    }

    fn next(&mut self) -> Result<Option<u64>, Failure> {
        if self.world.tick() == self.ticks.last && self.started {
            return Ok(None);
        }
        if self.started {
            self.world.step();
        }
        self.started = true;
        Ok(Some(self.world.tick()))
    }
}
