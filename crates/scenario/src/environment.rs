//! The environment of a scenario: marks, obstacles, regions, flow fields, walls and navigations.

use throng::parameters::{Allowed, Kind, is_name};
use throng::{Environment, Error, FlowField, Mark, Obstacle, Region, Vector};

use crate::fields::{Fields, Reader, vector};
use crate::navigation::NavigationSpec;
use crate::places::PlacesSpec;
use crate::reason::Reason;
use crate::start::{StartRegion, in_dimensions};
use crate::walls::{self, WallSpec};

/// The validated environment of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnvironmentSpec {
    pub(crate) marks: Vec<(String, Vec<f32>)>,
    obstacles: Vec<ObstacleSpec>,
    pub(crate) regions: Vec<RegionSpec>,
    pub(crate) fields: Vec<FlowFieldSpec>,
    pub(crate) walls: Vec<WallSpec>,
    pub(crate) navigations: Vec<NavigationSpec>,
    pub(crate) places: Vec<PlacesSpec>,
    /// The named areas of a floor plan that are not rectangles, by their rings.
    pub(crate) areas: Vec<(String, Vec<Vec<[f32; 2]>>)>,
}

#[derive(Clone, Debug, PartialEq)]
struct ObstacleSpec {
    centre: Vec<f32>,
    radius: f32,
    velocity: Option<Vec<f32>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RegionSpec {
    pub(crate) name: String,
    centre: Vec<f32>,
    extent: Extent,
}

impl RegionSpec {
    /// A box.
    #[cfg(feature = "floor_plans")]
    pub(crate) fn in_box(name: String, centre: Vec<f32>, size: Vec<f32>) -> Self {
        Self { name, centre, extent: Extent::Size(size) }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Extent {
    Radius(f32),
    Size(Vec<f32>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlowFieldSpec {
    pub(crate) name: String,
    cells: Vec<usize>,
    vectors: Vec<Vec<f32>>,
}

/// Reads the environment from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> EnvironmentSpec {
    EnvironmentSpec {
        marks: read_marks(reader, root, dimensions),
        obstacles: read_obstacles(reader, root, dimensions),
        regions: read_regions(reader, root, dimensions),
        fields: read_fields(reader, root, dimensions),
        walls: walls::read(reader, root, dimensions),
        navigations: Vec::new(),
        places: Vec::new(),
        areas: Vec::new(),
    }
}

fn read_marks<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<(String, Vec<f32>)> {
    let (entries, Some(kind @ Kind::Point(range))) = reader.named(root, "marks") else {
        return Vec::new();
    };
    let mut marks = Vec::new();
    for entry in entries {
        let path = reader.check_name("marks", entry);
        match vector(&entry.item.node, dimensions, range) {
            Some(position) => marks.push((entry.key.clone(), position)),
            None => reader.refuse(path, &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "m" })),
        }
    }
    marks
}

fn read_obstacles<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<ObstacleSpec> {
    let tables = reader.tables(root, "obstacle");
    let obstacles = tables.iter().filter_map(|fields| {
        let centre = reader.per_axis(fields, "centre", dimensions);
        let radius = reader.number(fields, "radius");
        let velocity = reader.per_axis(fields, "velocity", dimensions);
        Some(ObstacleSpec { centre: centre?, radius: radius?, velocity })
    });
    obstacles.collect()
}

fn read_regions<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<RegionSpec> {
    let mut regions: Vec<RegionSpec> = Vec::new();
    for fields in &reader.tables(root, "region") {
        let name = reader.name(fields, "name");
        let centre = reader.per_axis(fields, "centre", dimensions);
        let radius = reader.number(fields, "radius").map(Extent::Radius);
        let size = reader.per_axis(fields, "size", dimensions).map(Extent::Size);
        let keys = vec!["radius", "size"];
        let found = keys.iter().filter(|key| fields.entry(key).is_some()).count();
        if found != 1 {
            reader.note(fields.at, fields.path.clone(), None, Reason::OneOf { keys, found });
        }
        if let (Some(name), Some(centre), Some(extent)) = (name, centre, radius.or(size)) {
            if regions.iter().any(|other| other.name == name)
                && let Some(entry) = fields.entry("name")
            {
                reader.refuse(fields.path_of("name"), &entry.item, Reason::RegionTaken);
            }
            regions.push(RegionSpec { name: name.to_owned(), centre, extent });
        }
    }
    regions
}

fn read_fields<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, dimensions: usize) -> Vec<FlowFieldSpec> {
    let mut specs = Vec::new();
    for (name, fields) in reader.named_tables(root, "fields") {
        let cells = reader.whole_per_axis(&fields, "cells", dimensions);
        let vectors = reader.vectors(&fields, "vectors", dimensions);
        let (Some(cells), Some(vectors), true) = (cells, vectors, is_name(name)) else { continue };
        let count = cells.iter().try_fold(1_usize, |count, &cells| count.checked_mul(cells));
        if count == Some(vectors.len()) {
            specs.push(FlowFieldSpec { name: name.to_owned(), cells, vectors });
        } else if let Some(entry) = fields.entry("vectors") {
            let reason = Reason::Vectors { vectors: vectors.len(), cells: count };
            reader.note(entry.at, fields.path_of("vectors"), None, reason);
        }
    }
    specs
}

impl RegionSpec {
    /// The region as one of initial positions.
    pub(crate) fn start(&self) -> StartRegion {
        match &self.extent {
            Extent::Radius(radius) => StartRegion::Disc(self.centre.clone(), *radius),
            Extent::Size(size) => StartRegion::Box(self.centre.clone(), size.clone()),
        }
    }
}

impl EnvironmentSpec {
    pub(crate) fn has_obstacles(&self) -> bool {
        !self.obstacles.is_empty()
    }

    /// Returns whether there are walls.
    pub(crate) fn has_walls(&self) -> bool {
        !self.walls.is_empty()
    }

    /// Adds the environment to a world.
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        for (name, position) in &self.marks {
            environment.marks.put(Mark::new(name, in_dimensions(position)))?;
        }
        for obstacle in self.obstacles() {
            environment.obstacles.add(obstacle)?;
        }
        for region in &self.regions {
            if let Some(shape) = region.start().shape() {
                environment.regions.add(Region::new(&region.name, shape))?;
            }
        }
        for field in &self.fields {
            let cells = std::array::from_fn(|axis| field.cells.get(axis).copied().unwrap_or(0));
            let vectors = field.vectors.iter().map(|vector| in_dimensions(vector)).collect();
            environment.fields.put(FlowField::new(&field.name, cells, vectors)?)?;
        }
        for wall in &self.walls {
            environment.walls.add(wall.build())?;
        }
        self.navigations.iter().try_for_each(|navigation| navigation.build(environment))
    }

    fn obstacles<const D: usize>(&self) -> impl Iterator<Item = Obstacle<D>> {
        let obstacle = |spec: &ObstacleSpec| Obstacle {
            centre: in_dimensions(&spec.centre),
            radius: spec.radius,
            velocity: spec.velocity.as_ref().map_or(Vector::ZERO, |velocity| in_dimensions(velocity)),
        };
        self.obstacles.iter().map(obstacle)
    }
}
