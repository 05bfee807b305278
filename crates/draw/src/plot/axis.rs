//! Axes: their ranges, their scales and the numbers beside them.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The text beside the axis.
    pub label: String,
    /// The numbers at its ends.
    pub range: Range<f64>,
    /// Whether equal distances are equal ratios. The range is above zero then.
    pub is_logarithmic: bool,
    /// The numbers to be written beside the axis; round ones if there are none.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: impl Into<String>, range: Range<f64>) -> Self {
        Self { label: label.into(), range, is_logarithmic: false, ticks: Vec::new() }
    }

    /// A linear axis that encloses some numbers, with a margin. Numbers that are not finite are left out.
    #[must_use]
    pub fn around(label: impl Into<String>, numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(numbers.filter(|number| number.is_finite())).unwrap_or((0.0, 1.0));
        let margin = if high > low { 0.05 * (high - low) } else { 0.05 * high.abs() + 1e-9 };
        Self::linear(label, low - margin..high + margin)
    }

    /// A linear axis that encloses zero and some numbers, with a margin at the end above zero. Numbers that are not
    /// finite are left out.
    #[must_use]
    pub fn from_zero(label: impl Into<String>, numbers: impl Iterator<Item = f64>) -> Self {
        let numbers = numbers.filter(|number| number.is_finite()).chain([0.0]);
        let (low, high) = ends(numbers).unwrap_or((0.0, 1.0));
        Self::linear(label, low..if high > low { high + 0.05 * (high - low) } else { low + 1.0 })
    }

    /// A logarithmic axis that encloses some numbers, with a margin. Numbers that are not finite and above zero are left
    /// out.
    #[must_use]
    pub fn logarithmic(label: impl Into<String>, numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(numbers.filter(|number| *number > 0.0 && number.is_finite())).unwrap_or((1.0, 10.0));
        Self { is_logarithmic: true, ..Self::linear(label, low / 1.3..high * 1.3) }
    }

    /// Writes these numbers beside the axis. Of numbers close together, only the first is written.
    #[must_use]
    pub fn with_ticks(mut self, numbers: impl Iterator<Item = f64>) -> Self {
        self.ticks = numbers.collect();
        self.ticks.sort_by(f64::total_cmp);
        let (least, width) = (1.0 / 20.0, self.place(self.range.end) - self.place(self.range.start));
        let places: Vec<f64> = self.ticks.iter().map(|tick| self.place(*tick) / width).collect();
        let mut last = f64::NEG_INFINITY;
        let mut places = places.into_iter();
        self.ticks.retain(|_| {
            let place = places.next().unwrap_or(last);
            let is_far = place - last >= least;
            last = if is_far { place } else { last };
            is_far
        });
        self
    }

    /// Returns whether the range can be drawn.
    pub(super) fn has_range(&self) -> bool {
        [self.range.start, self.range.end].into_iter().all(|end| self.place(end).is_finite())
    }

    /// The place of a number along the axis, in units in which the axis is even.
    fn place(&self, number: f64) -> f64 {
        if self.is_logarithmic { number.log10() } else { number }
    }
}

/// The smallest and the largest number.
fn ends(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |ends, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((if number < low { number } else { low }, if number > high { number } else { high }))
    })
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let [low, high, at] = [self.range.start, self.range.end, *value].map(|number| self.place(number));
        RangedCoordf64::from(low..high).map(&at, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.ticks.is_empty() {
            return self.ticks.clone();
        }
        if !self.is_logarithmic {
            return RangedCoordf64::from(self.range.clone()).key_points(hint);
        }
        // One, two and five times each power of ten; only the powers if these are many.
        let decades = self.place(self.range.start).floor() as i32..=self.place(self.range.end).ceil() as i32;
        let of = |steps: &'static [f64]| {
            let all = decades.clone().flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
            all.filter(|step| self.range.contains(step)).collect::<Vec<f64>>()
        };
        let fine = of(&[1.0, 2.0, 5.0]);
        if fine.len() <= 16 { fine } else { of(&[1.0]) }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// A number beside an axis: without rounding errors of the last digits.
pub(super) fn text(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        n if n >= 1e6 => format!("{} M", shortest(number / 1e6)),
        n if n >= 1e4 => format!("{} k", shortest(number / 1e3)),
        n if (1e-12..1e-4).contains(&n) => format!("{number:.1e}"),
        _ => shortest(number),
    }
}

fn shortest(number: f64) -> String {
    // Nine digits are fewer than the errors of sums of steps leave.
    let short: f64 = format!("{number:.9e}").parse().unwrap_or(number);
    if short.abs() < 1e-12 { "0".to_owned() } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_rounding_errors() {
        assert_eq!(text(0.1 + 0.2), "0.3");
        assert_eq!(text(1.0 - 0.9 - 0.1), "0");
        assert_eq!(text(-2500.0), "-2500");
        assert_eq!(text(25_000.0), "25 k");
        assert_eq!(text(1e6), "1 M");
        assert_eq!(text(0.001), "0.001");
        assert_eq!(text(0.00002), "2.0e-5");
    }

    #[test]
    fn an_axis_encloses_its_numbers() {
        let linear = Axis::around("", [2.0, f64::NAN, 1.0].into_iter());
        assert!(linear.range.start < 1.0 && linear.range.end > 2.0 && linear.range.end < 2.1);
        let flat = Axis::around("", [3.0].into_iter());
        assert!(flat.range.contains(&3.0) && flat.range.end > flat.range.start);
        let log = Axis::logarithmic("", [1000.0, 0.0, 64_000.0].into_iter());
        assert!(log.range.start > 500.0 && log.range.end < 1e5);
        assert_eq!(log.key_points(10), [1e3, 2e3, 5e3, 1e4, 2e4, 5e4]);
        assert_eq!(
            log.map(&1e4, (0, 100)) - log.map(&1e3, (0, 100)),
            log.map(&64e3, (0, 100)) - log.map(&6.4e3, (0, 100))
        );
        assert_eq!(Axis::around("", std::iter::empty()).range, -0.05..1.05);
    }

    #[test]
    fn ticks_close_together_are_left_out() {
        let axis = Axis::linear("", 0.0..100.0).with_ticks([50.0, 10.0, 12.0, 16.0].into_iter());
        assert_eq!(axis.ticks, [10.0, 16.0, 50.0]);
    }
}
