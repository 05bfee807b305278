//! Room for a body at a point: distances to obstacles and walls.

use crate::base::settings::Settings;
use crate::environment::index::EnvironmentIndex;
use crate::environment::region::Shape;
use crate::environment::tree::Aabb;
use crate::environment::wall::WallMotion;
use crate::environment::{Environment, Wall, WallId, WallShape};
use crate::maths::Vector;

impl<const D: usize> Environment<D> {
    /// Returns whether a body at a point overlaps neither an obstacle nor a wall that exists at this simulated time. The
    /// index is that of this environment.
    pub(crate) fn has_room(
        &self,
        index: &EnvironmentIndex<D>,
        settings: &Settings<D>,
        seconds: f64,
        position: Vector<D>,
        radius: f32,
    ) -> bool {
        let mut near = Vec::new();
        index.obstacles_within(&Aabb { centre: position, half: Vector::ZERO }, radius, &mut near);
        let overlaps = |number: &u32| {
            let obstacle = &self.obstacles()[*number as usize];
            let reach = obstacle.radius + radius;
            settings.offset(position, obstacle.centre).length_squared() < reach * reach
        };
        let touches = |(_, wall, motion): (WallId, &Wall<D>, &WallMotion<D>)| {
            !wall.is_open(seconds)
                && distance_squared(&wall.shape.displaced(motion.offset), settings, position) < radius * radius
        };
        !near.iter().any(overlaps) && !self.walls.parts().1.any(touches)
    }
}

/// The squared distance from a point to a wall, in square metres; zero inside a box or a ball.
fn distance_squared<const D: usize>(wall: &WallShape<D>, settings: &Settings<D>, point: Vector<D>) -> f32 {
    match wall {
        WallShape::Path { points, closed } => {
            let last = points.last().filter(|_| *closed).zip(points.first());
            let pairs = points.windows(2).map(|pair| (&pair[0], &pair[1])).chain(last);
            let each = pairs.map(|(from, to)| {
                // The segment relative to the image of its start that is nearest to the point.
                let (offset, along) = (settings.offset(*from, point), *to - *from);
                let share = offset.dot(along) / along.length_squared();
                let share = if share > 1.0 {
                    1.0
                } else if share > 0.0 {
                    share
                } else {
                    0.0
                };
                (offset - along * share).length_squared()
            });
            each.fold(f32::INFINITY, |least, squared| if squared < least { squared } else { least })
        }
        WallShape::Box { centre, half } => {
            Shape::Box { centre: *centre, half: *half }.distance_squared(settings, point)
        }
        WallShape::Ball { centre, radius } => {
            Shape::Ball { centre: *centre, radius: *radius }.distance_squared(settings, point)
        }
        WallShape::Plane { point: of_plane, normal } => {
            let distance = settings.offset(*of_plane, point).dot(normal.direction());
            distance * distance
        }
    }
}
