//! Ranks: the processes that share one world.
//!
//! Every rank builds the same world, divides it with [`Ranks::divide`], and makes the same calls in the same order.
//! Each rank then advances the agents in its own range of rows. Any number of ranks gives the bits of one process.
//! [`Ranks::start_own`] starts a world on all ranks, each with only its own agents from the start.
//!
//! ```
//! use throng::behaviours::Cohesion;
//! use throng::ranks::{self, Ranks};
//! use throng::{Settings, Species, World};
//!
//! let run = |ranks: &Ranks| {
//!     let mut world = World::<2>::new(Settings::default())?;
//!     let bird = world.add_species(Species::new("bird").with(1.0, Cohesion::default()))?;
//!     for i in 0..600 {
//!         world.spawn(bird, [(i % 30) as f32, (i / 30) as f32], [1.0, 0.0])?;
//!     }
//!     ranks.divide(&mut world)?;
//!     (0..10).for_each(|_| world.step());
//!     Ok::<u64, throng::Error>(ranks.state_hash(&world))
//! };
//! let alone = run(&Ranks::default())?;
//! let threads = ranks::in_process(3).into_iter().map(|rank| std::thread::spawn(move || run(&Ranks::new(rank))));
//! for rank in threads.collect::<Vec<_>>() {
//!     assert_eq!(rank.join().unwrap()?, alone);
//! }
//! # Ok::<(), throng::Error>(())
//! ```

mod apart;
mod chunks;
mod columns;
mod division;
mod halo;
mod measure;
mod memory;
mod messages;
mod migrate;
mod part;
pub(crate) mod read_at;
mod results;
mod shared_sort;
mod shares;
mod sort;

use std::sync::Arc;

pub(crate) use crate::transport::agree;
pub use crate::transport::{InProcess, Transport, all_succeed, in_process};
pub(crate) use chunks::Chunks;
pub(crate) use part::Part;

/// The ranks of a world, on one of them: the methods of a world that several processes share. By default this process
/// is the only one.
///
/// Every rank makes the same calls in the same order. They panic if another rank cannot be reached (see [`Transport`]);
/// the world is then of no further use.
#[derive(Clone, Debug, Default)]
pub struct Ranks(Option<Arc<dyn Transport>>);

impl Ranks {
    /// The ranks of a transport.
    #[must_use]
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self(Some(Arc::new(transport)))
    }

    /// The number of this rank, from zero.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.as_ref().map_or(0, |transport| transport.rank())
    }

    /// The number of ranks, at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |transport| transport.ranks())
    }

    /// The transport, if there may be other ranks.
    #[must_use]
    pub fn transport(&self) -> Option<&Arc<dyn Transport>> {
        self.0.as_ref()
    }
}

impl From<Arc<dyn Transport>> for Ranks {
    fn from(transport: Arc<dyn Transport>) -> Self {
        Self(Some(transport))
    }
}
