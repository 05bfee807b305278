//! When each agent of a run came, set off and left, and the length of its way.

use crate::agents::events::{Event, Removal};
use crate::agents::seen::{Came, Seen};
use crate::base::ids::{AgentId, SpeciesId};
use crate::maths::Vector;
use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::{SnapshotFault, saved};
use crate::world::World;

/// The distance from its start at which an agent has set off, in metres.
const DEPARTED: f64 = 0.1;

/// The reason of a removal without an event, such as one before the observed tick.
const UNKNOWN: &str = "removed";

/// The name of the exit of agents that left by no sink: a sink may have the name of a reason.
fn without_sink(reason: &str) -> String {
    format!("({reason})")
}

/// What an agent did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Person {
    /// The agent.
    pub id: AgentId,
    /// Its species.
    pub species: SpeciesId,
    /// When it was observed first, in simulated seconds.
    pub start: f64,
    /// When it was 0.1 m from its start, in simulated seconds.
    pub departure: Option<f64>,
    /// When it was gone, in simulated seconds; `None` if it was in the world at the last observation.
    pub exit: Option<f64>,
    /// The length of its way, in metres: across seams, and without the jumps of respawns and of the host.
    pub way: f64,
    /// Where it was last, in metres; zero beyond the dimensions of the world.
    pub position: [f32; 3],
    /// Where it started, or was set before it set off.
    from: [f32; 3],
    /// The number of its exit, if it has left.
    by: Option<u32>,
}

/// Records when agents come, set off and leave, by which exits, and the lengths of their ways. It observes the world
/// before the first tick and after each tick.
///
/// ```
/// use throng::measures::Persons;
/// use throng::{Region, Settings, Shape, Sink, Species, World};
///
/// let mut world = World::<2>::new(Settings { tick_seconds: 0.1, ..Settings::default() })?;
/// let person = world.add_species(Species::new("person"))?;
/// world.spawn(person, [1.0, 5.0], [1.5, 0.0])?;
/// let environment = world.environment_mut();
/// environment.regions.add(Region::new("out", Shape::Ball { centre: [5.0, 5.0].into(), radius: 1.0 }))?;
/// environment.sinks.add(Sink::new("east", "out"))?;
/// let mut persons = Persons::new();
/// persons.observe(&world);
/// while world.population() > 0 {
///     world.step();
///     persons.observe(&world);
/// }
/// let person = &persons.all()[0];
/// assert_eq!((person.start, persons.exit_of(person), persons.remaining()), (0.0, Some("east"), 0));
/// assert_eq!(persons.exit_times(), [person.exit.unwrap()]);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Persons {
    all: Vec<Person>,
    /// The places of the agents that are in the world, and where they were seen.
    present: ByAgent<(usize, Seen)>,
    /// The names of exits, in the order in which agents left by them first.
    exits: Vec<String>,
}

saved!(struct Person { id, species, start, departure, exit, way, position, from, by });
saved!(struct Persons { all, present, exits }
    check(value, from) {
        let is_known = value.present.values().all(|(place, _)| *place < value.all.len());
        if is_known { Ok(()) } else { Err(from.invalid(SnapshotFault::Recording)) }
    }
);

impl Persons {
    /// A record that starts with its first observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the world.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        let now = world.decimal_seconds();
        self.present.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let at = agents.position(row);
                let Some((place, seen)) = self.present.touch(id) else {
                    let seen = Seen::of(agents, row);
                    self.present.set(id, (self.all.len(), seen));
                    let (species, from, position) = (agents.species(), seen.place(), seen.place());
                    let (departure, exit, by) = (None, None, None);
                    self.all.push(Person { id, species, start: now, departure, exit, way: 0.0, position, from, by });
                    continue;
                };
                let person = &mut self.all[*place];
                match seen.again(world.settings(), agents, row) {
                    Came::Moved(way) => person.way += f64::from(way.length()),
                    Came::WasSet => person.from = seen.place(),
                }
                let from = Vector::<D>::from_fn(|axis| person.from[axis]);
                if person.departure.is_none() && f64::from(world.settings().offset(from, at).length()) > DEPARTED {
                    person.departure = Some(now);
                }
                person.position = seen.place();
            }
        }
        let Self { all, present, exits } = self;
        let mut gone = Vec::new();
        present.gone(|(place, _)| gone.push(place));
        if gone.is_empty() {
            return;
        }
        let mut reasons: Vec<(AgentId, Removal)> = Vec::new();
        reasons.extend(world.events().iter().filter_map(|event| match event {
            Event::Removed { agent, reason, .. } => Some((*agent, *reason)),
            _ => None,
        }));
        reasons.sort_unstable_by_key(|(agent, _)| *agent);
        for place in gone {
            let person = &mut all[place];
            let reason = reasons.binary_search_by_key(&person.id, |(agent, _)| *agent).map(|found| reasons[found].1);
            let name = match reason {
                Ok(Removal::Sink(sink)) => match world.environment().sinks.get(sink) {
                    Some(sink) => sink.name.clone(),
                    None => without_sink("sink"),
                },
                Ok(reason) => without_sink(reason.name()),
                Err(_) => without_sink(UNKNOWN),
            };
            let number = exits.iter().position(|known| *known == name).unwrap_or_else(|| {
                exits.push(name);
                exits.len() - 1
            });
            (person.exit, person.by) = (Some(now), Some(number as u32));
        }
    }

    /// Returns whether ways and times would be unknown if the world were observed now: it has advanced by more than a
    /// tick since the last observation.
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.present.misses(world.tick())
    }

    /// Returns whether a tick was not observed: ways are then too short, and exits too late.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.present.has_missed()
    }

    /// All agents that were ever observed, in the order in which they came.
    #[must_use]
    pub fn all(&self) -> &[Person] {
        &self.all
    }

    /// The name of the sink by which an agent left, or in parentheses the reason for which it was removed, such as
    /// `(left)` across the edge of the world; `None` while it is there.
    #[must_use]
    pub fn exit_of(&self, person: &Person) -> Option<&str> {
        self.exits.get(person.by? as usize).map(|name| &name[..])
    }

    /// The number of agents that were in the world at the last observation.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.present.values().count()
    }

    /// The simulated times at which agents left, ascending.
    #[must_use]
    pub fn exit_times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.all.iter().filter_map(|person| person.exit).collect();
        times.sort_unstable_by(f64::total_cmp);
        times
    }

    /// The exits with the times at which agents left by them, ascending; the exit of most agents first.
    #[must_use]
    pub fn by_exit(&self) -> Vec<(&str, Vec<f64>)> {
        let mut exits: Vec<(&str, Vec<f64>)> = self.exits.iter().map(|name| (&name[..], Vec::new())).collect();
        for person in &self.all {
            if let (Some(time), Some(by)) = (person.exit, person.by)
                && let Some((_, times)) = exits.get_mut(by as usize)
            {
                times.push(time);
            }
        }
        exits.iter_mut().for_each(|(_, times)| times.sort_unstable_by(f64::total_cmp));
        exits.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then_with(|| one.0.cmp(other.0)));
        exits
    }
}
