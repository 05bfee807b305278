//! Tests of single abilities: walking speeds, stairs, smoke and gas, pre-movement times, corners, populations.

use std::collections::BTreeMap;

use throng::Event;

use crate::run::{Outcome, set};
use crate::standards::crowd::{Crowd, FirstTimes, Run, scene};
use crate::standards::test::{Over, Test, Value, normal_below};

const ANY: f64 = f64::INFINITY;

/// Where the upper level of the scene with a lift lies in the coordinates of the world: beyond this, in metres.
const UPPER_LEVEL: f32 = 26.0;

/// The tests.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "rimea_01",
        of: &["RiMEA 1"],
        title: "Walking speed in a corridor",
        text: "A person with a speed of 1.33 m/s walks 40 m through a corridor 2 m wide, from rest. The guideline allows \
               26 to 34 s.",
        peers: "passes",
        values: &[Value::each("time for 40 m", "s", 26.0, 34.0)],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_01"), &[])?;
            crowd.run(|_| ());
            Ok(vec![vec![crowd.last_exit()]])
        },
    },
    Test {
        name: "iso_02",
        of: &["ISO 2", "NIST 2.1"],
        title: "Walking speed in a corridor",
        text: "A person with a speed of 1 m/s; the mean speed over 40 m in the middle of a corridor of 60 m.",
        peers: "passes",
        values: &[Value::each("mean speed", "m/s", 0.95, 1.05)],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("iso_02"), &[])?;
            let inside = times_inside(&mut crowd, "measured")?;
            Ok(vec![vec![40.0 / inside[0]]])
        },
    },
    Test {
        name: "rimea_02_03",
        of: &["RiMEA 2", "RiMEA 3", "ISO 3"],
        title: "Walking speed on stairs",
        text: "Stairs of 10 m along the slope, as a zone of the ground plan with the factors 0.5 up and 0.65 down (Fruin, \
               30 to 50 years). A person with a speed of 1 m/s on the level walks up, another one down. RiMEA: the time \
               of the defined speed, within 5 %. ISO: 0.5 m/s with a factor of 0.5.",
        peers: "RiMEA 2 and 3 fail: the factor of the zone is not applied; ISO 3 passes",
        values: &[
            Value::each("time up", "s", 19.0, 21.0),
            Value::each("time down", "s", 14.61, 16.15),
            Value::each("speed up", "m/s", 0.45, 0.55),
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_02_03"), &[])?;
            let inside = times_inside(&mut crowd, "stairs")?;
            Ok(vec![vec![inside[0]], vec![inside[1]], vec![10.0 / inside[0]]])
        },
    },
    Test {
        name: "nist_2_2",
        of: &["NIST 2.2"],
        title: "Walking speed on long stairs",
        text: "A hundred metres of stairs at 1 m/s, up and down, as a zone.",
        peers: "passes",
        values: &[Value::each("speed up", "m/s", 0.95, 1.05), Value::each("speed down", "m/s", 0.95, 1.05)],
        fail: &[],
        short: false,
        measure: |run| {
            let mut crowd = run.crowd(scene!("nist_2_2"), &[])?;
            let inside = times_inside(&mut crowd, "stairs")?;
            Ok(vec![vec![100.0 / inside[0]], vec![100.0 / inside[1]]])
        },
    },
    Test {
        name: "nist_2_5",
        of: &["NIST 2.5"],
        title: "Walking speed in smoke",
        text: "A person with a speed of 1.25 m/s walks 100 m through smoke with the extinction K. Smoke is not modelled: the \
               extinction is constant, and a zone has the factor max(0.24, 1 - 0.5 K) that JuPedSim's suite takes from \
               the note's equation 2. The time is 100 m over the reduced speed, within 0.5 s as in that suite. The note \
               asks for K = 1 /m; the other two are ours.",
        peers: "passes, by a zone",
        values: &[
            Value::each("time at 0.5 /m", "s", 106.17, 107.17),
            Value::each("time at 1 /m", "s", 159.5, 160.5),
            Value::each("time at 2 /m", "s", 332.83, 333.83),
        ],
        fail: &[],
        short: false,
        measure: |run| {
            let time = |extinction: f64| {
                let factor = (1.0 - 0.5 * extinction).max(0.24);
                let mut crowd = run.crowd(scene!("nist_2_5"), &[set("zone.0.factor", factor)])?;
                times_inside(&mut crowd, "measured")
            };
            Ok(vec![time(0.5)?, time(1.0)?, time(2.0)?])
        },
    },
    Test {
        name: "nist_2_6",
        of: &["NIST 2.6"],
        title: "Incapacitation by gas",
        text: "A person waits in a room with 5000 ppm of carbon monoxide, 2 % of carbon dioxide and 18 % of oxygen. Gas is \
               not modelled: the air is constant. The dose is a variable of the person that grows by 4.607e-7 CO^1.036 \
               exp(0.193 CO2 + 2.0004) / 7.1 + 1 / (60 exp(8.13 - 0.54 (20.9 - O2))) per second, as JuPedSim's suite \
               quotes equations 11 to 14 of FDS+Evac. At a dose of 1 the state of the person changes. By hand that is \
               after 207.58 s; allowed is a tick of 0.05 s.",
        peers: "passes, by the program of the test",
        values: &[Value::reported("time", "s"), Value::each("later than by hand", "s", -0.05, 0.05)],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("nist_2_6"), &[])?;
            let mut fallen = FirstTimes::default();
            crowd.run(|crowd| {
                let is_down = |id| crowd.world.state(id).is_ok_and(|state| state == Some("incapacitated"));
                fallen.note(crowd, |id, _| is_down(id));
            });
            let time = fallen.0.into_values().next().unwrap_or(f64::INFINITY);
            let monoxide = 4.607e-7 * 5000f64.powf(1.036) * (0.193f64 * 2.0 + 2.0004).exp() / 7.1;
            let oxygen = 1.0 / (60.0 * (8.13f64 - 0.54 * (20.9 - 18.0)).exp());
            Ok(vec![vec![time], vec![time - 1.0 / (monoxide + oxygen)]])
        },
    },
    Test {
        name: "nist_2_7",
        of: &["NIST 2.7"],
        title: "Lifts",
        text: "Twenty persons with a speed of 1 m/s in a room on the upper of two levels, 3.5 m apart, and an exit on the \
               lower one. Only a lift joins them: 8 persons, 1 m/s, 1 m/s², doors that take 2 s and are open for 4 s or \
               more; the numbers are ours. It is used, no car has more persons than its capacity, and all arrive. Two \
               cars in a row arrive no sooner than a ride there and back takes without passengers: \
               21 s.",
        peers: "not modelled",
        values: &[
            Value::each("persons in a car", "", 1.0, 8.0),
            Value::reported("rides", ""),
            Value::each("time between two cars", "s", 21.0, 60.0),
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("nist_2_7"), &[])?;
            let (mut above, mut cars) = (crowd.left() as usize, Vec::new());
            crowd.run(|crowd| {
                let left = crowd.positions().filter(|(_, at)| at[0] > UPPER_LEVEL).count();
                if left < above {
                    cars.push((crowd.time(), (above - left) as f64));
                    above = left;
                }
            });
            let apart = cars.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
            let persons = cars.iter().map(|(_, persons)| *persons).collect();
            Ok(vec![persons, vec![cars.len() as f64], apart, vec![crowd.share_out()]])
        },
    },
    Test {
        name: "rimea_05",
        of: &["RiMEA 5", "ISO 1", "NIST 1.1"],
        title: "Pre-movement times",
        text: "Ten persons in a room of 8 x 5 m. RiMEA: each departs (by a millimetre) at its own time, drawn from 10 to 100 s; 0.2 s are \
               allowed. ISO and NIST: the departures of all runs follow the distribution (Kolmogorov and Smirnov, p > \
               0.001, which one set of seeds in a thousand misses by chance): uniform, normal with mean 50 and standard \
               deviation 10 s, lognormal with median 30 s and log_sd 0.5, gamma with shape 4 and scale 10 s, Weibull with \
               shape 2 and scale 50 s.",
        peers: "passes",
        values: &[
            Value::each("departure after the drawn time", "s", -0.2, 0.2),
            Value {
                what: "uniform",
                unit: "p",
                low: 0.001,
                high: ANY,
                over: Over::Distribution(|t| ((t - 10.0) / 90.0).clamp(0.0, 1.0)),
            },
            Value {
                what: "normal",
                unit: "p",
                low: 0.001,
                high: ANY,
                over: Over::Distribution(|t| normal_below((t - 50.0) / 10.0)),
            },
            Value {
                what: "lognormal",
                unit: "p",
                low: 0.001,
                high: ANY,
                over: Over::Distribution(|t| normal_below((t / 30.0).ln() / 0.5)),
            },
            Value {
                what: "gamma",
                unit: "p",
                low: 0.001,
                high: ANY,
                over: Over::Distribution(|t| {
                    let x = t / 10.0;
                    1.0 - (-x).exp() * (1.0 + x + 0.5 * x * x + x * x * x / 6.0)
                }),
            },
            Value {
                what: "Weibull",
                unit: "p",
                low: 0.001,
                high: ANY,
                over: Over::Distribution(|t| 1.0 - (-(t / 50.0) * (t / 50.0)).exp()),
            },
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let [late, uniform] = departures(run, "[10.0, 100.0]")?;
            let [_, normal] = departures(run, "{ mean = 50.0, sd = 10.0 }")?;
            let [_, lognormal] = departures(run, "{ median = 30.0, log_sd = 0.5 }")?;
            let [_, gamma] = departures(run, "{ gamma = 4.0, scale = 10.0 }")?;
            let [_, weibull] = departures(run, "{ weibull = 2.0, scale = 50.0 }")?;
            Ok(vec![late, uniform, normal, lognormal, gamma, weibull])
        },
    },
    Test {
        name: "rimea_06",
        of: &["RiMEA 6", "ISO 4", "NIST 2.3"],
        title: "Movement around a corner",
        text: "Twenty persons of the standard population walk around the corner of a corridor 2 m wide. No position may \
               be inside a wall, and all have to arrive (NIST: within 60 s).",
        peers: "passes",
        values: &[
            Value::each("positions inside walls", "", 0.0, 0.0),
            Value::each("share that arrives", "", 1.0, 1.0),
            Value::each("time of the last", "s", 0.0, 60.0),
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_06"), &[])?;
            let mut inside = 0;
            crowd.run(|crowd| {
                inside += crowd
                    .positions()
                    .filter(|(_, at)| at[0] < 1.5 || at[1] < 1.5 || at[0] > 13.5 || (at[0] < 11.5 && at[1] > 3.5))
                    .count();
            });
            Ok(vec![vec![inside as f64], vec![crowd.share_out()], vec![crowd.last_exit()]])
        },
    },
    Test {
        name: "rimea_07",
        of: &["RiMEA 7"],
        title: "Populations",
        text: "Fifty persons of each group walk in the open; their speed is their way in 20 s. The ranges of the age \
               groups are those of the guideline's table after Weidmann (1992), which has two digits. The standard population has its own \
               distribution (half men, ages N(50, 20) from 10 to 85, speed by age, 19.3 % spread), computed here by \
               integration over ages; the knots of the speed over age are read from a diagram.",
        peers: "passes",
        values: &[
            Value::each("under 30 years", "m/s", 0.575, 1.615),
            Value::each("30 to 50 years", "m/s", 1.405, 1.545),
            Value::each("over 50 years", "m/s", 0.675, 1.415),
            Value::each("reduced mobility", "m/s", 0.455, 0.765),
            Value {
                what: "standard population",
                unit: "p",
                low: 0.05,
                high: ANY,
                over: Over::Distribution(standard_population_below),
            },
        ],
        fail: &[],
        short: false,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_07"), &[])?;
            let speeds = free_speeds(&mut crowd)?;
            let of = |name: &str| -> Outcome<Vec<f64>> {
                let species = crowd.species(name)?;
                Ok(speeds.iter().filter(|(kind, _)| *kind == species.number()).map(|(_, speed)| *speed).collect())
            };
            ["under_30", "from_30_to_50", "over_50", "reduced", "adult"].into_iter().map(of).collect()
        },
    },
    Test {
        name: "iso_05",
        of: &["ISO 5", "NIST 2.4"],
        title: "Assigned walking speeds",
        text: "A hundred persons with speeds N(1.2, 0.2) m/s walk in the open. Mean and standard deviation of all runs \
               within 0.05 m/s.",
        peers: "passes",
        values: &[
            Value::mean("mean speed", "m/s", 1.15, 1.25),
            Value { what: "standard deviation", unit: "m/s", low: 0.15, high: 0.25, over: Over::Deviation },
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("iso_05"), &[])?;
            let speeds: Vec<f64> = free_speeds(&mut crowd)?.into_iter().map(|(_, speed)| speed).collect();
            Ok(vec![speeds.clone(), speeds])
        },
    },
];

