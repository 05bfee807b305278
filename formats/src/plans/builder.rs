//! The construction of a plan: conversion to metres, checks and limits that all formats share.

use crate::plans::error::{Fault, PlanError};
use crate::plans::plan::{Area, AreaKind, FloorPlan, Path, Units};
use crate::plans::read::ReadOptions;

/// The largest number of points of a plan, after curves have become segments.
pub const MOST_POINTS: usize = 1_000_000;

/// The largest distance of a coordinate from zero, in units of the file and in metres.
pub const FARTHEST: f64 = 1e9;

/// The largest number of characters of a name; the rest is cut off.
const LONGEST_NAME: usize = 64;

/// A plan under construction.
pub(crate) struct Builder<'t> {
    /// The text of the file.
    pub(crate) text: &'t str,
    options: ReadOptions,
    plan: FloorPlan,
    points: usize,
}

/// Whether a corner list is that of a polyline or that of a ring.
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
            ignored: 0,
        };
        Self { text, options, plan, points: 0 }
    }

    /// Sets the units of the file. Must precede all points.
    pub(crate) fn set_units(&mut self, units: Units) {
        self.plan.units = units;
        self.plan.scale = self.options.scale.or(units.metres());
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
        self.plan.walls.push(Path { points, closed: shape == Shape::Ring, name: short(name) });
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
            corners.push(self.corners(points, Shape::Ring).map_err(|fault| self.error(*byte, fault))?);
        }
        if kind == AreaKind::Walkable {
            let wall = |points: &Vec<[f64; 2]>| Path { points: points.clone(), closed: true, name: short(name) };
            self.plan.walls.extend(corners.iter().map(wall));
        }
        let mut rings = corners.into_iter();
        if let Some(outline) = rings.next() {
            self.plan.areas.push(Area { name: short(name), kind, outline, holes: rings.collect() });
        }
        Ok(())
    }

    /// The points in metres, without repetitions; a ring without its last point, which is its first.
    fn corners(&self, points: &[[f64; 2]], shape: Shape) -> Result<Vec<[f64; 2]>, Fault> {
        let (scale, origin) = (self.plan.scale.unwrap_or(1.0), self.options.origin);
        let mut corners: Vec<[f64; 2]> = Vec::with_capacity(points.len());
        for point in points {
            let corner = [origin[0] + scale * point[0], origin[1] + scale * point[1]];
            if !corner.iter().all(|coordinate| coordinate.abs() <= FARTHEST) {
                return Err(Fault::TooFar);
            }
            if corners.last() != Some(&corner) {
                corners.push(corner);
            }
        }
        if shape == Shape::Ring && corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        match shape {
            Shape::Line if corners.len() < 2 => Err(Fault::NoLength),
            // Two corners enclose nothing.
            Shape::Ring if corners.len() < 3 => Err(Fault::NoRing),
            _ => Ok(corners),
        }
    }

    /// The areas so far.
    pub(crate) fn areas(&self) -> &[Area] {
        &self.plan.areas
    }

    /// The finished plan.
    pub(crate) fn finish(self) -> FloorPlan {
        self.plan
    }
}

fn short(name: Option<&str>) -> Option<String> {
    name.filter(|name| !name.is_empty()).map(|name| name.chars().take(LONGEST_NAME).collect())
}
