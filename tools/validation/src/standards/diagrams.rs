//! Fundamental diagrams: speed over density in a corridor, in single file, and on stairs.

use std::ops::RangeInclusive;

use throng::{Noise, Vector};

use crate::run::{Outcome, set};
use crate::standards::crowd::{Crowd, Run, Scene, scene};
use crate::standards::test::{Failure, Test, Value, one_each};

/// The length of the corridors, in metres.
pub(crate) const LENGTH: f64 = 26.0;
/// The radius of a body, in metres.
const RADIUS: f64 = 0.2;

/// The densities of RiMEA 4 and 1.5, where the literature has its largest flow, in 1/m².
pub(crate) const DENSITIES: [f64; 8] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0];
/// The densities of RiMEA 16, in 1/m.
pub(crate) const LINE_DENSITIES: [f64; 6] = [0.5, 1.0, 1.3, 1.6, 2.0, 2.3];

/// The polynomials of the speed on stairs over the density after Corbetta et al.: the means of fast and of slow
/// persons, and their standard deviations, which are positive up to 1.5 /m².
const UP: [[f64; 3]; 4] = [[0.18, -0.55, 1.02], [0.0, 0.01, 0.48], [0.0, -0.14, 0.35], [0.0, -0.02, 0.10]];
const DOWN: [[f64; 3]; 4] = [[0.33, -1.02, 1.39], [0.0, -0.08, 0.67], [0.0, -0.11, 0.29], [0.0, -0.06, 0.14]];

/// Weidmann's speed at a density in 1/m², in m/s.
pub(crate) fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp()).max(0.0)
}

/// The speed of the SFPE handbook at a density in 1/m² (Nelson and Mowrer), in m/s.
pub(crate) fn sfpe(density: f64) -> f64 {
    (1.4 * (1.0 - 0.266 * density)).clamp(0.0, 1.19)
}

/// The speed of Seyfried's line at a line density in 1/m, in m/s, at most 1.3 m/s.
pub(crate) fn single_file(density: f64) -> f64 {
    ((1.0 / density - 0.36) / 1.06).clamp(0.0, 1.3)
}

