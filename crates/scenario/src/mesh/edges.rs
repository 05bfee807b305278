//! The edges of triangles: where two triangles join, and where the ground ends.

use crate::mesh::triangle::{CLOSE, Point};
use crate::mesh::weld::Ground;

/// A side of a triangle, which lies to its left, by the numbers of the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) triangle: u32,
}

/// An edge, and the triangle on its right.
pub(super) type Joint = (Edge, u32);

/// The edges at which two triangles join, and the edges at which the ground ends.
pub(super) fn join(ground: &Ground) -> (Vec<Joint>, Vec<Edge>) {
    let sides = |(number, &[a, b, c]): (usize, &[u32; 3])| {
        [[a, b], [b, c], [c, a]].map(|ends| Edge { ends, triangle: number as u32 })
    };
    let all = ground.triangles.iter().enumerate().flat_map(sides).collect();
    let (mut joints, single) = matched(ground, all);
    let mut corners: Vec<u32> = single.iter().map(|edge| edge.ends[0]).collect();
    let along = |corner: &u32| ground.points[*corner as usize][0];
    corners.sort_by(|a, b| along(a).total_cmp(&along(b)));
    let parts = single.iter().flat_map(|edge| split(ground, &corners, edge)).collect();
    let (further, single) = matched(ground, parts);
    joints.extend(further);
    (joints, single)
}

/// Finds the pairs among edges with the same ends.
fn matched(ground: &Ground, mut edges: Vec<Edge>) -> (Vec<Joint>, Vec<Edge>) {
    let key = |edge: &Edge| {
        let [a, b] = edge.ends;
        if a < b { [a, b] } else { [b, a] }
    };
    edges.sort_by_key(|edge| (key(edge), *edge));
    let (mut joints, mut single) = (Vec::new(), Vec::new());
    for group in edges.chunk_by(|one, other| key(one) == key(other)) {
        // Where three or more meet, a flight leads up from a floor that lies under it too: the higher ones join.
        let highest = |is_first: bool| {
            let on_side = group.iter().filter(|edge| (edge.ends == key(edge)) == is_first);
            on_side.max_by(|one, other| height(ground, one).total_cmp(&height(ground, other)))
        };
        let pair = highest(true).zip(highest(false));
        joints.extend(pair.map(|(one, other)| (*one, other.triangle)));
        let is_single = |edge: &&Edge| pair.is_none_or(|(one, other)| *edge != one && *edge != other);
        single.extend(group.iter().filter(is_single));
    }
    (joints, single)
}

/// The sum of the heights of the corners of an edge's triangle.
fn height(ground: &Ground, edge: &Edge) -> f64 {
    ground.triangle(edge.triangle as usize).iter().map(|corner| corner[2]).sum()
}

/// The parts of an edge between the vertices on it, of these in the order of their first coordinates.
fn split(ground: &Ground, corners: &[u32], edge: &Edge) -> Vec<Edge> {
    let point = |corner: u32| &ground.points[corner as usize];
    let [a, b] = edge.ends.map(point);
    let (low, high) = if a[0] < b[0] { (a[0], b[0]) } else { (b[0], a[0]) };
    let first = corners.partition_point(|&corner| point(corner)[0] < low - CLOSE);
    let near = corners[first..].iter().take_while(|&&corner| point(corner)[0] <= high + CLOSE);
    let on_edge = near.filter(|corner| !edge.ends.contains(corner) && is_between([a, b], point(**corner)));
    let mut stops: Vec<u32> = on_edge.copied().collect();
    let share = |corner: &u32| dot(a, b, point(*corner));
    stops.sort_by(|one, other| share(one).total_cmp(&share(other)));
    stops.dedup();
    stops.push(edge.ends[1]);
    let mut from = edge.ends[0];
    stops.into_iter().map(|to| Edge { ends: [std::mem::replace(&mut from, to), to], ..*edge }).collect()
}

/// The product of the ways from a point to two others.
fn dot(from: &Point, one: &Point, other: &Point) -> f64 {
    (0..3).map(|axis| (one[axis] - from[axis]) * (other[axis] - from[axis])).sum()
}

/// Whether a point lies on the line between two others.
fn is_between([a, b]: [&Point; 2], point: &Point) -> bool {
    let (along, squared) = (dot(a, b, point), dot(a, b, b));
    let off = dot(a, point, point) - along * along / squared;
    along > 0.0 && along < squared && off <= CLOSE * CLOSE
}

/// Joins edges of the same kind, which follow each other, to lines without corners where they are straight.
pub(super) fn lines<K: Copy + Ord>(ground: &Ground, mut edges: Vec<(K, [u32; 2])>) -> Vec<(K, Vec<Point>)> {
    edges.sort_unstable();
    let mut ends: Vec<(K, u32)> = edges.iter().map(|&(kind, [_, to])| (kind, to)).collect();
    ends.sort_unstable();
    let from = |kind: K, corner: u32| {
        let first = edges.partition_point(|&(other, [from, _])| (other, from) < (kind, corner));
        first..first + edges[first..].iter().take_while(|&&(other, [from, _])| (other, from) == (kind, corner)).count()
    };
    let arrivals = |kind: K, corner: u32| {
        ends.partition_point(|&end| end <= (kind, corner)) - ends.partition_point(|&end| end < (kind, corner))
    };
    let leads_on = |kind: K, corner: u32| from(kind, corner).len() == 1 && arrivals(kind, corner) == 1;
    let (mut used, mut found) = (vec![false; edges.len()], Vec::new());
    let is_start = |number: &usize| !leads_on(edges[*number].0, edges[*number].1[0]);
    // A ring has no start.
    for start in (0..edges.len()).filter(is_start).chain(0..edges.len()) {
        let (kind, [first, _]) = edges[start];
        let (mut line, mut number) = (vec![ground.points[first as usize]], start);
        while !used[number] {
            used[number] = true;
            let to = edges[number].1[1];
            let point = ground.points[to as usize];
            if let [.., before, last] = line[..]
                && is_between([&before, &point], &last)
            {
                line.pop();
            }
            line.push(point);
            if !leads_on(kind, to) {
                break;
            }
            number = from(kind, to).start;
        }
        if line.len() > 1 {
            found.push((kind, line));
        }
    }
    found
}