/// The time that each agent spends in a region, in seconds, in the order of species.
fn times_inside(crowd: &mut Crowd, region: &str) -> Outcome<Vec<f64>> {
    let stairs = crowd.region(region)?;
    let mut times = BTreeMap::new();
    crowd.run(|crowd| {
        for event in crowd.world.events() {
            match *event {
                Event::EnteredRegion { species, region, .. } if region == stairs => {
                    times.entry(species.number()).or_insert([crowd.time(), f64::INFINITY]);
                }
                Event::LeftRegion { species, region, .. } if region == stairs => {
                    if let Some(times) = times.get_mut(&species.number()) {
                        times[1] = crowd.time();
                    }
                }
                _ => (),
            }
        }
    });
    let count = crowd.world.all_agents().iter().len();
    Ok((0..count).map(|species| times.get(&species).map_or(f64::INFINITY, |[from, to]| to - from)).collect())
}

/// How late each person departs after its drawn time, and when it departs, in seconds.
fn departures(run: &Run, pre_movement: &str) -> Outcome<[Vec<f64>; 2]> {
    let mut crowd = run.crowd(scene!("rimea_05"), &[set("species.person.pre_movement", pre_movement)])?;
    let mut starts = BTreeMap::new();
    let mut departed = FirstTimes::default();
    crowd.run(|crowd| {
        for (id, at) in crowd.positions() {
            starts.entry(id).or_insert_with(|| {
                let left = crowd.world.column_value::<f32>(id, "pre_movement").map_or(f64::NAN, f64::from);
                (at, crowd.time() + left)
            });
        }
        departed.note(crowd, |id, at| (at - starts[&id].0).length() > 1e-3);
    });
    let times = starts.iter().map(|(id, (_, due))| {
        let departed = departed.0.get(id).copied().unwrap_or(f64::INFINITY);
        (departed - due, departed)
    });
    let (late, times) = times.unzip();
    Ok([late, times])
}

