//! Cameras: projections from the world to the picture, as a map in 2D and in perspective in 3D.

use throng::Vector;
use throng::maths::sin_cos;

use crate::bounds::Bounds;
use crate::options::View;

/// A projection from the world to the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Camera {
    /// From above, as on a map.
    Flat {
        /// Pixels per metre.
        scale: f32,
        /// The world's origin, in pixels.
        origin: [f32; 2],
    },
    /// From outside, in perspective; the third axis is up.
    Space {
        eye: Vector<3>,
        right: Vector<3>,
        up: Vector<3>,
        forward: Vector<3>,
        /// Pixels per metre at a distance of one metre.
        focal: f32,
        /// The middle of the view, in pixels.
        middle: [f32; 2],
        /// The distances of the nearest and the farthest corner of the world.
        near: f32,
        far: f32,
    },
}

/// A point of the world on the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projected {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// From the front (0) to the back (1).
    pub(crate) depth: f32,
    /// The scale at this depth, relative to the middle of the world.
    pub(crate) size: f32,
}

impl Camera {
    /// Creates a camera for a picture of this size, with `view` relative to the bounds. It looks from above if `flat`.
    pub(crate) fn new(flat: bool, bounds: Bounds, [width, height]: [f32; 2], view: &View) -> Self {
        let Bounds { low, high } = bounds;
        if flat { Self::above(low, high, width, height, view) } else { Self::outside(low, high, width, height, view) }
    }

    fn above(low: Vector<3>, high: Vector<3>, width: f32, height: f32, view: &View) -> Self {
        let extent = high - low;
        let (across, along) = (width / extent[0], height / extent[1]);
        let scale = view.zoom * if across < along { across } else { along };
        let middle = view.centre.unwrap_or((low + high) * 0.5);
        Self::Flat { scale, origin: [0.5 * width - scale * middle[0], 0.5 * height + scale * middle[1]] }
    }

    fn outside(low: Vector<3>, high: Vector<3>, width: f32, height: f32, view: &View) -> Self {
        let middle = view.centre.unwrap_or((low + high) * 0.5);
        let radius = (high - low).length() * 0.5;
        let radians = std::f32::consts::PI / 180.0;
        let (sideways, ahead) = sin_cos(view.azimuth * radians);
        let (down, level) = sin_cos(view.elevation * radians);
        let forward = Vector([ahead * level, sideways * level, -down]);
        let right = Vector([sideways, -ahead, 0.0]);
        let up = right.cross(forward);
        let eye = middle - forward * (radius * 2.6);
        let corners: [Vector<3>; 8] = std::array::from_fn(|corner| {
            Vector::from_fn(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] })
        });
        let seen = corners.map(|corner| {
            let offset = corner - eye;
            let depth = offset.dot(forward);
            [offset.dot(right) / depth, -offset.dot(up) / depth, depth]
        });
        let (least, most) = bounds(&seen);
        let across = width * 0.94 / (most[0] - least[0]);
        let along = height * 0.94 / (most[1] - least[1]);
        let focal = view.zoom * if across < along { across } else { along };
        // Without a centre, the projected box is centred, not its middle.
        let offset = if view.centre.is_some() {
            [0.0; 2]
        } else {
            [0.5 * focal * (least[0] + most[0]), 0.5 * focal * (least[1] + most[1])]
        };
        let middle = [0.5 * width - offset[0], 0.5 * height - offset[1]];
        // With a centre, corners of the box may be beside or behind the camera: keeps the distances positive.
        let near = if least[2] > 0.05 * radius { least[2] } else { 0.05 * radius };
        let far = if most[2] > 2.0 * near { most[2] } else { 2.0 * near };
        Self::Space { eye, right, up, forward, focal, middle, near, far }
    }

    /// The same camera, moved by less than a pixel: a map's origin is a whole number of pixels, so that pictures of
    /// several places fit together.
    pub(crate) fn on_pixels(self) -> Self {
        match self {
            Self::Flat { scale, origin } => Self::Flat { scale, origin: origin.map(f32::round) },
            space @ Self::Space { .. } => space,
        }
    }

    /// Projects a point; `None` if it is behind the camera.
    pub(crate) fn project(&self, point: Vector<3>) -> Option<Projected> {
        match *self {
            Self::Flat { scale, origin } => {
                let (x, y) = (origin[0] + scale * point[0], origin[1] - scale * point[1]);
                Some(Projected { x, y, depth: 0.0, size: 1.0 })
            }
            Self::Space { eye, right, up, forward, focal, middle, near, far } => {
                let offset = point - eye;
                let distance = offset.dot(forward);
                if distance <= 0.05 * near {
                    return None;
                }
                let scale = focal / distance;
                Some(Projected {
                    x: middle[0] + scale * offset.dot(right),
                    y: middle[1] - scale * offset.dot(up),
                    depth: ((distance - near) / (far - near)).clamp(0.0, 1.0),
                    size: 0.5 * (near + far) / distance,
                })
            }
        }
    }

    /// The place of a point of the picture, seen from above; `None` in space.
    pub(crate) fn place(&self, [x, y]: [f32; 2]) -> Option<Vector<3>> {
        match *self {
            Self::Flat { scale, origin } => Some(Vector([(x - origin[0]) / scale, (origin[1] - y) / scale, 0.0])),
            Self::Space { .. } => None,
        }
    }

    /// Pixels per metre in the middle of the world; elsewhere multiply by [`Projected::size`].
    pub(crate) fn scale(&self) -> f32 {
        match *self {
            Self::Flat { scale, .. } => scale,
            Self::Space { focal, near, far, .. } => focal / (0.5 * (near + far)),
        }
    }

    /// The direction of a velocity on the picture. Its length, up to one, is the part of it across the line of sight.
    pub(crate) fn heading(&self, velocity: Vector<3>) -> [f32; 2] {
        let heading = velocity.direction();
        match *self {
            Self::Flat { .. } => [heading[0], -heading[1]],
            Self::Space { right, up, .. } => [heading.dot(right), -heading.dot(up)],
        }
    }
}

