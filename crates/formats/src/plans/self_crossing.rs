//! Walls that cross themselves, and the pieces of them.

use std::collections::HashSet;

use crate::plans::overlap::{Point, cross_or_share, high, low, side};
use crate::plans::union::{Nodes, chains, crossing, sorted};

/// How far an end of a segment may lie beyond another segment, in metres, to only touch it.
const TOUCH: f64 = 1e-6;

/// The largest number of pairs of segments that are compared.
const MOST_PAIRS: usize = 20_000_000;

/// The first point at which a wall crosses itself, or returns along itself.
pub(crate) fn first_crossing(points: &[Point], closed: bool) -> Option<Point> {
    let count = points.len() - usize::from(!closed);
    let segment = |number: usize| [points[number], points[(number + 1) % points.len()]];
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| low(&segment(a), 0).total_cmp(&low(&segment(b), 0)).then(a.cmp(&b)));
    let (mut first, mut pairs) = (None::<((usize, usize), Point)>, 0);
    for (place, &one) in order.iter().enumerate() {
        let a = segment(one);
        for &other in order[place + 1..].iter().take_while(|&&other| low(&segment(other), 0) <= high(&a, 0)) {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return None;
            }
            let b = segment(other);
            let near = low(&b, 1) <= high(&a, 1) && low(&a, 1) <= high(&b, 1);
            if !near || !cross_or_share(&a, &b) || touches(&a, &b) {
                continue;
            }
            let pair = if one < other { (one, other) } else { (other, one) };
            if first.is_none_or(|(before, _)| pair < before) {
                first = Some((pair, crossing(a, b).unwrap_or(b[0])));
            }
        }
    }
    first.map(|(_, at)| at)
}

/// The pieces of a wall that crosses itself or returns along itself, and whether each is closed. A piece may touch itself;
/// a stretch that the wall passes twice is in one piece. `None` if it crosses itself too often.
pub(crate) fn cut(points: &[Point], closed: bool) -> Option<Vec<(Vec<Point>, bool)>> {
    let mut nodes = Nodes::default();
    let mut chain = chains(&[(points, closed)], &mut nodes)?.pop()?;
    if closed {
        // A closed wall is opened where it meets itself.
        chain.pop();
        let mut seen = HashSet::new();
        let twice = chain.iter().copied().find(|&node| !seen.insert(node));
        let start = twice.and_then(|twice| chain.iter().position(|&node| node == twice)).unwrap_or(0);
        chain.rotate_left(start);
        chain.push(chain[0]);
    }
    let mut pieces: Vec<Vec<usize>> = vec![Vec::new()];
    let (mut walked, mut passed) = (HashSet::new(), HashSet::new());
    for ends in chain.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let again = !walked.insert(sorted([from, to]));
        let piece = pieces.last_mut()?;
        if !again && (piece.is_empty() || passed.insert(from)) {
            if piece.is_empty() {
                piece.push(from);
            }
            piece.push(to);
        } else {
            passed.clear();
            pieces.push(if again { Vec::new() } else { vec![from, to] });
        }
    }
    let mut cut = Vec::new();
    for mut piece in pieces.into_iter().filter(|piece| piece.len() > 1) {
        let closed = piece.len() > 3 && piece.first() == piece.last();
        piece.truncate(piece.len() - usize::from(closed));
        let piece: Vec<Point> = piece.into_iter().map(|node| nodes.points[node]).collect();
        match first_crossing(&piece, closed) {
            None => cut.push((piece, closed)),
            // Corners that became one moved an edge across another.
            Some(_) => {
                let next = piece.iter().skip(1).chain(piece.first().filter(|_| closed));
                cut.extend(piece.iter().zip(next).map(|(&a, &b)| (vec![a, b], false)));
            }
        }
    }
    Some(cut)
}

/// Whether segments that cross only touch, but for rounding.
fn touches(one: &[Point; 2], other: &[Point; 2]) -> bool {
    let near = |[a, b]: &[Point; 2], at: Point| {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        side(*a, *b, at).abs() <= TOUCH * (x * x + y * y).sqrt()
    };
    let ends = |edge: &[Point; 2], ends: &[Point; 2]| ends.iter().filter(|&&end| near(edge, end)).count();
    ends(one, other) == 1 || ends(other, one) == 1
}
