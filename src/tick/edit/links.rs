//! Links: agents that come to one wait until it is their turn, and begin to cross it.

use fearless_simd::Level;
use smallvec::SmallVec;

use crate::base::ids::AgentId;
use crate::base::settings::Settings;
use crate::derived::Derived;
use crate::environment::link::{Crossing, Link};
use crate::environment::navigation::{NavigationField, flat};
use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::species::PRE_MOVEMENT;
use crate::state::State;
use crate::state::undo::{Beside, Undoable};
use crate::tick::edit::bound;
use crate::tick::edit::tracks::inside;

/// The number of agents from each end of a link that try to begin in a tick before room is found for one.
const TRIES: u32 = 8;

/// An agent in a region of a link.
#[derive(Clone, Copy)]
struct Visitor<const D: usize> {
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
pub(super) fn act<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    level: Level,
    held: &mut Vec<AgentId>,
) {
    if state.environment.links.is_empty() {
        return;
    }
    derived.plan(state);
    let visitors = visitors(state, derived);
    let mut standing: Vec<AgentId> =
        visitors.iter().filter(|visitor| visitor.calls).map(|visitor| visitor.id).collect();
    standing.extend(&*held);
    standing.sort_unstable();
    if !standing.is_empty() {
        derived.indices.update_environment(level, state);
    }
    let mut begun: Vec<Crossing<D>> = Vec::new();
    for number in 0..state.environment.links.len() {
        let first = visitors.partition_point(|visitor| (visitor.link as usize) < number);
        let here = &visitors[first..][..visitors[first..].partition_point(|visitor| visitor.link as usize == number)];
        let all = &state.environment.links.records()[number];
        if here.is_empty() && all.under_way.is_empty() && all.waiting.is_empty() {
            continue;
        }
        let mut all = all.clone();
        all.under_way.retain(|crossing| state.ids.row_of(crossing.agent).is_some());
        let visitor = |id: &AgentId| here.binary_search_by_key(id, |visitor| visitor.id).ok().map(|place| &here[place]);
        let is_free = |id: &AgentId| begun.iter().all(|crossing| crossing.agent != *id);
        // An agent whose way leads elsewhere for a while keeps its turn.
        all.waiting.retain(|id| visitor(id).is_some() && is_free(id));
        let mut known = all.waiting.clone();
        known.sort_unstable();
        let callers = here.iter().filter(|visitor| visitor.calls && is_free(&visitor.id)).map(|visitor| visitor.id);
        all.waiting.extend(callers.filter(|id| known.binary_search(id).is_err()));
        let (mut place, mut tries) = (0, [0; 2]);
        if let Some(Some(shapes)) = derived.plans.regions(state).links.get(number) {
            let link = &state.environment.links.items()[number];
            while place < all.waiting.len() && (all.under_way.len() as u64) < link.capacity {
                let caller = visitor(&all.waiting[place]).filter(|visitor| visitor.calls);
                let caller = caller.filter(|visitor| tries[usize::from(visitor.is_beyond)] < TRIES);
                let places = caller.map(|visitor| Landings::new((link, shapes), &state.settings, visitor));
                let is_open = |at: Vector<D>, radius: f32| {
                    let now = state.seconds();
                    state.environment.is_clear(&derived.indices.environment, &state.settings, now, at, radius)
                };
                if let Some(caller) = caller {
                    tries[usize::from(caller.is_beyond)] += 1;
                }
                match places.and_then(|places| places.begin((here, &standing), &all.under_way, is_open)) {
                    Some(crossing) => {
                        all.waiting.remove(place);
                        all.under_way.push(crossing);
                        begun.push(crossing);
                    }
                    None => place += 1,
                }
            }
        }
        held.extend(all.waiting.iter().filter(|id| visitor(id).is_some_and(|visitor| visitor.calls)));
        let Beside { environment, .. } = state.beside_rows();
        *environment.links.item_mut(number).1 = all;
    }
    held.retain(|id| begun.iter().all(|crossing| crossing.agent != *id));
}

