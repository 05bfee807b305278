//! Fundamental diagrams: speed over density in a corridor, and in single file.

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
