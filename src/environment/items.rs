//! The environment of a world: its items, and the methods that read and edit them.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::settings::Settings;
use crate::environment::flow_field::{FlowField, NamedField};
use crate::environment::handles::{
    Collection, FieldId, Item as _, MarkId, NavigationId, ObstacleId, PlacesId, RegionId, SinkId, SourceId, WallId,
    ZoneId,
};
use crate::environment::mark::Mark;
use crate::environment::navigation::{Navigation, NavigationField};
use crate::environment::obstacle::Obstacle;
use crate::environment::places::Places;
use crate::environment::region::Region;
use crate::environment::sink::Sink;
use crate::environment::source::Source;
use crate::environment::wall::{Wall, WallMotion};
use crate::environment::zone::Zone;
use crate::maths::Vector;

/// The obstacles, walls, marks, regions, flow fields, navigations, sources, sinks and zones of a world.
///
/// Each item has a handle, by which the host reads, changes and removes it. Handles are never reused. Marks and flow
/// fields also have names, by which rules refer to them.
///
/// ```
/// use throng::{Environment, Obstacle, Vector};
///
/// let mut environment = Environment::<2>::default();
/// let rock = Obstacle { centre: Vector([20.0, 10.0]), radius: 3.0, velocity: Vector::ZERO };
/// let id = environment.add_obstacle(rock)?;
/// environment.set_obstacle(id, Obstacle { radius: 4.0, ..rock })?;
/// assert_eq!(environment.obstacle(id).map(|rock| rock.radius), Some(4.0));
/// environment.remove_obstacle(id);
/// assert_eq!(environment.obstacle(id), None);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment<const D: usize> {
    pub(crate) marks: Collection<MarkId, Mark<D>>,
    pub(crate) obstacles: Collection<ObstacleId, Obstacle<D>>,
    pub(crate) regions: Collection<RegionId, Region<D>>,
    pub(crate) fields: Collection<FieldId, NamedField<D>>,
    pub(crate) sources: Collection<SourceId, Source<D>>,
    pub(crate) sinks: Collection<SinkId, Sink>,
    pub(crate) zones: Collection<ZoneId, Zone<D>>,
    pub(crate) walls: Collection<WallId, Wall<D>>,
    pub(crate) navigations: Collection<NavigationId, Navigation<D>>,
    pub(crate) places: Collection<PlacesId, Places<D>>,
}

/// Declares methods of [`Environment`] on one kind of item. The word before the name of a method selects its body.
macro_rules! methods {
    ($all:ident: $Item:ty, $Id:ty, $kind:literal; $($what:ident $name:ident),*) => {
        impl<const D: usize> Environment<D> {
            $(methods! { @$what $name, $all, $Item, $Id, $kind })*
        }
    };
    (@all $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("The ", $kind, "s, in the order in which they were added.")]
        #[must_use]
        pub fn $name(&self) -> &[$Item] {
            self.$all.items()
        }
    };
    (@ids $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("The ", $kind, "s and their handles, in the order in which they were added.")]
        pub fn $name(&self) -> impl ExactSizeIterator<Item = ($Id, &$Item)> {
            self.$all.iter()
        }
    };
    (@get $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("The ", $kind, " with this handle; `None` if it was removed.")]
        #[must_use]
        pub fn $name(&self, id: $Id) -> Option<&$Item> {
            self.$all.get(id)
        }
    };
    (@find $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("The handle of the ", $kind, " with this name.")]
        #[must_use]
        pub fn $name(&self, name: &str) -> Option<$Id> {
            self.$all.find(name).map(|(id, _)| id)
        }
    };
    (@add $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("Adds this ", $kind, ". Returns its handle.")]
        ///
        /// # Errors
        ///
        /// [`Error::BadValue`] if a number is not within [`LIMIT`](crate::LIMIT) of zero, or if a length or a shape is
        /// not allowed; [`Error::NameTaken`] if another one has its name.
        pub fn $name(&mut self, item: $Item) -> Result<$Id, Error> {
            self.$all.add(item)
        }
    };
    (@set $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("Replaces the ", $kind, " with this handle, which keeps its handle and its index.")]
        /// Returns whether it exists.
        ///
        /// # Errors
        ///
        /// [`Error::BadValue`] if a number is not within [`LIMIT`](crate::LIMIT) of zero, or if a length or a shape is
        /// not allowed; [`Error::NameTaken`] if another one has its name. On an error nothing changes.
        pub fn $name(&mut self, id: $Id, item: $Item) -> Result<bool, Error> {
            self.$all.set(id, item)
        }
    };
    (@remove $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("Removes and returns the ", $kind, " with this handle; `None` if it does not exist.")]
        /// The indices of later ones decrease by one.
        pub fn $name(&mut self, id: $Id) -> Option<$Item> {
            self.$all.remove(id)
        }
    };
    (@clear $name:ident, $all:ident, $Item:ty, $Id:ty, $kind:literal) => {
        #[doc = concat!("Removes every ", $kind, ".")]
        pub fn $name(&mut self) {
            self.$all.clear();
        }
    };
}

