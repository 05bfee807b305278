//! Observes the crowds on the quickest ways of navigations.

use std::sync::Arc;

use crate::agents::Agents;
use crate::environment::navigation::{self, Crowd};
use crate::maths::Vector;
use crate::rules::motions::wanted_of;
use crate::state::State;
use crate::state::undo::Undoable;

/// The least and the most seconds between two crowds on the ways of a navigation.
const INTERVAL: [f64; 2] = [1.0, 10.0];

/// The cells of new ways for each agent and tick, which take about a fifth of its time.
const CELLS: f64 = 0.7;

/// The part of its largest speed from which on a walker wants to get on.
const WALKS: f32 = 0.5;

/// Observes the crowds of the navigations whose turn it is, and lets new ways follow from them.
pub(super) fn observe<const D: usize>(state: &mut Undoable<'_, D>) {
    let (tick, navigations) = (state.tick, state.environment.navigations.len());
    let ticks = |seconds: f64| (seconds / f64::from(state.settings.tick_seconds)).ceil().max(1.0) as u64;
    let [least, most] = INTERVAL.map(ticks);
    for number in (0..navigations).filter(|&number| tick > 0 && tick % least == number as u64 % least) {
        let State { environment, inputs, agents, .. } = &**state;
        let (name, fields) =
            (&environment.navigations.items()[number].name, &environment.navigations.records()[number]);
        let Some(current) = fields.current.as_ref().filter(|_| fields.pending.is_none() && fields.next_crowd.is_none())
        else {
            continue;
        };
        let (size, cells) = (current.ground.size, current.ground.cells);
        let count: usize = agents.iter().map(Agents::len).sum();
        let interval = (cells[0] * cells[1] * navigations) as f64 / (CELLS * count.max(1) as f64);
        let interval = (interval as u64).clamp(least, most);
        if fields.crowd.as_ref().is_some_and(|crowd| tick.saturating_sub(crowd.tick) < interval) {
            continue;
        }
        // Where there is one way only, its crowd changes nothing.
        let is_used = inputs.iter().flatten().any(|of_rule| {
            let chooses = of_rule.fields.len() > 1 || current.field().branches();
            of_rule.quickest > 0.0 && of_rule.fields.contains(name) && chooses
        });
        let crowd = is_used.then(|| Crowd::new((tick, size, cells), walkers(state)));
        let due = || navigation::due(tick, navigation::last_due(environment.navigations.records()), cells);
        let next = crowd.filter(Crowd::is_slow).map(|crowd| (due(), Arc::new(crowd)));
        let (_, fields) = state.beside_rows().environment.navigations.item_mut(number);
        if next.is_none() {
            fields.crowd = None;
        }
        fields.next_crowd = next;
    }
}

/// The walkers that want to get on, and the parts of their wanted speeds that they reach.
fn walkers<const D: usize>(state: &State<D>) -> impl Iterator<Item = (Vector<2>, f32)> {
    let species = state.agents.iter().filter_map(|agents| Some((agents, wanted_of(agents)?)));
    species.flat_map(|(agents, wanted)| {
        wanted.iter().enumerate().filter_map(|(row, wanted)| {
            let (wanted, at) = (Vector(*wanted), agents.position(row));
            let walks = wanted.length() > WALKS * agents.max_speed(row);
            let part = agents.velocity(row).dot(wanted) / wanted.length_squared();
            walks.then_some((Vector([at.0[0], at.0[1]]), part))
        })
    })
}
