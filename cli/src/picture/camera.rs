//! Where on the picture is a point of the world?

use throng::Vector;

/// From where the world is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Camera {
    /// From above, as on a map.
    Flat {
        /// Pixels per metre.
        scale: f32,
        /// Where the world's origin is, in pixels.
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
        /// Where the middle of the view is, in pixels.
        middle: [f32; 2],
        /// The distances of the nearest and the farthest corner of the world.
        near: f32,
        far: f32,
    },
}

/// A point of the world on the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// From the front (0) to the back (1).
    pub(crate) depth: f32,
    /// How large things are there, against the middle of the world.
    pub(crate) size: f32,
}

impl Camera {
    /// A camera that sees the box from `low` to `high` on a picture of this size.
    pub(crate) fn new<const D: usize>(low: Vector<D>, high: Vector<D>, width: f32, height: f32) -> Self {
        let (low, high) = (in_space(low), in_space(high));
        if D == 2 { Self::above(low, high, width, height) } else { Self::outside(low, high, width, height) }
    }

    fn above(low: Vector<3>, high: Vector<3>, width: f32, height: f32) -> Self {
        let extent = high - low;
        let (across, along) = (width / extent[0], height / extent[1]);
        let scale = if across < along { across } else { along };
        let middle = (low + high) * 0.5;
        Self::Flat { scale, origin: [0.5 * width - scale * middle[0], 0.5 * height + scale * middle[1]] }
    }

    fn outside(low: Vector<3>, high: Vector<3>, width: f32, height: f32) -> Self {
        let middle = (low + high) * 0.5;
        let radius = (high - low).length() * 0.5;
        let forward = Vector([0.52, 0.80, -0.30]).direction();
        let right = Vector([forward[1], -forward[0], 0.0]).direction();
        let up = cross(right, forward);
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
        let focal = if across < along { across } else { along };
        let middle =
            [0.5 * width - focal * 0.5 * (least[0] + most[0]), 0.5 * height - focal * 0.5 * (least[1] + most[1])];
        Self::Space { eye, right, up, forward, focal, middle, near: least[2], far: most[2] }
    }

    /// Where a point is seen; `None` if it is behind the camera.
    pub(crate) fn see(&self, point: Vector<3>) -> Option<Seen> {
        match *self {
            Self::Flat { scale, origin } => {
                let (x, y) = (origin[0] + scale * point[0], origin[1] - scale * point[1]);
                Some(Seen { x, y, depth: 0.0, size: 1.0 })
            }
            Self::Space { eye, right, up, forward, focal, middle, near, far } => {
                let offset = point - eye;
                let distance = offset.dot(forward);
                if distance <= 0.05 * near {
                    return None;
                }
                let scale = focal / distance;
                Some(Seen {
                    x: middle[0] + scale * offset.dot(right),
                    y: middle[1] - scale * offset.dot(up),
                    depth: ((distance - near) / (far - near)).clamp(0.0, 1.0),
                    size: 0.5 * (near + far) / distance,
                })
            }
        }
    }

    /// Pixels per metre in the middle of the world; elsewhere it is this times [`Seen::size`].
    pub(crate) fn scale(&self) -> f32 {
        match *self {
            Self::Flat { scale, .. } => scale,
            Self::Space { focal, near, far, .. } => focal / (0.5 * (near + far)),
        }
    }

    /// The direction of a velocity on the picture, and how much of it is seen from the side: a length up to one.
    pub(crate) fn heading(&self, velocity: Vector<3>) -> [f32; 2] {
        let heading = velocity.direction();
        match *self {
            Self::Flat { .. } => [heading[0], -heading[1]],
            Self::Space { right, up, .. } => [heading.dot(right), -heading.dot(up)],
        }
    }
}

/// A point or a vector of a plane in space.
pub(crate) fn in_space<const D: usize>(vector: Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}

fn cross(a: Vector<3>, b: Vector<3>) -> Vector<3> {
    throng::glam::Vec3::from(a).cross(b.into()).into()
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
        let camera = Camera::new(Vector([0.0, 0.0]), Vector([100.0, 50.0]), 200.0, 100.0);
        let seen = camera.see(Vector([0.0, 0.0, 0.0])).unwrap();
        assert_eq!((seen.x, seen.y), (0.0, 100.0));
        let seen = camera.see(Vector([100.0, 50.0, 0.0])).unwrap();
        assert_eq!((seen.x, seen.y), (200.0, 0.0));
        assert_eq!(camera.heading(Vector([0.0, 3.0, 0.0])), [0.0, -1.0]);
    }

    #[test]
    fn a_box_in_space_is_seen_whole_and_upright() {
        let camera = Camera::new(Vector([0.0; 3]), Vector([80.0, 60.0, 40.0]), 1920.0, 1080.0);
        for corner in 0..8 {
            let point = Vector([80.0, 60.0, 40.0].map(|size| size)).0;
            let point = Vector::from_fn(|axis| if corner >> axis & 1 == 0 { 0.0 } else { point[axis] });
            let seen = camera.see(point).unwrap();
            assert!((0.0..=1920.0).contains(&seen.x) && (0.0..=1080.0).contains(&seen.y), "{seen:?}");
        }
        assert!(camera.heading(Vector([0.0, 0.0, 1.0]))[1] < -0.9);
    }
}
