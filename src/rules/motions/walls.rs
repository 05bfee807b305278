//! The walls near an agent, relative to it.

use crate::WallShape;
use crate::boxes::aabb::Aabb;
use crate::environment::piece::Piece;
use crate::environment::wall_index::NearPieces;
use crate::formulas::orca::MOST_WALLS;
use crate::maths::Vector;
use crate::maths::wide::{Wide, widened};
use crate::rules::interface::{AgentRef, Rows};

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
    walls: [Option<NearWall<D>>; MOST_WALLS],
    len: usize,
}

/// The pieces of walls near the agents of a cluster.
#[derive(Debug)]
pub(super) struct WallsOfCluster(NearPieces);

impl WallsOfCluster {
    /// Those within a distance of each agent of `rows`: `reach` gives it, in metres.
    pub(super) fn of<const D: usize>(rows: &Rows<'_, D>, reach: impl Fn(&AgentRef<'_, D>) -> f32) -> Self {
        let world = rows.world;
        if rows.is_empty() || world.environment_index.walls.pieces.is_empty() {
            return Self(NearPieces::new());
        }
        let all = || (rows.first..rows.first + rows.len).map(|row| rows.at(row));
        let farthest = all().map(|me| reach(&me)).fold(0.0, |most, reach| if reach > most { reach } else { most });
        let at = all().map(|me| Aabb { centre: me.position(), half: Vector::ZERO });
        let bounds = Aabb::around(at, world.settings());
        Self(world.wall_pieces_within(&bounds, farthest))
    }

    /// The walls within `reach` metres of one of these agents.
    pub(super) fn near<const D: usize>(&self, me: &AgentRef<'_, D>, reach: f32) -> NearWalls<D> {
        NearWalls::among(me, reach, &self.0)
    }
}

impl<const D: usize> NearWalls<D> {
    /// The walls within `reach` metres of an agent.
    pub(super) fn of(me: &AgentRef<'_, D>, reach: f32) -> Self {
        let at = Aabb { centre: me.position(), half: Vector::ZERO };
        Self::among(me, reach, &me.world().wall_pieces_within(&at, reach))
    }

    /// The same among these pieces, in the order of the walls.
    fn among(me: &AgentRef<'_, D>, reach: f32, pieces: &[u32]) -> Self {
        let mut near = Self { walls: [None; MOST_WALLS], len: 0 };
        let (world, environment) = (me.world(), me.world().environment());
        for piece in pieces.iter().map(|&number| &world.environment_index.walls.pieces[number as usize]) {
            let wall = &environment.walls.items()[piece.wall as usize];
            if wall.is_open(world.seconds()) {
                continue;
            }
            let moved = environment.wall_motions()[piece.wall as usize].offset;
            let at = |point: Wide<D>| me.offset_to(Vector::from_fn(|axis| (point[axis] + moved[axis]) as f32));
            let (nearest, segment) = match (&piece.piece, &wall.shape) {
                (Piece::Segment(start, end), _) => {
                    let [start, end] = [*start, *end].map(|end| Vector(end.map(|end| end as f32)));
                    // The image of the segment whose middle is nearest.
                    let half = (end - start) * 0.5;
                    let middle = at(widened((start + half).0));
                    let (start, span) = (middle - half, half * 2.0);
                    let share = -start.dot(span) / span.length_squared();
                    let share = if share > 1.0 {
                        1.0
                    } else if share > 0.0 {
                        share
                    } else {
                        0.0
                    };
                    (start + span * share, Some([start, start + span]))
                }
                (_, WallShape::Box { centre, half }) => (nearest_on_box(at(widened(centre.0)), *half), None),
                (_, WallShape::Ball { centre, radius }) => {
                    let offset = at(widened(centre.0));
                    (offset - offset.direction() * *radius, None)
                }
                (_, WallShape::Plane { point, normal }) => {
                    let normal = normal.direction();
                    (normal * at(widened(point.0)).dot(normal), None)
                }
                (_, WallShape::Path { .. }) => continue,
            };
            let squared = nearest.length_squared();
            if squared <= reach * reach {
                near.add(NearWall { nearest, segment, velocity: wall.velocity, squared });
            }
        }
        near
    }

    /// Adds a wall, in the order of distances. Drops the farthest of too many.
    fn add(&mut self, wall: NearWall<D>) {
        let mut place = self.len;
        if self.len == MOST_WALLS {
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
