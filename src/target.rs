//! Targets of rules: points, marks, agents, random points.

use crate::agents::Agents;
use crate::behaviour::{Me, Needs, Sought, Wanted, Whom};
use crate::columns::Stored as _;
use crate::error::Error;
use crate::ids::{AgentId, SpeciesId};
use crate::maths::{Noise, Vector};
use crate::parameters::{Field, Kind, Parameter, Range, Value};
use crate::scene::Scene;
use crate::search::Search;
use crate::settings::LIMIT;

/// What a rule is about: a point or an agent.
///
/// ```
/// use throng::behaviours::Seek;
/// use throng::{Target, Vector};
///
/// let seek = Seek { target: [50.0, 20.0].into() };
/// assert_eq!(seek.target, Target::Point(Vector([50.0, 20.0])));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target<const D: usize> {
    /// A point of the world, in metres.
    Point(Vector<D>),
    /// A point with a name, that the host may move: a pointer, say. No target while there is none of this name.
    Mark(String),
    /// An agent. No target once it is gone; an agent is not its own target.
    Agent(AgentId),
    /// The nearest agent of these species, at any distance. No target while there is none.
    Nearest(Whom),
    /// The agent of these species that was the nearest when it was chosen. It is kept as long as it lives; another one
    /// is chosen after that, and after a tick in which the rule was silent ([`Rule::during`](crate::Rule::during)).
    Kept(Whom),
    /// A point of the world drawn for each agent, and another one after each interval of this many seconds.
    Random(f32),
}

impl<const D: usize> Default for Target<D> {
    fn default() -> Self {
        Self::Point(Vector::ZERO)
    }
}

impl<const D: usize> From<[f32; D]> for Target<D> {
    fn from(point: [f32; D]) -> Self {
        Self::Point(Vector(point))
    }
}

impl<const D: usize> From<Vector<D>> for Target<D> {
    fn from(point: Vector<D>) -> Self {
        Self::Point(point)
    }
}

impl<const D: usize> From<AgentId> for Target<D> {
    fn from(agent: AgentId) -> Self {
        Self::Agent(agent)
    }
}

/// A target as one agent sees it at present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim<const D: usize> {
    /// From the agent to the target, to its nearest image in a periodic world, in metres.
    pub offset: Vector<D>,
    /// The target's velocity in metres per second: zero where it is a point.
    pub velocity: Vector<D>,
    /// The radius of the target's body in metres: zero where it is a point.
    pub radius: f32,
}

impl Needs<'_> {
    /// A target: see [`Me::aim`]. What a [`Target::Kept`] remembers goes by `name`, that of the rule's parameter.
    #[must_use]
    pub fn target<const D: usize>(mut self, name: &'static str, target: &Target<D>) -> Self {
        self.targets.push(match target {
            Target::Point(point) => Wanted::Point(std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 })),
            Target::Mark(name) => Wanted::Mark(name.clone()),
            Target::Agent(id) => Wanted::Agent(*id),
            Target::Nearest(whom) => Wanted::Nearest(whom.clone()),
            Target::Kept(whom) => {
                self.memory.insert(self.kept, (name, [AgentId::NONE.to_bits(), 0].data()));
                self.kept += 1;
                Wanted::Kept(whom.clone(), self.kept - 1)
            }
            Target::Random(interval) => Wanted::Random(*interval),
        });
        self
    }
}

