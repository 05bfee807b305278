//! The construction of a plan: conversion to metres, checks and limits that all formats share.

use crate::plans::error::{Fault, Place, PlanError};
use crate::plans::holes::parted;
use crate::plans::limits::{FARTHEST, MOST_POINTS, NEAR};
use crate::plans::options::ReadOptions;
use crate::plans::plan::{Anchor, Area, AreaKind, Bounds, Cuts, FloorPlan, Path, Warning};
use crate::plans::self_crossing::{cut, first_crossing};
use crate::plans::units::Units;

/// The distance from zero beyond which coordinates belong to a map, in metres: single precision has steps of a
/// millimetre there.
const MAP: f64 = 10_000.0;

/// The largest number of kinds of ignored shapes that are kept.
const MOST_KINDS: usize = 16;

/// The largest number of characters of a name; the rest is cut off.
const LONGEST_NAME: usize = 64;

/// A plan under construction.
pub(crate) struct Builder<'t> {
    /// The text of the file.
    pub(crate) text: &'t str,
    pub(crate) options: ReadOptions,
    plan: FloorPlan,
    points: usize,
}

/// Whether a corner list belongs to a polyline or to a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Line,
    Ring,
}

impl<'t> Builder<'t> {
    pub(crate) fn new(text: &'t str, options: ReadOptions) -> Self {
        let plan = FloorPlan {
            units: Units::Metres,
            scale: None,
            scale_given: options.scale.is_some(),
            walls: Vec::new(),
            areas: Vec::new(),
            filled: Vec::new(),
            cuts: None,
            doubts: Vec::new(),
            ignored: 0,
            ignored_kinds: Vec::new(),
            anchor: None,
        };
        Self { text, options, plan, points: 0 }
    }

    /// Sets the units of the file. Must precede all points.
    pub(crate) fn set_units(&mut self, units: Units) {
        self.plan.units = units;
        self.plan.scale = self.options.scale.or(units.metres());
    }

    /// Records that the reader turned coordinates of the globe, in these units, into metres. Must precede all points.
    pub(crate) fn set_projected(&mut self, anchor: Anchor, units: Units) {
        self.plan.units = units;
        self.plan.scale = Some(1.0);
        self.plan.anchor = Some(anchor);
    }

    /// Metres per unit of the file, or one without a scale.
    pub(crate) fn scale(&self) -> f64 {
        self.plan.scale.unwrap_or(1.0)
    }

    /// The largest distance between a curve and its segments, in units of the file.
    pub(crate) fn tolerance(&self) -> f64 {
        self.options.tolerance / self.scale()
    }

    /// An error at a byte of the text, or of the file as a whole.
    pub(crate) fn error(&self, at: impl Into<Option<usize>>, fault: Fault) -> PlanError {
        PlanError { file: String::new(), place: at.into().map(|byte| Place::of(self.text, byte)), fault }
    }

    /// Counts further points of the file, at this byte.
    pub(crate) fn count_points(&mut self, count: usize, at: impl Into<Option<usize>>) -> Result<(), PlanError> {
        self.points += count;
        if self.points > MOST_POINTS {
            return Err(self.error(at, Fault::TooMany { what: "points", most: MOST_POINTS }));
        }
        Ok(())
    }

    /// Adds a warning of the reader.
    pub(crate) fn doubt(&mut self, warning: Warning) {
        self.plan.doubts.push(warning);
    }

    /// Records a filled shape without a stroke, which is an area.
    pub(crate) fn note_filled(&mut self, name: &str) {
        if self.options.walls.is_none() {
            self.plan.filled.extend(short(Some(name)));
        }
    }

    /// Counts a shape of this kind that is neither a wall nor an area.
    pub(crate) fn ignore(&mut self, kind: &str) {
        self.plan.ignored += 1;
        if self.plan.ignored_kinds.len() < MOST_KINDS && !self.plan.ignored_kinds.iter().any(|known| known == kind) {
            self.plan.ignored_kinds.extend(short(Some(kind)));
        }
    }

