//! Measures of flocks and crowds.
//!
//! Functions measure the agents of a [`World`](crate::World), or a [`Sample`] of them: one species, or slices from
//! another source. Observers follow a world over time: a host calls `observe` before the first tick and after each
//! tick. Measures read a world and change nothing. Their bits do not depend on the number of threads: sums have a fixed
//! order, or are sums of integers. `docs/measures.md` has the formulas and their sources.
//!
//! | function | measures |
//! |---|---|
//! | [`polarisation`], [`milling`], [`mean_speed`], [`centre`], [`Order`] | order |
//! | [`nearest_distance`], [`density`], [`local_density`], [`overlapping`] | spacing |
//! | [`Area`] | density and speed in an area, classic and Voronoi |
//! | [`clusters`] | clusters of agents connected at a radius |
//! | [`pair_correlation`], [`velocity_correlation`], [`correlation_length`] | correlations over distance |
//!
//! | observer | measures |
//! |---|---|
//! | [`Displacement`] | the mean squared displacement |
//! | [`FlowLine`], [`ExitTimes`] | the flow through a line, the times in which agents leave |
//! | [`Overlaps`], [`Stuck`] | overlaps of bodies, stuck agents |
//! | [`Moments`] | mean, deviation, Binder cumulant and susceptibility of a series |
//! | [`Recorder`] | a series of all [`measures`] that have a name |

mod area;
mod by_agent;
mod clusters;
mod correlation;
mod displacement;
mod exit_times;
mod flow_line;
mod followers;
mod moments;
mod order;
mod overlaps;
mod recorder;
mod sample;
mod spacing;
mod stuck;
mod table;
mod voronoi;

pub use area::{Area, InArea};
pub use clusters::{Clusters, clusters};
pub use correlation::{Profile, correlation_length, pair_correlation, velocity_correlation};
pub use displacement::Displacement;
pub use exit_times::ExitTimes;
pub use flow_line::FlowLine;
pub use moments::Moments;
pub use order::{Order, centre, mean_speed, milling, polarisation};
pub use overlaps::Overlaps;
pub use recorder::{Column, Recorder, Recording};
pub use sample::{Measured, Sample};
pub use spacing::{Overlapping, density, local_density, nearest_distance, nearest_distances, overlapping};
pub use stuck::Stuck;
pub use table::{Measure, measure, measures, unknown_measure};

use crate::with_world;
use crate::world::any_world::AnyWorld;

/// Measures.
impl AnyWorld {
    /// The polarisation: see [`polarisation`].
    #[must_use]
    pub fn polarisation(&self) -> f64 {
        with_world!(self, world => polarisation(world))
    }

    /// The mean speed of all agents in metres per second: see [`mean_speed`].
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        with_world!(self, world => mean_speed(world))
    }
}
