//! The narrowest passage on the way from each cell of a navigation field to the goals.
//!
//! Nodes at about the same distance that open steps connect are a strip, which lies across the ways. Each strip leads to
//! strips nearer to the goals, so strips and their links are a network, whose least cut is the narrowest passage.

use std::ops::Range;

use crate::environment::navigation::cuts::Ways;
use crate::environment::navigation::extent::Extent;
use crate::environment::navigation::raster::{BAND, Raster, SOLID, Steps};

/// The depth of a strip, in units of the spacing of nodes: strips at every angle hold together.
const DEPTH: f32 = 1.5;

/// The largest pace, in seconds for each second outside of zones, at which a strip counts as a passage. Slower nodes
/// are too far apart in time.
const SLOWEST: f32 = 4.0;

/// By how much the way must widen behind a passage.
const WIDENS: f32 = 1.2;

/// No strip.
const NONE: u32 = u32::MAX;

/// The narrowest passages on the ways of a navigation field.
#[derive(Clone, Debug)]
pub(crate) struct Passages {
    /// The distance from each node; nearer to walls than the clearance, on the way away from them first. And the strip
    /// of the node, or [`NONE`].
    nodes: Vec<(f32, u32)>,
    /// The narrowest passage from each strip.
    passages: Vec<Passage>,
}

/// The narrowest passage on the way from somewhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passage {
    /// Its width in metres; infinite if nothing narrows the way.
    pub(crate) width: f32,
    /// The numbers of the passages whose agents pass this one, itself first.
    pub(crate) before: Range<u32>,
}

/// A cut of the ways: its width, and the strip that dominates the agents before it.
#[derive(Clone, Copy)]
struct Cut {
    width: f32,
    base: usize,
}

impl Cut {
    fn or_narrower(self, other: Self) -> Self {
        if other.width < self.width { other } else { self }
    }
}

/// The strips of a field. The first is the goal of all ways.
struct Strips {
    of_node: Vec<u32>,
    bins: Vec<u32>,
    widths: Vec<f32>,
}

impl Passages {
    /// The passages of a field with these distances, for bodies that keep `clearance` from walls. `pace` returns the
    /// distance that counts for a metre at a node.
    pub(super) fn new(raster: &Raster, distances: &[f32], clearance: f32, pace: impl Fn(usize) -> f32) -> Self {
        let mut strips = Strips::new(raster, distances, clearance, pace);
        let below = strips.links(raster);
        let passages = strips.passages(&below);
        let distances = strips.spread_into_band(raster, distances);
        Self { nodes: distances.into_iter().zip(strips.of_node).collect(), passages }
    }

    /// The distance from a node, and the narrowest passage on the way; `None` where no way leads to a goal.
    pub(super) fn at(&self, node: usize) -> Option<(f32, &Passage)> {
        let (distance, strip) = self.nodes[node];
        Some((distance, self.passages.get(strip as usize)?))
    }
}

impl Strips {
    fn new(raster: &Raster, distances: &[f32], clearance: f32, pace: impl Fn(usize) -> f32) -> Self {
        let [x, y] = raster.spacing.map(|spacing| spacing as f32);
        let (spacing, area) = (if x > y { x } else { y }, x * y);
        let ways = |node: usize| distances[node] < f32::INFINITY && !raster.is(node, BAND);
        let mut slowest = 1.0;
        for node in (0..distances.len()).filter(|&node| ways(node)) {
            let pace = pace(node);
            slowest = if pace > slowest && pace <= SLOWEST { pace } else { slowest };
        }
        let depth = DEPTH * spacing * slowest;
        let bin = |node: usize| if distances[node] > 0.0 { 2 + (distances[node] / depth) as u32 } else { 1 };
        let mut strips = Self { of_node: vec![NONE; distances.len()], bins: vec![0], widths: vec![f32::INFINITY] };
        let mut open = Vec::new();
        for node in (0..distances.len()).filter(|&node| ways(node)) {
            if strips.of_node[node] != NONE {
                continue;
            }
            let (number, of) = (strips.bins.len() as u32, bin(node));
            strips.bins.push(of);
            strips.widths.push(if of == 1 { f32::INFINITY } else { 0.0 });
            strips.of_node[node] = number;
            open.push(node);
            while let Some(node) = open.pop() {
                for other in neighbours(raster, node, Steps::Clear) {
                    if strips.of_node[other] == NONE && ways(other) && bin(other) == of {
                        strips.of_node[other] = number;
                        open.push(other);
                    }
                }
            }
        }
        strips.measure(raster, (distances, depth), (spacing, area), (clearance, pace));
        strips
    }