methods! {
    obstacles: Obstacle<D>, ObstacleId, "obstacle";
    all obstacles, ids obstacle_ids, get obstacle, add add_obstacle, set set_obstacle, remove remove_obstacle,
    clear clear_obstacles
}

methods! {
    walls: Wall<D>, WallId, "wall";
    all walls, ids wall_ids, get wall, find find_wall, add add_wall, set set_wall, remove remove_wall, clear clear_walls
}

methods! {
    regions: Region<D>, RegionId, "region";
    all regions, ids region_ids, get region, add add_region, set set_region, remove remove_region
}

methods! {
    marks: Mark<D>, MarkId, "mark";
    all marks, ids mark_ids, find find_mark, remove remove_mark
}

methods! {
    fields: NamedField<D>, FieldId, "flow field";
    find find_field
}

methods! {
    sources: Source<D>, SourceId, "source";
    all sources, ids source_ids, get source, find find_source, add add_source, set set_source, remove remove_source
}

methods! {
    sinks: Sink, SinkId, "sink";
    all sinks, ids sink_ids, get sink, find find_sink, add add_sink, set set_sink, remove remove_sink
}

methods! {
    zones: Zone<D>, ZoneId, "zone";
    all zones, ids zone_ids, get zone, add add_zone, set set_zone, remove remove_zone
}

methods! {
    navigations: Navigation<D>, NavigationId, "navigation";
    all navigations, ids navigation_ids, get navigation, find find_navigation, add add_navigation,
    set set_navigation, remove remove_navigation
}

methods! {
    places: Places<D>, PlacesId, "queue or waiting area";
    all places, ids place_ids, get places_of, find find_places, add add_places, set set_places, remove remove_places
}

impl<const D: usize> Environment<D> {
    /// The agents that have the places of a queue or a waiting area, in the order of its places; `None` if it was
    /// removed.
    #[must_use]
    pub fn occupants(&self, id: PlacesId) -> Option<&[Option<AgentId>]> {
        self.places.record(id).map(|occupants| &occupants.0[..])
    }

    /// The field in use of a navigation; `None` before the tick that follows its addition, or if it was removed.
    #[must_use]
    pub fn navigation_field(&self, id: NavigationId) -> Option<&NavigationField> {
        self.navigation_field_at(self.navigations.index_of(id)?)
    }

    /// The field in use of the navigation at this index.
    pub(crate) fn navigation_field_at(&self, index: usize) -> Option<&NavigationField> {
        self.navigations.records().get(index)?.current.as_ref().map(|ground| ground.field())
    }

    /// The number of agents of a source that arrived and wait for room; `None` if the source was removed.
    #[must_use]
    pub fn source_backlog(&self, id: SourceId) -> Option<u64> {
        self.sources.record(id).map(|progress| progress.arrived - progress.spawned)
    }

    /// The number of agents that a source has spawned; `None` if the source was removed.
    #[must_use]
    pub fn source_spawned(&self, id: SourceId) -> Option<u64> {
        self.sources.record(id).map(|progress| progress.spawned)
    }

    /// The index of a region in [`regions`](Self::regions), as used by events; `None` if it was removed.
    #[must_use]
    pub fn region_number(&self, id: RegionId) -> Option<u32> {
        self.regions.index_of(id).map(|index| index as u32)
    }

