//! Legends: names beside the colours of their marks, in lines below a chart.

use crate::plot::Entry;
use crate::text::text_width;

/// The height of a line.
pub(super) const LINE: u32 = 20;
/// The side of the square in the colour of an entry.
pub(super) const SQUARE: i32 = 11;
/// The distance between the left sides of a square and a name.
pub(super) const INDENT: i32 = 20;
/// The distance between two entries of a line.
const GAP: f32 = 28.0;

/// The places of entries, from the upper left corner of the legend, in lines of this width in pixels.
pub(super) fn places(entries: &[Entry], width: u32, capital: f32) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (0.0, 0);
    let place = |entry: &Entry| {
        let wide = INDENT as f32 + text_width(&entry.name, capital);
        if x > 0.0 && x + wide > width as f32 {
            (x, y) = (0.0, y + LINE as i32);
        }
        let at = (x as i32, y);
        x += wide + GAP;
        at
    };
    entries.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_share_lines_as_long_as_they_fit() {
        let entry = |name: &str| Entry { colour: None, name: name.to_owned() };
        let names = ["ant", "bee", "a name that needs a line of its own", "fly"].map(entry);
        let rows = |width| places(&names, width, 10.0).into_iter().map(|(_, y)| y / LINE as i32).collect::<Vec<_>>();
        assert_eq!(rows(1000), [0, 0, 0, 0]);
        assert_eq!(rows(200), [0, 0, 1, 2]);
        assert_eq!(rows(1), [0, 1, 2, 3]);
    }
}