impl<const D: usize> Me<'_, D> {
    /// The target of this number, of those that [`Needs::target`] asked for, as the agent sees it now; `None` while
    /// there is none. An agent that was given a goal of its own ([`World::set_goal`](crate::World::set_goal)) aims at
    /// that instead.
    ///
    /// # Panics
    ///
    /// If the rule asked for fewer targets.
    #[must_use]
    pub fn aim(&self, number: usize) -> Option<Aim<D>> {
        match self.goal() {
            Some(goal) => Some(self.aim_at_point(goal)),
            None => self.aim_past_goal(number),
        }
    }

    /// The same, and records that the agent has arrived if its body touches the target.
    pub(crate) fn aim_or_arrive(&self, number: usize) -> Option<Aim<D>> {
        let aim = self.aim(number)?;
        if self.touches(&aim) {
            self.arrive();
        }
        Some(aim)
    }

    /// The same, whatever goal the agent was given: for targets that say where it belongs rather than where it goes.
    ///
    /// # Panics
    ///
    /// If the rule asked for fewer targets.
    #[must_use]
    pub fn aim_past_goal(&self, number: usize) -> Option<Aim<D>> {
        let scene = self.scene();
        match &self.names().targets[number] {
            Sought::Point(point) => point.map(|point| self.aim_at_point(point)),
            Sought::Agent(id) if *id == self.id() => None,
            Sought::Agent(id) => {
                let (species, row) = scene.find(*id)?;
                Some(self.aim_at(&scene.species()[species.number()], row))
            }
            Sought::Nearest(whom) => {
                let (species, row) = self.nearest(whom)?;
                Some(self.aim_at(&scene.species()[species.number()], row))
            }
            Sought::Kept(whom, number) => {
                let (species, row) = self.kept(whom, *number).or_else(|| self.nearest(whom))?;
                let agents = &scene.species()[species.number()];
                self.remember_kept(*number, agents.ids()[row], scene.tick() + 1);
                Some(self.aim_at(agents, row))
            }
            Sought::Random(interval) => Some(self.aim_at_point(self.drawn_point(*interval))),
        }
    }

    /// Whether the agent has arrived at the target of this number: whether its body touches it, or that of the agent
    /// that it is.
    ///
    /// # Panics
    ///
    /// If the rule asked for fewer targets.
    #[must_use]
    pub fn is_at(&self, number: usize) -> bool {
        self.aim(number).is_some_and(|aim| self.touches(&aim))
    }

    fn aim_at_point(&self, point: Vector<D>) -> Aim<D> {
        Aim { offset: self.offset_to(point), velocity: Vector::ZERO, radius: 0.0 }
    }

    fn touches(&self, aim: &Aim<D>) -> bool {
        let reach = self.radius() + aim.radius;
        aim.offset.length_squared() <= reach * reach
    }

    fn aim_at(&self, agents: &Agents<D>, row: usize) -> Aim<D> {
        let offset = self.offset_to(agents.position(row));
        Aim { offset, velocity: agents.velocity(row), radius: agents.radius(row) }
    }

    /// The nearest agent, of the first species and the first row where several are as near.
    fn nearest(&self, whom: &[u32]) -> Option<(SpeciesId, usize)> {
        let scene = self.scene();
        let search = Search {
            point: self.position(),
            radius: f32::INFINITY,
            period: scene.settings().period(),
            by: Some((self.species(), self.row())),
        };
        let found = search.nearest(scene.crowds(whom))?;
        Some((scene.species()[found.species as usize].species(), found.row as usize))
    }

    /// The agent that was chosen in the last tick or before, if it lives, or earlier in this one.
    fn kept(&self, whom: &[u32], number: usize) -> Option<(SpeciesId, usize)> {
        let scene = self.scene();
        let (agent, _) = self.recall_kept(number).filter(|(_, until)| *until >= scene.tick())?;
        let found = scene.find(agent)?;
        // The rule may have had another target when it was chosen.
        whom.contains(&found.0.0).then_some(found)
    }

    /// A point of the world, the same for `interval` seconds.
    fn drawn_point(&self, interval: f32) -> Vector<D> {
        drawn_points(self.scene(), interval)(self.id())
    }
}

/// The points of the world that agents draw, the same ones for `interval` seconds.
pub(crate) fn drawn_points<const D: usize>(scene: Scene<'_, D>, interval: f32) -> impl Fn(AgentId) -> Vector<D> {
    let settings = scene.settings();
    let ticks = (interval / settings.tick_seconds).ceil();
    // A product that does not fit saturates, and is a time that never ends.
    let ticks = if ticks >= 1.0 { ticks as u64 } else { 1 };
    let interval = scene.tick() / ticks;
    move |agent| {
        let mut noise = Noise::new(settings.seed, agent.to_bits(), interval, Noise::TARGET);
        Vector::from_fn(|axis| noise.between(0.0, settings.size[axis]))
    }
}

/// A point is an array of coordinates; the others are words: `mark:NAME`, `agent:BITS`, `nearest:SPECIES`,
/// `kept:SPECIES`, `random:SECONDS`.
impl<const D: usize> Field for Target<D> {
    fn value(&self) -> Value {
        match self {
            Self::Point(point) => point.value(),
            Self::Mark(name) => Value::Word(format!("mark:{name}")),
            Self::Agent(id) => Value::Word(format!("agent:{}", id.to_bits())),
            Self::Nearest(whom) => Value::Word(format!("nearest:{}", whom_word(whom))),
            Self::Kept(whom) => Value::Word(format!("kept:{}", whom_word(whom))),
            Self::Random(seconds) => Value::Word(format!("random:{seconds}")),
        }
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let refuse = || parameter.refuse(value);
        let Value::Word(word) = value else {
            return Vector::read(value, &Parameter { kind: Kind::Point(Range::COORDINATE), ..*parameter })
                .map(Self::Point)
                .map_err(|_| refuse());
        };
        let (kind, rest) = word.split_once(':').ok_or_else(refuse)?;
        match kind {
            "mark" if !rest.is_empty() => Ok(Self::Mark(rest.to_owned())),
            "agent" => rest.parse().map(|bits| Self::Agent(AgentId::from_bits(bits))).map_err(|_| refuse()),
            "nearest" if !rest.is_empty() => Ok(Self::Nearest(whom_of(rest))),
            "kept" if !rest.is_empty() => Ok(Self::Kept(whom_of(rest))),
            "random" => match rest.parse::<f64>() {
                Ok(seconds) if Range::above(0.0, f64::from(LIMIT)).contains(seconds) => {
                    Ok(Self::Random(seconds as f32))
                }
                _ => Err(refuse()),
            },
            _ => Err(refuse()),
        }
    }
}

/// Species as part of a word.
fn whom_word(whom: &Whom) -> String {
    match whom {
        Whom::Own => "own".to_owned(),
        Whom::All => "all".to_owned(),
        Whom::Named(names) => names.join(","),
    }
}

/// The species of such a part.
fn whom_of(word: &str) -> Whom {
    match word {
        "own" => Whom::Own,
        "all" => Whom::All,
        names => Whom::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
    }
}
