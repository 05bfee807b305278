//! The scenery of a world: obstacles, marks, regions and flow fields, each with a handle.

mod clumps;
pub(crate) mod handles;
pub(crate) mod index;
mod nearby;
mod obstacle;
pub(crate) mod paths;
pub(crate) mod tree;

pub use handles::{FieldId, MarkId, ObstacleId, RegionId};
pub use obstacle::Obstacle;

use crate::error::Error;
use crate::flow_field::FlowField;
use crate::maths::Vector;
use crate::region::Region;
use crate::settings::{LIMIT, Settings};
use crate::values::{Allowed, Range};
use handles::Collection;

/// The obstacles, marks, regions and flow fields of a world.
///
/// Each item gets a handle, with which it is read, changed and removed. Handles are never reused. Marks and flow fields
/// also have names, with which rules refer to them.
///
/// ```
/// use throng::{Obstacle, Scenery, Vector};
///
/// let mut scenery = Scenery::<2>::default();
/// let rock = Obstacle { centre: Vector([20.0, 10.0]), radius: 3.0, velocity: Vector::ZERO };
/// let id = scenery.add_obstacle(rock)?;
/// scenery.set_obstacle(id, Obstacle { radius: 4.0, ..rock })?;
/// assert_eq!(scenery.obstacle(id).map(|rock| rock.radius), Some(4.0));
/// scenery.remove_obstacle(id);
/// assert_eq!(scenery.obstacle(id), None);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery<const D: usize> {
    pub(crate) marks: Collection<MarkId, Mark<D>>,
    pub(crate) obstacles: Collection<ObstacleId, Obstacle<D>>,
    pub(crate) regions: Collection<RegionId, Region<D>>,
    pub(crate) fields: Collection<FieldId, (String, FlowField<D>)>,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark<const D: usize> {
    /// The name with which targets refer to it.
    pub name: String,
    /// Position in metres.
    pub position: Vector<D>,
}

/// Obstacles.
impl<const D: usize> Scenery<D> {
    /// The obstacles, in the order in which they were added.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle<D>] {
        self.obstacles.values()
    }

    /// The handles of [`obstacles`](Self::obstacles), with the obstacles.
    pub fn obstacle_ids(&self) -> impl ExactSizeIterator<Item = (ObstacleId, &Obstacle<D>)> {
        self.obstacles.iter()
    }

    /// The obstacle with this handle; `None` if it was removed.
    #[must_use]
    pub fn obstacle(&self, id: ObstacleId) -> Option<&Obstacle<D>> {
        self.obstacles.get(id)
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not within [`LIMIT`] of zero, or the radius is negative.
    pub fn add_obstacle(&mut self, obstacle: Obstacle<D>) -> Result<ObstacleId, Error> {
        obstacle.check()?;
        Ok(self.obstacles.add(obstacle))
    }

    /// Replaces an obstacle, which keeps its handle and its index. Returns whether the obstacle exists.
    ///
    /// # Errors
    ///
    /// As for [`add_obstacle`](Self::add_obstacle). On an error the obstacle is unchanged.
    pub fn set_obstacle(&mut self, id: ObstacleId, obstacle: Obstacle<D>) -> Result<bool, Error> {
        obstacle.check()?;
        Ok(self.obstacles.get_mut(id).map(|old| *old = obstacle).is_some())
    }

    /// Removes and returns an obstacle; `None` if it does not exist.
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Option<Obstacle<D>> {
        self.obstacles.remove(id)
    }

    /// Removes all obstacles.
    pub fn clear_obstacles(&mut self) {
        self.obstacles.clear();
    }
}

/// Marks.
impl<const D: usize> Scenery<D> {
    /// The marks, in the order in which they were first set.
    #[must_use]
    pub fn marks(&self) -> &[Mark<D>] {
        self.marks.values()
    }

    /// The handles of [`marks`](Self::marks), with the marks.
    pub fn mark_ids(&self) -> impl ExactSizeIterator<Item = (MarkId, &Mark<D>)> {
        self.marks.iter()
    }

    /// The position of the mark with this name.
    #[must_use]
    pub fn mark(&self, name: &str) -> Option<Vector<D>> {
        self.marks().iter().find(|mark| mark.name == name).map(|mark| mark.position)
    }

    /// The handle of the mark with this name.
    #[must_use]
    pub fn find_mark(&self, name: &str) -> Option<MarkId> {
        self.marks.iter().find(|(_, mark)| mark.name == name).map(|(id, _)| id)
    }

    /// The position of a mark; `None` if it was removed.
    #[must_use]
    pub fn mark_position(&self, id: MarkId) -> Option<Vector<D>> {
        self.marks.get(id).map(|mark| mark.position)
    }

    /// Sets the mark with this name, adding it if the name is new.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a coordinate is not within [`LIMIT`] of zero.
    pub fn set_mark(&mut self, name: &str, position: impl Into<Vector<D>>) -> Result<MarkId, Error> {
        let position = within_limit("position", position.into(), "m")?;
        let id = self.find_mark(name);
        let known = id.and_then(|id| self.marks.get_mut(id)).map(|mark| mark.position = position);
        match (id, known) {
            (Some(id), Some(())) => Ok(id),
            _ => Ok(self.marks.add(Mark { name: name.to_owned(), position })),
        }
    }

