//! The flock of Shiffman's "The Nature of Code", which p5.js and Processing show as an example, beside the same model in
//! 64 bits.

use throng::World;
use throng_scenario::Scenario;

const BOIDS: usize = 100;
const TICKS: u64 = 2000;
const SPEED: f64 = 3.0;
const FORCE: f64 = 0.05;
const SIZE: [f64; 2] = [640.0, 360.0];

/// The mean speed, the length of the mean heading, and the mean distance of the nearest other.
type Figures = [f64; 3];

fn figures(positions: &[[f64; 2]], velocities: &[[f64; 2]]) -> Figures {
    let count = velocities.len() as f64;
    let speed = velocities.iter().map(|[x, y]| x.hypot(*y)).sum::<f64>() / count;
    let heading = |axis: usize| velocities.iter().map(|v| v[axis] / v[0].hypot(v[1]).max(1e-12)).sum::<f64>();
    let nearest = |me: usize| {
        let others = (0..positions.len()).filter(|&other| other != me);
        others.map(|other| length(offset(positions[me], positions[other]))).fold(f64::INFINITY, f64::min)
    };
    let spacing = (0..positions.len()).map(nearest).sum::<f64>() / count;
    [speed, heading(0).hypot(heading(1)) / count, spacing]
}

fn offset(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|axis| {
        let offset = to[axis] - from[axis];
        offset - SIZE[axis] * (offset / SIZE[axis]).round()
    })
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn limited(vector: [f64; 2], most: f64) -> [f64; 2] {
    let length = length(vector);
    if length > most { vector.map(|part| part * most / length) } else { vector }
}

/// The steering of a rule: full speed along a sum, less the velocity, at most `FORCE`; zero without a sum.
fn steer(sum: [f64; 2], velocity: [f64; 2]) -> [f64; 2] {
    let length = length(sum);
    if length == 0.0 {
        return [0.0; 2];
    }
    limited([0, 1].map(|axis| sum[axis] * SPEED / length - velocity[axis]), FORCE)
}

/// The model as its author wrote it, in 64 bits.
fn oracle(mut positions: Vec<[f64; 2]>, mut velocities: Vec<[f64; 2]>) -> Figures {
    for _ in 0..TICKS {
        let forces: Vec<[f64; 2]> = (0..BOIDS)
            .map(|me| {
                let [mut apart, mut heading, mut middle] = [[0.0; 2]; 3];
                for other in (0..BOIDS).filter(|&other| other != me) {
                    let way = offset(positions[me], positions[other]);
                    let distance = length(way);
                    for axis in 0..2 {
                        apart[axis] -= if distance < 25.0 { way[axis] / distance.powi(2) } else { 0.0 };
                        heading[axis] += if distance < 50.0 { velocities[other][axis] } else { 0.0 };
                        middle[axis] += if distance < 50.0 { way[axis] } else { 0.0 };
                    }
                }
                let [apart, heading, middle] = [apart, heading, middle].map(|sum| steer(sum, velocities[me]));
                [0, 1].map(|axis| 1.5 * apart[axis] + heading[axis] + middle[axis])
            })
            .collect();
        for (me, force) in forces.into_iter().enumerate() {
            velocities[me] = limited([0, 1].map(|axis| velocities[me][axis] + force[axis]), SPEED);
            positions[me] = [0, 1].map(|axis| (positions[me][axis] + velocities[me][axis]).rem_euclid(SIZE[axis]));
        }
    }
    figures(&positions, &velocities)
}

fn columns(world: &World<2>) -> [Vec<[f64; 2]>; 2] {
    let agents = &world.all_agents()[0];
    let rows = || 0..agents.len();
    [
        rows().map(|row| agents.position(row).0.map(f64::from)).collect(),
        rows().map(|row| agents.velocity(row).0.map(f64::from)).collect(),
    ]
}

/// From the same starts both fly at about full speed as one flock, equally dense: means over twelve seeds differ by less
/// than four standard errors.
#[test]
fn the_flock_of_the_nature_of_code_flies_as_there() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/nature_of_code.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for seed in 0..12 {
        let text = text.replacen("seed = 1", &format!("seed = {seed}"), 1);
        let scenario = Scenario::parse(&text, &file.to_string_lossy()).unwrap_or_else(|all| panic!("{all}"));
        let mut world: World<2> = scenario.build().unwrap();
        let [positions, velocities] = columns(&world);
        assert_eq!(positions.len(), BOIDS);
        theirs.push(oracle(positions, velocities));
        (0..TICKS).for_each(|_| world.step());
        let [positions, velocities] = columns(&world);
        ours.push(figures(&positions, &velocities));
    }
    let count = ours.len() as f64;
    for (number, name) in ["speed", "order", "spacing"].into_iter().enumerate() {
        let moments = |all: &[Figures]| {
            let mean = all.iter().map(|figures| figures[number]).sum::<f64>() / count;
            let squares: f64 = all.iter().map(|figures| (figures[number] - mean).powi(2)).sum();
            (mean, squares / (count - 1.0) / count)
        };
        let ((mean, error), (wanted, wanted_error)) = (moments(&ours), moments(&theirs));
        println!("{name}: {mean:.3} ± {:.3}, in 64 bits {wanted:.3} ± {:.3}", error.sqrt(), wanted_error.sqrt());
        let most = 4.0 * (error + wanted_error).sqrt();
        assert!((mean - wanted).abs() < most, "{name}: {mean} and {wanted}, at most {most}");
    }
    // The flock does not freeze.
    assert!(ours.iter().all(|figures| figures[0] > 0.7 * SPEED), "{ours:?}");
}
