//! Densities over a run: the most and the mean of each square of the floor.

use throng::{AnyWorld, with_world};

use crate::origin::seconds;

/// The side of a square in metres, and the most squares along the longer side of the world.
const SIDE: f64 = 1.0;
const MOST: f64 = 160.0;

/// The densities of a run in a flat world.
#[derive(Debug)]
pub(super) struct Density {
    pub(super) size: [f64; 2],
    /// The side of a square, and their numbers along the axes.
    pub(super) side: f64,
    pub(super) squares: [usize; 2],
    /// The agents in each square now, at most, and summed over ticks in which there were any in the world.
    now: Vec<u32>,
    pub(super) most: Vec<u32>,
    sums: Vec<u64>,
    ticks: u64,
    /// The time at which each square had the most.
    at: Vec<f64>,
}

impl Density {
    /// `None` for a world that is not flat.
    pub(super) fn start(world: &AnyWorld) -> Option<Self> {
        let size = match world {
            AnyWorld::Flat(world) => world.settings().size.0.map(f64::from),
            _ => return None,
        };
        let longest = if size[0] > size[1] { size[0] } else { size[1] };
        let side = if longest / MOST > SIDE { longest / MOST } else { SIDE };
        let squares = size.map(|extent| (extent / side).ceil().clamp(1.0, 1e4) as usize);
        let count = squares[0] * squares[1];
        let (now, most, sums, at) = (vec![0; count], vec![0; count], vec![0; count], vec![0.0; count]);
        Some(Self { size, side, squares, now, most, sums, ticks: 0, at })
    }

    pub(super) fn observe(&mut self, world: &AnyWorld) {
        if world.population() == 0 {
            return;
        }
        let seconds = seconds(world);
        self.ticks += 1;
        self.now.fill(0);
        with_world!(world, world => {
            for agents in world.all_agents() {
                for row in 0..agents.len() {
                    let position = agents.position(row);
                    let place = |axis: usize| (f64::from(position[axis]) / self.side).floor();
                    let [x, y] = [place(0), place(1)];
                    if x >= 0.0 && y >= 0.0 && (x as usize) < self.squares[0] && (y as usize) < self.squares[1] {
                        self.now[y as usize * self.squares[0] + x as usize] += 1;
                    }
                }
            }
        });
        for (square, now) in self.now.iter().enumerate() {
            self.sums[square] += u64::from(*now);
            if *now > self.most[square] {
                self.most[square] = *now;
                self.at[square] = seconds;
            }
        }
    }

    /// The most people per square metre of each square, and its middle.
    pub(super) fn squares(&self) -> impl Iterator<Item = (f64, [f64; 2])> {
        let middle =
            |square| [square % self.squares[0], square / self.squares[0]].map(|at| (at as f64 + 0.5) * self.side);
        self.most().into_iter().enumerate().map(move |(square, most)| (most, middle(square)))
    }

    /// The most people per square metre of each square, row by row from below.
    pub(super) fn most(&self) -> Vec<f64> {
        self.most.iter().map(|most| f64::from(*most) / (self.side * self.side)).collect()
    }

    /// The mean, over the ticks with an agent in the world.
    pub(super) fn mean(&self) -> Vec<f64> {
        let ticks = if self.ticks == 0 { 1.0 } else { self.ticks as f64 };
        self.sums.iter().map(|sum| *sum as f64 / ticks / (self.side * self.side)).collect()
    }

    /// The largest density, the middle of its square and its time.
    pub(super) fn peak(&self) -> Option<(f64, [f64; 2], f64)> {
        let (square, _) = self.most.iter().enumerate().rev().max_by_key(|(_, most)| **most)?;
        self.squares().nth(square).map(|(most, middle)| (most, middle, self.at[square]))
    }
}