    /// The rounding error of the position of a moving obstacle, in metres on each axis. The sum of its centre and this
    /// error is its position. `None` if it was removed.
    #[must_use]
    pub fn obstacle_residual(&self, id: ObstacleId) -> Option<Vector<D>> {
        self.obstacles.record(id).copied()
    }

    /// The index of a wall in [`walls`](Self::walls), as used by events; `None` if it was removed.
    #[must_use]
    pub fn wall_number(&self, id: WallId) -> Option<u32> {
        self.walls.index_of(id).map(|index| index as u32)
    }

    /// The displacement of a moving wall since its shape was set, in metres on each axis. The wall is where its shape
    /// is, [displaced](crate::WallShape::displaced) by it. `None` if it was removed.
    #[must_use]
    pub fn wall_offset(&self, id: WallId) -> Option<[f64; D]> {
        self.walls.record(id).map(|motion| motion.offset)
    }

    /// The position of the mark with this name.
    #[must_use]
    pub fn mark(&self, name: &str) -> Option<Vector<D>> {
        self.marks.find(name).map(|(_, mark)| mark.position)
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
    /// [`Error::BadValue`] if a coordinate is not within [`LIMIT`](crate::LIMIT) of zero.
    pub fn set_mark(&mut self, name: &str, position: impl Into<Vector<D>>) -> Result<MarkId, Error> {
        let mark = Mark { name: name.to_owned(), position: position.into() };
        mark.check()?;
        Ok(self.marks.put(mark))
    }

    /// Moves a mark. Returns whether the mark exists.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a coordinate is not within [`LIMIT`](crate::LIMIT) of zero. On an error the mark is
    /// unchanged.
    pub fn move_mark(&mut self, id: MarkId, position: impl Into<Vector<D>>) -> Result<bool, Error> {
        let name = self.marks.get(id).map_or(String::new(), |mark| mark.name.clone());
        self.marks.set(id, Mark { name, position: position.into() })
    }

    /// The flow fields and their names, in the order in which they were first set.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &FlowField<D>)> {
        self.fields.items().iter().map(|named| (&named.name[..], &named.field))
    }

    /// The handles of the flow fields, with their names, in the order in which they were first set.
    pub fn field_ids(&self) -> impl ExactSizeIterator<Item = (FieldId, &str)> {
        self.fields.iter().map(|(id, named)| (id, &named.name[..]))
    }

    /// The flow field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FlowField<D>> {
        self.fields.find(name).map(|(_, named)| &named.field)
    }

    /// The flow field with this handle; `None` if it was removed.
    #[must_use]
    pub fn field_by_id(&self, id: FieldId) -> Option<&FlowField<D>> {
        self.fields.get(id).map(|named| &named.field)
    }

    /// The flow field at this index.
    pub(crate) fn field_at(&self, index: usize) -> Option<&FlowField<D>> {
        self.fields.items().get(index).map(|named| &named.field)
    }

    /// Sets the flow field with this name, adding it if the name is new.
    pub fn set_field(&mut self, name: &str, field: FlowField<D>) -> FieldId {
        self.fields.put(NamedField { name: name.to_owned(), field })
    }

    /// Removes and returns a flow field; `None` if it does not exist.
    pub fn remove_field(&mut self, id: FieldId) -> Option<FlowField<D>> {
        self.fields.remove(id).map(|named| named.field)
    }

    /// The motion of each wall.
    pub(crate) fn wall_motions(&self) -> &[WallMotion<D>] {
        self.walls.records()
    }

    /// A wall and its motion, for the stage collide.
    pub(crate) fn wall_mut(&mut self, number: usize) -> (&mut Wall<D>, &mut WallMotion<D>) {
        self.walls.item_mut(number)
    }

    /// Moves the obstacles by one tick.
    pub(crate) fn advance(&mut self, settings: &Settings<D>) {
        let moving = self.obstacles.items_mut().filter(|(obstacle, _)| obstacle.velocity != Vector::ZERO);
        moving.for_each(|(obstacle, residual)| obstacle.advance(residual, settings));
    }
}