    /// Moves a mark. Returns whether the mark exists.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a coordinate is not within [`LIMIT`] of zero. On an error the mark is unchanged.
    pub fn move_mark(&mut self, id: MarkId, position: impl Into<Vector<D>>) -> Result<bool, Error> {
        let position = within_limit("position", position.into(), "m")?;
        Ok(self.marks.get_mut(id).map(|mark| mark.position = position).is_some())
    }

    /// Removes and returns a mark; `None` if it does not exist.
    pub fn remove_mark(&mut self, id: MarkId) -> Option<Mark<D>> {
        self.marks.remove(id)
    }
}

/// Regions.
impl<const D: usize> Scenery<D> {
    /// The regions, in the order in which they were added. Events refer to them by index.
    #[must_use]
    pub fn regions(&self) -> &[Region<D>] {
        self.regions.values()
    }

    /// The handles of [`regions`](Self::regions), with the regions.
    pub fn region_ids(&self) -> impl ExactSizeIterator<Item = (RegionId, &Region<D>)> {
        self.regions.iter()
    }

    /// The region with this handle; `None` if it was removed.
    #[must_use]
    pub fn region(&self, id: RegionId) -> Option<&Region<D>> {
        self.regions.get(id)
    }

    /// The index of a region in [`regions`](Self::regions), as used by events; `None` if it was removed.
    #[must_use]
    pub fn region_number(&self, id: RegionId) -> Option<u32> {
        self.regions.place(id).map(|place| place as u32)
    }

    /// Adds a region.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not within [`LIMIT`] of zero, or if a length is negative.
    pub fn add_region(&mut self, region: Region<D>) -> Result<RegionId, Error> {
        region.check()?;
        Ok(self.regions.add(region))
    }

    /// Replaces a region, which keeps its handle and its index. Returns whether the region exists.
    ///
    /// # Errors
    ///
    /// As for [`add_region`](Self::add_region). On an error the region is unchanged.
    pub fn set_region(&mut self, id: RegionId, region: Region<D>) -> Result<bool, Error> {
        region.check()?;
        Ok(self.regions.get_mut(id).map(|old| *old = region).is_some())
    }

    /// Removes and returns a region; `None` if it does not exist. The indices of later regions decrease by one.
    pub fn remove_region(&mut self, id: RegionId) -> Option<Region<D>> {
        self.regions.remove(id)
    }
}

/// Flow fields.
impl<const D: usize> Scenery<D> {
    /// The flow fields and their names, in the order in which they were first set.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &FlowField<D>)> {
        self.fields.values().iter().map(|(name, field)| (&name[..], field))
    }

    /// The handles of the flow fields, with their names, in the order in which they were first set.
    pub fn field_ids(&self) -> impl ExactSizeIterator<Item = (FieldId, &str)> {
        self.fields.iter().map(|(id, (name, _))| (id, &name[..]))
    }

    /// The flow field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FlowField<D>> {
        self.fields().find(|(other, _)| *other == name).map(|(_, field)| field)
    }

    /// The handle of the flow field with this name.
    #[must_use]
    pub fn find_field(&self, name: &str) -> Option<FieldId> {
        self.field_ids().find(|(_, other)| *other == name).map(|(id, _)| id)
    }

    /// The flow field with this handle; `None` if it was removed.
    #[must_use]
    pub fn field_by_id(&self, id: FieldId) -> Option<&FlowField<D>> {
        self.fields.get(id).map(|(_, field)| field)
    }

    /// The flow field at this index.
    pub(crate) fn field_at(&self, place: usize) -> Option<&FlowField<D>> {
        self.fields.values().get(place).map(|(_, field)| field)
    }

    /// Sets the flow field with this name, adding it if the name is new.
    pub fn set_field(&mut self, name: &str, field: FlowField<D>) -> FieldId {
        match self.find_field(name) {
            Some(id) => {
                if let Some((_, old)) = self.fields.get_mut(id) {
                    *old = field;
                }
                id
            }
            None => self.fields.add((name.to_owned(), field)),
        }
    }

    /// Removes and returns a flow field; `None` if it does not exist.
    pub fn remove_field(&mut self, id: FieldId) -> Option<FlowField<D>> {
        self.fields.remove(id).map(|(_, field)| field)
    }
}

/// For the engine.
impl<const D: usize> Scenery<D> {
    /// Moves the obstacles by one tick.
    pub(crate) fn advance(&mut self, settings: &Settings<D>) {
        let moving = self.obstacles.values_mut().iter_mut().filter(|obstacle| obstacle.velocity != Vector::ZERO);
        moving.for_each(|obstacle| obstacle.advance(settings));
    }

    /// Checks that every item could have been added through the public methods.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is out of its range, or two marks or two fields share a name.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for mark in self.marks.values() {
            within_limit("position", mark.position, "m")?;
        }
        self.obstacles.values().iter().try_for_each(Obstacle::check)?;
        self.regions.values().iter().try_for_each(Region::check)?;
        unique("mark", self.marks.values().iter().map(|mark| &mark.name[..]))?;
        unique("field", self.fields.values().iter().map(|(name, _)| &name[..]))
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::bad(what, name, Allowed::NewName));
        }
    }
    Ok(())
}

pub(crate) fn within_limit<const D: usize>(
    what: &str,
    vector: Vector<D>,
    unit: &'static str,
) -> Result<Vector<D>, Error> {
    if vector.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(vector);
    }
    Err(Error::bad(what, vector, Allowed::point(Range::COORDINATE, unit)))
}
