//! Work and span: the time of each piece of a tick, and the least time with any number of threads.
//!
//! A recorded tick runs on one thread and divides its work as on many. A *strand* is work in sequence. Where a strand
//! divides its work there is a *part*, whose own strands could run at the same time. The *work* of a strand is all of
//! its time, and its *span* the time that remains with any number of threads: the serial pieces, and the longest strand
//! of each part with the divisions that lead to it.

use std::cell::RefCell;
use std::time::Instant;

/// Work in sequence: a stage of a tick, or a piece of work that one thread takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strand {
    /// Seconds outside of the parts.
    pub serial: f64,
    /// The divisions of work, in sequence.
    pub parts: Vec<Part>,
}

/// A division of work among threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The pieces, which threads can take in any order.
    pub strands: Vec<Strand>,
    /// Seconds of the divisions themselves: one fewer than pieces.
    pub division: f64,
}

impl Strand {
    /// Returns the seconds on one thread.
    #[must_use]
    pub fn work(&self) -> f64 {
        self.serial + self.parts.iter().map(Part::work).sum::<f64>()
    }

    /// Returns the seconds on any number of threads, at least.
    #[must_use]
    pub fn span(&self) -> f64 {
        self.serial + self.parts.iter().map(Part::span).sum::<f64>()
    }

    /// Returns the seconds on a number of threads, at least: all threads wait at the end of each part. Waking threads,
    /// and memory that they share, come on top.
    #[must_use]
    pub fn on(&self, threads: usize) -> f64 {
        self.serial + self.parts.iter().map(|part| part.on(threads)).sum::<f64>()
    }

    /// Keeps the shorter time of each piece, from two records of the same work. Other load on the machine interrupts
    /// some pieces of each. Returns whether both have the same pieces; if not, this one is unchanged.
    pub fn keep_least(&mut self, other: &Self) -> bool {
        let is_same = self.has_shape_of(other);
        if is_same {
            self.merge(other);
        }
        is_same
    }

    fn has_shape_of(&self, other: &Self) -> bool {
        let same_part = |(a, b): (&Part, &Part)| {
            a.strands.len() == b.strands.len() && a.strands.iter().zip(&b.strands).all(|(a, b)| a.has_shape_of(b))
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(same_part)
    }

    fn merge(&mut self, other: &Self) {
        self.serial = least(self.serial, other.serial);
        for (part, other) in self.parts.iter_mut().zip(&other.parts) {
            part.division = least(part.division, other.division);
            part.strands.iter_mut().zip(&other.strands).for_each(|(strand, other)| strand.merge(other));
        }
    }
}

impl Part {
    fn work(&self) -> f64 {
        self.division + self.strands.iter().map(Strand::work).sum::<f64>()
    }

    fn span(&self) -> f64 {
        let longest = self.strands.iter().map(Strand::span).fold(0.0, |a, b| if b > a { b } else { a });
        longest + self.span_of_division()
    }

    /// Returns the seconds of the divisions that lead to one piece, in sequence: work is halved again and again.
    #[must_use]
    pub fn span_of_division(&self) -> f64 {
        let pieces = self.strands.len();
        let divisions = f64::from(pieces.next_power_of_two().ilog2());
        if pieces > 1 { divisions * self.division / (pieces - 1) as f64 } else { self.division }
    }

    fn on(&self, threads: usize) -> f64 {
        let (shared, span) = (self.work() / threads as f64, self.span());
        if shared > span { shared } else { span }
    }
}

fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// A record in progress. Its own work is not in the times.
struct Recorder {
    /// The stages that have ended.
    stages: Vec<Strand>,
    /// When the present stage began.
    since: Instant,
    /// The parts of the present strand, and its seconds in them and in their record.
    parts: Vec<Part>,
    in_parts: f64,
    /// The strands of the present part, and its seconds in them and in their record.
    strands: Vec<Strand>,
    in_strands: f64,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Runs a tick and returns its stages. [`end_stage`] ends each of them.
pub(crate) fn record(tick: impl FnOnce()) -> Vec<Strand> {
    /// Ends the record also after a panic.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            RECORDER.set(None);
        }
    }
    let _end = End;
    RECORDER.set(Some(Recorder {
        stages: Vec::new(),
        since: Instant::now(),
        parts: Vec::new(),
        in_parts: 0.0,
        strands: Vec::new(),
        in_strands: 0.0,
    }));
    tick();
    RECORDER.take().map(|recorder| recorder.stages).unwrap_or_default()
}

