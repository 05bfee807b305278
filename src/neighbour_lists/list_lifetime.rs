//! The lifetime of neighbour lists: whether the candidate lists of an earlier tick still hold.
//!
//! A list holds all agents within the radius and a skin around it (the neighbour lists of molecular dynamics, Verlet
//! 1967). It misses no neighbour until two agents together have moved as far as the skin is wide. The pair kernel tests
//! distances anyway, so a kept list and a fresh one give the same bits.

use crate::base::settings::{LIMIT, NeighbourLists};

/// The action of a tick on the lists of one pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ListMode {
    /// Finds them for this tick only.
    Fresh,
    /// Finds those within the radius and a skin of this width in metres, and keeps them.
    Build(f32),
    /// Uses the kept ones, whose skin is still this wide in metres.
    Keep(f32),
}

impl ListMode {
    /// Returns whether lists of an earlier tick are used.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Self::Keep(_))
    }
}

/// The cost of building a list, as a share of the cost of a pass through it (measured, in two dimensions).
const REBUILD: f32 = 0.35;

/// A skin that is wider holds every agent of any world, and squares of distances come near the largest number.
const WIDEST_SKIN: f32 = 16.0 * LIMIT;

/// The largest number of agents that are all perceived by each agent and yet kept in lists.
const MOST_SEEN_AND_KEPT: usize = 8192;

/// The wanted source of candidates, for a pass over this many agents. Kept lists of all agents would take memory in
/// proportion to the square of their number.
pub(crate) fn wanted_for(wanted: NeighbourLists, sees_all: bool, agents: usize) -> NeighbourLists {
    if sees_all && agents > MOST_SEEN_AND_KEPT { NeighbourLists::Fresh } else { wanted }
}

/// Whether the lists of one pass were kept, and how long they will hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListLifetime {
    /// The skin of the lists in metres; zero if none were kept.
    skin: f32,
    /// The most that two agents together can have moved since they were made, in metres.
    travelled: f32,
}

impl ListLifetime {
    /// Records how far two agents together can have gone in a tick, with all rounding.
    pub(crate) fn moved(&mut self, way: f32) {
        self.travelled += way;
    }

    /// Decides the action of this tick, for a perception radius of `radius` metres. Two agents together moved at most
    /// `way` metres in the last tick; rows will be arranged, which drops the lists, in `left` ticks.
    pub(crate) fn choose(&mut self, wanted: NeighbourLists, radius: f32, way: f32, left: f32) -> ListMode {
        if wanted != NeighbourLists::Fresh && self.skin > 0.0 && self.travelled <= self.skin {
            return ListMode::Keep(self.skin - self.travelled);
        }
        *self = Self::default();
        let ticks = lifetime(radius, 0.5 * way, left);
        let worth_it = ticks >= 2.0 || (wanted == NeighbourLists::Kept && way > 0.0);
        // At the present stride, a list of this tick serves one more tick for each stride of the skin's width.
        let skin = way * ticks * 1.01;
        if wanted == NeighbourLists::Fresh || !worth_it || skin.is_nan() || skin >= WIDEST_SKIN {
            return ListMode::Fresh;
        }
        self.skin = skin;
        ListMode::Build(skin)
    }
}

/// Returns the number of ticks that a list should last. A wider skin makes a list last longer and cost more to pass
/// through. For a stride m and a radius r the cost of a tick is least near sqrt(REBUILD r / m) ticks.
fn lifetime(radius: f32, stride: f32, left: f32) -> f32 {
    if stride <= 0.0 || radius <= 0.0 {
        return 0.0;
    }
    let best = (REBUILD * radius / stride).sqrt();
    // The lists until rows are arranged last equally long, so that none is dropped early.
    if best >= left {
        return left;
    }
    let lists = (left / best).round();
    if lists < f32::INFINITY { (left / lists).ceil() } else { best.ceil() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_until_the_skin_is_used_up() {
        let mut kept = ListLifetime::default();
        let ListMode::Build(skin) = kept.choose(NeighbourLists::Auto, 10.0, 0.2, 32.0) else {
            panic!("no list was made")
        };
        let mut ticks = 0;
        while kept.choose(NeighbourLists::Auto, 10.0, 0.2, 32.0).keeps() {
            kept.moved(0.2);
            ticks += 1;
        }
        assert_eq!(ticks, (skin / 0.2) as u32 + 1);
        assert!(ticks > 3);
    }

    #[test]
    fn a_row_order_that_lasts_for_ever_gives_a_finite_skin() {
        for left in [f32::INFINITY, f32::MAX] {
            let mode = ListLifetime::default().choose(NeighbourLists::Kept, 10.0, 0.2, left);
            assert!(matches!(mode, ListMode::Build(skin) if skin > 0.2 && skin < 10.0), "{mode:?}");
        }
    }

    #[test]
    fn no_list_is_kept_for_agents_that_leave_any_world_in_a_tick() {
        for way in [f32::INFINITY, 1e20] {
            let mode = ListLifetime::default().choose(NeighbourLists::Kept, 10.0, way, 32.0);
            assert_eq!(mode, ListMode::Fresh);
        }
    }

    #[test]
    fn no_list_is_made_without_motion_or_for_one_tick() {
        for (way, left) in [(0.0, 32.0), (15.0, 32.0), (0.2, 1.0)] {
            assert_eq!(
                ListLifetime::default().choose(NeighbourLists::Auto, 10.0, way, left),
                ListMode::Fresh,
                "{way} {left}"
            );
        }
        assert!(matches!(ListLifetime::default().choose(NeighbourLists::Kept, 10.0, 15.0, 32.0), ListMode::Build(_)));
        assert_eq!(ListLifetime::default().choose(NeighbourLists::Fresh, 10.0, 0.2, 32.0), ListMode::Fresh);
    }
}
