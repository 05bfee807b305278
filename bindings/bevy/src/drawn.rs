//! Places between two ticks.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;
use throng::{Came, Vector};

/// The axes of Bevy along which the agents of a world move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// x and y, as sprites; the z of a `Transform`, their layer, belongs to the host. Worlds of two dimensions.
    Xy,
    /// x and −z, the ground of a scene in space; the y of a `Transform`, the height, belongs to the host.
    Xz,
    /// All three. Worlds of three dimensions.
    #[default]
    Space,
}

impl Plane {
    /// A vector of a world along the axes of Bevy.
    pub(crate) fn place<const D: usize>(self, vector: Vector<D>) -> Vec3 {
        let [x, y, z] = std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 });
        if self == Self::Xz { Vec3::new(x, 0.0, -y) } else { Vec3::new(x, y, z) }
    }
}

/// Where an agent is drawn: between its last two positions.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The position one tick ago, as the periodic image nearest to `to`; `to` for an agent that was set elsewhere since.
    pub from: Vec3,
    /// The position at the last tick.
    pub to: Vec3,
    /// The direction of motion; zero for an agent that has never moved.
    pub heading: Vec3,
    /// The axes along which it moves.
    pub plane: Plane,
}

impl Drawn {
    /// An agent that has not moved yet.
    pub(crate) fn at_rest<const D: usize>(position: Vector<D>, velocity: Vector<D>, plane: Plane) -> Self {
        let to = plane.place(position);
        Self { from: to, to, heading: plane.place(velocity).try_normalize().unwrap_or_default(), plane }
    }

    /// After a step.
    pub(crate) fn moved<const D: usize>(self, position: Vector<D>, velocity: Vector<D>, came: Came<D>) -> Self {
        let way = if let Came::Moved(way) = came { way } else { Vector::ZERO };
        Self {
            from: self.plane.place(position - way),
            to: self.plane.place(position),
            heading: self.plane.place(velocity).try_normalize().unwrap_or(self.heading),
            plane: self.plane,
        }
    }

    /// Moves a transform to a share of the way. Agents look along its x axis, unless it keeps its rotation.
    pub(crate) fn draw(&self, share: f32, transform: &mut Transform, turns: bool) {
        let place = self.from.lerp(self.to, share);
        transform.translation = match self.plane {
            Plane::Xy => place.with_z(transform.translation.z),
            Plane::Xz => place.with_y(transform.translation.y),
            Plane::Space => place,
        };
        if !turns || self.heading == Vec3::ZERO {
            return;
        }
        transform.rotation = if self.heading.z == 0.0 && self.plane != Plane::Xz {
            Quat::from_rotation_arc_2d(Vec2::X, self.heading.truncate())
        } else {
            Quat::from_rotation_arc(Vec3::X, self.heading)
        };
    }
}
