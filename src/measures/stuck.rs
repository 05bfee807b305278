//! Agents that want to move and do not get on.

use crate::base::ids::SpeciesId;
use crate::measures::by_agent::ByAgent;
use crate::measures::displacement::Path;
use crate::state::snapshot::saved;
use crate::world::World;

/// The share of its largest speed below which an agent is stuck, and the share that its rules then want at least.
const SLOW: f64 = 0.1;
const WANTED: f64 = 0.5;

/// The share of its largest speed below which an agent that moves aside does not walk round something.
const ASIDE: f64 = 0.4;

/// Counts stuck agents: those that want to go and cannot. An agent is stuck if it wanted at least half of its largest
/// speed at the end of the last window of time ([`World::preferred_velocity`]), and got on by less than a tenth of its
/// largest speed in the direction that it wanted then. Agents at or near their place in a queue or a waiting area, at
/// their target or settled around it, before a door through which no way leads, and before they set off want less,
/// however much others push them.
///
/// How far an agent got on is its net distance over the window, so that agents pushed to and fro count as stuck; and so
/// do those that only move aside, up to four tenths of their largest speed: a faster one walks round something. Windows
/// follow each other; an agent is first judged at the end of the first window that it lived through. It observes the
/// world before the first tick and after each tick.
#[derive(Clone, Debug)]
pub struct Stuck {
    window: f64,
    /// The simulated time at which the present window began, in seconds.
    began: Option<f64>,
    agents: ByAgent<Watched>,
    judged: u64,
    found: u64,
}

#[derive(Clone, Copy, Debug)]
struct Watched {
    species: u32,
    /// The way since the present window began; `None` for an agent that appeared since.
    path: Option<Path>,
    stuck: bool,
}

saved!(struct Stuck { window, began, agents, judged, found });
saved!(struct Watched { species, path, stuck });

impl Default for Stuck {
    fn default() -> Self {
        Self::new(Self::WINDOW)
    }
}

impl Stuck {
    /// The usual length of a window, in seconds.
    pub const WINDOW: f64 = 2.0;

    /// A count with windows of this length in seconds, and of one tick at least.
    #[must_use]
    pub fn new(window: f64) -> Self {
        Self { window, began: None, agents: ByAgent::default(), judged: 0, found: 0 }
    }

    /// Observes the world.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        let now = world.seconds();
        // Ticks add up with rounding, which must not lengthen a window by one.
        let over =
            self.began.map(|began| now - began).filter(|&passed| passed > 0.0 && passed >= self.window * (1.0 - 1e-6));
        let starts = self.began.is_none() || over.is_some();
        self.agents.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let Some(watched) = self.agents.touch(id) else {
                    let path = starts.then(|| Path::from(agents, row));
                    self.agents.set(id, Watched { species: agents.species().0, path, stuck: false });
                    continue;
                };
                if let Some(path) = &mut watched.path {
                    path.follow(world.settings(), agents, row);
                }
                if let (Some(path), Some(passed)) = (watched.path, over) {
                    let largest = f64::from(agents.max_speed(row)) * passed;
                    let wanted = world.preferred_velocity(id).unwrap_or_default();
                    let wants = f64::from(wanted.length()) >= WANTED * f64::from(agents.max_speed(row));
                    let (way, ahead) = (path.offset::<D>(), wanted.direction());
                    let on: f64 = (0..D).map(|axis| way[axis] * f64::from(ahead[axis])).sum();
                    let aside = path.squared() < (ASIDE * largest) * (ASIDE * largest);
                    watched.stuck = wants && aside && on < SLOW * largest;
                    self.judged += 1;
                    self.found += u64::from(watched.stuck);
                }
                if starts {
                    watched.path = Some(Path::from(agents, row));
                }
            }
        }
        if starts {
            self.began = Some(now);
        }
        self.agents.gone(|_| {});
    }

    /// Returns whether the counts would be undefined if the world were observed now: it has advanced by more than a tick
    /// since the last observation.
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.agents.misses(world.tick())
    }

    /// Returns whether a tick was not observed: windows then end late, and agents may have crossed a seam unseen.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.agents.has_missed()
    }

    /// The number of agents that are stuck, of all species or of one.
    #[must_use]
    pub fn count(&self, species: Option<SpeciesId>) -> u64 {
        let stuck = |watched: &&Watched| watched.stuck && species.is_none_or(|id| id.0 == watched.species);
        self.agents.values().filter(stuck).count() as u64
    }

    /// The share of agent-time in which agents were stuck; 0 before the first window ends, NaN if a tick was not
    /// observed.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.has_missed() {
            return f64::NAN;
        }
        if self.judged == 0 { 0.0 } else { self.found as f64 / self.judged as f64 }
    }
}
