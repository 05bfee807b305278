//! What is in the world besides agents? Points that the host moves, obstacles, and fields that flow.

use crate::error::Error;
use crate::flow_field::FlowField;
use crate::maths::Vector;
use crate::region::{Region, Shape};
use crate::settings::{Edge, LIMIT, Settings};

/// A disc or ball that agents avoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle<const D: usize> {
    /// The centre, in metres.
    pub centre: Vector<D>,
    /// The radius, in metres.
    pub radius: f32,
    /// How it moves, in metres per second. A moving obstacle turns back at the edge of the world, or comes in on the
    /// other side where the world is periodic.
    pub velocity: Vector<D>,
}

/// The things in a world that are not agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery<const D: usize> {
    marks: Vec<Mark<D>>,
    obstacles: Vec<Obstacle<D>>,
    regions: Vec<Region<D>>,
    fields: Vec<(String, FlowField<D>)>,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark<const D: usize> {
    /// The name that targets refer to it by.
    pub name: String,
    /// Where it is, in metres.
    pub position: Vector<D>,
}

impl<const D: usize> Scenery<D> {
    /// The points with a name, in the order in which they were first set.
    #[must_use]
    pub fn marks(&self) -> &[Mark<D>] {
        &self.marks
    }

    /// The point of this name.
    #[must_use]
    pub fn mark(&self, name: &str) -> Option<Vector<D>> {
        self.marks.iter().find(|mark| mark.name == name).map(|mark| mark.position)
    }

    /// Sets the point of this name; a name that is new is added.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a coordinate is not within [`LIMIT`] of zero.
    pub fn set_mark(&mut self, name: &str, position: impl Into<Vector<D>>) -> Result<(), Error> {
        let position = within_limit("position", position.into())?;
        match self.marks.iter_mut().find(|mark| mark.name == name) {
            Some(mark) => mark.position = position,
            None => self.marks.push(Mark { name: name.to_owned(), position }),
        }
        Ok(())
    }

    /// The obstacles, in the order in which they were added.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle<D>] {
        &self.obstacles
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not within [`LIMIT`] of zero, or the radius is negative.
    pub fn add_obstacle(&mut self, obstacle: Obstacle<D>) -> Result<(), Error> {
        within_limit("centre", obstacle.centre)?;
        within_limit("velocity", obstacle.velocity)?;
        if !(0.0..=LIMIT).contains(&obstacle.radius) {
            return Err(Error::bad("radius", obstacle.radius, "in [0, 1e6] metres"));
        }
        self.obstacles.push(obstacle);
        Ok(())
    }

    /// Removes all obstacles.
    pub fn clear_obstacles(&mut self) {
        self.obstacles.clear();
    }

    /// The regions, in the order in which they were added: events name them by their place.
    #[must_use]
    pub fn regions(&self) -> &[Region<D>] {
        &self.regions
    }

    /// Adds a region, and tells its number.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not within [`LIMIT`] of zero, or if a length
    /// is negative.
    pub fn add_region(&mut self, region: Region<D>) -> Result<u32, Error> {
        let (centre, lengths) = match region.shape {
            Shape::Ball { centre, radius } => (centre, Vector::splat(radius)),
            Shape::Box { centre, half } => (centre, half),
        };
        within_limit("centre", centre)?;
        if !lengths.0.iter().all(|length| (0.0..=LIMIT).contains(length)) {
            return Err(Error::bad("size", lengths.0, "in [0, 1e6] metres"));
        }
        self.regions.push(region);
        Ok(self.regions.len() as u32 - 1)
    }

    /// Sets the bits, 64 to a word, of the regions that a point is in.
    pub(crate) fn regions_at(&self, settings: &Settings<D>, point: Vector<D>, bits: &mut [u64]) {
        for (number, region) in self.regions.iter().enumerate() {
            if region.shape.contains(settings, point) {
                bits[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// The flow fields and their names, in the order in which they were first set.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &FlowField<D>)> {
        self.fields.iter().map(|(name, field)| (&name[..], field))
    }

    /// The flow field of this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FlowField<D>> {
        self.fields.iter().find(|(other, _)| other == name).map(|(_, field)| field)
    }

    /// Sets the flow field of this name; a name that is new is added.
    pub fn set_field(&mut self, name: &str, field: FlowField<D>) {
        match self.fields.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = field,
            None => self.fields.push((name.to_owned(), field)),
        }
    }

    /// Moves the obstacles by one tick.
    pub(crate) fn advance(&mut self, settings: &Settings<D>) {
        for obstacle in self.obstacles.iter_mut().filter(|obstacle| obstacle.velocity != Vector::ZERO) {
            for axis in 0..D {
                let (size, speed) = (settings.size[axis], obstacle.velocity[axis]);
                let at = obstacle.centre[axis] + speed * settings.tick_seconds;
                obstacle.centre[axis] = match settings.edge {
                    Edge::Wrap => {
                        let inside = at - (at / size).floor() * size;
                        if inside < size { inside } else { 0.0 }
                    }
                    Edge::Open => at.clamp(-LIMIT, LIMIT),
                    _ => at,
                };
                if settings.edge != Edge::Wrap && settings.edge != Edge::Open {
                    let turned = if at - obstacle.radius < 0.0 {
                        speed.abs()
                    } else if at + obstacle.radius > size {
                        -speed.abs()
                    } else {
                        speed
                    };
                    obstacle.velocity[axis] = turned;
                }
            }
        }
    }
}

fn within_limit<const D: usize>(what: &str, vector: Vector<D>) -> Result<Vector<D>, Error> {
    if vector.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(vector);
    }
    Err(Error::bad(what, vector.0, "within 1e6 of zero on every axis"))
}
