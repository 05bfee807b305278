//! Lifts: calls, agents that may enter, and rides.

use crate::base::ids::AgentId;
use crate::derived::Derived;
use crate::derived::resolved_regions::ResolvedLifts;
use crate::environment::Environment;
use crate::environment::lift::{Car, Lift, Phase, Requests};
use crate::environment::navigation::flat;
use crate::maths::Vector;
use crate::state::State;
use crate::state::undo::{Beside, Undoable};
use crate::tick::edit::bound;
use crate::tick::edit::tracks::inside;

/// The part of the speed of an agent that must lead towards the car for a call.
const TOWARDS: f32 = 0.5;

/// An agent in a region of a lift.
#[derive(Clone, Copy)]
struct Guest {
    lift: u32,
    id: AgentId,
    species: u32,
    landing: u32,
    is_at_door: bool,
    /// Whether it walks towards the car.
    calls: bool,
}

/// Advances all lifts by a tick. Returns the agents that stand because of them.
pub(super) fn act<const D: usize>(state: &mut Undoable<'_, D>, derived: &mut Derived<D>) -> Vec<AgentId> {
    let mut held = Vec::new();
    if state.environment.lifts.is_empty() {
        return held;
    }
    derived.plan(state);
    let guests = guests(state, &derived.plans.regions(state).lifts);
    for number in 0..state.environment.lifts.len() {
        let guests: Vec<Guest> = guests.iter().filter(|guest| guest.lift as usize == number).copied().collect();
        let ways = ways(state, derived, number, &guests);
        let Beside { environment, settings, .. } = state.beside_rows();
        let (lift, car) = environment.lifts.item_mut(number);
        if !car.fits(lift.heights.len()) {
            *car = Car::default();
        }
        let arrives = step(lift, car, (&guests, &ways), settings.tick_seconds);
        let is_held = |guest: &Guest| {
            let is_inside = !guest.is_at_door && !car.is_open_at(guest.landing as usize);
            is_inside || car.waits(guest.id)
        };
        held.extend(guests.iter().filter(|guest| is_held(guest)).map(|guest| guest.id));
        if let Some((from, to)) = arrives {
            let riders = guests.iter().filter(|guest| !guest.is_at_door && guest.landing as usize == from);
            carry(state, derived, (number, from, to), riders.map(|guest| guest.id));
        }
    }
    // One that waits for two lifts follows the first that lets it in.
    let cars = state.environment.lifts.records();
    held.retain(|id| !cars.iter().any(|car| car.admitted.contains(id)));
    held
}

/// The agents in regions of lifts, by lift and id.
fn guests<const D: usize>(state: &State<D>, lifts: &ResolvedLifts<D>) -> Vec<Guest> {
    let mut guests = Vec::new();
    for (species, agents) in (0..).zip(&state.agents) {
        for row in 0..agents.len() {
            for place in lifts.by_region.at(agents.regions(row)) {
                let (lift, landing, is_at_door) = lifts.place(place);
                let Some([car, door]) = lifts.middles_of(lift as usize, landing as usize) else { continue };
                let (velocity, inwards) = (agents.velocity(row), (car - door).direction());
                let towards = velocity.dot(inwards);
                let calls = is_at_door && towards > TOWARDS * velocity.length();
                guests.push(Guest { lift, id: agents.id[row], species, landing, is_at_door, calls });
            }
        }
    }
    // The car comes before its door, should they overlap.
    guests.sort_unstable_by_key(|guest| (guest.lift, guest.id, guest.is_at_door));
    guests.dedup_by_key(|guest| (guest.lift, guest.id));
    guests
}