fn bounds(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    points.iter().fold(([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]), |(mut low, mut high), point| {
        for axis in 0..3 {
            low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
            high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
        }
        (low, high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_has_its_origin_at_the_lower_left() {
        let map = Bounds { low: Vector::ZERO, high: Vector([100.0, 50.0, 0.0]) };
        let camera = Camera::new(true, map, [200.0, 100.0], &View::default());
        let seen = camera.project(Vector([0.0, 0.0, 0.0])).unwrap();
        assert_eq!((seen.x, seen.y), (0.0, 100.0));
        let seen = camera.project(Vector([100.0, 50.0, 0.0])).unwrap();
        assert_eq!((seen.x, seen.y), (200.0, 0.0));
        assert_eq!(camera.heading(Vector([0.0, 3.0, 0.0])), [0.0, -1.0]);
    }

    #[test]
    fn a_box_in_space_is_seen_whole_and_upright() {
        let size = Vector([80.0, 60.0, 40.0]);
        for azimuth in [0.0, 57.0, 200.0, -90.0] {
            let view = View { azimuth, ..View::default() };
            let camera = Camera::new(false, Bounds { low: Vector::ZERO, high: size }, [1920.0, 1080.0], &view);
            for corner in 0..8 {
                let point = Vector::from_fn(|axis| if corner >> axis & 1 == 0 { 0.0 } else { size[axis] });
                let seen = camera.project(point).unwrap();
                assert!((0.0..=1920.0).contains(&seen.x) && (0.0..=1080.0).contains(&seen.y), "{seen:?}");
            }
            assert!(camera.heading(Vector([0.0, 0.0, 1.0]))[1] < -0.9);
        }
    }

    #[test]
    fn the_centre_of_a_view_is_in_the_middle_of_the_picture_and_zoom_makes_it_larger() {
        for flat in [true, false] {
            let centre = Vector([20.0, 30.0, if flat { 0.0 } else { 5.0 }]);
            let bounds = Bounds { low: Vector::ZERO, high: Vector([80.0, 60.0, 40.0]) };
            let near =
                Camera::new(flat, bounds, [640.0, 360.0], &View { centre: Some(centre), zoom: 4.0, ..View::default() });
            let seen = near.project(centre).unwrap();
            assert!((seen.x - 320.0).abs() < 0.1 && (seen.y - 180.0).abs() < 0.1, "{seen:?}");
            let whole = Camera::new(flat, bounds, [640.0, 360.0], &View { centre: Some(centre), ..View::default() });
            assert!((near.scale() / whole.scale() - 4.0).abs() < 0.1);
        }
    }
}
