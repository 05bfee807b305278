//! Undo: the state at the start of a tick, for a tick in which a host's code may panic.
//!
//! The rules and motions of a host run in Steer, and Edit asks motions how they integrate. If one panics, the stages
//! before have changed the state. Where a rule or a motion is not built in, the stages up to Steer keep the data that
//! they are about to change; the later ones call no code of a host. A function that watches a tick may panic after any
//! stage, so a watched tick starts with a copy of the state. A world with only built-in rules keeps nothing.

use std::collections::BTreeMap;

use crate::agents::Agents;
use crate::agents::row_order::RowOrder;
use crate::base::ids::{AgentId, Ids};
use crate::environment::RegionId;
use crate::environment::navigation::Fields;
use crate::environment::places::Occupants;
use crate::environment::source::Progress;
use crate::environment::tracks::Followers;
use crate::state::mix::Mix;
use crate::state::tally::Tally;
use crate::state::{RemovalReason, State};

/// The data that a tick needs to put the state back.
#[derive(Debug, Default)]
pub(crate) struct Undo<const D: usize> {
    extent: Extent,
    /// The whole state.
    whole: Option<Box<State<D>>>,
    small: Small,
    rows: Rows<D>,
    has_rows: bool,
}

/// How much of the state a tick keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Extent {
    #[default]
    Nothing,
    /// The data that the stages up to Steer change.
    Parts,
    All,
}

/// Small data that many ticks change.
#[derive(Debug, Default)]
struct Small {
    orders: Vec<RowOrder>,
    /// Without its agents.
    mix: Mix,
    limited: Option<bool>,
    sources: Vec<Progress>,
    navigations: Vec<Fields>,
    places: Vec<Occupants>,
    tracks: Vec<Followers>,
}

/// The agents, and the data that change with them.
#[derive(Debug, Default)]
struct Rows<const D: usize> {
    agents: Vec<Agents<D>>,
    ids: Ids,
    mixed: Vec<AgentId>,
    region_bits: Vec<RegionId>,
    leavers: BTreeMap<AgentId, RemovalReason>,
    tally: Tally,
    zoned: bool,
}

impl<const D: usize> Undo<D> {
    /// Starts a tick that can be undone: one that is watched, or of a world in which a rule or a motion is a host's own.
    pub(crate) fn begin(&mut self, state: &State<D>, is_watched: bool, is_hosted: bool) {
        if is_watched {
            self.keep_all(state);
        } else if is_hosted {
            self.keep_parts(state);
        }
    }

    /// Keeps the whole state.
    fn keep_all(&mut self, state: &State<D>) {
        self.extent = Extent::All;
        self.whole = Some(Box::new(state.clone()));
    }

    /// Keeps the small data. The stages up to Steer keep the agents before they change them.
    fn keep_parts(&mut self, state: &State<D>) {
        (self.extent, self.has_rows) = (Extent::Parts, false);
        let (State { orders, mix, limited, environment, .. }, small) = (state, &mut self.small);
        small.orders.clone_from(orders);
        small.mix = Mix { ids: Vec::new(), order: mix.order.clone(), ..*mix };
        small.limited = *limited;
        keep(&mut small.sources, environment.sources.records());
        keep(&mut small.navigations, environment.navigations.records());
        keep(&mut small.places, environment.places.records());
        keep(&mut small.tracks, environment.tracks.records());
    }

    /// Keeps the agents as they are, unless this tick has done so before or needs no copy.
    pub(crate) fn keep_rows(&mut self, state: &State<D>) {
        if self.extent != Extent::Parts || self.has_rows {
            return;
        }
        let State { agents, ids, mix, region_bits, leavers, tally, zoned, .. } = state;
        let rows = &mut self.rows;
        rows.agents.clone_from(agents);
        rows.ids.clone_from(ids);
        rows.mixed.clone_from(&mix.ids);
        rows.region_bits.clone_from(region_bits);
        rows.leavers.clone_from(leavers);
        rows.tally.clone_from(tally);
        rows.zoned = *zoned;
        self.has_rows = true;
    }

    /// Ends the tick. The memory of the copies is used again.
    pub(crate) fn end(&mut self) {
        (self.extent, self.whole) = (Extent::Nothing, None);
    }

    /// Puts the state back as it was at the start of the tick.
    pub(crate) fn restore(self, state: &mut State<D>) {
        if let Some(whole) = self.whole {
            *state = *whole;
        } else if self.extent == Extent::Parts {
            let Small { orders, mix, limited, sources, navigations, places, tracks } = self.small;
            state.orders = orders;
            state.mix = Mix { ids: std::mem::take(&mut state.mix.ids), ..mix };
            state.limited = limited;
            state.environment.sources.put_records(sources);
            state.environment.navigations.put_records(navigations);
            state.environment.places.put_records(places);
            state.environment.tracks.put_records(tracks);
            if self.has_rows {
                let Rows { agents, ids, mixed, region_bits, leavers, tally, zoned } = self.rows;
                (state.agents, state.ids, state.mix.ids) = (agents, ids, mixed);
                (state.region_bits, state.leavers, state.tally, state.zoned) = (region_bits, leavers, tally, zoned);
            }
        }
    }
}

fn keep<T: Clone>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