    /// Measures the widths of the strips. The length of one is its area over its depth, where a node has a depth too,
    /// which may reach into the strip before or behind its own. A strip that bends is as wide as its ends are apart, up
    /// to a half circle. It ends at the centres of bodies, so it is wider by twice the clearance. Goals and their next
    /// nodes narrow no way.
    fn measure(
        &mut self,
        raster: &Raster,
        (distances, depth): (&[f32], f32),
        (spacing, area): (f32, f32),
        (clearance, pace): (f32, impl Fn(usize) -> f32),
    ) {
        let mut extents = vec![Extent::default(); self.bins.len()];
        for node in 0..distances.len() {
            let own = self.of_node[node] as usize;
            let Some(&bin) = self.bins.get(own) else { continue };
            let pace = pace(node);
            extents[own].include([node % raster.cells[0], node / raster.cells[0]].map(|cell| cell as f32));
            if pace > SLOWEST || bin <= 2 {
                self.widths[own] = f32::INFINITY;
            }
            let (half, at) = (0.5 * spacing * pace / depth, distances[node] / depth - (bin as f32 - 2.0));
            let share = |over: f32| if over > 0.0 { over / (2.0 * half) } else { 0.0 };
            let mut rest = 1.0;
            for (share, is_there) in [(share(half - at), bin - 1), (share(at + half - 1.0), bin + 1)] {
                let mut reached = neighbours(raster, node, Steps::Clear).map(|other| self.of_node[other] as usize);
                if let Some(other) = reached.find(|&other| self.bins.get(other) == Some(&is_there)) {
                    self.widths[other] += share * area * pace / depth;
                    rest -= share;
                }
            }
            self.widths[own] += rest * area * pace / depth;
        }
        for (width, extent) in self.widths.iter_mut().zip(extents) {
            let (apart, half_circle) = (extent.most() * spacing, *width * std::f32::consts::FRAC_2_PI);
            let chord = if apart > half_circle { apart } else { half_circle };
            *width = if chord < *width { chord } else { *width } + 2.0 * clearance;
        }
    }

    /// The pairs of a strip and one that is nearer to the goals, ascending by the place of the first in the order of
    /// distance. Renumbers the strips by this order.
    fn links(&mut self, raster: &Raster) -> Vec<[u32; 2]> {
        let mut order: Vec<u32> = (0..self.bins.len() as u32).collect();
        order.sort_by_key(|&strip| self.bins[strip as usize]);
        let mut place = vec![0; order.len()];
        for (number, &strip) in order.iter().enumerate() {
            place[strip as usize] = number as u32;
        }
        self.bins = order.iter().map(|&strip| self.bins[strip as usize]).collect();
        self.widths = order.iter().map(|&strip| self.widths[strip as usize]).collect();
        for strip in self.of_node.iter_mut().filter(|strip| **strip != NONE) {
            *strip = place[*strip as usize];
        }
        let mut links = Vec::new();
        for node in 0..self.of_node.len() {
            let own = self.of_node[node];
            if own == NONE {
                continue;
            }
            for axis in 0..2 {
                let other = raster.next(node, axis, true, Steps::Clear).map_or(NONE, |other| self.of_node[other]);
                if other != NONE && self.bins[other as usize] != self.bins[own as usize] {
                    links.push(if other < own { [own, other] } else { [other, own] });
                }
            }
        }
        links.sort_unstable();
        links.dedup();
        links
    }

    /// The narrowest passage from each strip.
    fn passages(&self, links: &[[u32; 2]]) -> Vec<Passage> {
        let count = self.bins.len();
        let mut ways = Ways::new(&self.widths);
        let open = Cut { width: f32::INFINITY, base: 0 };
        // The narrowest passage, and the narrowest cut that may be the end of a dead end.
        let (mut found, mut narrowing) = (vec![open; count], vec![open; count]);
        let mut links = links;
        for strip in 1..count {
            let below = links.iter().take_while(|link| link[0] as usize == strip).count();
            let between;
            (between, links) = links.split_at(below);
            let branches = ways.join(strip, between);
            let next = ways.next[strip];
            let cut = narrowing[next].or_narrower(Cut { width: branches, base: next });
            let own = Cut { width: self.widths[strip], base: strip };
            if own.width > WIDENS * cut.width {
                found[strip] = found[next].or_narrower(cut);
                narrowing[strip] = own;
            } else {
                found[strip] = found[next];
                narrowing[strip] = cut.or_narrower(own);
            }
        }
        let numbers = ways.numbers();
        let passage = |cut: Cut| Passage { width: cut.width, before: numbers[cut.base].clone() };
        let mut passages: Vec<Passage> = found.into_iter().map(passage).collect();
        passages.iter_mut().take(1).for_each(|goal| goal.width = f32::INFINITY);
        passages
    }

    /// Gives the nodes nearer to walls than the clearance the strips of nodes that they reach. Returns the distances of
    /// all nodes.
    fn spread_into_band(&mut self, raster: &Raster, distances: &[f32]) -> Vec<f32> {
        let step = raster.diagonal() as f32;
        let mut distances = distances.to_vec();
        let mut reached: Vec<usize> = (0..self.of_node.len()).filter(|&node| self.of_node[node] != NONE).collect();
        let mut next = Vec::new();
        while !reached.is_empty() {
            for node in reached.drain(..) {
                for other in neighbours(raster, node, Steps::Uncrossed) {
                    if self.of_node[other] == NONE && !raster.is(other, SOLID) {
                        self.of_node[other] = self.of_node[node];
                        distances[other] = distances[node] + step;
                        next.push(other);
                    }
                }
            }
            std::mem::swap(&mut reached, &mut next);
        }
        distances
    }
}

fn neighbours(raster: &Raster, node: usize, steps: Steps) -> impl Iterator<Item = usize> + '_ {
    (0..4).filter_map(move |side| raster.next(node, side / 2, side % 2 == 1, steps))
}