/// The tests.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "rimea_04",
        of: &["RiMEA 4"],
        title: "Fundamental diagram",
        text: "Persons with free speeds of 1.2 to 1.4 m/s in a corridor 2 m wide, at the seven densities of the guideline \
               and at 1.5 /m²; mean speed along the corridor over 60 s, after 10 s. The guideline's corridor of 1000 x 10 m with three measuring fields is \
               replaced by a periodic one of 26 x 2 m, where every place is a measuring field. At 5 and 6 /m² bodies \
               of 0.4 m fit only in rows, in which all start. The guideline names no bound. Ours: the largest flow is in \
               the band of the literature, 1 to 2 persons per metre and second (Zhang 2012), and no density has a higher \
               speed than a lower one, but for 0.02 m/s.",
        peers: "skipped",
        values: &[
            Value::reported("speed at 0.5 /m²", "m/s"),
            Value::reported("speed at 1 /m²", "m/s"),
            Value::reported("speed at 1.5 /m²", "m/s"),
            Value::reported("speed at 2 /m²", "m/s"),
            Value::reported("speed at 3 /m²", "m/s"),
            Value::reported("speed at 4 /m²", "m/s"),
            Value::reported("speed at 5 /m²", "m/s"),
            Value::reported("speed at 6 /m²", "m/s"),
            Value::reported("density of the largest flow", "1/m²"),
            Value::reported("root mean square difference from Weidmann's curve", "m/s"),
            Value::mean("largest flow", "1/(m s)", 1.0, 2.0),
            Value::mean("largest rise of the speed with the density", "m/s", f64::NEG_INFINITY, 0.02),
        ],
        fail: &[
            Failure::disqualifying(
                "orca",
                "People keep their speed in a crowd and pass at twice the rate of experiments: evacuations end too early.",
            ),
            Failure::disqualifying(
                "social_force",
                "The speed does not fall with the density, and the flow grows without a limit: evacuations end too early.",
            ),
        ],
        short: false,
        measure: |run| {
            let speeds = speeds(run, scene!("rimea_04"), 2.0, &DENSITIES.map(|density| density * 2.0), &[])?;
            let flows = DENSITIES.iter().zip(&speeds).map(|(density, speed)| (density * speed, *density));
            let (flow, density) = flows.fold((0.0, 0.0), |most, flow| if flow.0 > most.0 { flow } else { most });
            let squares = DENSITIES.iter().zip(&speeds).map(|(density, speed)| (speed - weidmann(*density)).powi(2));
            let difference = (squares.sum::<f64>() / DENSITIES.len() as f64).sqrt();
            let mut values = one_each(speeds.iter().copied());
            values.extend(one_each([density, difference, flow, largest_rise(&speeds)]));
            Ok(values)
        },
    },
    Test {
        name: "rimea_16",
        of: &["RiMEA 16"],
        title: "Fundamental diagram in single file",
        text: "Persons with free speeds of 1.2 to 1.4 m/s in a periodic corridor 26 m long and 0.6 m wide, in which none \
               can overtake. The guideline compares with the percentiles of experiments, a download that is not at hand. \
               The bound is ours: the speeds are within 0.15 m/s of the line d = 0.36 m + 1.06 s v of Seyfried et al. \
               (2005) and of the free speed.",
        peers: "compares with the percentiles",
        values: &[
            Value::reported("speed at 0.5 /m", "m/s"),
            Value::reported("speed at 1 /m", "m/s"),
            Value::reported("speed at 1.3 /m", "m/s"),
            Value::reported("speed at 1.6 /m", "m/s"),
            Value::reported("speed at 2 /m", "m/s"),
            Value::reported("speed at 2.3 /m", "m/s"),
            Value::mean("largest difference from the line", "m/s", f64::NEG_INFINITY, 0.15),
        ],
        fail: &[
            Failure::serious(
                "orca",
                "In single file people keep their free speed up to two per metre, where experiments find a tenth of it.",
            ),
            Failure::serious("social_force", "In single file people keep their free speed at every density."),
        ],
        short: false,
        measure: |run| {
            let speeds = speeds(run, scene!("rimea_16"), 0.6, &LINE_DENSITIES, &[])?;
            let differences =
                LINE_DENSITIES.iter().zip(&speeds).map(|(line, speed)| (speed - single_file(*line)).abs());
            let largest = differences.fold(0.0, f64::max);
            let mut values = one_each(speeds.iter().copied());
            values.push(vec![largest]);
            Ok(values)
        },
    },
    Test {
        name: "rimea_13",
        of: &["RiMEA 13"],
        title: "Fundamental diagram on stairs",
        text: "100 persons of the standard population leave a room of 10 x 10 m by stairs 2 m wide, whose ground plan is 5 m \
               long: a zone with the factors of JuPedSim's suite, 0.5 up and 0.7 down. A point is the speed of a person on \
               the stairs in one tick, with the number of persons on their 10 m², of 6 to 15. The guideline compares with \
               the curves of its figure 16 and prints no table of them. The bounds come from the suite: half of the points \
               are within the polynomials of Corbetta et al. as quoted there, each mean with its standard deviation, and \
               down is faster than up at every density, of five at least. The suite judges one run; here means over all \
               runs count.",
        peers: "passes, with bodies of 0.12 m radius",
        values: &[
            Value::reported("speed up", "m/s"),
            Value::reported("speed down", "m/s"),
            Value::mean("share within the polynomials, up", "", 0.5, 1.0),
            Value::mean("share within the polynomials, down", "", 0.5, 1.0),
            Value::each("densities measured both up and down", "", 5.0, 10.0),
            Value::mean("least lead of down over up at a density", "m/s", 0.0, f64::INFINITY),
        ],
        fail: &[
            Failure::minor("orca", "Down, 47 % of the points are within the polynomials, where half should be."),
            Failure::serious(
                "social_force",
                "Up, people in the crowd are slower than the polynomials: 39 % are within.",
            ),
        ],
        short: false,
        measure: |run| {
            let (up, down) = (speeds_on_stairs(run, 0.5)?, speeds_on_stairs(run, 0.7)?);
            let within = |points: &[(usize, f64)], polynomials| {
                let inside =
                    |(count, speed): &&(usize, f64)| corbetta(*count as f64 / 10.0, polynomials).contains(speed);
                points.iter().filter(inside).count() as f64 / points.len() as f64
            };
            let mean = |points: &[(usize, f64)], counts: RangeInclusive<usize>| {
                let speeds = points.iter().filter(|(count, _)| counts.contains(count)).map(|(_, speed)| speed);
                speeds.clone().sum::<f64>() / speeds.count() as f64
            };
            let leads = (6..=15).map(|count| mean(&down, count..=count) - mean(&up, count..=count));
            let leads: Vec<f64> = leads.filter(|lead| lead.is_finite()).collect();
            let least = leads.iter().copied().fold(f64::INFINITY, f64::min);
            let shares = [within(&up, UP), within(&down, DOWN)];
            let [up, down] = [&up, &down].map(|points| mean(points, 6..=15));
            Ok(one_each([up, down, shares[0], shares[1], leads.len() as f64, least]))
        },
    },
    Test {
        name: "iso_13",
        of: &["ISO 13"],
        title: "Speed in a corridor with 60 to 240 persons",
        text: "Persons with a free speed of 1 m/s in the periodic corridor of 26 x 2 m (set-up ours; that of the standard is \
               not at hand). The mean speed may not exceed the free speed by more than 0.05 m/s, and falls with the \
               number of persons.",
        peers: "fails: 1.9 to 3.1 m/s with a free speed of 1 m/s",
        values: &[
            Value::each("speed with 60", "m/s", 0.0, 1.05),
            Value::each("speed with 120", "m/s", 0.0, 1.05),
            Value::each("speed with 180", "m/s", 0.0, 1.05),
            Value::each("speed with 240", "m/s", 0.0, 1.05),
            Value::mean("largest rise of the speed with the number", "m/s", f64::NEG_INFINITY, 0.02),
        ],
        fail: &[Failure::serious(
            "orca",
            "Bodies that never yield block each other at 4.6 per square metre: the crowd stands, and drifts back in 7 of 30 runs.",
        )],
        short: false,
        measure: |run| {
            let sets = [set("species.person.max_speed", "1.0")];
            let speeds = speeds(run, scene!("rimea_04"), 2.0, &[60.0, 120.0, 180.0, 240.0].map(|n| n / LENGTH), &sets)?;
            let mut values = one_each(speeds.iter().copied());
            values.push(vec![largest_rise(&speeds)]);
            Ok(values)
        },
    },
];

