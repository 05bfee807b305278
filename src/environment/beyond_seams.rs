//! The walls just beyond seams, as agents before a seam meet them.

use crate::base::settings::Seam;
use crate::environment::piece::Piece;
use crate::maths::wide::{Wide, add, dot, length, scaled, sub, widened};

/// How far beyond a seam, and beside it, walls stand for agents before it, in metres.
const REACH: f64 = 2.0;

/// The parts of these pieces of walls just beyond each side of each seam, with the numbers of their walls.
pub(super) fn pieces_beyond<const D: usize>(
    seams: &[Seam<D>],
    pieces: impl Iterator<Item = (u32, Piece<D>)> + Clone,
) -> Vec<(u32, Piece<D>)> {
    let mut beyond = Vec::new();
    for side in seams.iter().flat_map(Seam::sides) {
        let [origin, end] = side.ends.map(|end| widened(end.0));
        let (inwards, width) = (side.beyond(), length(sub(end, origin)));
        let along = scaled(sub(end, origin), 1.0 / width);
        let room = [(inwards, 0.0, REACH), (along, -REACH, width + REACH)];
        let back = widened((-side.shift).0);
        for (wall, piece) in pieces.clone() {
            beyond.extend(part_in(piece, back, origin, &room).map(|piece| (wall, piece)));
        }
    }
    beyond
}

/// The part of a piece, displaced by an offset, whose components from an origin in two directions are in these ranges:
/// of a box or a ball, all of it or nothing.
fn part_in<const D: usize>(
    piece: Piece<D>,
    by: Wide<D>,
    origin: Wide<D>,
    room: &[(Wide<D>, f64, f64); 2],
) -> Option<Piece<D>> {
    let within = |[low, high]: [Wide<D>; 2]| {
        let (centre, half) = (scaled(add(low, high), 0.5), scaled(sub(high, low), 0.5));
        room.iter().enumerate().all(|(number, (direction, least, most))| {
            let at = dot(sub(centre, origin), *direction);
            let extent: f64 = direction.iter().zip(half).map(|(part, half)| (part * half).abs()).sum();
            // A solid that reaches before the seam stands there already.
            at - extent < *most && if number == 0 { at - extent >= *least } else { at + extent > *least }
        })
    };
    match piece {
        Piece::Segment(a, b) => {
            let (a, b) = (add(a, by), add(b, by));
            let (mut from, mut to) = (0.0, 1.0);
            for (direction, low, high) in room {
                let (start, slope) = (dot(sub(a, origin), *direction), dot(sub(b, a), *direction));
                for (bound, sign) in [(*low, 1.0), (*high, -1.0)] {
                    let (start, slope) = (sign * (start - bound), sign * slope);
                    if start < 0.0 && start + slope < 0.0 {
                        return None;
                    }
                    let share = -start / slope;
                    if start < 0.0 && share > from {
                        from = share;
                    } else if start + slope < 0.0 && share < to {
                        to = share;
                    }
                }
            }
            let at = |share: f64| if share == 1.0 { b } else { add(a, scaled(sub(b, a), share)) };
            (from < to).then(|| Piece::Segment(at(from), at(to)))
        }
        Piece::Box(low, high) => {
            let (low, high) = (add(low, by), add(high, by));
            within([low, high]).then_some(Piece::Box(low, high))
        }
        Piece::Ball(centre, radius) => {
            let ball = Piece::Ball(add(centre, by), radius);
            within(ball.bounds()).then_some(ball)
        }
        Piece::Plane { .. } => None,
    }
}
