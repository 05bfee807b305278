//! Antialiased lines, strokes and rings: each pixel is blended by the share of it that the shape covers.

/// Blends a line one pixel wide by the algorithm of Wu (1991): two pixels share each step.
pub(crate) fn line(pixels: &mut [u8], width: usize, from: [f32; 2], to: [f32; 2], colour: [f32; 3], opacity: f32) {
    let steep = (to[1] - from[1]).abs() > (to[0] - from[0]).abs();
    let turn = |[x, y]: [f32; 2]| if steep { [y, x] } else { [x, y] };
    let (mut start, mut end) = (turn(from), turn(to));
    if start[0] > end[0] {
        std::mem::swap(&mut start, &mut end);
    }
    let (columns, rows) = (width as f32, (pixels.len() / 3 / width) as f32);
    let slope = if end[0] > start[0] { (end[1] - start[1]) / (end[0] - start[0]) } else { 0.0 };
    let most = if steep { rows } else { columns };
    for step in start[0].clamp(0.0, most) as usize..end[0].clamp(0.0, most) as usize {
        let across = start[1] + slope * (step as f32 + 0.5 - start[0]) - 0.5;
        for (side, share) in [(across.floor(), 1.0 - across.fract()), (across.floor() + 1.0, across.fract())] {
            let [x, y] = turn([step as f32, side]);
            if x >= 0.0 && y >= 0.0 && x < columns && y < rows {
                let at = (y as usize * width + x as usize) * 3;
                blend(&mut pixels[at..at + 3], colour, share * opacity);
            }
        }
    }
}

/// Blends a line of any width, with round ends.
pub(crate) fn stroke(
    pixels: &mut [u8],
    width: usize,
    [from, to]: [[f32; 2]; 2],
    wide: f32,
    colour: [f32; 3],
    opacity: f32,
) {
    let (columns, rows) = (width as f32, (pixels.len() / 3 / width) as f32);
    let reach = 0.5 * wide + 1.0;
    let span = |a: f32, b: f32, most: f32| {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        (low - reach).floor().clamp(0.0, most) as usize..(high + reach).ceil().clamp(0.0, most) as usize
    };
    let along = [to[0] - from[0], to[1] - from[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    for row in span(from[1], to[1], rows) {
        // The part of the line near this row, so that long slanted lines cost no more than their pixels.
        let part = if along[1].abs() > 1e-3 {
            let share = |y: f32| ((y - from[1]) / along[1]).clamp(0.0, 1.0);
            [share(row as f32 + 0.5 - reach), share(row as f32 + 0.5 + reach)]
        } else {
            [0.0, 1.0]
        };
        let [a, b] = part.map(|share| from[0] + share * along[0]);
        for column in span(a, b, columns) {
            let offset = [column as f32 + 0.5 - from[0], row as f32 + 0.5 - from[1]];
            let dot = offset[0] * along[0] + offset[1] * along[1];
            let share = if squared > 0.0 { (dot / squared).clamp(0.0, 1.0) } else { 0.0 };
            let (x, y) = (offset[0] - share * along[0], offset[1] - share * along[1]);
            let cover = (0.5 * wide + 0.5 - (x * x + y * y).sqrt()).clamp(0.0, 1.0);
            if cover > 0.0 {
                let at = (row * width + column) * 3;
                blend(&mut pixels[at..at + 3], colour, cover * opacity);
            }
        }
    }
}

/// Blends dashes of this length, with gaps of the same length between them.
pub(crate) fn dashes(
    pixels: &mut [u8],
    width: usize,
    [from, to]: [[f32; 2]; 2],
    (wide, dash): (f32, f32),
    colour: [f32; 3],
    opacity: f32,
) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    // An odd number of parts: both ends are dashes.
    let parts = 2 * ((length / dash * 0.5).clamp(0.0, 1e4) as usize) + 1;
    let place = |part: usize| {
        let share = part as f32 / parts as f32;
        [from[0] + share * along[0], from[1] + share * along[1]]
    };
    for part in (0..parts).step_by(2) {
        stroke(pixels, width, [place(part), place(part + 1)], wide, colour, opacity);
    }
}

/// Blends a rectangle between two corners.
pub(crate) fn fill(pixels: &mut [u8], width: usize, [from, to]: [[f32; 2]; 2], colour: [f32; 3], opacity: f32) {
    let rows = pixels.len() / 3 / width;
    let span = |a: f32, b: f32, most: usize| {
        let place = |at: f32| at.round().clamp(0.0, most as f32) as usize;
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        place(low)..place(high)
    };
    for row in span(from[1], to[1], rows) {
        for column in span(from[0], to[0], width) {
            let at = (row * width + column) * 3;
            blend(&mut pixels[at..at + 3], colour, opacity);
        }
    }
}

/// Blends a ring of width `wide` around a circle of this radius, all in pixels. A disc of radius r is a ring of radius
/// r / 2 and width r.
pub(crate) fn ring(
    pixels: &mut [u8],
    width: usize,
    [x, y]: [f32; 2],
    (radius, wide): (f32, f32),
    colour: [f32; 3],
    opacity: f32,
) {
    let rows = pixels.len() / 3 / width;
    let reach = radius + 0.5 * wide + 1.0;
    let span = |middle: f32, most: usize| {
        let most = most as f32;
        (middle - reach).floor().clamp(0.0, most) as usize..(middle + reach).ceil().clamp(0.0, most) as usize
    };
    for row in span(y, rows) {
        for column in span(x, width) {
            let (right, down) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
            let from_circle = ((right * right + down * down).sqrt() - radius).abs();
            let share = (0.5 * wide + 0.5 - from_circle).clamp(0.0, 1.0);
            if share > 0.0 {
                let at = (row * width + column) * 3;
                blend(&mut pixels[at..at + 3], colour, share * opacity);
            }
        }
    }
}

/// Mixes a share of a colour into a pixel.
pub(crate) fn blend(pixel: &mut [u8], colour: [f32; 3], share: f32) {
    for (channel, colour) in pixel.iter_mut().zip(colour) {
        let below = f32::from(*channel);
        *channel = (below + (colour - below) * share + 0.5) as u8;
    }
}
