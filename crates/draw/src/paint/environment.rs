//! Drawing the environment: the ground below the agents, and the items that stand on it.

use throng::Vector;

use super::camera::{Camera, Projected};
use super::substance;
use super::theme::Theme;
use crate::bounds::Bounds;
use crate::drawable::{EnvironmentShape, Role};
use crate::raster;
use crate::text::{self, text_width};

/// The ends of the two strokes of an arrow's head, at 30 degrees to the arrow and a third as long, at most this many pixels.
fn head(from: [f32; 2], to: [f32; 2], most: f32) -> [[f32; 2]; 2] {
    let [x, y] = [from[0] - to[0], from[1] - to[1]];
    let length = (x * x + y * y).sqrt();
    let share = if length > 3.0 * most { most / length } else { 1.0 / 3.0 };
    [0.5f32, -0.5].map(|side| {
        let (along, aside) = (0.75f32.sqrt() * share, side * share);
        [to[0] + along * x - aside * y, to[1] + along * y + aside * x]
    })
}

/// The part of the environment to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Flows, which the floor of a building nearly hides.
    Flow,
    /// Items on the ground: substances, regions and paths.
    Ground,
    /// Items that stand on it: walls, obstacles and marks, and the names of regions.
    Standing,
}

/// Draws shapes on a picture of this width.
pub(super) fn draw(
    shapes: &[EnvironmentShape],
    part: Part,
    camera: &Camera,
    theme: Theme,
    width: usize,
    pixels: &mut [u8],
) {
    let (faint, plain, strong) = (theme.ink(0.0), theme.ink(0.3), theme.ink(1.0));
    let at = |point: Vector<3>| camera.project(point).map(|seen| [seen.x, seen.y]);
    let large = |seen: &Projected, radius: f32| radius * camera.scale() * seen.size;
    let disc =
        |centre: Vector<3>, radius: f32| camera.project(centre).map(|seen| ([seen.x, seen.y], large(&seen, radius)));
    // Lines of three pixels on a picture of the usual size, and finer ones on smaller pictures.
    let wide = (width as f32 / 430.0).clamp(1.5, 3.0);
    let is_flat = matches!(camera, Camera::Flat { .. });
    for shape in shapes {
        let own = match shape {
            EnvironmentShape::Flow { .. } => Part::Flow,
            EnvironmentShape::Substance { .. } => Part::Ground,
            EnvironmentShape::Ball { .. } | EnvironmentShape::Box { .. } | EnvironmentShape::Path { .. } => {
                Part::Ground
            }
            _ => Part::Standing,
        };
        if part == Part::Standing
            && let Some((name, colour, place, is_corner)) = label(shape, theme)
            && let Some(place) = at(place)
        {
            write(name, (place, is_corner), colour, theme, width, pixels);
        }
        if own != part {
            continue;
        }
        match shape {
            EnvironmentShape::Floor { .. } => {}
            EnvironmentShape::Substance { bounds, cells, shares, number } => {
                substance::draw((bounds, *cells, shares), *number, camera, theme, width, pixels);
            }
            &EnvironmentShape::Flow { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::line(pixels, width, from, to, faint, 0.4);
                    for end in head(from, to, 6.0) {
                        raster::line(pixels, width, to, end, faint, 0.6);
                    }
                }
            }
            &EnvironmentShape::Link { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    let colour = theme.role(Role::Zone).unwrap_or(plain);
                    raster::dashes(pixels, width, [from, to], (0.6 * wide, 4.0 * wide), colour, 0.9);
                    for end in head(from, to, 5.0 * wide) {
                        raster::stroke(pixels, width, [to, end], 0.6 * wide, colour, 0.9);
                    }
                }
            }
            &EnvironmentShape::Ball { centre, radius, role, .. } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    let colour = theme.role(role);
                    let (inner, outer) = if colour.is_some() { (inside(role), 0.9) } else { (0.12, 0.6) };
                    let colour = colour.unwrap_or(faint);
                    raster::ring(pixels, width, at, (0.5 * radius, radius), colour, inner);
                    raster::ring(pixels, width, at, (radius, 1.5), colour, outer);
                }
            }
            EnvironmentShape::Box { bounds, role, .. } => {
                let colour = theme.role(*role);
                if let (true, Some(colour), Some(from), Some(to)) = (is_flat, colour, at(bounds.low), at(bounds.high)) {
                    raster::fill(pixels, width, [from, to], colour, inside(*role));
                }
                for (from, to) in bounds.edges(is_flat) {
                    let (Some(from), Some(to)) = (at(from), at(to)) else { continue };
                    match colour {
                        None => raster::line(pixels, width, from, to, faint, 0.8),
                        Some(colour) if *role == Role::Source => {
                            raster::dashes(pixels, width, [from, to], (0.6 * wide, 4.0 * wide), colour, 0.9);
                        }
                        Some(colour) => raster::stroke(pixels, width, [from, to], 0.6 * wide, colour, 0.9),
                    }
                }
            }
            EnvironmentShape::Path { points, radius, closed } => {
                let corners: Vec<_> = points.iter().filter_map(|&point| camera.project(point)).collect();
                let next = corners.iter().skip(1).chain(corners.first().filter(|_| *closed && corners.len() > 2));
                for (from, to) in corners.iter().zip(next) {
                    raster::line(pixels, width, [from.x, from.y], [to.x, to.y], plain, 0.7);
                }
                for seen in &corners {
                    raster::ring(pixels, width, [seen.x, seen.y], (large(seen, *radius), 1.5), plain, 0.5);
                }
            }
            &EnvironmentShape::Obstacle { centre, radius } => {
                if let Some((at, radius)) = disc(centre, radius) {
                    raster::ring(pixels, width, at, (0.5 * radius, radius), plain, 0.28);
                    raster::ring(pixels, width, at, (radius, 2.0), plain, 0.8);
                }
            }
            &EnvironmentShape::Wall { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    let wide = if is_flat { wide } else { 1.0 };
                    raster::stroke(pixels, width, [from, to], wide, theme.wall(), 1.0);
                }
            }
            &EnvironmentShape::Door { from, to } => {
                if let (Some(from), Some(to)) = (at(from), at(to)) {
                    raster::dashes(pixels, width, [from, to], (1.0, 3.0), theme.wall(), 0.5);
                }
            }
            &EnvironmentShape::Mark { at: position } => {
                if let Some(at) = at(position) {
                    for (radius, wide, opacity) in [(3.0, 6.0, 0.9), (11.0, 2.0, 0.7), (19.0, 1.5, 0.3)] {
                        raster::ring(pixels, width, at, (radius, wide), strong, opacity);
                    }
                }
            }
        }
    }
}

