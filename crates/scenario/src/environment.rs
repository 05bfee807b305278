//! The environment of a scenario: marks, obstacles, regions, flow fields, walls, lifts, links and navigations.

use throng::parameters::{Allowed, Kind, is_name};
use throng::{Environment, Error, FlowField, Mark, Obstacle, Region};

use crate::fields::{Fields, Reader, vector};
use crate::items::{ItemSpec, Scope};
use crate::places::PlacesSpec;
use crate::read_storeys::placed;
use crate::reason::Reason;
use crate::start::{StartRegion, in_dimensions};
use crate::storeys::Storeys;
use crate::walls;

/// The validated environment of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnvironmentSpec {
    pub(crate) marks: Vec<(String, Vec<f32>)>,
    pub(crate) obstacles: Vec<ItemSpec>,
    pub(crate) regions: Vec<ItemSpec>,
    pub(crate) fields: Vec<FlowFieldSpec>,
    pub(crate) walls: Vec<ItemSpec>,
    pub(crate) navigations: Vec<ItemSpec>,
    pub(crate) places: Vec<PlacesSpec>,
    pub(crate) substances: Vec<ItemSpec>,
    pub(crate) lifts: Vec<ItemSpec>,
    pub(crate) links: Vec<ItemSpec>,
    /// The named areas of a floor plan that are not rectangles, by their rings.
    pub(crate) areas: Vec<(String, Vec<Vec<[f32; 2]>>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlowFieldSpec {
    pub(crate) name: String,
    cells: Vec<usize>,
    vectors: Vec<Vec<f32>>,
}

/// Reads the environment from the file's outermost table.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    dimensions: usize,
    storeys: Option<&Storeys>,
) -> EnvironmentSpec {
    let scope = Scope { names: &[], dimensions };
    let [in_obstacles, in_regions] = ["obstacle", "region"].map(|table| reader.tables(root, table));
    let obstacles = reader.items::<Obstacle<2>, Obstacle<3>>(&in_obstacles, "obstacle", scope);
    let regions = reader.items::<Region<2>, Region<3>>(&in_regions, "region", scope);
    EnvironmentSpec {
        marks: read_marks(reader, root, dimensions, storeys),
        obstacles: placed(reader, (&in_obstacles, "obstacle"), obstacles, storeys),
        regions: placed(reader, (&in_regions, "region"), regions, storeys),
        fields: read_fields(reader, root, dimensions),
        walls: walls::read(reader, root, dimensions, storeys),
        navigations: Vec::new(),
        places: Vec::new(),
        substances: Vec::new(),
        lifts: Vec::new(),
        links: Vec::new(),
        areas: Vec::new(),
    }
}

fn read_marks<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    dimensions: usize,
    storeys: Option<&Storeys>,
) -> Vec<(String, Vec<f32>)> {
    let (entries, Some(kind @ Kind::Point(range))) = reader.named(root, "marks") else {
        return Vec::new();
    };
    let mut marks = Vec::new();
    for entry in entries {
        let path = reader.check_name("marks", entry);
        match vector(&entry.item.node, dimensions, range) {
            Some(position) => match storeys.map(|storeys| storeys.position_at(in_dimensions::<2>(&position), None)) {
                None => marks.push((entry.key.clone(), position)),
                Some(Some(moved)) => marks.push((entry.key.clone(), moved.0.to_vec())),
                Some(None) => {
                    reader.refuse(path, &entry.item, Reason::Ground("the mesh has no ground there".to_owned()));
                }
            },
            None => reader.refuse(path, &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "m" })),
        }
    }
    marks
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

/// The shape of a region, as one of initial positions.
pub(crate) fn start(region: &ItemSpec) -> StartRegion {
    let centre = region.point("centre").unwrap_or_default();
    match (region.number("radius"), region.point("size")) {
        (Some(radius), _) => StartRegion::Disc(centre, radius),
        (None, size) => StartRegion::Box(centre, size.unwrap_or_default()),
    }
}

impl EnvironmentSpec {
    /// Adds the environment to a world.
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        for (name, position) in &self.marks {
            environment.marks.put(Mark::new(name, in_dimensions(position)))?;
        }
        self.obstacles.iter().try_for_each(|spec| environment.obstacles.add(spec.build()?).map(drop))?;
        self.regions.iter().try_for_each(|spec| environment.regions.add(spec.build()?).map(drop))?;
        for field in &self.fields {
            let cells = std::array::from_fn(|axis| field.cells.get(axis).copied().unwrap_or(0));
            let vectors = field.vectors.iter().map(|vector| in_dimensions(vector)).collect();
            environment.fields.put(FlowField::new(&field.name, cells, vectors)?)?;
        }
        self.walls.iter().try_for_each(|spec| environment.walls.add(spec.build()?).map(drop))?;
        self.lifts.iter().try_for_each(|spec| environment.lifts.add(spec.build()?).map(drop))?;
        self.links.iter().try_for_each(|spec| environment.links.add(spec.build()?).map(drop))?;
        self.substances.iter().try_for_each(|spec| environment.substances.add(spec.build()?).map(drop))?;
        self.navigations.iter().try_for_each(|spec| environment.navigations.add(spec.build()?).map(drop))
    }
}
