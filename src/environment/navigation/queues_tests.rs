//! Tests of the agents that count in queues against all agents one by one.

use crate::base::settings::{Edge, Settings};
use crate::environment::horizon::Horizon;
use crate::environment::index::EnvironmentIndex;
use crate::environment::navigation::passages::Passage;
use crate::environment::navigation::queues::{Question, Queued, Queues, SIDE};
use crate::environment::{Environment, Wall, WallShape};
use crate::kernels::simd::InstructionSet;
use crate::maths::{Noise, Vector};

const SIZE: f32 = 7.0 * SIDE;
const VIEW: f32 = 20.0;

/// A margin for directions in which the end of a wall may hide an agent or not: two directions of a horizon.
const MARGIN: f32 = 0.064;

fn environment() -> Environment<2> {
    let mut environment = Environment::default();
    let door = |open| Wall { open, ..Wall::segment([20.0, 5.0], [20.0, 45.0]) };
    for wall in [
        Wall::segment([-1.0, 25.0], [12.0, 25.0]),
        Wall::segment([35.0, 10.0], [50.0, 22.0]),
        door(vec![[0.0, 1.0], [3.0, 4.0]]),
        Wall::new(WallShape::Box { centre: Vector([40.0, 40.0]), half: Vector([6.0, 1.0]) }),
        Wall::new(WallShape::Ball { centre: Vector([52.0, 50.0]), radius: 3.0 }),
        Wall { velocity: Vector([0.1, 0.0]), ..Wall::segment([30.0, 55.0], [34.0, 50.0]) },
        Wall::new(WallShape::Plane { point: Vector([57.5, 0.0]), normal: Vector([1.0, 0.0]) }),
    ] {
        environment.walls.add(wall).unwrap();
    }
    environment
}

/// An agent on its way: its navigation, its place, its distance, and its passage.
type Walker = (usize, Vector<2>, (f32, Passage));

#[test]
fn the_counts_are_those_of_all_agents_in_sight() {
    let level = InstructionSet::available().find_map(InstructionSet::level).unwrap();
    let mut noise = Noise::new(9, 0, 0, Noise::USER);
    let environment = environment();
    for (edge, seconds) in [(Edge::Bounce, 0.5), (Edge::Wrap, 2.0), (Edge::Wrap, 3.5), (Edge::Bounce, 9.0)] {
        let settings = Settings::<2> { size: Vector([SIZE; 2]), edge: [edge; 2], ..Settings::default() };
        let mut index = EnvironmentIndex::default();
        index.update(level, &environment, &settings);
        // Up to six at each of some places, which are in different squares and outside of the disc.
        let mut walkers: Vec<Walker> = Vec::new();
        for square in 0..49 {
            let at = Vector([square % 7, square / 7].map(|at| SIDE * (at as f32 + noise.between(0.01, 0.99))));
            if at.distance(Vector([52.0, 50.0])) < 3.0 {
                continue;
            }
            for _ in 0..noise.between(0.0, 6.9) as usize {
                let start = noise.between(0.0, 4.0) as u32;
                let passage = Passage { width: 1.0, before: start..start + 2 };
                walkers.push((noise.between(0.0, 2.9) as usize, at, (noise.between(1.0, 50.0), passage)));
            }
        }
        let queued = |row: usize, has_place: bool| {
            let (navigation, at, (distance, passage)) = &walkers[row];
            Some(Queued::new((*navigation, has_place), *at, (*distance, passage)))
        };
        let mut queues: [Queues; 2] = Default::default();
        for (queues, has_place) in queues.iter_mut().zip([true, false]) {
            queues.add(walkers.len(), &|row| queued(row, has_place));
            queues.sort();
        }
        let [mut sure, mut unsure] = [0, 0];
        for (_, at, (distance, passage)) in walkers.iter().step_by(5) {
            // The third question is about the navigation of the first.
            let questions =
                || [2, 0, 2].map(|navigation| Question::new(Some(navigation), Some((*distance, passage)), [true; 3]));
            let (mut seen, mut all) = (questions(), questions());
            let horizon = Horizon::new((&environment, &index.walls), &settings, seconds, (*at, VIEW));
            queues[0].ask(&mut seen, (*at, VIEW, settings.period()), |offset| horizon.shows(offset));
            queues[1].ask(&mut all, (*at, f32::INFINITY, settings.period()), |_| true);
            for ((question, all), navigation) in seen.iter().zip(&all).zip([2, 0, 2]) {
                let (mut least, mut most, mut known) = ([0; 3], [0; 3], [0; 3]);
                for (_, place, (left, before)) in walkers.iter().filter(|(of, ..)| *of == navigation) {
                    let is_nearer = left < distance;
                    let counted = [true, is_nearer, is_nearer && passage.before.contains(&before.before.start)];
                    let offset = settings.offset(*at, *place);
                    let is_clear = [-MARGIN, 0.0, MARGIN].map(|angle| {
                        let turned = offset + Vector([-offset[1], offset[0]]) * angle;
                        !environment.is_walled_off(&index.walls, &settings, seconds, (*at, turned))
                    });
                    let is_near = offset.length_squared() <= VIEW * VIEW;
                    for number in (0..3).filter(|&number| counted[number]) {
                        known[number] += 1;
                        least[number] += u32::from(is_near && is_clear.iter().all(|&is_clear| is_clear));
                        most[number] += u32::from(is_near && is_clear.contains(&true));
                    }
                }
                assert_eq!(all.counts, known);
                for number in 0..3 {
                    let (least, most) = (least[number], most[number]);
                    assert!((least..=most).contains(&question.counts[number]), "{question:?}: {least} to {most}");
                    (sure, unsure) = (sure + least, unsure + most - least);
                }
            }
        }
        assert!(sure > 500 && unsure < sure / 4, "{sure}, {unsure}");
    }
}
