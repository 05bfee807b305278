//! The walls near an agent, relative to it.

use crate::WallShape;
use crate::maths::Vector;
use crate::rules::interface::AgentRef;

/// The largest number of walls that an agent heeds, nearest first.
const MOST: usize = 24;

/// A straight part of a wall, or a curved wall, as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearWall<const D: usize> {
    /// The offset to its nearest point, in metres.
    pub(super) nearest: Vector<D>,
    /// The offsets to the ends of a segment.
    pub(super) segment: Option<[Vector<D>; 2]>,
    /// Its velocity, in metres per second.
    pub(super) velocity: Vector<D>,
    squared: f32,
}

/// The walls near an agent, nearest first.
#[derive(Debug)]
pub(super) struct NearWalls<const D: usize> {
    walls: [Option<NearWall<D>>; MOST],
    len: usize,
}

impl<const D: usize> NearWalls<D> {
    /// The walls within `reach` metres of an agent.
    pub(super) fn of(me: &AgentRef<'_, D>, reach: f32) -> Self {
        let mut near = Self { walls: [None; MOST], len: 0 };
        let (world, environment) = (me.world(), me.world().environment());
        if environment.walls().is_empty() {
            return near;
        }
        let seconds = world.tick() as f64 * f64::from(world.settings().tick_seconds);
        for (id, wall) in environment.wall_ids() {
            if wall.is_open(seconds) {
                continue;
            }
            let moved = environment.wall_offset(id).unwrap_or([0.0; D]);
            let at = |point: Vector<D>| Vector::from_fn(|axis| (f64::from(point[axis]) + moved[axis]) as f32);
            let mut add = |nearest: Vector<D>, segment| {
                let squared = nearest.length_squared();
                if squared <= reach * reach {
                    near.add(NearWall { nearest, segment, velocity: wall.velocity, squared });
                }
            };
            match &wall.shape {
                WallShape::Path { points, closed } => {
                    let last = points.last().copied().filter(|_| *closed).into_iter();
                    let mut before: Option<Vector<D>> = None;
                    for point in last.chain(points.iter().copied()) {
                        if let Some(start) = before {
                            // The image of the segment whose middle is nearest.
                            let half = (point - start) * 0.5;
                            let middle = me.offset_to(at(start + half));
                            let (start, span) = (middle - half, half * 2.0);
                            let share = -start.dot(span) / span.length_squared();
                            let share = if share > 1.0 {
                                1.0
                            } else if share > 0.0 {
                                share
                            } else {
                                0.0
                            };
                            add(start + span * share, Some([start, start + span]));
                        }
                        before = Some(point);
                    }
                }
                WallShape::Box { centre, half } => {
                    let offset = me.offset_to(at(*centre));
                    add(nearest_on_box(offset, *half), None);
                }
                WallShape::Ball { centre, radius } => {
                    let offset = me.offset_to(at(*centre));
                    add(offset - offset.direction() * *radius, None);
                }
                WallShape::Plane { point, normal } => {
                    let normal = normal.direction();
                    add(normal * me.offset_to(at(*point)).dot(normal), None);
                }
            }
        }
        near
    }

    /// Adds a wall, in the order of distances. Drops the farthest of too many.
    fn add(&mut self, wall: NearWall<D>) {
        let mut place = self.len;
        if self.len == MOST {
            place -= 1;
            if self.walls[place].is_some_and(|farthest| farthest.squared <= wall.squared) {
                return;
            }
        } else {
            self.len += 1;
        }
        while place > 0 && self.walls[place - 1].is_some_and(|before| before.squared > wall.squared) {
            self.walls[place] = self.walls[place - 1];
            place -= 1;
        }
        self.walls[place] = Some(wall);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &NearWall<D>> {
        self.walls[..self.len].iter().flatten()
    }
}

/// The offset to the nearest point of the surface of a box, from the offset to its centre.
fn nearest_on_box<const D: usize>(centre: Vector<D>, half: Vector<D>) -> Vector<D> {
    let mut nearest = Vector::ZERO;
    let (mut inner, mut depth) = (0, f32::INFINITY);
    for axis in 0..D {
        let (low, high) = (centre[axis] - half[axis], centre[axis] + half[axis]);
        nearest[axis] = if low > 0.0 {
            low
        } else if high < 0.0 {
            high
        } else {
            0.0
        };
        let to_side = if -low < high { low } else { high };
        if to_side.abs() < depth {
            (inner, depth) = (axis, to_side.abs());
        }
    }
    if nearest == Vector::ZERO {
        let (low, high) = (centre[inner] - half[inner], centre[inner] + half[inner]);
        nearest[inner] = if -low < high { low } else { high };
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_a_box_is_on_its_surface() {
        let half = Vector([2.0, 1.0]);
        assert_eq!(nearest_on_box(Vector([5.0, 0.5]), half), Vector([3.0, 0.0]));
        assert_eq!(nearest_on_box(Vector([5.0, 4.0]), half), Vector([3.0, 3.0]));
        assert_eq!(nearest_on_box(Vector([-5.0, -4.0]), half), Vector([-3.0, -3.0]));
        // From inside, the nearest side.
        assert_eq!(nearest_on_box(Vector([0.5, 0.25]), half), Vector([0.0, -0.75]));
    }
}
