//! The targets of rules: points, marks, agents and random points.

mod nearest;
pub(crate) mod of_chunk;

use crate::agents::Agents;
use crate::agents::columns::Stored as _;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::LIMIT;
use crate::index::search::Search;
use crate::maths::{Noise, Vector};
use crate::rules::interface::{
    AgentRef, Inputs, PerceivedSpecies, RequestedTarget, ResolvedTarget, SpeciesFilter, key_of_point,
};
use crate::rules::parameters::{Field, Kind, Parameter, Range, Value};
use crate::rules::steering;
use crate::rules::world_view::WorldView;

/// The target of a rule: a point or an agent.
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
    /// A mark: a named point that the host may move, such as a pointer. The target exists while the mark exists.
    Mark(String),
    /// An agent. The target exists until its removal. An agent is never its own target.
    Agent(AgentId),
    /// The nearest other agent of these species, at any distance; with [`Sight::Walls`](crate::Sight) of the rule or of
    /// its species, the nearest that no wall hides.
    Nearest(SpeciesFilter),
    /// The agent of these species that was the nearest when it was chosen, in the same sense. It is kept as long as it
    /// lives (and is in a state that the filter names, if it names one); another one is chosen after that, and after a tick in which the rule was not active ([`Rule::during`](crate::Rule::during)).
    Kept(SpeciesFilter),
    /// A random point of the world for each agent, drawn again after each interval of this many seconds.
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

/// A target relative to one agent, at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetState<const D: usize> {
    /// The offset from the agent to the target, in metres; in a periodic world, to its nearest image.
    pub offset: Vector<D>,
    /// The target's velocity in metres per second; zero for a point.
    pub velocity: Vector<D>,
    /// The radius of the target's body in metres; zero for a point.
    pub radius: f32,
}

impl Inputs {
    /// Requests a target: see [`AgentRef::target`]. `name` is the rule's parameter; it also names the memory of a
    /// [`Target::Kept`].
    #[must_use]
    pub fn target<const D: usize>(mut self, name: &'static str, target: &Target<D>) -> Self {
        self.targets.push(match target {
            Target::Point(point) => {
                RequestedTarget::Point(std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 }))
            }
            Target::Mark(name) => RequestedTarget::Mark(name.clone()),
            Target::Agent(id) => RequestedTarget::Agent(*id),
            Target::Nearest(filter) => RequestedTarget::Nearest(filter.clone()),
            Target::Kept(filter) => {
                self.memory.insert(self.kept, (name, [AgentId::NONE.to_bits(), 0].data()));
                self.kept += 1;
                RequestedTarget::Kept(filter.clone(), self.kept - 1)
            }
            Target::Random(interval) => RequestedTarget::Random(*interval),
        });
        self
    }
}

