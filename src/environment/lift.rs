//! Lifts: cars that carry agents between the landings of a building.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::LiftId;
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::collection::{Collection, Data, Item};
use crate::environment::region::{Region, Shape};
use crate::environment::zone::WALKING;

definition! {
    /// A lift: a car that carries agents between its landings, which are regions of the same extent. A region before
    /// each door is where agents wait.
    ///
    /// An agent that walks towards the car in the region before a door calls the lift and stands there until its turn.
    /// When the car comes, first the passengers leave whose ways lead out there; then agents enter in the order in which
    /// they came, up to the capacity. Passengers stand while the doors are not open. At its next stop the car and its
    /// passengers are in the region of that landing.
    ///
    /// The car continues in its direction while there are calls or stops ahead, and stops for both. The stops are the
    /// landings to which the ways of the passengers lead; a passenger without a [`Navigation`](crate::Navigation) may
    /// leave at each. Ways of navigations lead through lifts: a ride counts as the metres that a person of 1.34 m/s walks
    /// in its time. The quickest ways add the time for which one waits.
    ///
    /// Nothing but walls keeps agents from the other sides of a landing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Lift {
        /// Name of the lift, which no other lift has.
        pub name: String, "", Kind::Name;
        /// Regions of the car at each landing, from the lowest on.
        pub landings: Vec<String>, "", Kind::References("region");
        /// Regions before the doors, one for each landing.
        pub doors: Vec<String>, "", Kind::References("region");
        /// Heights of the landings, which ascend.
        pub heights: Vec<f32>, "m", Kind::Numbers(Range::COORDINATE);
        /// Largest number of passengers.
        pub capacity: u64 = (8) or "8", "", Kind::Whole(1, 10_000);
        /// Largest speed of the car.
        pub speed: f32 = 1.0, "m/s", Kind::Number(Range::from(0.01, 100.0));
        /// Acceleration of the car.
        pub acceleration: f32 = 1.0, "m/s²", Kind::Number(Range::from(0.01, 100.0));
        /// Time in which its doors open, and in which they close.
        pub door_seconds: f32 = 2.0, "s", Kind::Number(Range::from(0.0, 1000.0));
        /// Least time for which its doors are open.
        pub open_seconds: f32 = 4.0, "s", Kind::Number(Range::from(0.0, 1000.0));
        /// Time for which the quickest ways expect to wait for it.
        pub wait: Option<f32> = None or "half of a run from the lowest landing to the highest and back",
            "s", Kind::Number(Range::from(0.0, 1e6));
        /// Whether it fetches the agents of the highest call first, and stops on its way only for passengers.
        pub evacuates: bool = false, "", Kind::Flag;
    }
}

/// The longest time for which doors stay open for agents that leave or enter, beyond the least; and the least time after
/// one has entered, in seconds.
const PATIENCE: f32 = 15.0;
const AFTER: f32 = 2.0;

/// The part of a ride in which a car is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It stands with closed doors.
    #[default]
    Standing,
    Opening,
    Open,
    Closing,
    Moving,
}

/// The car of a lift.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Car {
    pub(crate) phase: Phase,
    /// The landing where it is, or which it left last; and the one to which it moves.
    pub(crate) landing: u32,
    pub(crate) target: u32,
    /// Whether it goes up.
    pub(crate) rises: bool,
    /// The seconds that are left of the phase. Open doors may have less than none.
    pub(crate) left: f32,
    /// The agents that wait, with their landings, in the order in which they came.
    pub(crate) waiting: Vec<(AgentId, u32)>,
    /// The waiting agents that may enter.
    pub(crate) admitted: Vec<AgentId>,
    /// The passengers that leave here.
    pub(crate) leaving: Vec<AgentId>,
    /// The number of passengers in the last tick, and the seconds since it grew.
    pub(crate) passengers: u32,
    pub(crate) idle: f32,
}

/// The landings that agents wait at, and that passengers want to leave at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    pub(crate) calls: Vec<bool>,
    pub(crate) stops: Vec<bool>,
    pub(crate) passengers: usize,
}

impl Lift {
    /// A lift between landings at these heights in metres, each with the regions of its car and before its door.
    #[must_use]
    pub fn new(name: impl Into<String>, landings: &[(&str, &str, f32)]) -> Self {
        Self {
            name: name.into(),
            landings: landings.iter().map(|(car, ..)| (*car).to_owned()).collect(),
            doors: landings.iter().map(|(_, door, _)| (*door).to_owned()).collect(),
            heights: landings.iter().map(|(.., height)| *height).collect(),
            ..Self::blank()
        }
    }

    /// The time of a run between two landings, without doors, in seconds: the car speeds up, moves on at its speed, and
    /// slows down.
    #[must_use]
    pub fn run_seconds(&self, from: usize, to: usize) -> f32 {
        let height = |landing: usize| self.heights.get(landing).copied().unwrap_or(0.0);
        let way = (height(to) - height(from)).abs();
        let Self { speed, acceleration, .. } = *self;
        if way * acceleration < speed * speed {
            2.0 * (way / acceleration).sqrt()
        } else {
            way / speed + speed / acceleration
        }
    }

    /// The time of a ride between two landings: the doors close, the car runs, and the doors open.
    pub(crate) fn ride_seconds(&self, from: usize, to: usize) -> f32 {
        self.run_seconds(from, to) + 2.0 * self.door_seconds
    }

    /// The time for which agents expect to wait.
    pub(crate) fn wait_seconds(&self) -> f32 {
        self.wait.unwrap_or_else(|| self.ride_seconds(0, self.heights.len().saturating_sub(1)) + self.open_seconds)
    }

