//! Slides along walls, and bodies pushed out of them: approximate geometry that proposes where an agent goes.

use crate::maths::Noise;
use crate::maths::wide::{Wide, add, dot, length, scaled, sub, widened};
use crate::tick::collide::near::{NearPiece, Walls};
use crate::tick::collide::walker::{Hit, Margins, Walker, without};

/// The largest number of contacts of a slide.
const CONTACTS: usize = 4;

/// The largest number of passes that push a body out of walls.
const PUSHES: usize = 8;

/// The positions that a slide offers.
pub(super) struct Slide<const D: usize> {
    /// The displacement at its end, and at the first contact.
    pub(super) end: Wide<D>,
    pub(super) stop: Wide<D>,
}

impl<const D: usize> Walker<D> {
    /// Slides along walls: stops at each contact, and continues without the part of the motion that leads into the
    /// wall.
    pub(super) fn slide(
        &self,
        walls: &Walls<'_, D>,
        path: Wide<D>,
        near: &[NearPiece<D>],
        hits: &mut Vec<Hit<D>>,
    ) -> Slide<D> {
        let (mut at, mut time, mut motion, mut stop, mut carried) = ([0.0; D], 0.0, path, None, [0.0; D]);
        let mut steps = [[0.0; D]; CONTACTS];
        for contact in 0..CONTACTS {
            let mut first: Option<(f64, Wide<D>, u32)> = None;
            let begins = at == [0.0; D] && time == 0.0;
            // An agent on the surface of a solid is outside; one on another wall may leave to both sides.
            for near in near.iter().filter(|near| !near.is_on || near.piece.is_solid()) {
                let step = walls.step(near.wall).step;
                let (from, way) = (sub(add(near.start, at), scaled(step, time)), sub(motion, step));
                // The motion relative to the wall is only rounding error.
                if length(way) <= 1e-12 * (length(motion) + length(step)) {
                    continue;
                }
                let nearest = if begins { near.at_start } else { near.piece.nearest(from) };
                let swept = near.piece.sweep(from, way, near.reach, nearest);
                if let Some((share, normal)) = swept
                    && share <= 1.0 - time
                    && first.is_none_or(|(before, ..)| share < before)
                {
                    first = Some((share, normal, near.wall));
                }
            }
            let Some((share, normal, wall)) = first else {
                let end = add(at, scaled(motion, 1.0 - time));
                return Slide { end, stop: stop.unwrap_or(end) };
            };
            at = add(at, scaled(motion, share));
            time += share;
            let step = walls.step(wall).step;
            // The wall carries the agent on.
            stop = stop.or_else(|| Some(add(at, scaled(step, 1.0 - time))));
            carried = add(at, scaled(step, 1.0 - time));
            steps[contact] = step;
            motion = without(motion, step, normal);
            let begin = hits.len() - contact;
            for (earlier, hit) in hits[begin..].iter().enumerate() {
                if dot(sub(motion, steps[earlier]), hit.normal) < -1e-9 * length(motion) {
                    motion = along_both(motion, step, normal, hit.normal);
                }
            }
            hits.push(Hit { wall, normal });
        }
        Slide { end: carried, stop: stop.unwrap_or(carried) }
    }

    /// Moves a displacement until the body at its end overlaps no wall, if a few passes suffice.
    pub(super) fn push(
        &self,
        walls: &Walls<'_, D>,
        by: Wide<D>,
        &Margins { radius, skin, .. }: &Margins,
        near: &[NearPiece<D>],
    ) -> Wide<D> {
        let mut at = by;
        for _ in 0..PUSHES {
            let mut is_pushed = false;
            for near in near {
                let step = walls.step(near.wall).step;
                let nearest = near.piece.nearest(sub(add(near.start, at), step));
                if nearest.distance < radius + 0.25 * skin {
                    let has_side = nearest.distance > 0.0 || near.piece.is_solid();
                    let normal = if has_side { nearest.normal } else { self.way_off(walls, near, nearest.normal) };
                    at = add(at, scaled(normal, radius + skin - nearest.distance));
                    is_pushed = true;
                }
            }
            if !is_pushed {
                break;
            }
        }
        at
    }

