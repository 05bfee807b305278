//! Places where agents wait: queues and waiting areas.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::settings::{Settings, within_limit};
use crate::base::values::{Allowed, Kind};
use crate::environment::handles::Item;
use crate::environment::region::Shape;
use crate::maths::Vector;

/// The largest number of places of a queue or a waiting area.
const MOST_PLACES: usize = 1 << 16;

/// Places where agents wait, for the rule [`TakePlace`](crate::behaviours::TakePlace): a queue or a waiting area.
///
/// An agent has at most one of the places, and keeps it while the rule is active for it.
///
/// ```
/// use throng::{Places, Vector};
///
/// // A queue with its head at the origin.
/// let till = Places::<2>::queue("till", &[Vector([0.0, 0.0]), Vector([2.0, 0.0]), Vector([2.0, 1.0])], 0.5);
/// assert_eq!((till.points.len(), till.points[4]), (7, Vector([2.0, 0.0])));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Places<const D: usize> {
    /// Its name, by which rules refer to it.
    pub name: String,
    /// The places in metres; of a queue from the head to the tail.
    pub points: Vec<Vector<D>>,
    /// Whether the places are a queue, in which agents move up. In a waiting area they stay.
    pub is_queue: bool,
}

/// The agents that have places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Occupants(pub(crate) Vec<Option<AgentId>>);

impl<const D: usize> Places<D> {
    /// A queue along a line through these corners, its head first, with this distance between places in metres.
    #[must_use]
    pub fn queue(name: impl Into<String>, corners: &[Vector<D>], spacing: f32) -> Self {
        let mut points: Vec<Vector<D>> = corners.first().copied().into_iter().collect();
        // How far the next place is along the present part of the line.
        let mut ahead = spacing;
        for ends in corners.windows(2) {
            let (along, length) = ((ends[1] - ends[0]).direction(), ends[0].distance(ends[1]));
            // Rounding does not cost the last place.
            while ahead <= length * 1.000_01 && points.len() <= MOST_PLACES && spacing > 0.0 {
                points.push(ends[0] + along * ahead);
                ahead += spacing;
            }
            ahead -= length;
        }
        Self { name: name.into(), points, is_queue: true }
    }

    /// A waiting area: a grid of places in a region, with this distance between them in metres.
    #[must_use]
    pub fn area(name: impl Into<String>, region: &Shape<D>, spacing: f32, settings: &Settings<D>) -> Self {
        let (centre, half) = region.bounds();
        let count = half.0.map(|half| (2.0 * half / spacing).floor().clamp(0.0, MOST_PLACES as f32) as usize + 1);
        let total = count.iter().fold(1_usize, |total, &count| total.saturating_mul(count));
        let points = (0..total).take(2 * MOST_PLACES).map(|number| {
            let mut rest = number;
            Vector::from_fn(|axis| {
                let at = rest % count[axis];
                rest /= count[axis];
                centre[axis] + (at as f32 - 0.5 * (count[axis] - 1) as f32) * spacing
            })
        });
        let points = points.filter(|point| region.contains(settings, *point)).collect();
        Self { name: name.into(), points, is_queue: false }
    }
}

impl<const D: usize> Item for Places<D> {
    type Kept = Occupants;

    fn check(&self) -> Result<(), Error> {
        let count = self.points.len();
        if !(1..=MOST_PLACES).contains(&count) {
            let allowed = Allowed::Kind { kind: Kind::Whole(1, MOST_PLACES as u64), unit: "" };
            return Err(Error::bad("places", count, allowed));
        }
        self.points.iter().try_for_each(|point| within_limit("places", *point, "m").map(drop))
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl Occupants {
    /// Gives places to the agents that want one, of which `claims` are sorted by id. Agents without a claim lose
    /// theirs.
    pub(crate) fn allot<const D: usize>(
        &mut self,
        places: &Places<D>,
        claims: &mut Vec<(AgentId, Vector<D>)>,
        offset: impl Fn(Vector<D>, Vector<D>) -> Vector<D>,
    ) {
        let all = &mut self.0;
        let claims_place = |claims: &[(AgentId, Vector<D>)], agent: AgentId| {
            claims.binary_search_by_key(&agent.to_bits(), |(id, _)| id.to_bits()).is_ok()
        };
        for place in all.iter_mut() {
            *place = place.filter(|agent| claims_place(claims, *agent));
        }
        if places.is_queue {
            all.retain(Option::is_some);
        }
        all.truncate(places.points.len());
        let placed = all.iter().flatten().count();
        claims.retain(|(agent, _)| !all.contains(&Some(*agent)));
        if claims.is_empty() || placed == places.points.len() {
            return;
        }
        let squared = |from: Vector<D>, place: usize| offset(from, places.points[place]).length_squared();
        if places.is_queue {
            // Who is next to the tail joins first.
            let tail = all.len();
            claims.sort_unstable_by_key(|&(agent, at)| (squared(at, tail).to_bits(), agent.to_bits()));
            let room = places.points.len() - tail;
            all.extend(claims.iter().take(room).map(|&(agent, _)| Some(agent)));
            return;
        }
        all.resize(places.points.len(), None);
        for &(agent, at) in claims.iter() {
            let free = (0..all.len()).filter(|&place| all[place].is_none());
            let nearest = free.min_by_key(|&place| (squared(at, place).to_bits(), place));
            let Some(nearest) = nearest else { break };
            all[nearest] = Some(agent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(agents: &[(u64, f32)]) -> Vec<(AgentId, Vector<2>)> {
        agents.iter().map(|&(id, x)| (AgentId::from_bits(id), Vector([x, 0.0]))).collect()
    }

    fn bits(occupants: &Occupants) -> Vec<Option<u64>> {
        occupants.0.iter().map(|agent| agent.map(AgentId::to_bits)).collect()
    }

    fn allot(occupants: &mut Occupants, places: &Places<2>, agents: &[(u64, f32)]) -> Vec<Option<u64>> {
        occupants.allot(places, &mut claims(agents), |from, to| to - from);
        bits(occupants)
    }

    #[test]
    fn a_queue_is_joined_at_its_tail_and_moves_up() {
        let queue = Places::queue("till", &[Vector([0.0, 0.0]), Vector([2.0, 0.0])], 1.0);
        let mut occupants = Occupants::default();
        assert_eq!(allot(&mut occupants, &queue, &[(3, 9.0), (5, 1.0)]), [Some(5), Some(3)]);
        assert_eq!(
            allot(&mut occupants, &queue, &[(1, 0.0), (2, 0.5), (3, 9.0), (5, 1.0)]),
            [Some(5), Some(3), Some(2)]
        );
        // The head leaves; the one without a place gets the last.
        assert_eq!(allot(&mut occupants, &queue, &[(1, 0.0), (2, 0.5), (3, 9.0)]), [Some(3), Some(2), Some(1)]);
        assert_eq!(allot(&mut occupants, &queue, &[]), []);
    }

    #[test]
    fn places_of_an_area_are_kept() {
        let shape = Shape::Box { centre: Vector([1.0, 0.0]), half: Vector([1.0, 0.2]) };
        let area = Places::area("hall", &shape, 1.0, &Settings::default());
        assert_eq!(area.points, [0.0, 1.0, 2.0].map(|x| Vector([x, 0.0])));
        let mut occupants = Occupants::default();
        assert_eq!(allot(&mut occupants, &area, &[(3, 1.8), (5, 1.7)]), [None, Some(5), Some(3)]);
        assert_eq!(allot(&mut occupants, &area, &[(3, 0.0), (7, 0.0)]), [Some(7), None, Some(3)]);
    }
}
