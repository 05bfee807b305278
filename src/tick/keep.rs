//! Keep: do the order of rows and the candidate lists of an earlier tick still hold?
//!
//! A list holds everybody within the radius and a skin around it. Until two agents together have moved as far as the
//! skin is wide, nobody can have come within the radius who is not on the list; the pair kernel looks at distances
//! anyway, so that a kept list and a fresh one give the same bits. What is decided here follows from state and
//! settings alone.

use crate::settings::Candidates;

/// What a tick does about candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    /// Finds them, and forgets them.
    Fresh,
    /// Finds those within the radius and a skin of so many metres, and keeps them.
    Build(f32),
    /// Takes those that were kept.
    Keep,
}

/// Ticks from one arrangement of rows to the next, at most.
pub(crate) const LONGEST: u32 = 32;

/// Rows are arranged again when the ticks since the last time, times the distance that agents went, are this many
/// radii: what a spread cluster costs grows with the distance, and what arranging costs is shared by the ticks.
const WORN: f32 = 15.0;

/// The rebuilding of a list costs as much as this part of looking through it: measured, in two dimensions.
const REBUILD: f32 = 0.35;

/// How old the order of rows is, whether lists were kept, and how long they will hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keep {
    /// The ticks since rows were arranged; none if they never were.
    age: Option<u32>,
    /// How far the fastest agents went since rows were arranged, in metres. This decides what order sums have: no more
    /// goes into it than what agents do, the same with lists that are kept and without.
    strayed: f32,
    /// The farthest that the host moved an agent since the last tick, in metres.
    carried: f32,
    /// The skin of the lists that were kept; none were where it is zero.
    skin: f32,
    /// The most that any agent can have moved since they were made, in metres.
    travelled: f32,
    /// The most that any agent moved in the last tick.
    stride: f32,
    /// Whether a list was longer than the cap allows, so that lists are not kept before rows are arranged again.
    crowded: bool,
}

impl Keep {
    /// Drops the lists: rows moved, or an agent came, went or was put elsewhere.
    pub(crate) fn drop_lists(&mut self) {
        self.skin = 0.0;
    }

    /// Whether rows are to be arranged again, for a largest perception radius of `radius` metres.
    pub(crate) fn is_worn(&self, radius: f32) -> bool {
        let worn = |age| age >= LONGEST || (radius > 0.0 && age as f32 * self.strayed > WORN * radius);
        self.age.is_none_or(worn)
    }

    /// Notes that rows were arranged.
    pub(crate) fn arranged(&mut self) {
        (self.age, self.strayed) = (Some(0), 0.0);
        self.skin = 0.0;
        self.crowded = false;
    }

    /// Notes that a list was too long to be kept.
    pub(crate) fn crowded(&mut self) {
        self.skin = 0.0;
        self.crowded = true;
    }

    /// Notes how far the fastest agents went in a tick, and how far, with all rounding, any can have gone at most.
    pub(crate) fn moved(&mut self, way: f32, stride: f32) {
        self.stride = stride;
        self.travelled += stride;
        self.strayed += if way > self.carried { way } else { self.carried };
        self.carried = 0.0;
        self.age = self.age.map(|age| age + 1);
    }

    /// Notes that the host moved an agent so far, as agents go and not from one end of the world to the other.
    pub(crate) fn carried(&mut self, way: f32) {
        if way > self.carried {
            self.carried = way;
        }
    }

    /// What decides when rows are arranged the next time, in bits.
    pub(crate) fn wear(&self) -> [u32; 3] {
        [self.age.unwrap_or(u32::MAX), self.strayed.to_bits(), self.carried.to_bits()]
    }

    /// How far agents can have moved since the lists were made.
    pub(crate) fn travelled(&self) -> f32 {
        self.travelled
    }

    /// Decides what this tick does, for a largest perception radius of `radius` metres.
    pub(crate) fn choose(&mut self, wanted: Candidates, radius: f32) -> Mode {
        if wanted != Candidates::Fresh && self.skin > 0.0 && 2.0 * self.travelled <= self.skin {
            return Mode::Keep;
        }
        self.skin = 0.0;
        self.travelled = 0.0;
        let ticks = self.lifetime(radius);
        let worth_it = ticks >= 2.0 || (wanted == Candidates::Kept && self.stride > 0.0);
        if wanted == Candidates::Fresh || self.crowded || !worth_it {
            return Mode::Fresh;
        }
        // A list of this tick serves as many more as the skin is wide, strides being what they were.
        self.skin = 2.0 * self.stride * ticks * 1.01;
        Mode::Build(self.skin)
    }

    /// The number of ticks that a list should last: a wider skin makes it last longer, and longer to look through. For
    /// a stride m and a radius r the cost of a tick has its minimum near sqrt(REBUILD r / m) ticks.
    fn lifetime(&self, radius: f32) -> f32 {
        if self.stride <= 0.0 || radius <= 0.0 {
            return 0.0;
        }
        let best = (REBUILD * radius / self.stride).sqrt();
        // Rows will be arranged again, which drops the lists: the last list before that is not to be wasted.
        let interval = (WORN * radius / self.stride).sqrt().ceil();
        let interval = if interval < LONGEST as f32 { interval } else { LONGEST as f32 };
        let left = interval - self.age.unwrap_or(0) as f32;
        let left = if left > 1.0 { left } else { 1.0 };
        if best >= left {
            return left;
        }
        (left / (left / best).round()).ceil()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many ticks an order of rows lasts at a stride, of which `rounding` is none of the agents' doing.
    fn lasts(way: f32, rounding: f32, radius: f32) -> u32 {
        let mut keep = Keep::default();
        assert!(keep.is_worn(radius), "rows that never were arranged");
        keep.arranged();
        while !keep.is_worn(radius) {
            keep.moved(way, way + rounding);
        }
        keep.age.unwrap()
    }

    #[test]
    fn an_order_wears_with_ticks_and_distance() {
        assert_eq!([0.0, 0.01, 0.1, 0.3, 20.0].map(|way| lasts(way, 0.0, 1.0)), [32, 32, 13, 8, 1]);
        assert_eq!(lasts(20.0, 0.0, 0.0), 32, "nobody looks for anybody");
    }

    /// Indices are not made in the same ticks with and without lists, and rounding is told by them.
    #[test]
    fn rounding_does_not_wear_it() {
        assert_eq!(lasts(0.1, 0.5, 1.0), lasts(0.1, 0.0, 1.0));
    }

    #[test]
    fn what_the_host_moves_wears_it_too() {
        let mut keep = Keep::default();
        keep.arranged();
        for _ in 0..13 {
            keep.carried(0.1);
            keep.carried(0.05);
            keep.moved(0.0, 0.0);
        }
        assert!(keep.is_worn(1.0));
    }
}
