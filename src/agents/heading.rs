//! Headings: where agents look. A heading is the velocity of an agent that moves, and outlives it.

use std::ops::Range;

use crate::agents::parallel::{ChunkedAxes, for_each_chunk_of};
use crate::agents::{Agents, BodyQuantity};
use crate::base::ids::AgentId;
use crate::formulas::wander::AT_REST;
use crate::kernels::{self, CHUNK};
use crate::maths::Vector;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

impl<const D: usize> Agents<D> {
    /// The direction in which the agent at `row` looks: the direction of its velocity, and at rest (at most a
    /// thousandth of its largest speed) of its last velocity. An agent that never moved has the heading with which it
    /// was spawned, or a drawn one. A species whose headings no rule reads forgets them: the result is then zero at
    /// rest. See [`World::set_heading`](crate::World::set_heading).
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn heading(&self, row: usize) -> Vector<D> {
        assert!(row < self.len(), "row {row} of {}", self.len());
        if self.heading.is_none() && self.is_at_rest(row) {
            return Vector::ZERO;
        }
        Vector::from_fn(|axis| self.looks()[axis][row]).direction()
    }

    /// Vectors in the directions in which the agents look, of any length, one slice per axis, row by row: see
    /// [`heading`](Self::heading). They are the velocities if no rule reads headings.
    #[must_use]
    pub fn headings(&self) -> [&[f32]; D] {
        kernels::rows(self.looks(), 0..self.len())
    }

    /// Whether headings outlive velocities.
    pub(crate) fn keeps_headings(&self) -> bool {
        self.heading.is_some()
    }

    /// The columns of headings, which are the velocities if none are kept.
    pub(crate) fn looks(&self) -> &[Vec<f32>; D] {
        self.heading.as_ref().unwrap_or(&self.velocity)
    }

    /// Keeps headings from now on. Agents at rest look in a direction that `draw` returns.
    pub(crate) fn keep_headings(&mut self, draw: impl Fn(AgentId) -> Vector<D>) {
        if self.heading.is_some() {
            return;
        }
        self.heading = Some(self.velocity.clone());
        for row in 0..self.len() {
            if self.is_at_rest(row) {
                self.face(row, draw(self.id[row]));
            }
        }
    }

    /// Turns the agent at a row, if headings are kept.
    pub(crate) fn face(&mut self, row: usize, heading: Vector<D>) {
        if let Some(columns) = &mut self.heading {
            for axis in 0..D {
                columns[axis][row] = heading[axis];
            }
        }
    }

    /// Whether the agent at a row is too slow to have the heading of its velocity.
    pub(crate) fn is_at_rest(&self, row: usize) -> bool {
        let slow = AT_REST * self.max_speed(row);
        self.velocity(row).length_squared() <= slow * slow
    }

    /// Gives the agent at a row the heading of its velocity, unless it is at rest.
    pub(crate) fn follow_velocity(&mut self, row: usize) {
        if self.heading.is_some() && !self.is_at_rest(row) {
            self.face(row, self.velocity(row));
        }
    }

    /// Gives the agents of these chunks the headings of their velocities, except those at rest.
    pub(crate) fn follow_velocities(&mut self, chunks: Range<usize>) {
        let (agents, Self { heading, velocity, body, .. }) = (self.id.len(), self);
        let Some(heading) = heading else { return };
        for_each_chunk_of(chunks, GRAIN, ChunkedAxes::<D, CHUNK>::new(heading), &|chunk, heading| {
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents);
            let velocity = kernels::rows(velocity, rows.clone());
            let limit = |lane: usize| match &body.max_speed {
                BodyQuantity::Same(speed) => AT_REST * speed,
                BodyQuantity::Each(speeds) => AT_REST * speeds[rows.start + lane],
            };
            for lane in 0..rows.len() {
                let moving = Vector::<D>::from_fn(|axis| velocity[axis][lane]);
                let (squared, slow) = (moving.length_squared(), limit(lane));
                for axis in 0..D {
                    let before = heading.0[axis][lane];
                    heading.0[axis][lane] = if squared > slow * slow { moving[axis] } else { before };
                }
            }
        });
    }
}
