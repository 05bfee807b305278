//! The flocks that other programs show first, beside the same models in 64 bits: The Nature of Code (Shiffman), which p5.js
//! and Processing have as an example, NetLogo's Flocking (Wilensky 1998), MASON's Flockers (Luke and others 2005) and the
//! boids of Unity tutorials (Lague 2019).

use throng::World;
use throng_scenario::Scenario;

type Vectors<const D: usize> = Vec<[f64; D]>;

/// The mean speed, the length of the mean heading, and the mean distance of the nearest other.
type Figures = [f64; 3];

/// A flock of another program: its scenario, its size, and a step of its model.
struct Flock<const D: usize> {
    scenario: &'static str,
    size: [f64; D],
    ticks: u64,
    seeds: u64,
    step: fn(&Self, &mut Vectors<D>, &mut Vectors<D>, &mut Draw),
}

/// Numbers in [0, 1): splitmix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The numbers below `count` in a random order: other programs move agents one after the other.
    fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, (self.next() * (last + 1) as f64) as usize);
        }
        order
    }
}

fn map<const D: usize>(part: impl FnMut(usize) -> f64) -> [f64; D] {
    std::array::from_fn(part)
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn direction<const D: usize>(vector: [f64; D]) -> [f64; D] {
    let length = length(vector);
    if length == 0.0 { vector } else { vector.map(|part| part / length) }
}

fn limited<const D: usize>(vector: [f64; D], most: f64) -> [f64; D] {
    let length = length(vector);
    if length > most { vector.map(|part| part * most / length) } else { vector }
}

/// The angle from one direction to another.
fn angle([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    (ax * by - ay * bx).atan2(ax * bx + ay * by)
}

impl<const D: usize> Flock<D> {
    fn offset(&self, from: [f64; D], to: [f64; D]) -> [f64; D] {
        map(|axis| {
            let offset = to[axis] - from[axis];
            offset - self.size[axis] * (offset / self.size[axis]).round()
        })
    }

    /// The others within a radius, with their offsets and distances.
    fn near(&self, positions: &Vectors<D>, me: usize, radius: f64) -> Vec<(usize, [f64; D], f64)> {
        let others = (0..positions.len()).filter(|&other| other != me);
        let offsets = others.map(|other| (other, self.offset(positions[me], positions[other])));
        offsets.map(|(other, offset)| (other, offset, length(offset))).filter(|near| near.2 <= radius).collect()
    }

    fn move_by(&self, positions: &mut Vectors<D>, me: usize, way: [f64; D]) {
        positions[me] = map(|axis| (positions[me][axis] + way[axis]).rem_euclid(self.size[axis]));
    }

    fn figures(&self, positions: &Vectors<D>, velocities: &Vectors<D>) -> Figures {
        let count = velocities.len() as f64;
        let speed = velocities.iter().map(|velocity| length(*velocity)).sum::<f64>() / count;
        let heading =
            map::<D>(|axis| velocities.iter().map(|velocity| direction(*velocity)[axis]).sum::<f64>() / count);
        let nearest =
            |me| self.near(positions, me, f64::INFINITY).into_iter().map(|near| near.2).fold(f64::INFINITY, f64::min);
        [speed, length(heading), (0..positions.len()).map(nearest).sum::<f64>() / count]
    }

    /// Compares the mean figures over the seeds, which differ by less than four standard errors.
    fn compare(&self) -> Vec<Figures> {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(self.scenario);
        let text = std::fs::read_to_string(&file).unwrap();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for seed in 0..self.seeds {
            let text = text.replacen("seed = 1", &format!("seed = {seed}"), 1);
            let scenario = Scenario::parse(&text, &file.to_string_lossy()).unwrap_or_else(|all| panic!("{all}"));
            let mut world: World<D> = scenario.build().unwrap();
            let [mut positions, mut velocities] = columns(&world);
            let mut draw = Draw(seed);
            (0..self.ticks).for_each(|_| (self.step)(self, &mut positions, &mut velocities, &mut draw));
            theirs.push(self.figures(&positions, &velocities));
            (0..self.ticks).for_each(|_| world.step());
            let [positions, velocities] = columns(&world);
            ours.push(self.figures(&positions, &velocities));
        }
        let count = ours.len() as f64;
        for (number, name) in ["speed", "order", "spacing"].into_iter().enumerate() {
            let moments = |all: &[Figures]| {
                let mean = all.iter().map(|figures| figures[number]).sum::<f64>() / count;
                let squares: f64 = all.iter().map(|figures| (figures[number] - mean).powi(2)).sum();
                (mean, squares / (count - 1.0) / count)
            };
            let ((mean, error), (wanted, wanted_error)) = (moments(&ours), moments(&theirs));
            let errors = [error, wanted_error].map(f64::sqrt);
            println!(
                "{}: {name} {mean:.3} ± {:.3}, in 64 bits {wanted:.3} ± {:.3}",
                self.scenario, errors[0], errors[1]
            );
            let most = 4.0 * (error + wanted_error).sqrt() + 1e-6;
            assert!((mean - wanted).abs() < most, "{}: {name} {mean} and {wanted}, at most {most}", self.scenario);
        }
        ours
    }
}

fn columns<const D: usize>(world: &World<D>) -> [Vectors<D>; 2] {
    let agents = &world.all_agents()[0];
    let rows = || 0..agents.len();
    [
        rows().map(|row| agents.position(row).0.map(f64::from)).collect(),
        rows().map(|row| agents.velocity(row).0.map(f64::from)).collect(),
    ]
}

#[test]
fn the_flock_of_the_nature_of_code_flies_as_there() {
    fn step(flock: &Flock<2>, positions: &mut Vectors<2>, velocities: &mut Vectors<2>, _: &mut Draw) {
        let steer = |sum: [f64; 2], velocity: [f64; 2]| {
            let wanted = direction(sum);
            if wanted == [0.0; 2] { wanted } else { limited(map(|axis| wanted[axis] * 3.0 - velocity[axis]), 0.05) }
        };
        let forces: Vectors<2> = (0..positions.len())
            .map(|me| {
                let [mut apart, mut heading, mut middle] = [[0.0; 2]; 3];
                for (other, way, distance) in flock.near(positions, me, 50.0) {
                    for axis in 0..2 {
                        apart[axis] -= if distance < 25.0 { way[axis] / distance.powi(2) } else { 0.0 };
                        heading[axis] += velocities[other][axis];
                        middle[axis] += way[axis];
                    }
                }
                let [apart, heading, middle] = [apart, heading, middle].map(|sum| steer(sum, velocities[me]));
                map(|axis| 1.5 * apart[axis] + heading[axis] + middle[axis])
            })
            .collect();
        for (me, force) in forces.into_iter().enumerate() {
            velocities[me] = limited(map(|axis| velocities[me][axis] + force[axis]), 3.0);
            flock.move_by(positions, me, velocities[me]);
        }
    }
    let flock = Flock { scenario: "nature_of_code.toml", size: [640.0, 360.0], ticks: 2000, seeds: 12, step };
    // The flock does not freeze.
    assert!(flock.compare().iter().all(|figures| figures[0] > 0.7 * 3.0));
}

#[test]
fn the_flock_of_netlogo_turns_as_there() {
    fn turned([x, y]: [f64; 2], by: f64, most: f64) -> [f64; 2] {
        let (sine, cosine) = by.clamp(-most.to_radians(), most.to_radians()).sin_cos();
        [x * cosine - y * sine, x * sine + y * cosine]
    }
    // Each bird turns after those before it; then all fly.
    fn step(flock: &Flock<2>, positions: &mut Vectors<2>, headings: &mut Vectors<2>, draw: &mut Draw) {
        for me in draw.order(positions.len()) {
            let near = flock.near(positions, me, 5.0);
            let Some(nearest) = near.iter().min_by(|a, b| a.2.total_cmp(&b.2)) else { continue };
            headings[me] = if nearest.2 < 1.0 {
                turned(headings[me], -angle(headings[me], headings[nearest.0]), 1.5)
            } else {
                let sum = map(|axis| near.iter().map(|near| headings[near.0][axis]).sum());
                let aligned = turned(headings[me], angle(headings[me], sum), 5.0);
                let middle = map(|axis| near.iter().map(|near| direction(near.1)[axis]).sum());
                turned(aligned, angle(aligned, middle), 3.0)
            };
        }
        (0..positions.len()).for_each(|me| flock.move_by(positions, me, headings[me]));
    }
    let flock = Flock { scenario: "netlogo_flocking.toml", size: [71.0; 2], ticks: 300, seeds: 8, step };
    assert!(flock.compare().iter().all(|figures| figures[1] > 0.3), "birds fly alike");
}

#[test]
fn the_flockers_of_mason_move_as_there() {
    fn step(flock: &Flock<2>, positions: &mut Vectors<2>, steps: &mut Vectors<2>, draw: &mut Draw) {
        for me in draw.order(positions.len()) {
            let near = flock.near(positions, me, 10.0);
            let (count, drawn) = (near.len() as f64, direction([2.0 * draw.next() - 1.0, 2.0 * draw.next() - 1.0]));
            let all = map(|axis| {
                let together = near.iter().map(|near| near.1[axis]).sum::<f64>() / (count + 1.0) / 10.0;
                let apart =
                    near.iter().map(|near| -near.1[axis] / (near.2.powi(4) + 1.0)).sum::<f64>() / count.max(1.0);
                let alike =
                    (near.iter().map(|near| steps[near.0][axis]).sum::<f64>() + steps[me][axis]) / (count + 1.0);
                together + 400.0 * apart + alike + 0.05 * drawn[axis] + steps[me][axis]
            });
            steps[me] = direction(all).map(|part| 0.7 * part);
            flock.move_by(positions, me, steps[me]);
        }
    }
    let flock = Flock { scenario: "mason_flockers.toml", size: [150.0; 2], ticks: 300, seeds: 8, step };
    assert!(flock.compare().iter().all(|figures| (figures[0] - 0.7).abs() < 1e-3), "all take steps of the same length");
}

#[test]
fn the_boids_of_unity_fly_as_there() {
    const DT: f64 = 1.0 / 60.0;
    fn step(flock: &Flock<3>, positions: &mut Vectors<3>, velocities: &mut Vectors<3>, _: &mut Draw) {
        let forces: Vectors<3> = (0..positions.len())
            .map(|me| {
                let near = flock.near(positions, me, 2.5);
                if near.is_empty() {
                    return [0.0; 3];
                }
                let heading = map::<3>(|axis| near.iter().map(|near| direction(velocities[near.0])[axis]).sum());
                let middle = map::<3>(|axis| near.iter().map(|near| near.1[axis]).sum());
                let too_near = || near.iter().filter(|near| near.2 < 1.0);
                let apart = map::<3>(|axis| too_near().map(|near| -near.1[axis] / near.2.powi(2)).sum());
                let forces = [heading, middle, apart].map(|way| {
                    let wanted = direction(way);
                    limited(map::<3>(|axis| 5.0 * wanted[axis] - velocities[me][axis]), 3.0)
                });
                map(|axis| forces.iter().map(|force| force[axis]).sum())
            })
            .collect();
        for (me, force) in forces.into_iter().enumerate() {
            let moved = map(|axis| velocities[me][axis] + force[axis] * DT);
            let speed = length(moved).clamp(2.0, 5.0);
            velocities[me] = direction(moved).map(|part| part * speed);
            flock.move_by(positions, me, velocities[me].map(|part| part * DT));
        }
    }
    Flock { scenario: "unity_boids.toml", size: [30.0; 3], ticks: 600, seeds: 6, step }.compare();
}
