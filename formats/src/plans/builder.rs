//! The construction of a plan: conversion to metres, checks and limits that all formats share.

use crate::plans::error::{Fault, PlanError};
use crate::plans::plan::{Anchor, Area, AreaKind, Bounds, FloorPlan, Path, Units};
use crate::plans::read::ReadOptions;
use crate::plans::self_crossing::first_crossing;

/// The largest number of points of a plan, after curves have become segments.
pub const MOST_POINTS: usize = 1_000_000;

/// The largest distance of a coordinate from zero, in units of the file and in metres.
pub const FARTHEST: f64 = 1e9;

/// The distance from zero beyond which coordinates belong to a map, in metres: single precision has steps of a
/// millimetre there.
const MAP: f64 = 10_000.0;

/// The distance within which corners are one, in metres.
pub(crate) const NEAR: f64 = 1e-3;

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
            ignored: 0,
            anchor: None,
        };
        Self { text, options, plan, points: 0 }
    }

    /// Sets the units of the file. Must precede all points.
    pub(crate) fn set_units(&mut self, units: Units) {
        self.plan.units = units;
        self.plan.scale = self.options.scale.or(units.metres());
    }

    /// Takes note that the reader turned degrees into metres. Must precede all points.
    pub(crate) fn set_projected(&mut self, anchor: Anchor) {
        self.plan.units = Units::Degrees;
        self.plan.scale = Some(1.0);
        self.plan.anchor = Some(anchor);
    }

    /// The largest distance between a curve and its segments, in units of the file.
    pub(crate) fn tolerance(&self) -> f64 {
        self.options.tolerance / self.plan.scale.unwrap_or(1.0)
    }

    /// An error at a byte of the text.
    pub(crate) fn error(&self, byte: usize, fault: Fault) -> PlanError {
        PlanError::at(self.text, byte, fault)
    }

    /// Counts further points of the file, at this byte.
    pub(crate) fn count_points(&mut self, count: usize, byte: usize) -> Result<(), PlanError> {
        self.points += count;
        if self.points > MOST_POINTS {
            return Err(self.error(byte, Fault::TooMany { what: "points", most: MOST_POINTS }));
        }
        Ok(())
    }

    /// Records a filled shape without a stroke, which is an area.
    pub(crate) fn note_filled(&mut self, name: &str) {
        if self.options.walls.is_none() {
            self.plan.filled.extend(short(Some(name)));
        }
    }

    /// Counts a shape that is neither a wall nor an area.
    pub(crate) fn ignore(&mut self) {
        self.plan.ignored += 1;
    }

    /// Adds a wall.
    pub(crate) fn wall(
        &mut self,
        points: &[[f64; 2]],
        shape: Shape,
        name: Option<&str>,
        byte: usize,
    ) -> Result<(), PlanError> {
        let points = self.corners(points, shape).map_err(|fault| self.error(byte, fault))?;
        self.plan.walls.push(Path { points, closed: shape == Shape::Ring, name: short(name), solid: None });
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
            match self.corners(points, Shape::Ring) {
                // A sliver.
                Err(Fault::NoRing) if different(points) && !corners.is_empty() => self.ignore(),
                found => corners.push(found.map_err(|fault| self.error(*byte, fault))?),
            }
        }
        let mut rings = corners.into_iter();
        if let Some(outline) = rings.next() {
            let area = Area { name: short(name), kind, outline, holes: rings.collect() };
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

    /// The points in metres, those nearer than [`NEAR`] as one; a ring without its last point, which is its first. A
    /// wall that crosses itself is a fault.
    fn corners(&self, points: &[[f64; 2]], shape: Shape) -> Result<Vec<[f64; 2]>, Fault> {
        let (scale, origin) = (self.plan.scale.unwrap_or(1.0), self.options.origin.unwrap_or_default());
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
            self.close(&mut corners);
        }
        match shape {
            Shape::Line if corners.len() < 2 => Err(Fault::NoLength),
            // Two corners enclose nothing.
            Shape::Ring if corners.len() < 3 => Err(Fault::NoRing),
            _ => match first_crossing(&corners, shape == Shape::Ring) {
                Some(at) => Err(Fault::Crosses(at)),
                None => Ok(corners),
            },
        }
    }

    /// Whether two corners are one.
    fn is_one(&self, one: [f64; 2], other: [f64; 2]) -> bool {
        let near = if self.plan.scale.is_some() { NEAR } else { 0.0 };
        let [x, y] = [other[0] - one[0], other[1] - one[1]];
        x * x + y * y <= near * near
    }

    /// Removes the last corners of a ring that are its first, and the tips of needles: corners at which it turns back
    /// to a point where it was.
    fn close(&self, ring: &mut Vec<[f64; 2]>) {
        let mut number = 0;
        while ring.len() > 1 && number < ring.len() {
            let count = ring.len();
            let [before, after] = [(number + count - 1) % count, (number + 1) % count];
            let doubled = self.is_one(ring[number], ring[after]);
            if doubled || (count > 2 && self.is_one(ring[before], ring[after])) {
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
            for point in lists.flatten() {
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
