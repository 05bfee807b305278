//! Text in a font of strokes, which is drawn at any size without jagged edges.

mod glyphs;

use crate::raster::blend;

/// The units of a capital's height, in which the letters are given.
const CAPITAL: f32 = 7.0;
/// The space between letters, and the width of a space, in units.
const SPACE: f32 = 1.9;
const BLANK: f32 = 1.6;
/// The parts of a curve between two of its points.
const PARTS: usize = 6;

/// A stroke of a letter, from point to point, in units.
type Stroke = Vec<[f32; 2]>;

/// Returns the width of a text in pixels, whose capitals have this height in pixels.
#[must_use]
pub fn text_width(text: &str, capital: f32) -> f32 {
    let unit = capital / CAPITAL;
    let widths = text.chars().map(|letter| letter_of(letter).1 + SPACE);
    unit * (widths.fold(0.0, |sum, width| sum + width) - SPACE).clamp(0.0, f32::INFINITY)
}

/// Writes a text on a picture of this width, with its lower left corner at this point, in pixels from the upper left
/// corner of the picture. Capitals have the height `capital`, in pixels.
pub(crate) fn write(pixels: &mut [u8], width: usize, text: &str, [x, y]: [f32; 2], capital: f32, colour: [f32; 3]) {
    let unit = capital / CAPITAL;
    let pen = (0.95 * unit).clamp(1.15, f32::INFINITY);
    let mut at = x;
    for letter in text.chars() {
        let (strokes, across) = letter_of(letter);
        let placed: Vec<Stroke> = strokes
            .into_iter()
            .map(|stroke| stroke.into_iter().map(|[right, up]| [at + unit * right, y - unit * up]).collect())
            .collect();
        draw(pixels, width, &placed, pen, colour);
        at += unit * (across + SPACE);
    }
}

/// Draws the strokes of one letter.
fn draw(pixels: &mut [u8], width: usize, strokes: &[Stroke], pen: f32, colour: [f32; 3]) {
    let height = pixels.len() / 3 / width;
    let points = || strokes.iter().flatten();
    let extent = |axis: usize, most: usize| {
        let (low, high) = points().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), point| {
            (if point[axis] < low { point[axis] } else { low }, if point[axis] > high { point[axis] } else { high })
        });
        let place = |at: f32| at.clamp(0.0, most as f32) as usize;
        place((low - pen).floor())..place((high + pen).ceil() + 1.0)
    };
    if points().next().is_none() {
        return;
    }
    for row in extent(1, height) {
        for column in extent(0, width) {
            let middle = [column as f32 + 0.5, row as f32 + 0.5];
            let nearest = strokes.iter().map(|stroke| distance(middle, stroke));
            let nearest = nearest.fold(f32::INFINITY, |least, next| if next < least { next } else { least });
            let cover = (0.5 * pen + 0.5 - nearest).clamp(0.0, 1.0);
            if cover > 0.0 {
                let first = (row * width + column) * 3;
                blend(&mut pixels[first..first + 3], colour, cover);
            }
        }
    }
}

/// The distance of a point from a stroke.
fn distance(point: [f32; 2], stroke: &Stroke) -> f32 {
    let squared = stroke.windows(2).map(|ends| {
        let (along, offset) = (minus(ends[1], ends[0]), minus(point, ends[0]));
        let length = along[0] * along[0] + along[1] * along[1];
        let dot = along[0] * offset[0] + along[1] * offset[1];
        let share = if length > 0.0 { (dot / length).clamp(0.0, 1.0) } else { 0.0 };
        let [x, y] = minus(offset, along.map(|part| part * share));
        x * x + y * y
    });
    squared.fold(f32::INFINITY, |least, next| if next < least { next } else { least }).sqrt()
}

