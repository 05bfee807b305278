//! Links: agents that come to one wait until it is their turn, and begin to cross it.

use crate::base::ids::AgentId;
use crate::derived::Derived;
use crate::environment::link::{Crossing, Link};
use crate::environment::navigation::flat;
use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::state::State;
use crate::state::undo::{Beside, Undoable};
use crate::tick::edit::bound::{self, Leading};

/// An agent in a region of a link.
#[derive(Clone, Copy)]
struct Guest<const D: usize> {
    link: u32,
    id: AgentId,
    /// Whether it is in the region to which the link leads.
    is_beyond: bool,
    at: Vector<D>,
    radius: f32,
    /// Whether its way leads over the link.
    calls: bool,
}

/// Lets agents onto all links, and adds to `held` those that stand before one.
pub(super) fn act<const D: usize>(state: &mut Undoable<'_, D>, derived: &mut Derived<D>, held: &mut Vec<AgentId>) {
    if state.environment.links.is_empty() {
        return;
    }
    derived.plan(state);
    let guests = guests(state, derived);
    let shapes = &derived.plans.regions(state).links;
    let Beside { environment, ids, .. } = state.beside_rows();
    for (number, shapes) in shapes.iter().enumerate() {
        let (link, all) = environment.links.item_mut(number);
        all.under_way.retain(|crossing| ids.row_of(crossing.agent).is_some());
        let first = guests.partition_point(|guest| (guest.link as usize) < number);
        let here = &guests[first..][..guests[first..].partition_point(|guest| guest.link as usize == number)];
        let caller = |id: &AgentId| here.iter().find(|guest| guest.calls && guest.id == *id);
        all.waiting.retain(|id| caller(id).is_some());
        let new = here.iter().filter(|guest| guest.calls).map(|guest| guest.id);
        let new: Vec<_> = new.filter(|id| !all.waiting.contains(id)).collect();
        all.waiting.extend(new);
        let Some(shapes) = shapes else { continue };
        let mut place = 0;
        while place < all.waiting.len() && (all.under_way.len() as u64) < link.capacity {
            let begun =
                caller(&all.waiting[place]).and_then(|guest| begin(link, shapes, guest, (here, &all.under_way)));
            match begun {
                Some(crossing) => {
                    all.waiting.remove(place);
                    all.under_way.push(crossing);
                }
                None => place += 1,
            }
        }
        held.extend(&all.waiting);
    }
}

/// The agents in regions of links, by link and id. Those that something carries already do not call.
fn guests<const D: usize>(state: &State<D>, derived: &mut Derived<D>) -> Vec<Guest<D>> {
    let mut carried: Vec<AgentId> = state.environment.carried().collect();
    carried.sort_unstable();
    derived.plans.regions(state);
    let Some(regions) = derived.plans.looked_up() else { return Vec::new() };
    let mut guests = Vec::new();
    for (species, agents) in state.agents.iter().enumerate() {
        for row in 0..agents.len() {
            for end in regions.links_by_region.at(agents.regions(row)) {
                let (link, is_beyond) = (end / 2, end % 2 == 1);
                let Some(shapes) = &regions.links[link] else { continue };
                let mut ends = shapes.map(|shape| flat(shape.bounds().0));
                if is_beyond {
                    ends.reverse();
                }
                let leads = !is_beyond || state.environment.links.items()[link].both_ways;
                let free = !state.species[species].moved_by_host && carried.binary_search(&agents.id[row]).is_err();
                let is_over = |Leading { navigation, quickest, own }| {
                    let shortest = state.environment.navigation_field_at(navigation);
                    let quickest = state.environment.quickest_ways_at(navigation).filter(|_| quickest && own.is_none());
                    shortest.into_iter().chain(quickest).any(|field| field.leads_over(ends, own))
                };
                let leading = || bound::leading(state, &derived.plans, (species, row)).into_iter();
                let calls = leads && free && leading().any(is_over);
                let (id, at, radius) = (agents.id[row], agents.position(row), agents.radius(row));
                guests.push(Guest { link: link as u32, id, is_beyond, at, radius, calls });
            }
        }
    }
    // An agent in both regions calls at one of them.
    guests.sort_unstable_by_key(|guest| (guest.link, guest.id, !guest.calls));
    guests.dedup_by_key(|guest| (guest.link, guest.id));
    guests
}

/// The crossing of an agent, if there is room for it at the other end. Where all that stand there wait for the link
/// itself, it comes between them: otherwise none of both sides could begin.
fn begin<const D: usize>(
    link: &Link<D>,
    shapes: &[Shape<D>; 2],
    guest: &Guest<D>,
    (guests, under_way): (&[Guest<D>], &[Crossing<D>]),
) -> Option<Crossing<D>> {
    let [near, far] = if guest.is_beyond { [&shapes[1], &shapes[0]] } else { [&shapes[0], &shapes[1]] };
    let radius = |id: AgentId| guests.iter().find(|other| other.id == id).map_or(guest.radius, |other| other.radius);
    let is_free = |place: &Vector<D>, counts: &dyn Fn(&Guest<D>) -> bool| {
        let touches = |at: Vector<D>, other: f32| (at - *place).length() < guest.radius + other;
        let stands = |other: &Guest<D>| other.id != guest.id && touches(other.at, other.radius) && counts(other);
        let comes = |other: &Crossing<D>| touches(other.ends[1], radius(other.agent));
        !guests.iter().any(stands) && !under_way.iter().any(comes)
    };
    let places = Link::places(far, guest.at - near.bounds().0, guest.radius);
    let free = places.iter().find(|place| is_free(place, &|_| true));
    let end = free.or_else(|| places.iter().find(|place| is_free(place, &|other| !other.calls)))?;
    let shift = if guest.is_beyond { -link.shift } else { link.shift };
    let seconds = link.seconds;
    Some(Crossing { agent: guest.id, ends: [guest.at, *end], shift, seconds, left: seconds })
}
