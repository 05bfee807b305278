//! Bands of rows: sorts many small shapes by the rows that they touch, so that threads draw bands independently.

/// The number of rows of one band.
pub(super) const BAND: usize = 16;

/// The numbers of the shapes in each band. It keeps its memory from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Bands {
    numbers: Vec<u32>,
    starts: Vec<usize>,
}

impl Bands {
    /// Sorts `count` shapes into the bands of a picture of this height; `span` returns the first and the last row of a
    /// shape by its number.
    pub(super) fn sort(&mut self, height: usize, count: usize, span: impl Fn(usize) -> (f32, f32)) {
        let bands = height.div_ceil(BAND);
        let touched = |number: usize| {
            let ((top, bottom), last) = (span(number), bands as f32);
            let band = |row: f32| (row / BAND as f32).floor().clamp(-1.0, last);
            let (first, end) = (band(top), band(bottom) + 1.0);
            first.clamp(0.0, last) as usize..end.clamp(0.0, last) as usize
        };
        self.starts.clear();
        self.starts.resize(bands + 1, 0);
        for number in 0..count {
            for band in touched(number) {
                self.starts[band + 1] += 1;
            }
        }
        for band in 0..bands {
            self.starts[band + 1] += self.starts[band];
        }
        self.numbers.resize(self.starts[bands], 0);
        let mut next = self.starts.clone();
        for number in 0..count {
            for band in touched(number) {
                self.numbers[next[band]] = number as u32;
                next[band] += 1;
            }
        }
    }

    /// The numbers of the shapes that touch a band, in ascending order.
    pub(super) fn of(&self, band: usize) -> &[u32] {
        &self.numbers[self.starts[band]..self.starts[band + 1]]
    }
}
