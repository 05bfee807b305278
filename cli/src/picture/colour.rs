//! Which colours does the picture have? Ones that people with any kind of colour vision can tell apart.

/// The colour of a species, by its number: those of Okabe and Ito, the lighter ones first.
pub(crate) fn of_species(number: usize) -> [f32; 3] {
    const COLOURS: [[f32; 3]; 7] = [
        [86.0, 180.0, 233.0],
        [230.0, 159.0, 0.0],
        [240.0, 228.0, 66.0],
        [0.0, 158.0, 115.0],
        [204.0, 121.0, 167.0],
        [213.0, 94.0, 0.0],
        [60.0, 130.0, 200.0],
    ];
    COLOURS[number % COLOURS.len()]
}

/// The colour of a heading: blue against yellow from side to side, light against dark from top to bottom, both of
/// which are seen by nearly everybody.
pub(crate) fn of_heading(right: f32, up: f32) -> [f32; 3] {
    const RIGHT: [f32; 3] = [255.0, 190.0, 75.0];
    const LEFT: [f32; 3] = [45.0, 150.0, 245.0];
    const UP: [f32; 3] = [248.0, 240.0, 228.0];
    const DOWN: [f32; 3] = [128.0, 92.0, 168.0];
    let (side, height) = (if right > 0.0 { RIGHT } else { LEFT }, if up > 0.0 { UP } else { DOWN });
    let squared = right * right + up * up;
    let share = if squared > 0.0 { right * right / squared } else { 0.5 };
    mix(height, side, share)
}

/// `share` of the second colour, the rest of the first.
pub(crate) fn mix(first: [f32; 3], second: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|channel| first[channel] + (second[channel] - first[channel]) * share)
}

/// The night that agents fade into with distance.
pub(crate) const NIGHT: [f32; 3] = [9.0, 13.0, 24.0];

/// A night sky, lighter around the middle. It is not dithered: steps of one in 255 are hardly seen on a ground this dark,
/// and smooth ground makes small files.
pub(crate) fn background(width: usize, height: usize) -> Vec<u8> {
    const MIDDLE: [f32; 3] = [17.0, 24.0, 42.0];
    let mut pixels = Vec::with_capacity(width * height * 3);
    for row in 0..height {
        let y = (row as f32 + 0.5) / height as f32 * 2.0 - 1.0;
        for column in 0..width {
            let x = (column as f32 + 0.5) / width as f32 * 2.0 - 1.0;
            let distance = (0.5 * (x * x + y * y)).sqrt();
            pixels.extend(mix(MIDDLE, NIGHT, distance).map(|channel| (channel + 0.5) as u8));
        }
    }
    pixels
}