    /// Adds a wall. One that crosses itself, or returns along itself, is cut there.
    pub(crate) fn wall(
        &mut self,
        points: &[[f64; 2]],
        shape: Shape,
        name: Option<&str>,
        at: impl Into<Option<usize>>,
    ) -> Result<(), PlanError> {
        let at = at.into();
        self.add_wall(points, shape, name, at).map_err(|fault| self.error(at, fault))
    }

    /// Adds a wall, or returns a fault without its place: to find one takes as long as the text is.
    fn add_wall(
        &mut self,
        points: &[[f64; 2]],
        shape: Shape,
        name: Option<&str>,
        at: Option<usize>,
    ) -> Result<(), Fault> {
        let closed = shape == Shape::Ring;
        let points = self.corners(points, shape, false)?;
        let pieces = match first_crossing(&points, closed) {
            None => vec![(points, closed)],
            Some(first) => {
                let text = self.text;
                let place = || at.map(|byte| Place::of(text, byte));
                self.plan.cuts.get_or_insert_with(|| Cuts { count: 0, first, place: place() }).count += 1;
                cut(&points, closed).ok_or(Fault::TooMany { what: "points", most: MOST_POINTS })?
            }
        };
        let path = |(points, closed)| Path { points, closed, name: short(name), solid: None };
        self.plan.walls.extend(pieces.into_iter().map(path));
        Ok(())
    }

    /// Adds the stroke of a drawing as a wall; one without length is ignored.
    pub(crate) fn stroke(
        &mut self,
        points: &[[f64; 2]],
        closed: bool,
        name: Option<&str>,
        at: Option<usize>,
    ) -> Result<(), PlanError> {
        let added = if closed { self.add_wall(points, Shape::Ring, name, at) } else { Err(Fault::NoRing) };
        let added = match added {
            Err(Fault::NoRing) => self.add_wall(points, Shape::Line, name, at),
            added => added,
        };
        match added {
            Err(Fault::NoLength) => self.ignore("stroke without length"),
            added => added.map_err(|fault| self.error(at, fault))?,
        }
        Ok(())
    }

    /// Adds an area with holes. The rings of a walkable area are walls too.
    pub(crate) fn area(
        &mut self,
        kind: AreaKind,
        rings: &[(Vec<[f64; 2]>, usize)],
        name: Option<&str>,
    ) -> Result<(), PlanError> {
        let mut corners = Vec::new();
        for (points, byte) in rings {
            match self.corners(points, Shape::Ring, true) {
                // A sliver.
                Err(Fault::NoRing) if different(points) && !corners.is_empty() => self.ignore("hole without content"),
                found => corners.push(found.map_err(|fault| self.error(*byte, fault))?),
            }
            // A point is in a zone by the number of its edges beside it, but the edges of a walkable area are walls.
            let crossing = corners.last().filter(|_| kind == AreaKind::Walkable);
            if let Some(at) = crossing.and_then(|corners| first_crossing(corners, true)) {
                return Err(self.error(*byte, Fault::Crosses(at, self.plan.unit())));
            }
        }
        let mut corners = corners.into_iter();
        let Some(outline) = corners.next() else { return Ok(()) };
        let area = Area { name: short(name), kind, outline, holes: corners.collect() };
        let parts = if kind == AreaKind::Walkable { parted(area) } else { Ok(vec![area]) };
        for area in parts.map_err(|fault| self.error(rings[0].1, fault))? {
            self.wall_in(&area);
            self.plan.areas.push(area);
        }
        Ok(())
    }

    /// Adds the walls of a walkable area.
    fn wall_in(&mut self, area: &Area) {
        if area.kind == AreaKind::Walkable {
            let wall = |(points, solid): (&Vec<[f64; 2]>, bool)| Path {
                points: points.clone(),
                closed: true,
                name: area.name.clone(),
                solid: Some(solid),
            };
            let holes = area.holes.iter().map(|hole| (hole, true));
            self.plan.walls.extend(std::iter::once((&area.outline, false)).chain(holes).map(wall));
        }
    }

