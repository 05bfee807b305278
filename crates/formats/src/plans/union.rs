//! The union of areas that overlap or share a part of an edge, and an area without others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::plans::limits::{MOST_POINTS, NEAR};
use crate::plans::overlap::{Point, high, is_inside, low, rings, side};
use crate::plans::plan::{Area, AreaKind};

/// The distance from an edge at which its two sides are tested, in metres.
const BESIDE: f64 = 3.0 * NEAR;

/// Corners and crossings; several that are nearer to each other than [`NEAR`] are one.
#[derive(Default)]
pub(crate) struct Nodes {
    pub(crate) points: Vec<Point>,
    cells: HashMap<[i64; 2], Vec<usize>>,
}

impl Nodes {
    fn find(&mut self, at: Point) -> usize {
        let [x, y] = at.map(|at| (at / NEAR).floor() as i64);
        for number in 0..9 {
            let cell = [x + number % 3 - 1, y + number / 3 - 1];
            let near = self.cells.get(&cell).into_iter().flatten();
            if let Some(&node) =
                near.copied().collect::<Vec<_>>().iter().find(|&&node| squared(self.points[node], at) <= NEAR * NEAR)
            {
                return node;
            }
        }
        self.cells.entry([x, y]).or_default().push(self.points.len());
        self.points.push(at);
        self.points.len() - 1
    }
}

/// The union of areas. `None` if it cannot be found.
pub(crate) fn united(areas: &[Area]) -> Option<Vec<Area>> {
    combined(areas, |at| areas.iter().any(|area| is_inside(at, area)))
}

/// The parts of the first area that are outside of all others. `None` if they cannot be found.
pub(crate) fn without(areas: &[Area]) -> Option<Vec<Area>> {
    let (first, others) = areas.split_first()?;
    combined(areas, |at| is_inside(at, first) && !others.iter().any(|area| is_inside(at, area)))
}

/// The areas whose borders are edges of these and whose points are `within`.
fn combined(areas: &[Area], within: impl Fn(Point) -> bool) -> Option<Vec<Area>> {
    let mut nodes = Nodes::default();
    let edges = split(areas, &mut nodes)?;
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (a, b) in edges {
        match sides(&within, nodes.points[a], nodes.points[b]) {
            [true, false] => next.entry(a).or_default().push(b),
            [false, true] => next.entry(b).or_default().push(a),
            _ => {}
        }
    }
    let mut outlines: Vec<(f64, Area)> = Vec::new();
    let mut holes = Vec::new();
    while let Some((&start, _)) = next.iter().find(|(_, ends)| !ends.is_empty()) {
        let ring = straight(follow(start, &mut next, &nodes.points)?);
        let content = signed_area(&ring);
        if ring.len() < 3 || content == 0.0 {
            continue;
        }
        if content > 0.0 {
            let area = Area { name: None, kind: AreaKind::Walkable, outline: ring, holes: Vec::new() };
            outlines.push((content, area));
        } else {
            holes.push(ring);
        }
    }
    outlines.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    for hole in holes {
        let middle = [0, 1].map(|axis| 0.5 * (hole[0][axis] + hole[1][axis]));
        let around =
            outlines.iter_mut().find(|(_, area)| is_inside(middle, &Area { holes: Vec::new(), ..area.clone() }));
        around?.1.holes.push(hole);
    }
    (!outlines.is_empty()).then(|| outlines.into_iter().map(|(_, area)| area).collect())
}

/// The edges of all areas, cut where they meet, each once. `None` if they meet too often.
fn split(areas: &[Area], nodes: &mut Nodes) -> Option<BTreeSet<(usize, usize)>> {
    let rings: Vec<(&[Point], bool)> = areas.iter().flat_map(rings).map(|ring| (&ring[..], true)).collect();
    let chains = chains(&rings, nodes)?;
    Some(chains.iter().flat_map(|chain| chain.windows(2)).map(|ends| sorted([ends[0], ends[1]])).collect())
}

pub(crate) fn sorted([a, b]: [usize; 2]) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}

