//! Links: ways on which no agent walks, such as a jump, a drop, a ladder or a door that takes time.

use smallvec::SmallVec;

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::LinkId;
use crate::base::ids::AgentId;
use crate::base::settings::{LIMIT, Settings};
use crate::base::values::{Kind, Range};
use crate::environment::collection::{Collection, Data, Item};
use crate::environment::region::{Region, Shape};
use crate::environment::zone::WALKING;
use crate::maths::Vector;

definition! {
    /// A link: a jump, a drop, a ladder or a door that takes time. It leads agents from one region to another in a given
    /// time, straight and through walls: the off-mesh link of navigation meshes.
    ///
    /// An agent takes it if it comes into the region while its way leads over the link: the ways of navigations and of goals
    /// that the host set do, where this is shorter. Agents stand in the region until it is their turn, in the order in which
    /// they came: while fewer than `capacity` cross, and where the other region has room for their bodies. On its way
    /// an agent follows no rule, and walls do not stop it. At the other end its rules lead it on.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Link<D> {
        /// Name of the link, which no other link has.
        pub name: String, "", Kind::Name;
        /// Region in which agents take it.
        pub start: String, "", Kind::Reference("region");
        /// Region to which it leads: where there is room, as far from its middle as from the middle of the other.
        pub end: String, "", Kind::Reference("region");
        /// Time that it takes: two ticks at least.
        pub seconds: f32, "s", Kind::Number(Range::from(0.0, 1e6));
        /// Whether it leads back, too.
        pub both_ways: bool = false, "", Kind::Flag;
        /// Largest number of agents on it.
        pub capacity: u64 = (1) or "1", "", Kind::Whole(1, 10_000);
        /// Length as which ways count it, 0.1 m at least.
        pub cost: Option<f32> = None or "the metres that a person of 1.34 m/s walks in its time",
            "m", Kind::Number(Range::from(0.0, 1e6));
        /// Offset between the coordinates of two parts of the world, which an agent changes on the middle of its way.
        pub shift: Vector<D> = (Vector::ZERO) or "in a building or on a mesh from one storey or sheet to the other",
            "m", Kind::Point(Range::COORDINATE);
    }
}

/// The least metres that a link counts for.
const LEAST_METRES: f32 = 0.1;

/// An agent on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing<const D: usize> {
    pub(crate) agent: AgentId,
    /// Where it began and where it ends, in metres.
    pub(crate) ends: [Vector<D>; 2],
    /// The offset to the part of the world where it ends.
    pub(crate) shift: Vector<D>,
    /// The seconds that it takes, and the seconds that are left.
    pub(crate) seconds: f64,
    pub(crate) left: f64,
}

/// The agents on a link and before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Crossings<const D: usize> {
    pub(crate) under_way: Vec<Crossing<D>>,
    /// In the order in which they came.
    pub(crate) waiting: Vec<AgentId>,
}

impl<const D: usize> Link<D> {
    /// A link from one region to another, which takes this number of seconds.
    #[must_use]
    pub fn new(name: impl Into<String>, start: impl Into<String>, end: impl Into<String>, seconds: f32) -> Self {
        Self { name: name.into(), start: start.into(), end: end.into(), seconds, ..Self::blank() }
    }

    /// The metres that it counts for: some at least, since no way may lead back and forth over it.
    pub(crate) fn metres(&self) -> f32 {
        let metres = self.cost.unwrap_or(self.seconds * WALKING);
        if metres > LEAST_METRES { metres } else { LEAST_METRES }
    }

    /// The shapes of its two regions; `None` if one is missing.
    pub(crate) fn shapes(&self, regions: &Collection<Region<D>>) -> Option<[Shape<D>; 2]> {
        Some([regions.named(&self.start)?.shape, regions.named(&self.end)?.shape])
    }

    /// The places where an agent at an offset from the middle of one region may come to in the other, the best first.
    pub(crate) fn places(to: &Shape<D>, offset: Vector<D>, radius: f32) -> SmallVec<[Vector<D>; 10]> {
        let (centre, half) = (to.bounds().0, within(to) - Vector::splat(radius));
        let half: Vector<D> = Vector::from_fn(|axis| if half[axis] > 0.0 { half[axis] } else { 0.0 });
        let best: Vector<D> = Vector::from_fn(|axis| offset[axis].clamp(-half[axis], half[axis]));
        let lattice = (0..9).map(|number| {
            let steps = [number % 3, number / 3].map(|step| (step as f32 + 1.0) % 3.0 - 1.0);
            Vector::from_fn(|axis| steps.get(axis).map_or(best[axis], |step| step * half[axis]))
        });
        [best].into_iter().chain(lattice).map(|offset| centre + offset).collect()
    }
}

/// Half of the extent of a box in a region.
pub(crate) fn within<const D: usize>(shape: &Shape<D>) -> Vector<D> {
    let half = shape.bounds().1;
    match shape {
        Shape::Ball { .. } => half * std::f32::consts::FRAC_1_SQRT_2,
        Shape::Box { .. } => half,
    }
}

impl<const D: usize> Crossing<D> {
    /// The way from one end to the other in the plane of both.
    fn way(&self, settings: &Settings<D>) -> Vector<D> {
        settings.offset(self.ends[0], self.ends[1] - self.shift)
    }

    /// The velocity of the agent.
    pub(crate) fn velocity(&self, settings: &Settings<D>) -> Vector<D> {
        (self.way(settings) / self.seconds as f32).truncate(LIMIT)
    }

    /// Advances it by a tick. Returns where the agent is, and whether it just changed to the other part of the world.
    pub(crate) fn step(&mut self, settings: &Settings<D>) -> (Vector<D>, bool) {
        let tick = f64::from(settings.tick_seconds);
        let (was_beyond, left) = (2.0 * self.left <= self.seconds, self.left - tick);
        // A thousandth of a tick is rounding.
        self.left = if left > 1e-3 * tick { left } else { 0.0 };
        let is_beyond = 2.0 * self.left <= self.seconds;
        let shift = if is_beyond { self.shift } else { Vector::ZERO };
        let share = (1.0 - self.left / self.seconds) as f32;
        let at = if self.left > 0.0 { self.ends[0] + self.way(settings) * share + shift } else { self.ends[1] };
        (at, self.shift != Vector::ZERO && is_beyond && !was_beyond)
    }
}

impl<const D: usize> Item for Link<D> {
    type Id = LinkId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Link<D> {
    type Record = Crossings<D>;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()
    }
}