/// The agents in regions of links, by link and id. Those that something carries already do not call.
fn visitors<const D: usize>(state: &State<D>, derived: &mut Derived<D>) -> Vec<Visitor<D>> {
    let mut carried: Vec<AgentId> = state.environment.carried().collect();
    carried.sort_unstable();
    derived.plans.regions(state);
    let Some(regions) = derived.plans.looked_up() else { return Vec::new() };
    let mut visitors = Vec::new();
    for (species, agents) in state.agents.iter().enumerate() {
        let waits = agents.columns.time(PRE_MOVEMENT).unwrap_or_default();
        for row in 0..agents.len() {
            for end in regions.links_by_region.at(agents.regions(row)) {
                let (number, is_beyond) = (end / 2, end % 2 == 1);
                let (Some(shapes), at) = (&regions.links[number], agents.position(row)) else { continue };
                // The host may have moved the agent or the region since the end of the last tick.
                if !shapes[usize::from(is_beyond)].contains(&state.settings, at) {
                    continue;
                }
                let link = &state.environment.links.items()[number];
                let mut ends = shapes.map(|shape| flat(shape.bounds().0));
                if is_beyond {
                    ends.reverse();
                }
                let walks = !state.species[species].moved_by_host && waits.get(row).is_none_or(|left| *left <= 0.0);
                let is_free = walks && carried.binary_search(&agents.id[row]).is_err();
                let leads = || {
                    let mut leading = bound::leading(state, &derived.plans, (species, row)).into_iter();
                    leading.any(|leading| {
                        let leads = |field: &NavigationField| field.leads_over(ends, link.metres(), leading.own);
                        leading.fields(state).into_iter().any(leads)
                    })
                };
                let calls = (!is_beyond || link.both_ways) && is_free && leads();
                let (id, radius) = (agents.id[row], agents.radius(row));
                visitors.push(Visitor { link: number as u32, id, is_beyond, at, radius, calls });
            }
        }
    }
    // An agent in both regions calls at one of them.
    visitors.sort_unstable_by_key(|visitor| (visitor.link, visitor.id, !visitor.calls, visitor.is_beyond));
    visitors.dedup_by_key(|visitor| (visitor.link, visitor.id));
    visitors
}

/// The places at the other end of a link to which an agent may come, the best first.
struct Landings<'a, const D: usize> {
    visitor: &'a Visitor<D>,
    settings: &'a Settings<D>,
    places: SmallVec<[Vector<D>; 10]>,
    shift: Vector<D>,
    seconds: f64,
}

impl<'a, const D: usize> Landings<'a, D> {
    fn new((link, shapes): (&Link<D>, &[Shape<D>; 2]), settings: &'a Settings<D>, visitor: &'a Visitor<D>) -> Self {
        let [near, far] = if visitor.is_beyond { [&shapes[1], &shapes[0]] } else { [&shapes[0], &shapes[1]] };
        let mut places = Link::places(far, settings.offset(near.bounds().0, visitor.at), visitor.radius);
        places.iter_mut().for_each(|at| *at = inside(settings, *at));
        // The agents carried at the start of a tick are known, also on the shortest way.
        let (seconds, least) = (f64::from(link.seconds), 2.0 * f64::from(settings.tick_seconds));
        let seconds = if seconds > least { seconds } else { least };
        Self { visitor, settings, places, shift: if visitor.is_beyond { -link.shift } else { link.shift }, seconds }
    }

    /// The crossing to the first place with room between walls and agents. Where only agents of `standing` leave no room,
    /// which wait for links or lifts, the agent comes between them: otherwise none of both sides could begin.
    fn begin(
        self,
        (visitors, standing): (&[Visitor<D>], &[AgentId]),
        under_way: &[Crossing<D>],
        is_open: impl Fn(Vector<D>, f32) -> bool,
    ) -> Option<Crossing<D>> {
        let Self { visitor, settings, places, shift, seconds } = self;
        let radius = |id: AgentId| match visitors.binary_search_by_key(&id, |visitor| visitor.id) {
            Ok(place) => visitors[place].radius,
            Err(_) => visitor.radius,
        };
        let is_free = |place: &Vector<D>, passes: bool| {
            let touches = |at: Vector<D>, other: f32| settings.offset(at, *place).length() < visitor.radius + other;
            let counts = |other: &Visitor<D>| !(passes && standing.binary_search(&other.id).is_ok());
            let stands =
                |other: &Visitor<D>| other.id != visitor.id && touches(other.at, other.radius) && counts(other);
            let comes = |other: &Crossing<D>| touches(other.ends[1], radius(other.agent));
            !visitors.iter().any(stands) && !under_way.iter().any(comes)
        };
        let open: SmallVec<[Vector<D>; 10]> = places.into_iter().filter(|at| is_open(*at, visitor.radius)).collect();
        let free = open.iter().find(|place| is_free(place, false));
        let end = free.or_else(|| open.iter().find(|place| is_free(place, true)))?;
        Some(Crossing { agent: visitor.id, ends: [visitor.at, *end], shift, seconds, left: seconds })
    }
}