fn minus(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// The strokes of a letter and its width, in units; a box for letters that the font lacks.
fn letter_of(letter: char) -> (Vec<Stroke>, f32) {
    let [strokes, mark] = glyphs::glyph(letter).unwrap_or(["0e0s7s7e0e", ""]);
    let all: Vec<Stroke> =
        strokes.split(' ').chain(mark.split(' ')).filter(|text| !text.is_empty()).map(stroke).collect();
    let furthest = all.iter().flatten().map(|point| point[0]).fold(0.0, |most, x| if x > most { x } else { most });
    (all, if letter == ' ' { BLANK } else { furthest })
}

/// The points of a stroke of [`glyphs`].
fn stroke(text: &str) -> Stroke {
    let points = text.trim_start_matches(['~', '@']).as_bytes().as_chunks::<2>().0;
    let corners: Stroke = points
        .iter()
        .map(|&[right, up]| [0.5 * (f32::from(right) - f32::from(b'0')), 0.5 * (f32::from(up) - f32::from(b'e'))])
        .collect();
    match (text.as_bytes().first(), &corners[..]) {
        (Some(b'@'), _) => {
            let around = corners.iter().chain(corners.iter().take(2));
            let around: Stroke = around.copied().collect();
            let start = middle(around[0], around[1]);
            curve(start, &around[1..], true)
        }
        (Some(b'~'), [start, rest @ ..]) => curve(*start, rest, false),
        _ => corners,
    }
}

fn middle(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

/// Parabolas from `start`, drawn towards each point: they meet half way between two points, and end at the last one, or
/// half way before it if the curve is closed.
fn curve(start: [f32; 2], points: &[[f32; 2]], closed: bool) -> Stroke {
    let (mut from, mut all) = (start, vec![start]);
    for (number, pair) in points.windows(2).enumerate() {
        let is_last = number + 2 == points.len();
        let to = if is_last && !closed { pair[1] } else { middle(pair[0], pair[1]) };
        all.extend((1..=PARTS).map(|part| {
            let share = part as f32 / PARTS as f32;
            let [a, b] = [(from, pair[0]), (pair[0], to)]
                .map(|(from, to)| [0, 1].map(|axis: usize| from[axis] + share * (to[axis] - from[axis])));
            [0, 1].map(|axis: usize| a[axis] + share * (b[axis] - a[axis]))
        }));
        from = to;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, capital: f32) -> Vec<u8> {
        let mut pixels = vec![0; 400 * 40 * 3];
        write(&mut pixels, 400, text, [5.0, 30.0], capital, [255.0; 3]);
        pixels
    }

    fn lit(pixels: &[u8]) -> Vec<[usize; 2]> {
        let pixels = pixels.chunks(3).enumerate();
        pixels.filter(|(_, pixel)| pixel[0] > 127).map(|(at, _)| [at % 400, at / 400]).collect()
    }

    #[test]
    fn every_letter_differs_and_fills_its_height() {
        let letters: Vec<char> =
            ('!'..='~').filter(|letter| !"`^$~".contains(*letter)).chain("äöüßéçñåøÄÉ²°×".chars()).collect();
        let drawn: Vec<Vec<[usize; 2]>> =
            letters.iter().map(|letter| lit(&written(&letter.to_string(), 14.0))).collect();
        for (number, pixels) in drawn.iter().enumerate() {
            assert!(!pixels.is_empty(), "{}", letters[number]);
            let same = drawn.iter().position(|other| other == pixels);
            assert_eq!(same, Some(number), "{} looks like {}", letters[number], letters[same.unwrap()]);
            assert!(glyphs::glyph(letters[number]).is_some(), "{}", letters[number]);
        }
        let rows: Vec<usize> = lit(&written("H", 14.0)).iter().map(|pixel| pixel[1]).collect();
        assert_eq!((rows.iter().min(), rows.iter().max()), (Some(&15), Some(&30)));
    }

    #[test]
    fn a_text_is_as_wide_as_it_says() {
        for text in ["hall 3.0 s", "500 agents", "WWW", "il"] {
            let pixels = lit(&written(text, 12.0));
            let last = pixels.iter().map(|pixel| pixel[0]).max().unwrap();
            let width = text_width(text, 12.0);
            assert!((last as f32 - 5.0 - width).abs() < 2.5, "{text}: {last} of {width}");
        }
    }
}
