//! Faults in the ticks of a world, counted.

use std::any::Any;
use std::ops::AddAssign;
use std::sync::Arc;

use crate::agents::events::Event;
use crate::base::settings::{Edge, LIMIT};
use crate::base::warning::{Warning, WarningKind};
use crate::derived::indices::Indices;
use crate::neighbour_lists::sums::Counts;
use crate::rules::behaviours::Expression;
use crate::rules::interface::Broken;
use crate::state::State;

/// The faults in the ticks of a world, since it was created or loaded. Clones continue the counts; snapshots and hashes
/// do not contain them.
///
/// ```
/// use throng::{Settings, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// world.step();
/// assert_eq!((world.faults().ticks, world.faults().warnings().len()), (1, 0));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Faults {
    /// The number of ticks.
    pub ticks: u64,
    /// The number of agents, summed over the ticks.
    pub agents: u64,
    /// The agents whose neighbours were not exact, because the tick exceeded its budget of pairs
    /// ([`Settings::pair_budget`](crate::Settings::pair_budget)), summed over the ticks.
    pub inexact: u64,
    /// The agents whose steering was dropped, because it was not finite or too large, summed over the ticks.
    pub quarantined: u64,
    /// The first rule whose result was not finite, and the operation of an expression that gave it, in words.
    pub cause: Option<Arc<str>>,
    /// The agents whose rule [`expression`](crate::behaviours::Expression) wanted a velocity beyond their largest speed,
    /// or, without a motion, a force beyond their largest force, summed over the ticks. The limits cut it.
    pub cut: u64,
    /// The agents that left the world across an edge.
    pub left: u64,
    /// The agents among them that flew out of the coordinates of an open axis, [`LIMIT`](crate::LIMIT) metres from the
    /// origin.
    pub lost: u64,
    /// The ticks in which an agent moved farther than half of the longest side of the world.
    pub leaps: u64,
}

impl Faults {
    /// Counts the faults of a tick.
    pub(super) fn count<const D: usize>(
        &mut self,
        state: &State<D>,
        indices: &Indices<D>,
        counts: &Counts,
        events: &[Event],
    ) {
        self.ticks += 1;
        self.agents += state.population() as u64;
        self.inexact += counts.capped;
        self.cut += counts.tally.cut;
        if self.cause.is_none() {
            self.cause = counts.tally.broken.and_then(|broken| cause(state, &broken));
        }
        for event in events {
            match event {
                Event::Quarantined { .. } => self.quarantined += 1,
                Event::Left { agent, .. } => {
                    self.left += 1;
                    let found = state.ids.row_of(*agent);
                    let at = found.map(|found| state.agents[found.species as usize].position(found.row as usize));
                    let lost = |axis: usize| {
                        state.settings.edge[axis] == Edge::Open && at.is_some_and(|at| at[axis].abs() >= LIMIT)
                    };
                    self.lost += u64::from((0..D).any(lost));
                }
                _ => {}
            }
        }
        let side = state.settings.size.0.iter().fold(0.0, |most: f32, &side| if side > most { side } else { most });
        self.leaps += u64::from(indices.species.iter().any(|index| index.stride > 0.5 * side));
    }

    /// Warnings of them, in words.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let Self { ticks, agents, inexact, quarantined, cut, lost, leaps, .. } = *self;
        if inexact + quarantined + cut + lost + leaps == 0 {
            return Vec::new();
        }
        let long = "the tick may be too long";
        let all = [
            (inexact, WarningKind::Inexact, {
                let share = percent(inexact, agents);
                format!(
                    "neighbours are not exact: {share} % of agent-ticks looked at their nearest candidates only; \
                     raise world.pair_budget, or spread the agents out"
                )
            }),
            (quarantined, WarningKind::Quarantined, {
                let share = percent(quarantined, agents);
                let why = self.cause.as_ref().map_or_else(|| long.to_owned(), |cause| format!("first by {cause}"));
                format!(
                    "steering was not finite or too large and was dropped {quarantined} times, in {share} % of agent-ticks: {why}"
                )
            }),
            (cut, WarningKind::Cut, {
                let share = percent(cut, agents);
                format!(
                    "expressions wanted velocities beyond `max_speed`, or forces beyond `max_force`, in {share} % of \
                     agent-ticks, and agents had less: raise the limit"
                )
            }),
            (lost, WarningKind::Lost, {
                let are = if lost == 1 { "agent has" } else { "agents have" };
                format!("{lost} {are} left the coordinates of the open world, {LIMIT} m from the origin: {long}")
            }),
            (leaps, WarningKind::Leap, {
                format!("agents moved farther than half of the world in one tick, in {leaps} of {ticks} ticks: {long}")
            }),
        ];
        let real = all.into_iter().filter(|(count, ..)| *count > 0);
        real.map(|(_, kind, message)| Warning::new(kind, "", message)).collect()
    }
}

impl AddAssign for Faults {
    fn add_assign(&mut self, other: Self) {
        self.ticks += other.ticks;
        self.agents += other.agents;
        self.inexact += other.inexact;
        self.quarantined += other.quarantined;
        self.cause = self.cause.take().or(other.cause);
        self.cut += other.cut;
        self.left += other.left;
        self.lost += other.lost;
        self.leaps += other.leaps;
    }
}

/// A rule and its result that is not finite, in words.
fn cause<const D: usize>(state: &State<D>, broken: &Broken) -> Option<Arc<str>> {
    let rules = state.species.iter().flat_map(|species| species.rules.iter().map(move |rule| (species, rule)));
    let (species, rule) = rules.into_iter().find(|(_, rule)| rule.key == broken.key)?;
    let expression = (&*rule.behaviour as &dyn Any).downcast_ref::<Expression>();
    let operation = expression.zip(broken.operation).and_then(|(rule, operation)| rule.set.explain::<D>(&operation));
    let result = operation.unwrap_or_else(|| "its force is not finite".to_owned());
    Some(format!("species.{}.{}: {result}", species.name, rule.behaviour.name()).into())
}

/// A share in per cent.
fn percent(part: u64, whole: u64) -> String {
    // An agent counts once for each species that it perceives.
    match (100.0 * part as f64 / whole.max(1) as f64).min(100.0) {
        percent if percent < 0.1 => "less than 0.1".to_owned(),
        percent if percent < 10.0 => format!("{percent:.1}"),
        percent => format!("{percent:.0}"),
    }
}