    /// Replaces the areas, and the walls of walkable ones.
    pub(crate) fn replace_areas(&mut self, areas: Vec<Area>) {
        self.plan.walls.retain(|wall| wall.solid.is_none());
        areas.iter().for_each(|area| self.wall_in(area));
        self.plan.areas = areas;
    }

    /// The points in metres, those nearer than [`NEAR`] as one; a ring without its last point, which is its first, and
    /// without needles if it is `thick`.
    fn corners(&self, points: &[[f64; 2]], shape: Shape, thick: bool) -> Result<Vec<[f64; 2]>, Fault> {
        let (scale, origin) = (self.scale(), self.options.origin.unwrap_or_default());
        let mut corners: Vec<[f64; 2]> = Vec::with_capacity(points.len());
        for point in points {
            let corner = [origin[0] + scale * point[0], origin[1] + scale * point[1]];
            if !corner.iter().all(|coordinate| coordinate.abs() <= FARTHEST) {
                return Err(Fault::TooFar);
            }
            if !corners.last().is_some_and(|last| self.is_one(*last, corner)) {
                corners.push(corner);
            }
        }
        if shape == Shape::Ring {
            self.close(&mut corners, thick);
        }
        match shape {
            Shape::Line if corners.len() < 2 => Err(Fault::NoLength),
            // Two corners enclose nothing.
            Shape::Ring if corners.len() < 3 => Err(Fault::NoRing),
            _ => Ok(corners),
        }
    }

    /// Whether two corners are one.
    fn is_one(&self, one: [f64; 2], other: [f64; 2]) -> bool {
        let near = if self.plan.scale.is_some() { NEAR } else { 0.0 };
        let [x, y] = [other[0] - one[0], other[1] - one[1]];
        x * x + y * y <= near * near
    }

    /// Removes the last corners of a ring that are its first, and of a `thick` one the tips of needles: corners at which
    /// it turns back to a point where it was.
    fn close(&self, ring: &mut Vec<[f64; 2]>, thick: bool) {
        let mut number = 0;
        while ring.len() > 1 && number < ring.len() {
            let count = ring.len();
            let [before, after] = [(number + count - 1) % count, (number + 1) % count];
            let doubled = self.is_one(ring[number], ring[after]);
            if doubled || (thick && count > 2 && self.is_one(ring[before], ring[after])) {
                ring.remove(if doubled && after > 0 { after } else { number });
                // The corners before it have other neighbours now.
                number = number.saturating_sub(2);
            } else {
                number += 1;
            }
        }
    }

    /// The areas so far.
    pub(crate) fn areas(&self) -> &[Area] {
        &self.plan.areas
    }

    /// The finished plan. One in the coordinates of a map is moved to the origin, unless the caller has placed it.
    pub(crate) fn finish(self) -> FloorPlan {
        let mut plan = self.plan;
        let Some(Bounds { low, .. }) = plan.bounds().filter(|_| self.options.origin.is_none()) else { return plan };
        if plan.scale.is_some() && low.iter().any(|coordinate| coordinate.abs() > MAP) {
            let corner = low.map(f64::floor);
            let areas = plan.areas.iter_mut().flat_map(|area| area.holes.iter_mut().chain([&mut area.outline]));
            let lists = areas.chain(plan.walls.iter_mut().map(|wall| &mut wall.points));
            let cut = plan.cuts.iter_mut().map(|cuts| &mut cuts.first);
            for point in lists.flatten().chain(cut) {
                *point = [point[0] - corner[0], point[1] - corner[1]];
            }
            plan.anchor = Some(Anchor::Metres(corner));
        }
        plan
    }
}

/// Whether a list has three different points.
fn different(points: &[[f64; 2]]) -> bool {
    let second = points.iter().find(|point| Some(*point) != points.first());
    points.iter().any(|point| Some(point) != points.first() && Some(point) != second)
}

fn short(name: Option<&str>) -> Option<String> {
    name.filter(|name| !name.is_empty()).map(|name| name.chars().take(LONGEST_NAME).collect())
}
