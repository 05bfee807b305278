//! Sheets: parts of the ground that have no other part of the same sheet above or below them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mesh::bins::Bins;
use crate::mesh::edges::Joint;
use crate::mesh::triangle::{Triangle, gap, nearest, overlap, range};
use crate::mesh::weld::steepness;

/// The largest number of sheets.
const MOST: u32 = 256;

/// The distance in the plan within which people perceive each other, in metres.
const NEAR: f64 = 12.0;

/// The height of ground over ground beside it from which no one steps or looks across, in metres.
const STEP: f64 = 1.0;

/// A triangle without a sheet.
const NONE: u32 = u32::MAX;

/// The ground as it is cut.
struct Cut<'a> {
    triangles: &'a [Triangle],
    /// The largest slope of a triangle.
    steepest: f64,
    /// The triangles that join each triangle.
    neighbours: Vec<Vec<u32>>,
    /// The sheet of each triangle, or [`NONE`].
    sheets: Vec<u32>,
    /// The last sheet in which each triangle had no room.
    refused: Vec<u32>,
    /// The last sheet that does not begin another part with each triangle.
    kept: Vec<u32>,
}

/// Cuts the ground into sheets, each from its lowest triangle upwards. Returns the sheet of each triangle.
pub(super) fn cut(triangles: &[Triangle], joints: &[Joint], size: [f32; 2]) -> Result<Vec<u32>, String> {
    let mut neighbours = vec![Vec::new(); triangles.len()];
    for (edge, other) in joints {
        neighbours[edge.triangle as usize].push(*other);
        neighbours[*other as usize].push(edge.triangle);
    }
    let steepest = triangles.iter().map(steepness).fold(0.0, |most, slope| if slope > most { slope } else { most });
    let none = || vec![NONE; triangles.len()];
    let mut cut = Cut { triangles, steepest, neighbours, sheets: none(), refused: none(), kept: none() };
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    order.sort_by_key(|&number| cut.height(number));
    for sheet in 0.. {
        order.retain(|&number| cut.sheets[number as usize] == NONE);
        if order.is_empty() {
            break;
        }
        if sheet == MOST {
            return Err(format!("has parts above each other that need more than {MOST} sheets"));
        }
        let mut bins = Bins::new(size);
        for &seed in &order {
            if cut.kept[seed as usize] != sheet {
                cut.grow(seed, sheet, &mut bins);
            }
        }
    }
    Ok(cut.sheets)
}

impl Cut<'_> {
    /// The height of the highest corner, in small units.
    fn height(&self, number: u32) -> i64 {
        (range(&self.triangles[number as usize], 2)[1] * 1024.0) as i64
    }

    /// Adds a triangle to a sheet, and all to which it leads and that have room there, the lowest first.
    fn grow(&mut self, seed: u32, sheet: u32, bins: &mut Bins) {
        let mut next = BinaryHeap::from([Reverse((self.height(seed), seed))]);
        while let Some(Reverse((_, number))) = next.pop() {
            let (place, triangle) = (number as usize, &self.triangles[number as usize]);
            if self.sheets[place] != NONE || self.refused[place] == sheet {
                continue;
            }
            let around = [range(triangle, 0), range(triangle, 1)];
            if bins.near(around, NEAR).any(|other| self.conflict(triangle, &self.triangles[other as usize])) {
                self.refused[place] = sheet;
                self.keep(number, sheet);
                continue;
            }
            self.sheets[place] = sheet;
            bins.add(number, triangle);
            next.extend(self.neighbours[place].iter().map(|&other| Reverse((self.height(other), other))));
        }
    }

    /// Keeps together what a triangle leads to: a sheet that has no room for a bridge does not begin with its far end.
    fn keep(&mut self, number: u32, sheet: u32) {
        let mut next = vec![number];
        while let Some(number) = next.pop() {
            if self.sheets[number as usize] == NONE && self.kept[number as usize] != sheet {
                self.kept[number as usize] = sheet;
                next.extend(&self.neighbours[number as usize]);
            }
        }
    }

    /// Whether two triangles cannot be in one sheet: they overlap in the plan, or are near each other, and no way leads
    /// from one to the other as directly as it seems in the plan.
    fn conflict(&self, one: &Triangle, other: &Triangle) -> bool {
        let apart = [gap(one, other, 0), gap(one, other, 1)];
        if apart.iter().any(|&gap| gap > NEAR) {
            return false;
        }
        if apart.iter().all(|&gap| gap < 0.0) && overlap(one, other) {
            return true;
        }
        let ([low, high], [from, to]) = (range(one, 2), range(other, 2));
        if high - from < STEP && to - low < STEP {
            return false;
        }
        let is_above = |corner: &[f64; 3], triangle: &Triangle| {
            let (distance, height) = nearest(triangle, [corner[0], corner[1]]);
            distance <= NEAR && (corner[2] - height).abs() >= STEP + self.steepest * distance
        };
        one.iter().any(|corner| is_above(corner, other)) || other.iter().any(|corner| is_above(corner, one))
    }
}
