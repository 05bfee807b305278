//! A run before a film, which finds where the crowd goes: the camera follows it smoothly, at one scale.

use indicatif::ProgressBar;
use throng::{AnyWorld, Edge, Vector};
use throng_draw::{Bounds, Drawable, Subject};

use super::frame_source::Ticks;
use crate::failure::Failure;
use crate::signals::Signals;

/// The boxes around a crowd at the frames of a film.
#[derive(Debug)]
pub(super) struct Survey {
    first: u64,
    every: u64,
    boxes: Vec<Bounds>,
    /// The bounds of all positions, and the axes on which the world has no edge.
    reach: Bounds,
    open: [bool; 3],
}

impl Survey {
    /// Runs a world to the last tick of a film with a frame every few ticks.
    pub(super) fn of(
        mut world: AnyWorld,
        ticks: Ticks,
        every: u64,
        signals: &Signals,
        bar: &ProgressBar,
    ) -> Result<Self, Failure> {
        let open = world.settings().edge.map(|edge| edge == Edge::Open);
        let (mut boxes, mut reach) = (Vec::new(), Bounds::EMPTY);
        let mut look = |world: &AnyWorld| {
            let subject = world.subject();
            if !subject.crowd.is_empty() {
                reach = reach.including(subject.bounds.low).including(subject.bounds.high);
            }
            if world.tick() >= ticks.first && (world.tick() - ticks.first).is_multiple_of(every) {
                boxes.push(subject.crowd);
            }
        };
        look(&world);
        while world.tick() < ticks.last {
            signals.check()?;
            world.step();
            bar.inc(1);
            look(&world);
        }
        Ok(Self { first: ticks.first, every, boxes, reach, open })
    }

    /// Widens the crowd of a subject to hold the crowd of every frame, and its open world to hold all agents.
    pub(super) fn widen(&self, subject: &mut Subject) {
        let boxes = || self.boxes.iter().filter(|bounds| !bounds.is_empty());
        let Some(first) = boxes().next() else { return };
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let extent = Vector::from_fn(|axis| boxes().map(|bounds| bounds.extent()[axis]).fold(0.0, larger));
        subject.crowd = Bounds { low: Vector::ZERO, high: extent }.around(first.middle());
        if !self.reach.is_empty() {
            subject.bounds = subject.bounds.with_axes(self.open, self.reach);
        }
    }

    /// The middles of the crowd, each the mean over the frames near it.
    pub(super) fn middles(&self, within: u64) -> Middles {
        let mut last = self.boxes.iter().find(|bounds| !bounds.is_empty()).map_or(Vector::ZERO, Bounds::middle);
        let exact: Vec<Vector<3>> = self
            .boxes
            .iter()
            .map(|bounds| {
                last = if bounds.is_empty() { last } else { bounds.middle() };
                last
            })
            .collect();
        let within = within as usize;
        let smooth = |frame: usize| {
            // The same number of frames before and after, so that the camera of a straight flight is at its middle.
            let reach = within.min(frame).min(exact.len() - 1 - frame);
            let frames = &exact[frame - reach..=frame + reach];
            frames.iter().fold(Vector::ZERO, |sum, &middle| sum + middle) * (1.0 / frames.len() as f32)
        };
        Middles { first: self.first, every: self.every, frames: (0..exact.len()).map(smooth).collect() }
    }
}

/// Where the camera of a film looks, frame by frame.
#[derive(Debug)]
pub(super) struct Middles {
    first: u64,
    every: u64,
    frames: Vec<Vector<3>>,
}

impl Middles {
    /// The point at a tick; `None` before the first frame and after the last one.
    pub(super) fn at(&self, tick: u64) -> Option<Vector<3>> {
        let frame = tick.checked_sub(self.first)? / self.every;
        self.frames.get(usize::try_from(frame).ok()?).copied()
    }
}