/// The landings at which passengers of a lift that stands or opens want to leave, with their ids.
fn ways<const D: usize>(
    state: &State<D>,
    derived: &mut Derived<D>,
    number: usize,
    guests: &[Guest],
) -> Vec<(AgentId, usize)> {
    let Environment { lifts, .. } = &state.environment;
    let (lift, car) = (&lifts.items()[number], &lifts.records()[number]);
    if !matches!(car.phase, Phase::Standing | Phase::Opening) {
        return Vec::new();
    }
    let lifts = &derived.plans.regions(state).lifts;
    let Some(middles) = lifts.middles.get(number).cloned().flatten() else { return Vec::new() };
    let here = car.landing as usize;
    let mut ways = Vec::new();
    for guest in guests.iter().filter(|guest| !guest.is_at_door && guest.landing as usize == here) {
        let Some(row) = state.ids.row_of(guest.id).map(|found| found.row as usize) else { continue };
        let leading = bound::leading(state, &derived.plans, (guest.species as usize, row));
        let own = leading.iter().find(|leading| leading.own.is_some());
        if let Some((leading, field)) =
            own.zip(own.and_then(|own| state.environment.navigation_field_at(own.navigation)))
        {
            let ride = |landing: usize| [here, landing].map(|landing| flat(middles[landing][0]));
            let leads =
                |landing: &usize| field.leads_over(ride(*landing), lift.ride_metres(here, *landing), leading.own);
            ways.push((guest.id, (0..middles.len()).find(leads).unwrap_or(here)));
            continue;
        }
        let rules = derived.plans.names().get(guest.species as usize).map_or(&[][..], |names| &names.rules);
        let mut navigations: Vec<usize> = rules.iter().flat_map(|rule| &rule.navigations).flatten().copied().collect();
        navigations.sort_unstable();
        navigations.dedup();
        let before = ways.len();
        for field in navigations.into_iter().filter_map(|index| state.environment.navigation_field_at(index)) {
            let left = |at: Vector<D>| field.distance(flat(at));
            let [inside, outside] = middles[here].map(left);
            let leaves = outside.is_finite() && outside <= inside;
            let after_ride = |landing: &usize| lift.ride_metres(here, *landing) + left(middles[*landing][0]);
            let others = (0..middles.len()).filter(|landing| *landing != here && after_ride(landing).is_finite());
            let nearest = others.min_by(|one, other| after_ride(one).total_cmp(&after_ride(other)));
            let landing = if leaves { Some(here) } else { nearest };
            ways.extend(landing.map(|landing| (guest.id, landing)));
        }
        if ways.len() == before {
            ways.extend((0..middles.len()).map(|landing| (guest.id, landing)));
        }
    }
    ways
}

/// Advances one lift. Returns the landings between which its passengers have moved, if it arrives.
fn step(
    lift: &Lift,
    car: &mut Car,
    (guests, ways): (&[Guest], &[(AgentId, usize)]),
    seconds: f32,
) -> Option<(usize, usize)> {
    let here = car.landing;
    let rides = |guest: &&Guest| !guest.is_at_door && guest.landing == here;
    let is_here = |id: &AgentId| guests.iter().any(|guest| guest.id == *id && guest.landing == here);
    car.waiting.retain(|(id, landing)| guests.iter().any(|of| of.id == *id && of.landing == *landing && !rides(&of)));
    car.leaving.retain(is_here);
    let is_new = |guest: &&Guest| {
        !rides(guest) && (guest.calls || !guest.is_at_door) && !car.waits(guest.id) && !car.leaving.contains(&guest.id)
    };
    let called: Vec<_> = guests.iter().filter(is_new).map(|guest| (guest.id, guest.landing)).collect();
    car.waiting.extend(called);
    let Car { admitted, waiting, .. } = &mut *car;
    admitted.retain(|id| waiting.iter().any(|(other, _)| other == id));
    let passengers = guests.iter().filter(rides).count();
    let mut wanted =
        Requests { calls: vec![false; lift.heights.len()], stops: vec![false; lift.heights.len()], passengers };
    car.waiting.iter().for_each(|(_, landing)| wanted.calls[*landing as usize] = true);
    ways.iter().for_each(|(_, landing)| wanted.stops[*landing] = true);
    let before = car.phase;
    let arrives = car.advance(lift, &wanted, seconds);
    if car.phase == Phase::Open && before == Phase::Opening {
        car.leaving.extend(ways.iter().filter(|(_, landing)| *landing == here as usize).map(|(id, _)| *id));
        car.leaving.sort_unstable();
        car.leaving.dedup();
    }
    if car.phase == Phase::Open && (car.leaving.is_empty() || car.left <= 0.0) {
        let room = (lift.capacity as usize).saturating_sub(passengers + car.admitted.len());
        let next = car.waiting.iter().filter(|(id, landing)| *landing == here && !car.admitted.contains(id));
        let next: Vec<AgentId> = next.take(room).map(|(id, _)| *id).collect();
        car.admitted.extend(next);
    }
    Some((here as usize, arrives?))
}

/// Moves passengers from one landing to another.
fn carry<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    (lift, from, to): (usize, usize, usize),
    riders: impl Iterator<Item = AgentId>,
) {
    let lifts = &derived.plans.regions(state).lifts;
    let (Some([from, _]), Some([to, _])) = (lifts.middles_of(lift, from), lifts.middles_of(lift, to)) else { return };
    for rider in riders {
        let Some(found) = state.ids.row_of(rider) else { continue };
        let (species, row) = (found.species as usize, found.row as usize);
        let state = state.rows();
        let at = inside(&state.settings, state.agents[species].position(row) + (to - from));
        state.agents[species].jump(row, at);
        derived.indices.strayed(state, species, row);
    }
}
