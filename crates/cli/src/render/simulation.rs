//! Frames from a scenario, drawn while it runs.

use throng::{AnyWorld, Registry, Vector};
use throng_draw::{Building, Drawable, DrawnAgent, EnvironmentShape, Error, Fit, Options, Subject, Values};
use throng_scenario::{Colour, Scenario, Storeys};

use super::caption::Names;
use super::frame_source::{FrameSource, Ticks, has_extension, needs_storeys, no_frames};
use super::pace::Pace;
use super::survey::{Middles, Survey};
use crate::arguments::RenderOptions;
use crate::execution;
use crate::failure::Failure;
use crate::progress;
use crate::signals::Signals;
use crate::telling::Choice;

/// A world that steps when the next tick is requested.
#[derive(Debug)]
struct Simulation {
    world: AnyWorld,
    storeys: Option<Storeys>,
    stacked: bool,
    subject: Subject,
    options: Options,
    ticks: Ticks,
    names: Names,
    middles: Option<Middles>,
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
    if render.stacked && scenario.storeys().is_none() {
        return Err(needs_storeys());
    }
    let (first, last) = (render.from.unwrap_or(0), render.ticks.unwrap_or(scenario.ticks()));
    if first > last {
        return Err(no_frames(first, last));
    }
    let ticks = Ticks { first, last, count: last.saturating_add(1) };
    Ok(Box::new(
        match has_extension(&render.output, "png") {
            true => picture(render, &scenario, last, signals)?,
            false => film(render, &scenario, ticks, signals)?,
        }
        .stacked(render.stacked),
    ))
}

/// Builds the world of a scenario, and checks that it has the variable of its colours.
fn build(render: &RenderOptions, scenario: &Scenario) -> Result<AnyWorld, Failure> {
    let world = execution::build(scenario)?;
    match &render.colour {
        Some(Colour::Variable(name)) if Drawable::values(&world, name).is_none() => {
            Err(Failure::Input(Error::Variable(name.clone()).to_string()))
        }
        _ => Ok(world),
    }
}

/// The most frames of a film: eleven hours at the usual 25 a second.
const MOST_FRAMES: u64 = 1_000_000;

/// A world before the first frame of a film.
fn film(render: &RenderOptions, scenario: &Scenario, ticks: Ticks, signals: &Signals) -> Result<Simulation, Failure> {
    let world = build(render, scenario)?;
    let pace = Pace::of(render, ticks, Some(f64::from(world.settings().tick_seconds)));
    if (ticks.last - ticks.first) / pace.every >= MOST_FRAMES {
        let every = pace.every;
        return Err(Failure::Input(format!("--every {every}: a film can have {MOST_FRAMES} frames at most")));
    }
    let (mut subject, mut middles) = (world.subject(), None);
    let follows = render.fit.map_or(subject.has_small_crowd(), |fit| fit == Fit::Crowd);
    if follows || subject.is_open {
        let bar = progress::bar(ticks.last, render.output_options.quiet);
        let survey = Survey::of(world.clone(), ticks, pace.every, signals, &bar)?;
        bar.finish_and_clear();
        survey.widen(&mut subject);
        let follows = render.fit.map_or(subject.has_small_crowd(), |fit| fit == Fit::Crowd);
        middles = (follows && render.centre.is_empty()).then(|| survey.middles(u64::from(pace.fps)));
    }
    Ok(Simulation::new(scenario, world, subject, ticks, middles))
}

/// A world before the trails of a picture begin.
fn picture(render: &RenderOptions, scenario: &Scenario, last: u64, signals: &Signals) -> Result<Simulation, Failure> {
    let bar = progress::bar(last, render.output_options.quiet);
    // The world before the trails and at the picture.
    let run = |last: u64| -> Result<(AnyWorld, AnyWorld, u64), Failure> {
        bar.set_position(0);
        let (mut world, mut before) = (build(render, scenario)?, None);
        let mut choice = Choice::default();
        loop {
            signals.check()?;
            let tick = world.tick();
            if tick == last.saturating_sub(render.trails.into()) {
                before = Some(world.clone());
            }
            choice.observe(&world);
            if tick == last {
                let chosen = choice.tick().unwrap_or(last);
                return Ok((before.unwrap_or_else(|| world.clone()), world, chosen));
            }
            world.step();
            bar.inc(1);
        }
    };
    let (mut before, mut world, chosen) = run(last)?;
    let last = if render.ticks.is_some() { last } else { chosen };
    if world.tick() != last {
        bar.set_length(last);
        (before, world, _) = run(last)?;
    }
    bar.finish_and_clear();
    let ticks = Ticks { first: last, last, count: last - before.tick() + 1 };
    Ok(Simulation::new(scenario, before, world.subject(), ticks, None))
}

impl Simulation {
    fn new(scenario: &Scenario, world: AnyWorld, subject: Subject, ticks: Ticks, middles: Option<Middles>) -> Self {
        let options = Options::from(scenario.output());
        let names = Names::of(scenario.name(), &world);
        let storeys = scenario.storeys().cloned();
        Self { world, storeys, stacked: false, subject, options, ticks, names, middles, started: false }
    }

    /// Draws the storeys above each other if asked.
    fn stacked(self, stacked: bool) -> Self {
        let middles = self.middles.filter(|_| !stacked);
        Self { stacked, middles, ..self }
    }

    fn building(&self) -> Building<'_, AnyWorld> {
        Building { crowd: &self.world, storeys: self.storeys.as_ref(), stacked: self.stacked }
    }
}

impl Drawable for Simulation {
    fn subject(&self) -> Subject {
        if self.stacked { self.building().subject() } else { self.subject.clone() }
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        self.building().crowd(each);
    }

    fn values(&self, name: &str) -> Option<Values> {
        self.building().values(name)
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        self.building().shapes()
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

    fn agents(&self) -> usize {
        self.world.population()
    }

    fn has_ended(&self) -> bool {
        self.world.has_ended()
    }

    fn middle(&self, tick: u64) -> Option<Vector<3>> {
        self.middles.as_ref().and_then(|middles| middles.at(tick))
    }
}
