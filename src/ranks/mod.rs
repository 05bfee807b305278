//! Ranks: the processes that share one world, and the transport of bytes among them.
//!
//! Every rank builds the same world, hands it a [`Transport`] with [`World::divide`](crate::World::divide), and makes
//! the same calls in the same order. Each rank then advances the agents in its own range of rows. The bits are those of
//! one process, for any number of ranks. [`World::start_own`](crate::World::start_own) starts a
//! world on all ranks, of which each has its own agents alone from the start.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throng::behaviours::Cohesion;
//! use throng::{Settings, Species, World, ranks};
//!
//! let run = |transport: Option<ranks::InProcess>| {
//!     let mut world = World::<2>::new(Settings::default())?;
//!     let bird = world.add_species(Species::new("bird").with(1.0, Cohesion::default()))?;
//!     for i in 0..600 {
//!         world.spawn(bird, [(i % 30) as f32, (i / 30) as f32], [1.0, 0.0])?;
//!     }
//!     if let Some(transport) = transport {
//!         world.divide(Arc::new(transport))?;
//!     }
//!     (0..10).for_each(|_| world.step());
//!     world.gather();
//!     Ok::<u64, throng::Error>(world.state_hash())
//! };
//! let ranks = ranks::in_process(3).into_iter().map(|rank| std::thread::spawn(move || run(Some(rank))));
//! for rank in ranks.collect::<Vec<_>>() {
//!     assert_eq!(rank.join().unwrap()?, run(None)?);
//! }
//! # Ok::<(), throng::Error>(())
//! ```

mod in_process;
pub(crate) mod numbers;
mod transport;

pub use in_process::{InProcess, in_process};
pub use transport::Transport;

use std::fmt::Display;

use crate::base::error::Error;

/// Returns the result if all ranks have one and the same text describes theirs, or else this rank's error, or the text of
/// another rank as [`Error::RankDiffers`]. Every rank makes this call: no rank goes on alone with what another could not
/// build or read.
///
/// # Errors
///
/// The error of the result, or [`Error::RankDiffers`].
///
/// # Panics
///
/// If another rank cannot be reached: see [`Transport`].
pub fn all_succeed<T, E: Display + From<Error>>(
    transport: &dyn Transport,
    result: Result<T, E>,
    text: impl FnOnce(&T) -> String,
) -> Result<T, E> {
    let text = result.as_ref().map_or_else(|error| format!("an error: {error}"), text);
    let agreed = agree(transport, &text);
    let result = result?;
    agreed?;
    Ok(result)
}

/// Compares what the ranks have.
///
/// # Errors
///
/// [`Error::RankDiffers`] on all ranks, unless all have the same.
pub(crate) fn agree(transport: &dyn Transport, own: &str) -> Result<(), Error> {
    let mut all = Vec::new();
    transport.gather(own.as_bytes(), &mut all);
    let Some(rank) = all.iter().position(|other| *other != all[0]) else { return Ok(()) };
    let text = |rank: usize| String::from_utf8_lossy(&all[rank]).into_owned();
    Err(Error::RankDiffers { rank, has: text(rank), first: text(0) })
}
