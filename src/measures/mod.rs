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
//! | [`number_fluctuations`], [`fluctuation_exponent`] | fluctuations of the number of agents in boxes |
//! | [`slabs`] | density, speed and velocity along an axis |
//! | [`pair_correlation`], [`velocity_correlation`], [`correlation_length`] | correlations over distance |
//! | [`structure_factor`] | correlations of positions over wave numbers |
//!
//! | observer | measures |
//! |---|---|
//! | [`Displacement`] | the mean squared displacement |
//! | [`VelocityAutocorrelation`] | the correlation of velocities with the first ones |
//! | [`FlowLine`], [`ExitTimes`] | the flow through a line, the times in which agents leave |
//! | [`Persons`] | when each agent came, set off and left, and the length of its way |
//! | [`Outcomes`] | numbers that a run of a crowd ends with |
//! | [`Convergence`], [`confidence`] | whether more runs are needed, and how sure a result of runs is |
//! | [`Overlaps`], [`Stuck`] | overlaps of bodies, stuck agents |
//! | [`Moments`] | mean, deviation, Binder cumulant and susceptibility of a series |
//! | [`error_of_mean`], [`relaxation`], [`disagreement`] | the error of a mean over time, the start that is cut off, and runs that differ by more |
//! | [`Patterns`] | the distributions by which runs and recorded tracks are compared |
//! | [`Series`], [`Statistic`] | the values of measures over a run, and their statistics |
//! | [`Recorder`] | a series of all [`measures`] that have a name |

mod area;
mod autocorrelation;
mod blocking;
mod bootstrap;
mod by_agent;
mod clusters;
mod convergence;
mod correlation;
mod displacement;
mod distance;
mod exit_times;
mod flow_line;
mod fluctuations;
mod followers;
mod moments;
mod order;
mod outcomes;
mod overlaps;
mod own;
mod patterns;
mod persons;
mod recorder;
mod relaxation;
mod sample;
mod series;
mod service;
mod slabs;
mod spacing;
mod structure;
mod stuck;
mod table;
mod voronoi;
mod windowed;

pub use area::{Area, InArea};
pub use autocorrelation::VelocityAutocorrelation;
pub use blocking::{ErrorOfMean, disagreement, error_of_mean};
pub use bootstrap::confidence;
pub use clusters::{Clusters, clusters};
pub use convergence::{Change, Convergence};
pub use correlation::{DistanceProfile, correlation_length, pair_correlation, velocity_correlation};
pub use displacement::Displacement;
pub use distance::{kolmogorov_smirnov, wasserstein};
pub use exit_times::ExitTimes;
pub use flow_line::FlowLine;
pub use fluctuations::{Fluctuation, fluctuation_exponent, number_fluctuations};
pub use moments::Moments;
pub use order::{Order, centre, mean_speed, milling, polarisation};
pub use outcomes::{Outcome, OutcomeKind, Outcomes, outcome_kinds, quantile};
pub use overlaps::Overlaps;
pub use patterns::{Pattern, Patterns};
pub use persons::{Person, Persons};
pub use recorder::{Column, Recorder, RecorderSettings};
pub use relaxation::relaxation;
pub use sample::{Measured, Sample};
pub use series::{MeasureOf, Series, Statistic};
pub use service::{LEVELS_OF_SERVICE, level_of_service};
pub use slabs::{Slab, slabs};
pub use spacing::{Overlapping, density, local_density, nearest_distance, nearest_distances, overlapping};
pub use structure::structure_factor;
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
