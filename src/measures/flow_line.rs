//! The flow of agents through a line.

use crate::agents::seen::{Came, Seen};
use crate::maths::Vector;
use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::saved;
use crate::world::World;

/// Counts the agents that cross a line segment. It observes the world before the first tick and after each tick.
///
/// Between two observations an agent moves along a straight chord; in a periodic world, to the nearest image of its
/// next position. A crossing is a chord that leads from one side of the segment to the other, through the segment.
/// Signs are computed in double precision. A point on the line belongs to its left side, so an agent that stands on the
/// line is counted once, when it arrives or when it leaves. Of two lines that share an end, a chord through the end
/// crosses one. An agent that was set elsewhere, by a respawn or by the host, crosses nothing on that way ([`Came`]).
///
/// In three dimensions the line is the upright wall above and below the segment.
///
/// ```
/// use throng::measures::FlowLine;
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let person = world.add_species(Species::new("person"))?;
/// world.spawn(person, [9.9, 5.0], [1.3, 0.0])?;
/// let mut door = FlowLine::new([10.0, 4.0], [10.0, 6.0]);
/// door.observe(&world);
/// for _ in 0..60 {
///     world.step();
///     door.observe(&world);
/// }
/// assert_eq!((door.forward(), door.backward(), door.persons()), (1, 0, 1));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlowLine {
    ends: [[f64; 2]; 2],
    agents: ByAgent<Crosser>,
    forward: u64,
    backward: u64,
    persons: u64,
    /// The times of the first and the last crossing, in seconds.
    times: Option<[f64; 2]>,
    seconds: f64,
}

#[derive(Clone, Copy, Debug)]
struct Crosser {
    seen: Seen,
    /// The number of crossings forward minus the number of crossings backward.
    net: i64,
}

saved!(struct FlowLine { ends, agents, forward, backward, persons, times, seconds });
saved!(struct Crosser { seen, net });

impl FlowLine {
    /// A line between two points, in metres. A line without extent is never crossed.
    #[must_use]
    pub fn new(from: impl Into<Vector<2>>, to: impl Into<Vector<2>>) -> Self {
        Self {
            ends: [flat(from.into()), flat(to.into())],
            agents: ByAgent::default(),
            forward: 0,
            backward: 0,
            persons: 0,
            times: None,
            seconds: 0.0,
        }
    }

    /// Whether the two lines have the same ends.
    pub(super) fn same_ends(&self, other: &Self) -> bool {
        self.ends == other.ends
    }

    /// Observes the world.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        let now = world.seconds();
        let period = world.settings().period().map(f64::from);
        self.agents.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let Some(crosser) = self.agents.touch(id) else {
                    self.agents.set(id, Crosser { seen: Seen::of(agents, row), net: 0 });
                    continue;
                };
                let (from, came) = (crosser.seen.place(), crosser.seen.again(world.settings(), agents, row));
                if matches!(came, Came::WasSet) || from == crosser.seen.place() {
                    continue;
                }
                let [last, next] = [from, crosser.seen.place()].map(|[x, y, _]| [f64::from(x), f64::from(y)]);
                let to = std::array::from_fn(|axis| nearest_image(next[axis], last[axis], period[axis]));
                let before = crosser.net;
                for_each_crossing(self.ends, [last, to], [period[0], period[1]], |forward, fraction| {
                    crosser.net += if forward { 1 } else { -1 };
                    *(if forward { &mut self.forward } else { &mut self.backward }) += 1;
                    let time = self.seconds + fraction * (now - self.seconds);
                    let [first, last] = self.times.unwrap_or([time; 2]);
                    self.times = Some([if time < first { time } else { first }, if time > last { time } else { last }]);
                });
                self.persons = self.persons + crosser.net.unsigned_abs() - before.unsigned_abs();
            }
        }
        self.agents.gone(|_| {});
        self.seconds = now;
    }

    /// Returns whether the counts would be undefined if the world were observed now: it has advanced by more than a tick
    /// since the last observation.
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.agents.misses(world.tick())
    }

    /// Returns whether a tick was not observed: the counts then assume straight ways between observations, without the
    /// crossings of agents that turned back in between.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.agents.has_missed()
    }

    /// The number of crossings from the left of the line to its right, seen from its first point to its second.
    #[must_use]
    pub fn forward(&self) -> u64 {
        self.forward
    }

    /// The number of crossings from the right of the line to its left.
    #[must_use]
    pub fn backward(&self) -> u64 {
        self.backward
    }

    /// The number of persons that passed the line: for each agent, its crossings in one direction minus those in the
    /// other. An agent that turns back is not counted, and one that passes twice in a periodic world counts twice.
    #[must_use]
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// The flow in persons per second: the persons after the first, over the time between the first and the last
    /// crossing. 0 before the second crossing; NaN if a tick was not observed.
    ///
    /// Seyfried et al., *New insights into pedestrian flow through bottlenecks*, Transport. Sci. 43, 395 (2009).
    #[must_use]
    pub fn persons_per_second(&self) -> f64 {
        match self.times {
            _ if self.has_missed() => f64::NAN,
            Some([first, last]) if last > first && self.persons > 1 => (self.persons - 1) as f64 / (last - first),
            _ => 0.0,
        }
    }

    /// The times of the first and the last crossing in simulated seconds, if any.
    #[must_use]
    pub fn times(&self) -> Option<[f64; 2]> {
        self.times
    }
}

fn flat<const D: usize>(point: Vector<D>) -> [f64; 2] {
    [f64::from(point[0]), f64::from(point[1])]
}

/// The image of a coordinate that is nearest to another.
fn nearest_image(at: f64, to: f64, period: f64) -> f64 {
    if at - to > 0.5 * period {
        at - period
    } else if at - to < -0.5 * period {
        at + period
    } else {
        at
    }
}

/// Positive if `point` is to the left of the way from `from` to `to`, negative to its right, zero on it.
fn side(from: [f64; 2], to: [f64; 2], point: [f64; 2]) -> f64 {
    (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
}

/// Calls `crossed` for each image of a line that a chord crosses, with whether it leads from left to right, and with
/// the share of the chord before the line.
fn for_each_crossing(line: [[f64; 2]; 2], chord: [[f64; 2]; 2], period: [f64; 2], mut crossed: impl FnMut(bool, f64)) {
    let overlaps = |axis: usize, shift: f64| {
        let ends = |segment: [[f64; 2]; 2]| {
            let [a, b] = [segment[0][axis], segment[1][axis]];
            if a < b { [a, b] } else { [b, a] }
        };
        let ([low, high], [least, most]) = (ends(line), ends(chord));
        low + shift <= most && high + shift >= least
    };
    // An infinite period has one image.
    let shifts = |axis: usize| {
        let step = if period[axis] == f64::INFINITY { 0.0 } else { period[axis] };
        [0.0, -step, step].into_iter().take(if step == 0.0 { 1 } else { 3 }).filter(move |&s| overlaps(axis, s))
    };
    for x in shifts(0) {
        for y in shifts(1) {
            let [from, to] = line.map(|end| [end[0] + x, end[1] + y]);
            let (before, after) = (side(from, to, chord[0]), side(from, to, chord[1]));
            let leaves = before >= 0.0;
            let passes = (side(chord[0], chord[1], from) >= 0.0) != (side(chord[0], chord[1], to) >= 0.0);
            if leaves != (after >= 0.0) && passes {
                crossed(leaves, before / (before - after));
            }
        }
    }
}