/// The species and the speed of each agent in the open: its way in 20 s, after 5 s.
fn free_speeds(crowd: &mut Crowd) -> Outcome<Vec<(usize, f64)>> {
    crowd.pass(5.0);
    let from: BTreeMap<_, _> = crowd.positions().collect();
    crowd.pass(20.0);
    crowd
        .positions()
        .map(|(id, at)| {
            let way = crowd.world.settings().offset(from[&id], at).length();
            Ok((crowd.world.find(id)?.0.number(), f64::from(way) / 20.0))
        })
        .collect()
}

/// The share of the guideline's standard population that walks slower than a speed.
fn standard_population_below(speed: f64) -> f64 {
    let [mut below, mut all] = [0.0; 2];
    for step in 0..75 {
        let age = 10.0 + f64::from(step) + 0.5;
        let knots = [(10.0, 1.17), (20.0, 1.61), (50.0, 1.41), (85.0, 0.68)];
        let part = knots.windows(2).find(|part| age <= part[1].0).unwrap_or(&knots[2..]);
        let mean = part[0].1 + (part[1].1 - part[0].1) * (age - part[0].0) / (part[1].0 - part[0].0);
        let weight = (-0.5 * ((age - 50.0) / 20.0f64).powi(2)).exp();
        // Men walk 10.9 % faster than women.
        for of_sex in [2.0 / 2.109, 2.0 * 1.109 / 2.109] {
            let scaled = (speed / (mean * of_sex) - 1.0) / 0.193;
            let cut = (normal_below(scaled.clamp(-3.0, 3.0)) - normal_below(-3.0)) / (1.0 - 2.0 * normal_below(-3.0));
            below += weight * cut;
            all += weight;
        }
    }
    below / all
}
