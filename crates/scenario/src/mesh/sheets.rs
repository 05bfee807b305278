//! Sheets: parts of the ground that have no other part of the same sheet above or below them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mesh::bins::Bins;
use crate::mesh::edges::Joint;
use crate::mesh::triangle::{Triangle, is_over, nearest, range};
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
        let bins = Bins::new(size);
        let mut floor = Floor { heights: vec![[f64::INFINITY, -f64::INFINITY]; bins.count()], bins };
        for &seed in &order {
            if cut.kept[seed as usize] != sheet {
                cut.grow(seed, sheet, &mut floor);
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
    fn grow(&mut self, seed: u32, sheet: u32, floor: &mut Floor) {
        let mut next = BinaryHeap::from([Reverse((self.height(seed), seed))]);
        while let Some(Reverse((_, number))) = next.pop() {
            let (place, triangle) = (number as usize, &self.triangles[number as usize]);
            if self.sheets[place] != NONE || self.refused[place] == sheet {
                continue;
            }
            if self.conflict(triangle, floor) {
                self.refused[place] = sheet;
                self.keep(number, sheet);
                continue;
            }
            self.sheets[place] = sheet;
            floor.add(number, triangle);
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

    /// Whether a triangle has no room in a sheet: it overlaps it in the plan, or is so much higher or lower than a part
    /// near it that no way leads there as directly as it seems in the plan.
    fn conflict(&self, triangle: &Triangle, floor: &Floor) -> bool {
        let around = [range(triangle, 0), range(triangle, 1)];
        let mut over = floor.bins.near(around, 0.0).map(|other| &self.triangles[other as usize]);
        over.any(|other| is_over(triangle, other)) || floor.levels(triangle).any(|level| self.is_cliff(level, floor))
    }

    /// Whether heights in a square are far from the heights of a sheet near it.
    fn is_cliff(&self, (square, [low, high]): (usize, [f64; 2]), floor: &Floor) -> bool {
        let at = floor.bins.middle(square).map(|along| [along; 2]);
        floor.bins.squares(at, NEAR).any(|other| {
            let [from, to] = floor.heights[other];
            let gap = if low - to > from - high { low - to } else { from - high };
            from <= to && gap >= STEP && gap >= STEP + self.steepest * floor.bins.distance(square, other)
        })
    }
}

/// A sheet as it grows.
struct Floor {
    bins: Bins,
    /// The least and the greatest height in each square; the other way round where there is none.
    heights: Vec<[f64; 2]>,
}

impl Floor {
    fn add(&mut self, number: u32, triangle: &Triangle) {
        for (square, [low, high]) in self.levels(triangle).collect::<Vec<_>>() {
            let [from, to] = &mut self.heights[square];
            *from = if low < *from { low } else { *from };
            *to = if high > *to { high } else { *to };
        }
        self.bins.add(number, triangle);
    }

    /// The squares under a triangle, with the least and the greatest height there.
    fn levels(&self, triangle: &Triangle) -> impl Iterator<Item = (usize, [f64; 2])> {
        let ([low, high], reach) = (range(triangle, 2), self.bins.reach());
        let rise = steepness(triangle) * reach;
        let squares = self.bins.squares([range(triangle, 0), range(triangle, 1)], 0.0);
        squares.filter_map(move |square| {
            let (distance, height) = nearest(triangle, self.bins.middle(square));
            let ends = [height - rise, height + rise].map(|height| height.clamp(low, high));
            (distance <= reach).then_some((square, ends))
        })
    }
}
