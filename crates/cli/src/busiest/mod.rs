//! The busiest tick of a run, which its picture shows: that with the most agents, and the last of those.
//!
//! A world whose number of agents does not fall shows its last tick. Else the agents of a tick are copied when its
//! number is the highest so far and its events announce that the next tick removes some of them, so that worlds at rest
//! cost nothing.

mod kept;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use throng::{AnyWorld, Event, RegionId, with_world};
use throng_draw::{Bounds, Drawable, DrawnAgent, EnvironmentShape, Moments, Subject};

use kept::Kept;

/// The busiest tick so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Busiest {
    /// The most agents at a tick, and those at the last tick.
    most: usize,
    last: usize,
    kept: Option<Kept>,
    /// The regions of sinks.
    #[serde(skip)]
    exits: Option<HashSet<RegionId>>,
}

impl Busiest {
    /// Takes note of the present tick. `read` is the world with the agents of all ranks, which is read seldom.
    pub(crate) fn observe(&mut self, world: &AnyWorld, read: &impl Drawable) {
        let agents = world.population();
        let exits = &*self.exits.get_or_insert_with(|| exits(world));
        let is_end = |event: &Event| match event {
            Event::Left { .. } | Event::Caught { .. } => true,
            Event::EnteredRegion { region, .. } => exits.contains(region),
            _ => false,
        };
        let kept = self.kept.as_ref().map_or(0, Kept::agents);
        let falls = || world.events().iter().any(is_end);
        // A fall that no event announced leaves the count after it.
        if (agents >= self.most && falls()) || (agents < self.last && agents > kept) {
            self.kept = Some(Kept::of(read));
        }
        self.most = if agents > self.most { agents } else { self.most };
        self.last = agents;
    }

    /// The busiest tick at the end of the run; `None` if it is the last one.
    pub(crate) fn frame<'w>(&'w self, end: &'w AnyWorld) -> Option<Frame<'w>> {
        let kept = self.kept.as_ref().filter(|kept| kept.agents() > end.population())?;
        Some(Frame { tick: kept.tick, agents: kept.crowd(), shapes: kept.shapes(), end })
    }
}

/// The regions of sinks.
fn exits(world: &AnyWorld) -> HashSet<RegionId> {
    with_world!(world, world => {
        let environment = world.environment();
        let is_exit = |name: &str| environment.sinks.items().iter().any(|sink| sink.region == name);
        environment.regions.iter().filter(|(_, region)| is_exit(&region.name)).map(|(id, _)| id).collect()
    })
}

/// An earlier tick of a world.
#[derive(Debug)]
pub(crate) struct Frame<'w> {
    tick: u64,
    pub(crate) agents: Vec<DrawnAgent>,
    shapes: Vec<EnvironmentShape>,
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

    fn shapes(&self) -> Vec<EnvironmentShape> {
        self.shapes.clone()
    }
}
