//! Where the time of a run goes that its user waits for.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The seconds of the parts of a run. The rest is the start, and pauses.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) ticks: f64,
    /// The audit of walls, beside the ticks.
    pub(crate) audit: f64,
    /// The choice of the tick that is drawn, and its picture.
    pub(crate) pictures: f64,
    /// Measures, trajectories, checkpoints and all other files.
    pub(crate) output: f64,
    /// From the start to now, with the runs before a checkpoint.
    wall: f64,
    /// When `wall` was read.
    #[serde(skip)]
    read: Option<Instant>,
}

impl Clock {
    /// Counts the time since this moment too.
    pub(crate) fn continue_from(&mut self, start: Instant) {
        self.read = Some(start);
    }

    /// Reads the time until now.
    pub(crate) fn read(&mut self) {
        if let Some(read) = &mut self.read {
            let now = Instant::now();
            self.wall += now.duration_since(*read).as_secs_f64();
            *read = now;
        }
    }

    /// The time until it was last read.
    pub(crate) fn wall(&self) -> f64 {
        self.wall
    }

    /// The parts, with their names.
    pub(crate) fn parts(&self) -> [(&'static str, f64); 5] {
        let named =
            [("ticks", self.ticks), ("audit", self.audit), ("pictures", self.pictures), ("output", self.output)];
        let rest = named.iter().fold(self.wall, |rest, (_, seconds)| rest - seconds);
        let [ticks, audit, pictures, output] = named;
        [ticks, audit, pictures, output, ("rest", if rest > 0.0 { rest } else { 0.0 })]
    }

    /// The parts by their names.
    pub(crate) fn json(&self) -> Value {
        self.parts().into_iter().map(|(name, seconds)| (name.to_owned(), json!(seconds))).collect::<Map<_, _>>().into()
    }
}

/// Does some work, and adds its seconds to a part.
pub(crate) fn timed<T>(part: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *part += start.elapsed().as_secs_f64();
    done
}
