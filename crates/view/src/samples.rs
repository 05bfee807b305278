//! Samples of a run for the charts of a page: those from its start, for a page that is opened or loaded again later.

use serde_json::{Map, Value as Json, json};

/// The most samples, as on the page.
const MOST: usize = 1200;

/// The numbers that charts show.
const SHOWN: [&str; 6] = ["tick", "polarisation", "mean_speed", "mean_neighbours", "stages", "story"];

/// Samples by ascending ticks, evenly spread over the run.
#[derive(Debug, Default)]
pub struct Samples {
    samples: Vec<(u64, Json)>,
    /// The least number of ticks between two samples; the last one may be nearer.
    spacing: u64,
}

impl Samples {
    /// Adds the numbers of a tick. After a return to an earlier tick, later samples are dropped.
    pub fn add(&mut self, tick: u64, numbers: &Json) {
        let earlier = self.samples.partition_point(|(other, _)| *other < tick);
        let returned = earlier < self.samples.len();
        self.samples.truncate(earlier);
        if let [.., before, last] = &self.samples[..]
            && last.0 - before.0 < self.spacing
        {
            self.samples.pop();
        }
        let shown = SHOWN.iter().filter_map(|name| Some(((*name).to_owned(), numbers.get(name)?.clone())));
        self.samples.push((tick, Json::Object(shown.collect::<Map<_, _>>())));
        let full = self.samples.len() > MOST;
        if full {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
        if full || returned {
            self.spacing = 2 * (tick - self.samples[0].0) / MOST as u64;
        }
    }

    /// The message to a page.
    #[must_use]
    pub fn message(&self) -> String {
        json!({ "samples": self.samples.iter().map(|(_, sample)| sample).collect::<Vec<_>>() }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_reach_back_to_the_start_and_stay_few() {
        let ticks = |samples: &Samples| samples.samples.iter().map(|(tick, _)| *tick).collect::<Vec<_>>();
        let mut samples = Samples::default();
        for tick in 0..10_000 {
            samples.add(tick, &json!({ "tick": tick, "story": {}, "scenery": { "walls": [] } }));
            assert!(samples.samples.len() <= MOST);
        }
        let all = ticks(&samples);
        assert_eq!((all[0], all[all.len() - 1]), (0, 9_999));
        assert!(all.len() >= MOST / 2 && all.is_sorted());
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] <= 16), "evenly spread");
        assert_eq!(samples.samples[0].1, json!({ "tick": 0, "story": {} }));

        for tick in [4_000, 4_001, 4_007] {
            samples.add(tick, &json!({ "tick": tick }));
            assert_eq!(samples.samples.last().unwrap().1, json!({ "tick": tick }), "the present is always shown");
        }
        let all = ticks(&samples);
        assert!(all.is_sorted() && all[0] == 0 && all.windows(2).all(|pair| pair[1] - pair[0] <= 16), "{all:?}");
    }
}
