//! Work and span of a stage or of a tick, and the time with more threads.

use serde_json::{Map, Value, json};
use throng::strand::{Part, Strand};

/// The numbers of threads of the bounds.
const THREADS: [usize; 4] = [4, 16, 64, 256];

/// Times of a stage or of a tick, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Times {
    pub(crate) work: f64,
    pub(crate) span: f64,
    /// The least times on [`THREADS`].
    on: [f64; 4],
    /// The serial part of the span, and the divisions themselves; the rest is the longest pieces.
    pub(crate) serial: f64,
    pub(crate) division: f64,
    /// The parts, those within pieces included, and their pieces.
    pub(crate) parts: f64,
    pub(crate) pieces: f64,
}

impl Times {
    pub(crate) fn of(strand: &Strand) -> Self {
        let mut times = Self {
            work: strand.work(),
            span: strand.span(),
            on: THREADS.map(|threads| strand.on(threads)),
            serial: strand.serial,
            ..Self::default()
        };
        for part in &strand.parts {
            times.follow(part);
        }
        let (parts, pieces) = numbers(strand);
        (times.parts, times.pieces) = (parts as f64, pieces as f64);
        let Self { work, span, on: [a, b, c, d], serial, division, .. } = &mut times;
        [work, span, a, b, c, d, serial, division].into_iter().for_each(|seconds| *seconds *= 1e3);
        times
    }

    /// Follows the longest pieces of a part, and adds their serial parts and the divisions.
    fn follow(&mut self, part: &Part) {
        self.division += part.span_of_division();
        let longest = part.strands.iter().max_by(|one, other| one.span().total_cmp(&other.span()));
        if let Some(longest) = longest.filter(|longest| !longest.parts.is_empty()) {
            self.serial += longest.serial;
            longest.parts.iter().for_each(|part| self.follow(part));
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (sum, other) in self.all().into_iter().zip(other.clone().all()) {
            *sum += *other;
        }
    }

    pub(crate) fn per(mut self, ticks: u64) -> Self {
        self.all().into_iter().for_each(|sum| *sum /= ticks as f64);
        self
    }

    fn all(&mut self) -> [&mut f64; 10] {
        let Self { work, span, on: [a, b, c, d], serial, division, parts, pieces } = self;
        [work, span, a, b, c, d, serial, division, parts, pieces]
    }

    pub(crate) fn parallelism(self) -> f64 {
        self.work / self.span
    }

    pub(crate) fn bounds(self) -> [f64; 4] {
        self.on.map(|on| self.work / on)
    }

    pub(crate) fn json(self) -> Value {
        let bounds: Map<String, Value> =
            THREADS.iter().zip(self.bounds()).map(|(n, bound)| (n.to_string(), json!(bound))).collect();
        json!({
            "work_milliseconds": self.work,
            "span_milliseconds": self.span,
            "parallelism": self.parallelism(),
            "most_speed_up": bounds,
            "span_of_serial_milliseconds": self.serial,
            "span_of_divisions_milliseconds": self.division,
            "divisions": self.parts,
            "pieces": self.pieces,
        })
    }
}

/// The numbers of parts of a strand and of their pieces, those within pieces included.
fn numbers(strand: &Strand) -> (usize, usize) {
    strand.parts.iter().fold((0, 0), |(parts, pieces), part| {
        let within =
            part.strands.iter().map(numbers).fold((1, part.strands.len()), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        (parts + within.0, pieces + within.1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stage with a serial second and 64 pieces of a second.
    fn stage() -> Strand {
        let piece = Strand { serial: 1.0, parts: Vec::new() };
        Strand { serial: 1.0, parts: vec![Part { strands: vec![piece; 64], division: 0.0 }] }
    }

    #[test]
    fn bounds_follow_from_serial_work_and_the_longest_piece() {
        let times = Times::of(&stage());
        assert_eq!((times.work, times.span, times.parallelism()), (65e3, 2e3, 32.5));
        assert_eq!(times.bounds(), [65.0 / 17.0, 65.0 / 5.0, 32.5, 32.5]);
        let mut two = times;
        two.add(times);
        assert_eq!(two.per(2), times);
    }

    #[test]
    fn the_span_consists_of_serial_work_divisions_and_the_longest_pieces() {
        // Two species at the same time; one divides its work again.
        let piece = |serial| Strand { serial, parts: Vec::new() };
        let inner = Part { strands: vec![piece(4.0), piece(5.0)], division: 0.5 };
        let longer = Strand { serial: 2.0, parts: vec![inner] };
        let outer = Part { strands: vec![longer, piece(1.0)], division: 0.25 };
        let times = Times::of(&Strand { serial: 1.0, parts: vec![outer] });
        assert_eq!((times.serial, times.division, times.span), (3e3, 750.0, 3e3 + 750.0 + 5e3));
        assert_eq!((times.parts, times.pieces), (2.0, 4.0));
    }
}