/// The nodes along each path, which has one wherever it meets itself or another; a closed one ends at its first. `None`
/// if the paths meet too often.
pub(crate) fn chains(paths: &[(&[Point], bool)], nodes: &mut Nodes) -> Option<Vec<Vec<usize>>> {
    // The edges of all paths in their order, and the number of edges up to the end of each path.
    let (mut edges, mut last): (Vec<[usize; 2]>, Vec<usize>) = (Vec::new(), Vec::new());
    for (points, closed) in paths {
        let corners: Vec<usize> = points.iter().map(|&corner| nodes.find(corner)).collect();
        let next = corners.iter().skip(1).chain(corners.first().filter(|_| *closed));
        edges.extend(corners.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b));
        last.push(edges.len());
    }
    let ends = |edge: usize, nodes: &Nodes| edges[edge].map(|node| nodes.points[node]);
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by(|&a, &b| low(&ends(a, nodes), 0).total_cmp(&low(&ends(b, nodes), 0)));
    let mut cuts: Vec<Vec<usize>> = edges.iter().map(|edge| edge.to_vec()).collect();
    let mut count = 0;
    for (place, &one) in order.iter().enumerate() {
        let a = ends(one, nodes);
        for &other in &order[place + 1..] {
            let b = ends(other, nodes);
            if low(&b, 0) > high(&a, 0) + NEAR {
                break;
            }
            if low(&b, 1) > high(&a, 1) + NEAR || low(&a, 1) > high(&b, 1) + NEAR {
                continue;
            }
            let mut met = false;
            for (edge, at, corners) in [(one, a, edges[other]), (other, b, edges[one])] {
                for corner in corners {
                    let near = is_near(nodes.points[corner], at);
                    met |= near;
                    if near && !edges[edge].contains(&corner) {
                        cuts[edge].push(corner);
                        count += 1;
                    }
                }
            }
            if let Some(crossing) = crossing(a, b).filter(|_| !met) {
                let node = nodes.find(crossing);
                cuts[one].push(node);
                cuts[other].push(node);
                count += 2;
            }
            if count > MOST_POINTS {
                return None;
            }
        }
    }
    for (&[a, _], cuts) in edges.iter().zip(&mut cuts) {
        let from = nodes.points[a];
        let far = |node: usize| squared(from, nodes.points[node]);
        cuts.sort_by(|&one, &other| far(one).total_cmp(&far(other)));
        cuts.dedup();
    }
    let mut first = 0;
    let chain = |last: usize| {
        let mut chain: Vec<usize> = cuts[first..last].iter().flatten().copied().collect();
        chain.dedup();
        first = last;
        chain
    };
    Some(last.into_iter().map(chain).collect())
}

/// Whether the points on the left and on the right of an edge are within the result.
fn sides(within: &impl Fn(Point) -> bool, a: Point, b: Point) -> [bool; 2] {
    let length = squared(a, b).sqrt();
    let normal = [(a[1] - b[1]) / length * BESIDE, (b[0] - a[0]) / length * BESIDE];
    [1.0, -1.0].map(|side| {
        let at = [0, 1].map(|axis| 0.5 * (a[axis] + b[axis]) + side * normal[axis]);
        within(at)
    })
}

/// Removes the edges of a ring from `next`, and returns its corners.
fn follow(start: usize, next: &mut BTreeMap<usize, Vec<usize>>, points: &[Point]) -> Option<Vec<Point>> {
    let (mut ring, mut at, mut came) = (Vec::new(), start, None::<Point>);
    loop {
        ring.push(points[at]);
        let ends = next.get_mut(&at)?;
        // The sharpest turn to the left keeps rings that touch apart.
        let turn = |&end: &usize| {
            let along = [points[end][0] - points[at][0], points[end][1] - points[at][1]];
            came.map_or(0.0, |came| angle(came, along))
        };
        let best = (0..ends.len()).max_by(|&a, &b| turn(&ends[a]).total_cmp(&turn(&ends[b])))?;
        let end = ends.remove(best);
        came = Some([points[end][0] - points[at][0], points[end][1] - points[at][1]]);
        at = end;
        if at == start {
            return Some(ring);
        }
    }
}

/// A number that grows with the angle from one direction to another, from -2 to 2.
fn angle(from: Point, to: Point) -> f64 {
    let (across, along) = (from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
    let part = across / (across.abs() + along.abs());
    match (along >= 0.0, across >= 0.0) {
        (true, _) => part,
        (false, true) => 2.0 - part,
        (false, false) => -2.0 - part,
    }
}

/// The ring without corners at which it goes straight on.
fn straight(ring: Vec<Point>) -> Vec<Point> {
    let count = ring.len();
    let turns = |&number: &usize| {
        let [before, at, after] = [ring[(number + count - 1) % count], ring[number], ring[(number + 1) % count]];
        side(before, at, after).abs() > 1e-6 * squared(before, after).sqrt()
    };
    (0..count).filter(turns).map(|number| ring[number]).collect()
}

fn signed_area(ring: &[Point]) -> f64 {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    0.5 * edges.fold(0.0, |sum, (a, b)| sum + (a[0] * b[1] - a[1] * b[0]))
}

fn squared(a: Point, b: Point) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    x * x + y * y
}

/// Whether a point is nearer than [`NEAR`] to an edge.
fn is_near(at: Point, [a, b]: [Point; 2]) -> bool {
    let along = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / squared(a, b);
    let along = along.clamp(0.0, 1.0);
    squared(at, [0, 1].map(|axis| a[axis] + along * (b[axis] - a[axis]))) <= NEAR * NEAR
}

/// The point at which two edges cross.
pub(crate) fn crossing([a, b]: [Point; 2], [p, q]: [Point; 2]) -> Option<Point> {
    let (of_p, of_q, of_a, of_b) = (side(a, b, p), side(a, b, q), side(p, q, a), side(p, q, b));
    (of_p * of_q < 0.0 && of_a * of_b < 0.0).then(|| {
        let along = of_p / (of_p - of_q);
        [0, 1].map(|axis| p[axis] + along * (q[axis] - p[axis]))
    })
}