    /// The side to which an agent on a wall without an inside is pushed: the side of its motion, or else a side that is
    /// drawn.
    fn way_off(&self, walls: &Walls<'_, D>, near: &NearPiece<D>, normal: Wide<D>) -> Wide<D> {
        let step = walls.step(near.wall).step;
        let off = dot(sub(sub(widened(self.motion.to.0), widened(self.motion.from.0)), step), normal);
        let off = if off == 0.0 {
            let mut noise = Noise::new(walls.settings.seed, self.agent.to_bits(), walls.tick, Noise::WALL);
            f64::from(noise.between(-1.0, 1.0))
        } else {
            off
        };
        if off < 0.0 { scaled(normal, -1.0) } else { normal }
    }
}

/// The motion along two walls: along their common line, or none in two dimensions.
fn along_both<const D: usize>(motion: Wide<D>, step: Wide<D>, one: Wide<D>, other: Wide<D>) -> Wide<D> {
    if D != 3 {
        return step;
    }
    let line: Wide<D> = std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % D, (axis + 2) % D);
        one[next] * other[last] - one[last] * other[next]
    });
    let squared = dot(line, line);
    if squared <= 1e-18 {
        return step;
    }
    add(step, scaled(line, dot(sub(motion, step), line) / squared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::{AgentId, SpeciesId};
    use crate::base::settings::{Edge, Settings};
    use crate::environment::Environment;
    use crate::environment::wall::Wall;
    use crate::environment::wall_index::WallIndex;
    use crate::kernels::simd::InstructionSet;
    use crate::maths::Vector;
    use crate::tick::collide::steps::WallStep;
    use crate::tick::collide::walker::Motion;

    /// Pushes an agent at rest out of the line x = 20, on which it is. The velocity is the one that it wanted.
    fn pushed(agent: u32, wanted: [f32; 2]) -> Wide<2> {
        let settings = Settings::<2> { edge: [Edge::Open; 2], seed: 7, ..Settings::default() };
        let (mut environment, mut index) = (Environment::<2>::default(), WallIndex::default());
        environment.walls.add(Wall::segment([20.0, 0.0], [20.0, 90.0])).unwrap();
        index.update(InstructionSet::widest().level().unwrap(), &environment, &settings);
        let (steps, still) = ([WallStep::still()], WallStep::still());
        let walls = Walls {
            settings: &settings,
            period: [f32::INFINITY; 2],
            size: [0.0; 2],
            index: &index,
            ids: environment.walls.ids(),
            steps: &steps,
            is_still: &[],
            still,
            tick: 3,
            largest_step: [0.0; 2],
            rounding: 0.0,
            farthest: f64::INFINITY,
        };
        let from = Vector([20.0, 50.0]);
        let walker = Walker {
            agent: AgentId::from_bits(u64::from(agent)),
            species: SpeciesId(0),
            motion: Motion { from, to: from + Vector(wanted) * 0.1, velocity: Vector(wanted), radius: 0.5 },
        };
        let mut near = Vec::new();
        walls.gather(&[0], from, [[19.0, 49.0], [21.0, 51.0]], &mut near);
        assert!(near[0].is_on);
        walker.push(&walls, [0.0; 2], &Margins { radius: 0.5, skin: 1e-5, touch: 0.6, room: 1.0 }, &near)
    }

    #[test]
    fn an_agent_on_a_wall_is_pushed_to_the_side_to_which_it_moves() {
        for across in [0.5, 1e-3] {
            for along in [-2.0, 0.0, 2.0] {
                assert!((pushed(1, [across, along])[0] - 0.5).abs() < 1e-4);
                assert!((pushed(1, [-across, along])[0] + 0.5).abs() < 1e-4);
            }
        }
        // Without a motion across the wall, the side is drawn.
        let right = (0..200).filter(|&agent| pushed(agent, [0.0, 1.0])[0] > 0.0).count();
        assert!((70..130).contains(&right), "{right}");
    }
}
