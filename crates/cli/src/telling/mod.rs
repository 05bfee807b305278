//! The most telling tick of a run, which its picture shows. In worlds that agents leave by sinks, it is the first at
//! which half of those that came are out: the queue is there. In others it is the last one with nine tenths of the most
//! agents: a flock has formed, and hunters have not yet thinned out the herd.
//!
//! A world at which neither comes to pass shows its last tick. Else the agents of a tick are copied when half are out, or
//! when its events announce that too few are left at the next tick, so that worlds at rest cost nothing.

mod kept;

use serde::{Deserialize, Serialize};
use throng::{AnyWorld, Edge, Event, Removal, World, with_world};
use throng_draw::{Bounds, Drawable, DrawnAgent, EnvironmentShape, Moments, Subject, Values};
use throng_scenario::{Colour, Output};

use kept::Kept;

/// The choice of the most telling tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// The most agents at a tick, and the agents at the last tick.
    most: usize,
    last: usize,
    /// The tick chosen so far.
    tick: Option<u64>,
    /// Whether the last tick would be chosen if the run ended with it.
    is_last: bool,
}

impl Choice {
    /// Takes note of the present tick; whether it is chosen, unless a later one is.
    pub(crate) fn observe(&mut self, world: &AnyWorld) -> bool {
        let agents = world.population();
        self.most = if agents > self.most { agents } else { self.most };
        let (most, tick) = (self.most, world.tick());
        let is_crowd = |agents: usize| 10 * agents >= 9 * most;
        let is_chosen = match with_world!(world, world => is_left(world)) {
            true => {
                let (came, out) = with_world!(world, world => (world.spawned(), out(world)));
                let was_last = std::mem::replace(&mut self.is_last, out == 0 || 2 * out < came);
                was_last && !self.is_last
            }
            false => {
                let is_end = |event: &&Event| matches!(event, Event::Left { .. } | Event::Caught { .. });
                let ends = || world.events().iter().filter(is_end).count();
                let falls = is_crowd(agents) && !is_crowd(agents.saturating_sub(ends()));
                // A fall that no event announced leaves the tick after it.
                let fell = !is_crowd(agents) && is_crowd(self.last) && self.tick.is_none_or(|kept| kept + 1 != tick);
                self.is_last = is_crowd(agents);
                falls || fell
            }
        };
        self.last = agents;
        self.tick = if is_chosen { Some(tick) } else { self.tick };
        is_chosen
    }

    /// The chosen tick of a run that ends now; `None` if it is the last one.
    pub(crate) fn tick(&self) -> Option<u64> {
        self.tick.filter(|_| !self.is_last)
    }
}

/// Whether agents leave the world by sinks, or come from sources and leave across its edge.
fn is_left<const D: usize>(world: &World<D>) -> bool {
    let (environment, edge) = (world.environment(), world.settings().edge);
    !environment.sinks.is_empty() || !environment.sources.is_empty() && edge.contains(&Edge::Remove)
}

/// The number of agents that left, by sinks or across the edge.
fn out<const D: usize>(world: &World<D>) -> u64 {
    let is_out = |reason: &str| reason.starts_with("sink:") || reason == Removal::Left.name();
    world.removed().filter(|(reason, _)| is_out(reason)).map(|(_, count)| count).sum()
}

/// The choice, and the agents of the chosen tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Telling {
    choice: Choice,
    /// The variable that colours show.
    variable: Option<String>,
    kept: Option<Kept>,
}

impl Telling {
    /// Chooses a tick for pictures with these settings.
    pub(crate) fn new(output: &Output) -> Self {
        let variable = if let Some(Colour::Variable(name)) = &output.colour { Some(name.clone()) } else { None };
        Self { variable, ..Self::default() }
    }

    /// Takes note of the present tick. `read` is the world with the agents of all ranks, which is read seldom.
    pub(crate) fn observe(&mut self, world: &AnyWorld, read: &impl Drawable) {
        if self.choice.observe(world) {
            self.kept = Some(Kept::of(read, self.variable.as_deref()));
        }
    }

    /// The most telling tick at the end of the run; `None` if it is the last one.
    pub(crate) fn frame<'w>(&'w self, end: &'w AnyWorld) -> Option<Frame<'w>> {
        let kept = self.kept.as_ref().filter(|kept| self.choice.tick() == Some(kept.tick))?;
        Some(Frame { tick: kept.tick, agents: kept.crowd(), shapes: kept.shapes(), values: kept.values(), end })
    }
}

/// An earlier tick of a world.
#[derive(Debug)]
pub(crate) struct Frame<'w> {
    tick: u64,
    pub(crate) agents: Vec<DrawnAgent>,
    shapes: Vec<EnvironmentShape>,
    /// The variable that colours show.
    values: Values,
    /// The world at its last tick.
    end: &'w AnyWorld,
}

impl Drawable for Frame<'_> {
    fn subject(&self) -> Subject {
        let mut subject = self.end.subject();
        let (mut all, mut moments) = (Bounds::EMPTY, Moments::default());
        for agent in &self.agents {
            all = all.including(agent.position);
            moments.add(agent.position);
            let (body, radius) = (&mut subject.largest[agent.species as usize], agent.radius);
            *body = if radius > *body { radius } else { *body };
            subject.smallest = if radius > 0.0 && radius < subject.smallest { radius } else { subject.smallest };
        }
        let open = self.end.settings().edge.map(|edge| edge == throng::Edge::Open);
        subject.bounds = subject.bounds.with_axes(open, all.with_margin(self.end.dimensions()));
        subject.crowd = moments.most_of(all);
        Subject { agents: self.agents.len(), ..subject }
    }

    fn tick(&self) -> u64 {
        self.tick
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        each(&self.agents);
    }

    fn values(&self, _: &str) -> Option<Values> {
        Some(self.values.clone())
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        self.shapes.clone()
    }
}

#[cfg(test)]
mod tests {
    use throng_scenario::Scenario;

    use super::*;

    #[test]
    fn a_hunt_tells_most_before_a_tenth_is_caught() {
        let text = r#"format = 1
world = { dimensions = 2, size = [30, 20], edge = "bounce", tick = 0.1, seed = 1 }
[species.prey]
count = 40
max_speed = 1.0
behaviours = [{ rule = "wander" }]
[species.hunter]
count = 3
max_speed = 4.0
behaviours = [{ rule = "pursue", target = "nearest:prey" }]
catch = { whom = "prey", distance = 0.8, remove = true }
"#;
        let mut world = Scenario::parse(text, "hunt.toml").unwrap().build_any().unwrap();
        let (mut choice, mut counts) = (Choice::default(), Vec::new());
        for _ in 0..600 {
            choice.observe(&world);
            counts.push(10 * world.population());
            world.step();
        }
        let tick = choice.tick().unwrap() as usize;
        assert!(counts[tick] >= 9 * 43 && counts[tick + 1..].iter().all(|count| *count < 9 * 43), "{tick}: {counts:?}");
    }
}
