//! Undo: the state at the start of a tick, for a tick in which a host's code may panic.
//!
//! The rules and motions of a host run in Steer, and Edit asks motions how they integrate. If one panics, the stages
//! before have changed the state. Where a rule or a motion is not built in, the stages up to Steer get the state as
//! [`Undoable`], which keeps the data that they are about to change; the later ones call no code of a host. A function
//! that watches a tick may panic after any stage, so a watched tick starts with a copy of the state. A world with only
//! built-in rules keeps nothing.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::agents::Agents;
use crate::agents::row_order::RowOrder;
use crate::base::ids::{AgentId, Ids};
use crate::base::settings::Settings;
use crate::environment::lift::Car;
use crate::environment::link::Crossings;
use crate::environment::navigation::Fields;
use crate::environment::places::Occupants;
use crate::environment::source::Progress;
use crate::environment::tracks::Followers;
use crate::environment::{Environment, RegionId};
use crate::species::Species;
use crate::state::mix::Mix;
use crate::state::tally::Tally;
use crate::state::{RemovalReason, State};

/// The data that a tick needs to put the state back.
#[derive(Debug, Default)]
pub(crate) struct Undo<const D: usize> {
    extent: Extent,
    /// The whole state.
    whole: Option<Box<State<D>>>,
    small: Small<D>,
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
struct Small<const D: usize> {
    orders: Vec<RowOrder>,
    mix: Mix,
    limited: Option<bool>,
    sources: Vec<Progress>,
    navigations: Vec<Fields>,
    places: Vec<Occupants>,
    tracks: Vec<Followers>,
    lifts: Vec<Car>,
    links: Vec<Crossings<D>>,
}

/// The agents, and the data that change with them.
#[derive(Debug, Default)]
struct Rows<const D: usize> {
    agents: Vec<Agents<D>>,
    ids: Ids,
    mix_ids: Vec<AgentId>,
    region_bits: Vec<RegionId>,
    leavers: BTreeMap<AgentId, RemovalReason>,
    tally: Tally,
    zoned: bool,
}

/// The state in the stages up to Steer, which read it freely and change it only after it is kept.
#[derive(Debug)]
pub(crate) struct Undoable<'a, const D: usize> {
    state: &'a mut State<D>,
    undo: &'a mut Undo<D>,
}

/// The small data, to be changed, and the rest of the state to be read beside it.
pub(crate) struct Beside<'a, const D: usize> {
    pub(crate) settings: &'a Settings<D>,
    pub(crate) species: &'a [Species<D>],
    pub(crate) ids: &'a Ids,
    pub(crate) agents: &'a [Agents<D>],
    pub(crate) orders: &'a mut [RowOrder],
    pub(crate) mix: &'a mut Mix,
    pub(crate) limited: &'a mut Option<bool>,
    pub(crate) environment: &'a mut Environment<D>,
}

impl<const D: usize> Deref for Undoable<'_, D> {
    type Target = State<D>;

    fn deref(&self) -> &State<D> {
        self.state
    }
}

impl<const D: usize> Undoable<'_, D> {
    /// Keeps the agents, and returns the state to change them.
    pub(crate) fn rows(&mut self) -> &mut State<D> {
        self.undo.keep_rows(self.state);
        self.state
    }

    /// The data that every tick keeps at its start.
    pub(crate) fn beside_rows(&mut self) -> Beside<'_, D> {
        let State { settings, species, ids, agents, orders, mix, limited, environment, .. } = &mut *self.state;
        Beside { settings, species, ids, agents, orders, mix, limited, environment }
    }
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

    /// Keeps the small data. The agents are kept before they change.
    fn keep_parts(&mut self, state: &State<D>) {
        (self.extent, self.has_rows) = (Extent::Parts, false);
        let (State { orders, mix, limited, environment, .. }, small) = (state, &mut self.small);
        small.orders.clone_from(orders);
        small.mix.clone_from(mix);
        small.limited = *limited;
        keep(&mut small.sources, environment.sources.records());
        keep(&mut small.navigations, environment.navigations.records());
        keep(&mut small.places, environment.places.records());
        keep(&mut small.tracks, environment.tracks.records());
        keep(&mut small.lifts, environment.lifts.records());
        keep(&mut small.links, environment.links.records());
    }

    /// Keeps the agents as they are, unless this tick has done so before or needs no copy.
    fn keep_rows(&mut self, state: &State<D>) {
        if self.extent != Extent::Parts || self.has_rows {
            return;
        }
        let State { agents, ids, mix_ids, region_bits, leavers, tally, zoned, .. } = state;
        let rows = &mut self.rows;
        rows.agents.clone_from(agents);
        rows.ids.clone_from(ids);
        rows.mix_ids.clone_from(mix_ids);
        rows.region_bits.clone_from(region_bits);
        rows.leavers.clone_from(leavers);
        rows.tally.clone_from(tally);
        rows.zoned = *zoned;
        self.has_rows = true;
    }

    /// The state for the stages up to Steer.
    pub(crate) fn of<'a>(&'a mut self, state: &'a mut State<D>) -> Undoable<'a, D> {
        Undoable { state, undo: self }
    }

    /// Ends the tick. The memory of the copies is used again.
    pub(crate) fn end(&mut self) {
        (self.extent, self.whole) = (Extent::Nothing, None);
    }

    /// Puts the state back as it was at the start of the tick.
    pub(crate) fn restore(self, state: &mut State<D>) {
        // Without the images that rules read.
        state.agents.truncate(state.species.len());
        if let Some(whole) = self.whole {
            *state = *whole;
        } else if self.extent == Extent::Parts {
            let Small { orders, mix, limited, sources, navigations, places, tracks, lifts, links } = self.small;
            state.orders = orders;
            (state.mix, state.limited) = (mix, limited);
            state.environment.sources.put_records(sources);
            state.environment.navigations.put_records(navigations);
            state.environment.places.put_records(places);
            state.environment.tracks.put_records(tracks);
            state.environment.lifts.put_records(lifts);
            state.environment.links.put_records(links);
            if self.has_rows {
                let Rows { agents, ids, mix_ids, region_bits, leavers, tally, zoned } = self.rows;
                (state.agents, state.ids, state.mix_ids) = (agents, ids, mix_ids);
                (state.region_bits, state.leavers, state.tally, state.zoned) = (region_bits, leavers, tally, zoned);
            }
        }
    }
}

fn keep<T: Clone>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
