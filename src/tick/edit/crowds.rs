//! Observes the crowds on the quickest ways of navigations.

use std::sync::Arc;

use crate::agents::columns::{Owner, Stored as _};
use crate::environment::navigation::{self, Crowd};
use crate::maths::Vector;
use crate::rules::motion::MOTION_KEY;
use crate::rules::motions::WANTED;
use crate::state::State;
use crate::state::undo::Undoable;

/// The seconds between the observations of a crowd.
const INTERVAL: f64 = 1.0;

/// The part of its largest speed from which on a walker wants to get on.
const WALKS: f32 = 0.5;

/// Observes the crowds of the navigations whose turn it is, and lets new ways follow from them.
pub(super) fn observe<const D: usize>(state: &mut Undoable<'_, D>) {
    let (tick, navigations) = (state.tick, &state.environment.navigations);
    let interval = (INTERVAL / f64::from(state.settings.tick_seconds)).ceil().max(1.0) as u64;
    for number in 0..navigations.len() {
        if tick == 0 || tick % interval != number as u64 % interval {
            continue;
        }
        let State { environment, inputs, .. } = &**state;
        let navigation = &environment.navigations.items()[number];
        let fields = &environment.navigations.records()[number];
        let is_used = inputs.iter().flatten().any(|of_rule| of_rule.quickest && of_rule.fields.contains(&navigation.name));
        let Some(current) = fields.current.as_ref().filter(|_| fields.pending.is_none() && fields.next_crowd.is_none())
        else {
            continue;
        };
        let (size, cells) = (current.ground.size, current.ground.cells);
        let crowd = is_used.then(|| Crowd::new(size, Crowd::squares(size, cells), walkers(state)));
        let crowd = crowd.filter(Crowd::is_slow);
        let (_, fields) = state.beside_rows().environment.navigations.item_mut(number);
        match crowd {
            Some(crowd) => fields.next_crowd = Some((tick + navigation::delay(cells), Arc::new(crowd))),
            None => fields.crowd = None,
        }
    }
}

/// The walkers that want to get on, and the parts of their wanted speeds that they reach.
fn walkers<const D: usize>(state: &State<D>) -> impl Iterator<Item = (Vector<2>, f32)> {
    let species = state.agents.iter().filter_map(|agents| {
        let wanted = agents.columns.0.iter().find(|column| column.is(Owner::Rule(MOTION_KEY), WANTED))?;
        Some((agents, <[f32; D]>::rows(&wanted.data)?))
    });
    species.flat_map(|(agents, wanted)| {
        wanted.iter().enumerate().filter_map(|(row, wanted)| {
            let (wanted, at) = (Vector(*wanted), agents.position(row));
            let walks = wanted.length() > WALKS * agents.max_speed(row);
            let part = agents.velocity(row).dot(wanted) / wanted.length_squared();
            walks.then_some((Vector([at.0[0], at.0[1]]), part))
        })
    })
}
