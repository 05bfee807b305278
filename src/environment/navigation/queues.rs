//! The agents on their way to each navigation's goals.

use std::ops::Range;

use crate::environment::navigation::passages::Passage;
use crate::maths::Vector;

/// The side of the squares in which agents are counted together, in metres.
const SQUARE: f32 = 2.0;

/// For each navigation, the agents that head for its goals.
#[derive(Debug, Default)]
pub(crate) struct Queues(Vec<Queue>);

/// The agents that head for the goals of a navigation.
#[derive(Debug, Default)]
struct Queue {
    /// Sorted by square and distance.
    agents: Vec<Queued>,
    /// The ranges of these agents in one square before one passage.
    groups: Vec<Range<usize>>,
}

/// An agent on its way. Bits of distances have the order of the distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Queued {
    /// The number of its passage, and its square.
    group: [u32; 3],
    distance: u32,
    /// The bits of its position.
    at: [u32; 2],
}

impl Queues {
    /// Empties the queues, for this number of navigations.
    pub(crate) fn clear(&mut self, navigations: usize) {
        self.0.resize_with(navigations, Queue::default);
        self.0.iter_mut().for_each(|queue| queue.agents.clear());
    }

    /// Adds an agent at a distance from the goals of a navigation, with the narrowest passage on its way.
    pub(crate) fn add(&mut self, navigation: usize, at: Vector<2>, (distance, passage): (f32, &Passage)) {
        let square = at.0.map(|at| (at / SQUARE).floor() as i32 as u32);
        let group = [passage.before.start, square[0], square[1]];
        let agent = Queued { group, distance: distance.to_bits(), at: at.0.map(f32::to_bits) };
        self.0[navigation].agents.push(agent);
    }

    /// Sorts the queues after all agents were added.
    pub(crate) fn sort(&mut self) {
        for Queue { agents, groups } in &mut self.0 {
            agents.sort_unstable();
            groups.clear();
            for (number, agent) in agents.iter().enumerate() {
                match groups.last_mut() {
                    Some(last) if agents[last.start].group == agent.group => last.end = number + 1,
                    _ => groups.push(number..number + 1),
                }
            }
        }
    }

    /// The number of agents that are nearer to the goals of a navigation than `distance`, in metres, and have one of
    /// these passages before them. The agents of a square count if `is_seen` is true for the place of one of them.
    pub(crate) fn nearer(
        &self,
        navigation: usize,
        (distance, passages): (f32, &Range<u32>),
        is_seen: impl Fn(Vector<2>) -> bool,
    ) -> usize {
        let Some(Queue { agents, groups }) = self.0.get(navigation) else { return 0 };
        let mut count = 0;
        for group in groups {
            let agents = &agents[group.clone()];
            if !passages.contains(&agents[0].group[0]) {
                continue;
            }
            let nearer = agents.partition_point(|agent| agent.distance < distance.to_bits());
            if nearer > 0 && is_seen(Vector(agents[nearer / 2].at.map(f32::from_bits))) {
                count += nearer;
            }
        }
        count
    }
}