    /// The metres that a person walks in the time of a ride.
    pub(crate) fn ride_metres(&self, from: usize, to: usize) -> f32 {
        self.ride_seconds(from, to) * WALKING
    }

    /// The shapes of the regions of the car and before the door at each landing; `None` if one is missing.
    pub(crate) fn shapes<const D: usize>(&self, regions: &Collection<Region<D>>) -> Option<Vec<[Shape<D>; 2]>> {
        let shape = |name: &String| regions.named(name).map(|region| region.shape);
        let places = self.landings.iter().zip(&self.doors);
        places.map(|(car, door)| Some([shape(car)?, shape(door)?])).collect()
    }

    /// The next landing to which the car moves. The one where it is comes last: its doors have just closed there, or it is
    /// the only one.
    fn next(&self, car: &Car, wanted: &Requests) -> Option<usize> {
        let (here, count) = (car.landing as usize, self.heights.len());
        let others = || (0..count).filter(|&landing| landing != here);
        let stops = |landing: &usize| wanted.stops[*landing];
        let calls = |landing: &usize| wanted.calls[*landing];
        let other = if self.evacuates && wanted.passengers > 0 {
            others().filter(stops).min_by_key(|landing| landing.abs_diff(here))
        } else if self.evacuates {
            others().rev().find(calls)
        } else {
            let has_room = (wanted.passengers as u64) < self.capacity;
            let is_wanted = |landing: &usize| stops(landing) || has_room && calls(landing);
            let above = others().find(|landing| *landing > here && is_wanted(landing));
            let below = others().rev().find(|landing| *landing < here && is_wanted(landing));
            if car.rises { above.or(below) } else { below.or(above) }
        };
        other.or_else(|| (stops(&here) || wanted.passengers == 0 && calls(&here)).then_some(here))
    }
}

impl Car {
    /// Whether agents can leave and enter at a landing.
    pub(crate) fn is_open_at(&self, landing: usize) -> bool {
        self.phase == Phase::Open && self.landing as usize == landing
    }

    /// Whether an agent waits.
    pub(crate) fn waits(&self, agent: AgentId) -> bool {
        self.waiting.iter().any(|(id, _)| *id == agent)
    }

    /// Ends a tick of this length. Returns the landing at which it arrives, if it does.
    pub(crate) fn advance(&mut self, lift: &Lift, wanted: &Requests, seconds: f32) -> Option<usize> {
        self.left -= seconds;
        if self.phase == Phase::Standing {
            let next = lift.next(self, wanted)?;
            self.target = next as u32;
            self.rises = if next == self.landing as usize { self.rises } else { next > self.landing as usize };
            let run = lift.run_seconds(self.landing as usize, next);
            (self.phase, self.left) =
                if run > 0.0 { (Phase::Moving, run) } else { (Phase::Opening, lift.door_seconds) };
            return None;
        }
        let passengers = wanted.passengers as u32;
        self.idle = if passengers > self.passengers { 0.0 } else { self.idle + seconds };
        self.passengers = passengers;
        let is_full = passengers as u64 >= lift.capacity && self.leaving.is_empty();
        let is_used = !self.leaving.is_empty() || !self.admitted.is_empty() || self.idle < AFTER;
        let ends = match self.phase {
            Phase::Open => is_full || self.left <= if is_used { -PATIENCE } else { 0.0 },
            _ => self.left <= 0.0,
        };
        if !ends {
            return None;
        }
        match self.phase {
            Phase::Standing | Phase::Closing => self.phase = Phase::Standing,
            Phase::Opening => (self.phase, self.left) = (Phase::Open, lift.open_seconds),
            Phase::Open => {
                (self.phase, self.left) = (Phase::Closing, lift.door_seconds);
                let left = std::mem::take(&mut self.admitted);
                self.waiting.retain(|(id, _)| !left.contains(id));
                self.leaving.clear();
            }
            Phase::Moving => {
                (self.phase, self.left, self.landing) = (Phase::Opening, lift.door_seconds, self.target);
                return Some(self.target as usize);
            }
        }
        None
    }

    /// Whether this car fits a lift of this number of landings: data may come from a file.
    pub(crate) fn fits(&self, landings: usize) -> bool {
        [self.landing, self.target].iter().all(|&landing| landing < landings as u32)
            && self.waiting.iter().all(|(_, landing)| *landing < landings as u32)
            && self.left.is_finite()
            && self.idle.is_finite()
    }
}

impl Item for Lift {
    type Id = LiftId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl Data for Lift {
    type Record = Car;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()?;
        let count = self.heights.len();
        let number = Allowed::Kind { kind: Kind::Whole(2, LIMIT as u64), unit: "" };
        if count < 2 {
            return Err(Error::bad("heights of a lift", count, number));
        }
        let same = Allowed::Kind { kind: Kind::Whole(count as u64, count as u64), unit: "" };
        for (what, names) in [("landings of a lift", &self.landings), ("doors of a lift", &self.doors)] {
            if names.len() != count {
                return Err(Error::bad(what, names.len(), same));
            }
        }
        match self.heights.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => {
                let above = Range::above(pair[0].into(), Range::COORDINATE.high);
                Err(Error::bad("heights", pair[1], Allowed::number(above, "m")))
            }
            None => Ok(()),
        }
    }

    fn replaces(&self, _old: &Self, car: &mut Car) {
        if !car.fits(self.heights.len()) {
            *car = Car::default();
        }
    }
}