impl<const D: usize> AgentRef<'_, D> {
    /// The target with this number, in the order of [`Inputs::target`], relative to the agent; `None` while the target
    /// does not exist. A goal of the agent ([`World::set_goal`](crate::World::set_goal)) replaces the target.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer targets and the agent has no goal.
    #[must_use]
    pub fn target(&self, number: usize) -> Option<TargetState<D>> {
        match self.goal() {
            Some(goal) => Some(self.state_of_point(goal)),
            None => self.target_past_goal(number),
        }
    }

    /// The key of the target as a goal that others may share: a point that does not move. Zero for other targets.
    pub(crate) fn goal_key(&self, number: usize) -> u32 {
        match (self.goal(), &self.names().targets[number]) {
            (Some(goal), _) => key_of_point(goal),
            (None, ResolvedTarget::Point(Some(point))) => key_of_point(*point),
            _ => 0,
        }
    }

    /// The target as in [`target`](Self::target). Records the agent's arrival if its body touches the target, or has
    /// touched it on the way of the last tick, and tells its motion where it heads.
    pub(crate) fn target_or_arrive(&self, number: usize) -> Option<TargetState<D>> {
        let target = self.target(number)?;
        self.heads_for(self.goal_key(number), target.offset.length(), true);
        if self.has_touched(&target) {
            self.arrive();
        }
        Some(target)
    }

    /// Whether the agent's body touches a target, or has touched it on the way of the last tick. A target that moves
    /// came straight, at its velocity.
    pub(crate) fn has_touched(&self, target: &TargetState<D>) -> bool {
        if self.touches(target) {
            return true;
        }
        let (moved, seconds) = (self.moved(), self.world().last_tick_seconds());
        moved != Vector::ZERO && {
            let offset = steering::nearest_on_way(target.offset, moved - target.velocity * seconds);
            self.touches(&TargetState { offset, ..*target })
        }
    }

    /// The target as in [`target`](Self::target), regardless of the agent's goal. Use it for targets that are not
    /// destinations, such as a home or a hunter.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer targets.
    #[must_use]
    pub fn target_past_goal(&self, number: usize) -> Option<TargetState<D>> {
        let world = self.world();
        match &self.names().targets[number] {
            ResolvedTarget::Point(point) => point.map(|point| self.state_of_point(point)),
            ResolvedTarget::Random(interval) => Some(self.state_of_point(self.drawn_point(*interval))),
            ResolvedTarget::Agent(_) | ResolvedTarget::Nearest(_) | ResolvedTarget::Kept(..) => {
                let (species, row) = self.target_agent(number)?;
                Some(self.state_of(&world.all_agents()[species.number()], row))
            }
        }
    }

    /// The heading of the agent that is the target with this number; zero if it has none, or the target is a point.
    pub(crate) fn heading_of_target(&self, number: usize) -> Vector<D> {
        let agents = self.world().all_agents();
        self.target_agent(number).map_or(Vector::ZERO, |(species, row)| agents[species.number()].heading(row))
    }

    /// The species and row of the agent that is the target with this number.
    fn target_agent(&self, number: usize) -> Option<(SpeciesId, usize)> {
        let world = self.world();
        match &self.names().targets[number] {
            ResolvedTarget::Point(_) | ResolvedTarget::Random(_) => None,
            ResolvedTarget::Agent(id) if *id == self.id() => None,
            ResolvedTarget::Agent(id) => world.find(*id),
            ResolvedTarget::Nearest(filter) => self.nearest(filter),
            ResolvedTarget::Kept(filter, number) => {
                let (species, row) = self.kept(filter, *number).or_else(|| self.nearest(filter))?;
                self.remember_kept(*number, world.all_agents()[species.number()].ids()[row], world.tick() + 1);
                Some((species, row))
            }
        }
    }

    /// Returns whether the agent has arrived at the target with this number: whether its body touches the point, or the
    /// body of the target agent.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer targets.
    #[must_use]
    pub fn is_at(&self, number: usize) -> bool {
        self.target(number).is_some_and(|target| self.touches(&target))
    }

    fn state_of_point(&self, point: Vector<D>) -> TargetState<D> {
        TargetState { offset: self.offset_to(point), velocity: Vector::ZERO, radius: 0.0 }
    }

    fn touches(&self, target: &TargetState<D>) -> bool {
        let reach = self.radius() + target.radius;
        target.offset.length_squared() <= reach * reach
    }

    fn state_of(&self, agents: &Agents<D>, row: usize) -> TargetState<D> {
        let offset = self.offset_to(agents.position(row));
        TargetState { offset, velocity: agents.velocity(row), radius: agents.radius(row) }
    }

    /// The nearest agent, or the nearest that no wall hides if the rule asks. Ties are broken by the lowest species and
    /// row.
    fn nearest(&self, filter: &PerceivedSpecies) -> Option<(SpeciesId, usize)> {
        let world = self.world();
        let search = Search {
            point: self.position(),
            radius: f32::INFINITY,
            period: world.settings().period(),
            by: Some((self.species(), self.row())),
        };
        let found = if self.names().hides {
            search.nearest_where(world.among(filter), |found| {
                let them = &world.all_agents()[found.species as usize];
                !world.is_hidden(self.position(), self.offset_to(them.position(found.row as usize)))
            })
        } else {
            search.nearest(world.among(filter))
        }?;
        Some((world.all_agents()[found.species as usize].species(), found.row as usize))
    }

    /// The agent that was chosen in an earlier tick or earlier in this one, if it is alive.
    fn kept(&self, filter: &PerceivedSpecies, number: usize) -> Option<(SpeciesId, usize)> {
        let world = self.world();
        let (agent, _) = self.recall_kept(number).filter(|(_, until)| *until >= world.tick())?;
        let found = world.find(agent)?;
        // The rule's target, or the state of the agent, may have changed since it was chosen.
        filter.contains(&world.all_agents()[found.0.number()], found.1).then_some(found)
    }

    /// The agent's random point of the world, constant for `interval` seconds.
    fn drawn_point(&self, interval: f32) -> Vector<D> {
        drawn_points(self.world(), interval)(self.id())
    }
}

/// A function that gives each agent its random point of the world, constant for `interval` seconds.
pub(crate) fn drawn_points<const D: usize>(world: WorldView<'_, D>, interval: f32) -> impl Fn(AgentId) -> Vector<D> {
    let (settings, interval) = (world.settings(), world.periods(interval));
    move |agent| {
        let mut noise = Noise::new(settings.seed, agent.to_bits(), interval, Noise::TARGET);
        Vector::from_fn(|axis| noise.between(0.0, settings.size[axis]))
    }
}

/// A point is an array of coordinates; other targets are words: `mark:NAME`, `agent:BITS`, `nearest:SPECIES`,
/// `kept:SPECIES`, `random:SECONDS`.
impl<const D: usize> Field for Target<D> {
    fn value(&self) -> Value {
        match self {
            Self::Point(point) => point.value(),
            Self::Mark(name) => Value::Word(format!("mark:{name}")),
            Self::Agent(id) => Value::Word(format!("agent:{}", id.to_bits())),
            Self::Nearest(filter) => Value::Word(format!("nearest:{}", filter_to_word(filter))),
            Self::Kept(filter) => Value::Word(format!("kept:{}", filter_to_word(filter))),
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
            "nearest" if !rest.is_empty() => Ok(Self::Nearest(filter_from_word(rest))),
            "kept" if !rest.is_empty() => Ok(Self::Kept(filter_from_word(rest))),
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

/// Writes a species filter as part of a word.
fn filter_to_word(filter: &SpeciesFilter) -> String {
    match filter {
        SpeciesFilter::Own => "own".to_owned(),
        SpeciesFilter::All => "all".to_owned(),
        SpeciesFilter::Named(names) => names.join(","),
    }
}

/// Reads a species filter from part of a word.
fn filter_from_word(word: &str) -> SpeciesFilter {
    match word {
        "own" => SpeciesFilter::Own,
        "all" => SpeciesFilter::All,
        names => SpeciesFilter::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
    }
}
