//! krABMaga's model `flockers` with the start and the step length of the flock.

use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use throng_bench::flock::{MAX_SPEED, RADIUS, TICK_SECONDS};
use throng_bench::{Counts, Design, Flock};

use crate::model::{Bird, Flockers};

pub(crate) const NAME: &str = if cfg!(feature = "parallel") { "krabmaga_parallel" } else { "krabmaga" };
pub(crate) const NOTES: &str = "krABMaga 0.6.2, model flockers: neighbours are all in 3 x 3 cells of 6.67 m, without a \
    test of distance, and not across the seam; separation falls off as 1 / (d^4 + 1); a random turn in every tick";

/// The model and its schedule.
pub(crate) struct Peer {
    flockers: Flockers,
    schedule: Schedule,
    counts: Counts,
}

impl Peer {
    /// The flock, before its first tick.
    pub(crate) fn new<const D: usize>(flock: &Flock<D>, threads: usize) -> Self {
        let birds = flock.position.iter().zip(&flock.velocity).zip(0..).map(|((position, velocity), id)| Bird {
            id,
            pos: Real2D { x: position[0], y: position[1] },
            last_d: Real2D { x: velocity[0] * TICK_SECONDS, y: velocity[1] * TICK_SECONDS },
        });
        let mut flockers = Flockers::new(birds.collect(), flock.size, RADIUS, MAX_SPEED * TICK_SECONDS);
        flockers.counts = Some(Default::default());
        #[cfg(feature = "parallel")]
        let mut schedule = Schedule::with_threads(threads);
        #[cfg(not(feature = "parallel"))]
        let mut schedule = {
            let _one = threads;
            Schedule::new()
        };
        flockers.init(&mut schedule);
        Self { flockers, schedule, counts: Counts::default() }
    }
}

impl Design for Peer {
    fn tick(&mut self) {
        self.schedule.step(&mut self.flockers);
        if let Some(counts) = &mut self.flockers.counts {
            let [candidates, neighbours] = counts.each_mut().map(|counter| std::mem::take(counter.get_mut()));
            self.counts = Counts { candidates, neighbours, capped: 0 };
        }
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    fn hash(&self) -> u64 {
        0
    }
}
