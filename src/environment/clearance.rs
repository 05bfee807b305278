//! Room for a body at a point: distances to obstacles and walls.

use crate::base::settings::Settings;
use crate::boxes::aabb::Aabb;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::maths::Vector;

impl<const D: usize> Environment<D> {
    /// Returns whether a body at a point overlaps neither an obstacle nor a wall that exists at this simulated time,
    /// and its centre is where agents may start. The index is the wall index of this environment, its ground included.
    pub(crate) fn has_room(
        &self,
        index: &EnvironmentIndex<D>,
        settings: &Settings<D>,
        seconds: f64,
        position: Vector<D>,
        radius: f32,
    ) -> bool {
        index.ground.holds(settings, position, false) && self.is_clear(index, settings, seconds, position, radius)
    }

    /// The same without the ground: whether a body overlaps neither an obstacle nor a wall.
    pub(crate) fn is_clear(
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
            let obstacle = &self.obstacles.items()[*number as usize];
            let reach = obstacle.radius + radius;
            settings.offset(position, obstacle.centre).length_squared() < reach * reach
        };
        if near.iter().any(overlaps) {
            return false;
        }
        index.walls.find(&Aabb { centre: position, half: Vector::splat(radius) }, &mut near);
        !self.is_walled(&index.walls, &near, settings, seconds, position, radius)
    }
}
