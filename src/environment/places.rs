//! Places where agents wait: queues and waiting areas.

use crate::base::error::Error;
use crate::base::handles::PlacesId;
use crate::base::ids::AgentId;
use crate::base::settings::{Settings, within_limit};
use crate::base::values::{Allowed, Kind};
use crate::environment::collection::{Data, Item};
use crate::environment::free_places::FreePlaces;
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
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
    type Id = PlacesId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Places<D> {
    type Record = Occupants;

    fn check(&self) -> Result<(), Error> {
        let count = self.points.len();
        if !(1..=MOST_PLACES).contains(&count) {
            let allowed = Allowed::Kind { kind: Kind::Whole(1, MOST_PLACES as u64), unit: "" };
            return Err(Error::bad("places", count, allowed));
        }
        self.points.iter().try_for_each(|point| within_limit("places", *point, "m").map(drop))
    }
}

/// An agent that wants one of the places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<const D: usize> {
    pub(crate) agent: AgentId,
    pub(crate) at: Vector<D>,
    /// Whether it has a place.
    pub(crate) placed: bool,
}

impl Occupants {
    /// Gives places to the agents that want one; `claims` are sorted by id. Agents without a claim lose theirs.
    pub(crate) fn allot<const D: usize>(
        &mut self,
        places: &Places<D>,
        claims: &mut Vec<Claim<D>>,
        settings: &Settings<D>,
    ) {
        let all = &mut self.0;
        let by_agent = |claims: &[Claim<D>], agent: AgentId| {
            claims.binary_search_by_key(&agent.to_bits(), |claim| claim.agent.to_bits()).ok()
        };
        for place in all.iter_mut() {
            *place = place.filter(|agent| by_agent(claims, *agent).is_some());
        }
        if places.is_queue {
            all.retain(Option::is_some);
        }
        all.truncate(places.points.len());
        for agent in all.iter().flatten() {
            if let Some(claim) = by_agent(claims, *agent) {
                claims[claim].placed = true;
            }
        }
        let left = places.points.len() - all.iter().flatten().count();
        claims.retain(|claim| !claim.placed);
        if claims.is_empty() || left == 0 {
            return;
        }
        if places.is_queue {
            // The agent next to the tail joins first.
            let tail = all.len();
            let squared = |at: Vector<D>| settings.offset(at, places.points[tail]).length_squared();
            claims.sort_unstable_by_key(|claim| (squared(claim.at).to_bits(), claim.agent.to_bits()));
            all.extend(claims.iter().take(left).map(|claim| Some(claim.agent)));
            return;
        }
        all.resize(places.points.len(), None);
        let free = (0..all.len()).filter(|&place| all[place].is_none());
        let mut free = FreePlaces::new(&places.points, free, claims.len(), settings);
        for claim in claims.iter() {
            let Some(nearest) = free.take_nearest(claim.at) else { break };
            all[nearest] = Some(claim.agent);
        }
    }
}

/// The place of each agent in each queue and waiting area.
#[derive(Debug, Default)]
pub(crate) struct PlaceIndex(Vec<Sorted>);

/// The occupants of one item, and the same sorted by agent, with their places.
#[derive(Debug, Default)]
struct Sorted {
    occupants: Occupants,
    by_agent: Vec<(u64, u32)>,
}

impl PlaceIndex {
    /// Updates the index to the occupants of all items. Items that did not change are not sorted again.
    pub(crate) fn update(&mut self, all: &[Occupants]) {
        self.0.resize_with(all.len(), Sorted::default);
        for (sorted, occupants) in self.0.iter_mut().zip(all).filter(|(sorted, now)| sorted.occupants != **now) {
            sorted.occupants.0.clone_from(&occupants.0);
            sorted.by_agent.clear();
            let taken = (0..).zip(&occupants.0).filter_map(|(place, agent)| Some((agent.as_ref()?.to_bits(), place)));
            sorted.by_agent.extend(taken);
            sorted.by_agent.sort_unstable();
        }
    }

    /// The place of an agent in the item with this number.
    pub(crate) fn find(&self, number: usize, agent: AgentId) -> Option<usize> {
        let by_agent = &self.0.get(number)?.by_agent;
        let first = by_agent.partition_point(|(other, _)| *other < agent.to_bits());
        by_agent.get(first).filter(|(other, _)| *other == agent.to_bits()).map(|(_, place)| *place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;

    fn claims(agents: &[(u64, f32)]) -> Vec<Claim<2>> {
        let claim = |&(id, x)| Claim { agent: AgentId::from_bits(id), at: Vector([x, 0.0]), placed: false };
        agents.iter().map(claim).collect()
    }

    fn bits(occupants: &Occupants) -> Vec<Option<u64>> {
        occupants.0.iter().map(|agent| agent.map(AgentId::to_bits)).collect()
    }

    fn allot(occupants: &mut Occupants, places: &Places<2>, agents: &[(u64, f32)]) -> Vec<Option<u64>> {
        let settings = Settings { edge: [Edge::Open; 2], ..Settings::default() };
        occupants.allot(places, &mut claims(agents), &settings);
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

    #[test]
    fn the_place_of_an_agent_follows_the_occupants() {
        let agent = |bits| AgentId::from_bits(bits);
        let mut index = PlaceIndex::default();
        let mut all = [Occupants(vec![Some(agent(9)), None, Some(agent(4))]), Occupants::default()];
        index.update(&all);
        let found = |index: &PlaceIndex| [4, 9, 5].map(|bits| index.find(0, agent(bits)));
        assert_eq!((found(&index), index.find(1, agent(4))), ([Some(2), Some(0), None], None));
        all[0].0[1] = Some(agent(5));
        all[0].0[0] = None;
        index.update(&all);
        assert_eq!(found(&index), [Some(2), None, Some(1)]);
        index.update(&[]);
        assert_eq!(found(&index), [None; 3]);
    }
}