/// Whether this thread records a tick.
pub(crate) fn is_recording() -> bool {
    RECORDER.with_borrow(Option::is_some)
}

fn with<R>(change: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    RECORDER.with_borrow_mut(|recorder| recorder.as_mut().map(change))
}

impl Recorder {
    /// Takes the present strand, which took these seconds.
    fn take_strand(&mut self, seconds: f64) -> Strand {
        let serial = seconds - std::mem::take(&mut self.in_parts);
        Strand { serial: serial.clamp(0.0, f64::INFINITY), parts: std::mem::take(&mut self.parts) }
    }
}

/// Ends a stage of a tick that is being recorded.
pub(crate) fn end_stage() {
    with(|recorder| {
        let seconds = recorder.since.elapsed().as_secs_f64();
        let stage = recorder.take_strand(seconds);
        recorder.stages.push(stage);
        recorder.since = Instant::now();
    });
}

/// Records a division of work, which begins and ends a [`Piece`] for each piece.
pub(crate) fn part(divide: impl FnOnce()) {
    let entered = Instant::now();
    let outer = with(|recorder| {
        let parts = (std::mem::take(&mut recorder.parts), std::mem::take(&mut recorder.in_parts));
        (parts, (std::mem::take(&mut recorder.strands), std::mem::take(&mut recorder.in_strands)))
    });
    let began = Instant::now();
    divide();
    let seconds = began.elapsed().as_secs_f64();
    with(|recorder| {
        let division = (seconds - recorder.in_strands).clamp(0.0, f64::INFINITY);
        let part = Part { strands: std::mem::take(&mut recorder.strands), division };
        ((recorder.parts, recorder.in_parts), (recorder.strands, recorder.in_strands)) = outer.unwrap_or_default();
        recorder.parts.push(part);
        recorder.in_parts += entered.elapsed().as_secs_f64();
    });
}

/// A piece of a division in progress.
pub(crate) struct Piece(Instant);

impl Piece {
    pub(crate) fn begin() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn end(self) {
        let seconds = self.0.elapsed().as_secs_f64();
        with(|recorder| {
            let strand = recorder.take_strand(seconds);
            recorder.strands.push(strand);
            recorder.in_strands += self.0.elapsed().as_secs_f64();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(serial: f64) -> Strand {
        Strand { serial, parts: Vec::new() }
    }

    /// A strand with a serial second, a part of four pieces, and one of two pieces, one of which divides its work
    /// again.
    fn known() -> Strand {
        let even = Part { strands: [4.0, 4.0, 4.0, 4.0].map(piece).into(), division: 0.3 };
        let inner = Part { strands: [1.0, 2.0].map(piece).into(), division: 0.0 };
        let outer = Strand { serial: 0.5, parts: vec![inner] };
        let uneven = Part { strands: vec![piece(1.0), outer], division: 0.1 };
        Strand { serial: 1.0, parts: vec![even, uneven] }
    }

    fn assert_near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn known_pieces_have_a_known_work_and_span() {
        let strand = known();
        assert_near(strand.work(), 1.0 + 16.3 + (1.0 + 3.5 + 0.1));
        // Two divisions of 0.1 lead to each of four pieces, one to each of two.
        assert_near(strand.span(), 1.0 + (4.0 + 0.2) + (2.5 + 0.1));
        assert_near(strand.on(1), strand.work());
        // The first part is divided evenly, and the longest piece bounds the second one.
        assert_near(strand.on(2), 1.0 + 8.15 + 2.6);
        assert_near(strand.on(1000), strand.span());
    }

    #[test]
    fn the_shorter_time_of_each_piece_is_kept() {
        let (mut strand, mut other) = (known(), known());
        (other.serial, strand.parts[0].strands[1].serial) = (0.5, 9.0);
        assert!(strand.keep_least(&other));
        assert_near(strand.work(), known().work() - 0.5);
        other.parts.pop();
        assert!(!strand.keep_least(&other), "another division of the work");
        assert_near(strand.work(), known().work() - 0.5);
    }
}