/// The speed of each person on the stairs in each tick, with the number of persons there, if it is 6 to 15.
fn speeds_on_stairs(run: &Run, factor: f64) -> Outcome<Vec<(usize, f64)>> {
    let mut crowd = run.crowd(scene!("rimea_13"), &[set("zone.0.factor", factor)])?;
    let mut points = Vec::new();
    crowd.run(|crowd| {
        let on = || crowd.positions().filter(|(_, at)| (13.0..=18.0).contains(&at[0]));
        let count = on().count();
        if (6..=15).contains(&count) {
            points.extend(on().filter_map(|(id, _)| Some((count, f64::from(crowd.world.velocity(id).ok()?.length())))));
        }
    });
    Ok(points)
}

/// The speeds on stairs within a standard deviation of the means of fast and slow persons at a density in 1/m².
fn corbetta(density: f64, polynomials: [[f64; 3]; 4]) -> RangeInclusive<f64> {
    let [fast, slow, of_fast, of_slow] = polynomials.map(|[a, b, c]| (a * density + b) * density + c);
    (fast - of_fast).min(slow - of_slow)..=(fast + of_fast).max(slow + of_slow)
}

/// The largest difference of a speed from the one before.
fn largest_rise(speeds: &[f64]) -> f64 {
    speeds.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::NEG_INFINITY, f64::max)
}

/// The mean speed along a periodic corridor over 60 s, after 10 s, for each number of persons per metre of its length.
pub(crate) fn speeds(
    run: &Run,
    scene: Scene,
    width: f64,
    per_metre: &[f64],
    overrides: &[String],
) -> Outcome<Vec<f64>> {
    let speed = |per_metre: &f64| {
        let mut crowd = run.crowd(scene, overrides)?;
        fill(&mut crowd, run.seed, "person", width, (per_metre * LENGTH).round() as usize)?;
        crowd.pass(10.0);
        let (mut sum, mut count) = (0.0, 0);
        for _ in 0..120 {
            crowd.pass(0.5);
            for agents in crowd.world.all_agents() {
                sum += agents.velocities()[0][..agents.len()].iter().copied().map(f64::from).sum::<f64>();
                count += agents.len();
            }
        }
        Ok(sum / count as f64)
    };
    per_metre.iter().map(speed).collect()
}

/// Places persons at rest in staggered rows, each moved at random as far as it keeps clear of its neighbours.
pub(crate) fn fill(crowd: &mut Crowd, seed: u64, species: &str, width: f64, count: usize) -> Outcome<()> {
    let species = crowd.species(species)?;
    let (low, high) = (1.0 + RADIUS + 1e-3, 1.0 + width - RADIUS - 1e-3);
    // The least distance of two persons in a number of rows.
    let apart = |rows: usize| {
        let along = LENGTH / count.div_ceil(rows) as f64;
        let across = if rows > 1 { (high - low) / (rows - 1) as f64 } else { f64::INFINITY };
        along.min((0.5 * along).hypot(across))
    };
    let rows = (1..=8).fold(1, |best, rows| if apart(rows) > apart(best) { rows } else { best });
    let free = (0.49 * (apart(rows) - 2.0 * RADIUS)).max(0.0);
    let mut number = 0u64;
    for row in 0..rows {
        let in_row = count / rows + usize::from(row < count % rows);
        for place in 0..in_row {
            let mut noise = Noise::new(seed, number, 0, Noise::USER);
            let shift = 0.5 * f64::from((row % 2) as u32);
            let x = (place as f64 + shift) * LENGTH / in_row as f64 + free * f64::from(noise.between(-0.7, 0.7));
            let y = low + (high - low) * if rows > 1 { row as f64 / (rows - 1) as f64 } else { 0.5 };
            let y = (y + free * f64::from(noise.between(-0.7, 0.7))).clamp(low, high);
            crowd.world.spawn(species, Vector([x.rem_euclid(LENGTH) as f32, y as f32]), Vector::ZERO)?;
            number += 1;
        }
    }
    Ok(())
}