/// The opacity of the inside of a region: agents fill sources, and stand out from them.
fn inside(role: Role) -> f32 {
    if role == Role::Source { 0.05 } else { 0.2 }
}

/// The name in a region or on a floor, its colour, and where it is: the middle of the region, or the upper left corner of
/// the floor, which is true then.
fn label(shape: &EnvironmentShape, theme: Theme) -> Option<(&str, [f32; 3], Vector<3>, bool)> {
    let (name, role, middle) = match shape {
        EnvironmentShape::Ball { centre, role, name, .. } => (name, *role, *centre),
        EnvironmentShape::Box { bounds, role, name } => (name, *role, bounds.middle()),
        EnvironmentShape::Floor { bounds: Bounds { low, high }, name } if !name.is_empty() => {
            return Some((name, theme.ink(1.0), Vector([low[0], high[1], low[2]]), true));
        }
        _ => return None,
    };
    (!name.is_empty()).then(|| (&name[..], theme.role(role).unwrap_or(theme.ink(1.0)), middle, false))
}

/// Writes a name around a point, below and to the right of a corner, or beside either where it would leave the picture.
fn write(
    name: &str,
    ([x, y], is_corner): ([f32; 2], bool),
    colour: [f32; 3],
    theme: Theme,
    width: usize,
    pixels: &mut [u8],
) {
    let height = (pixels.len() / 3 / width) as f32;
    if !(0.0..width as f32).contains(&x) || !(0.0..height).contains(&y) {
        return;
    }
    let capital = (width as f32 / 110.0).clamp(7.0, 18.0);
    let across = text_width(name, capital);
    let [x, y] = if is_corner { [x + 0.5 * across + 6.0, y + capital] } else { [x, y] };
    let within = |at: f32, length: f32, most: f32| {
        let last = most - length - 4.0;
        if at > last {
            last
        } else if at < 4.0 {
            4.0
        } else {
            at
        }
    };
    let left = within(x - 0.5 * across, across, width as f32);
    let bottom = within(y - 0.5 * capital, capital, height) + capital;
    let (low, high) = ([left - 3.0, bottom - capital - 3.0], [left + across + 3.0, bottom + 3.0]);
    raster::fill(pixels, width, [low, high], theme.far(), 0.55);
    text::write(pixels, width, name, [left, bottom], capital, colour);
}
