//! Tests of ways and exits: allocation, choice, closed exits, long and short ways.

use std::collections::BTreeSet;

use throng::Event;

use crate::run::{Outcome, set};
use crate::standards::crowd::{FirstTimes, Run, Scene, scene};
use crate::standards::test::{Failure, Over, Test, Value, one_each};

const ANY: f64 = f64::INFINITY;

/// The tests.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "rimea_08",
        of: &["RiMEA 8"],
        title: "Free speeds in a building",
        text: "A building of three storeys with 112 rooms of four persons, 448 in all, corridors and stairs 2 m wide, and one \
               exit: the rooms of the guideline's figure, as read by others. It is unfolded on one plane; the stairs are \
               zones with the factor 0.65, whose ground plan of 4 m is ours. The guideline varies a parameter and shows \
               the times, without a bound. Ours: all get out, and with free speeds of 0.5, 0.75 and 1 m/s the mean time \
               falls.",
        peers: "skipped",
        values: &[
            Value::reported("time at 0.5 m/s", "s"),
            Value::reported("time at 0.75 m/s", "s"),
            Value::reported("time at 1 m/s", "s"),
            Value::mean("0.75 m/s faster than 0.5 m/s", "s", 0.0, ANY),
            Value::mean("1 m/s faster than 0.75 m/s", "s", 0.0, ANY),
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[],
        short: false,
        measure: |run| {
            let (mut times, mut shares) = (Vec::new(), Vec::new());
            for speed in [0.5, 0.75, 1.0] {
                let mut crowd = run.crowd(scene!("rimea_08"), &[set("species.person.max_speed", speed)])?;
                crowd.run(|_| ());
                times.push(crowd.last_exit());
                shares.push(crowd.share_out());
            }
            times.extend([times[0] - times[1], times[1] - times[2]]);
            Ok(one_each(times).into_iter().chain([shares]).collect())
        },
    },
    Test {
        name: "rimea_10",
        of: &["RiMEA 10", "ISO 8", "NIST 3.1"],
        title: "Allocation of escape routes",
        text: "23 persons in twelve rooms along a corridor 1 m wide. Those of rooms 1 to 4 and 7 to 10 have to leave by the \
               main exit, those of rooms 5, 6, 11 and 12 by the secondary exit: exactly 15 and 8.",
        peers: "passes",
        values: &[Value::each("by the main exit", "", 15.0, 15.0), Value::each("by the secondary exit", "", 8.0, 8.0)],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_10"), &[])?;
            crowd.run(|_| ());
            let [main, secondary] = [crowd.species("main")?, crowd.species("secondary")?];
            let through = |species, sink| {
                crowd.exits.iter().filter(|exit| (exit.species, exit.sink) == (species, sink)).count() as f64
            };
            Ok(vec![vec![through(main, 0)], vec![through(secondary, 1)]])
        },
    },
    Test {
        name: "rimea_11",
        of: &["RiMEA 11"],
        title: "Choice of the exit",
        text: "A thousand persons stand close in the left half of a space of 30 x 20 m with two exits, the second of which \
               is 6 m farther (the dimensions of the guideline's figure, as read by others). They choose by the time to \
               the exit with its queue. More take exit 1 than exit 2, but some exit 2. Both exits are busy to the end, so \
               the numbers differ little, by the people that leave while the first of exit 2 still walk, and vary by \
               thirty. The test fails if the numbers of all runs contradict that exit 2 is not preferred (Student, p > \
               0.001). If both exits are alike, one set of seeds in a thousand fails by chance; a true surplus of thirty at exit \
               2 is found.",
        peers: "skipped",
        values: &[
            Value::reported("by exit 1", ""),
            Value::each("by exit 2", "", 1.0, ANY),
            Value::reported("more by exit 1 than by exit 2", ""),
            Value { what: "exit 2 is not preferred", unit: "p", low: 0.001, high: ANY, over: Over::NotNegative },
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[],
        short: false,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_11"), &[])?;
            crowd.run(|_| ());
            let [near, far] = [0, 1].map(|sink| crowd.exits.iter().filter(|exit| exit.sink == sink).count() as f64);
            Ok(vec![vec![near], vec![far], vec![near - far], vec![near - far], vec![crowd.share_out()]])
        },
    },
    Test {
        name: "rimea_14",
        of: &["RiMEA 14", "ISO 17"],
        title: "Choice of the way",
        text: "A hundred persons; the way over stairs (a zone with the factor 0.5) is 20 m shorter than that on the level. \
               RiMEA asks which way is taken: short, long or both. ISO: more than half take the shorter way. The rule \
               chooses by distance, whatever the zones and the crowd.",
        peers: "passes",
        values: &[Value::mean("share on the short way", "", 0.5, 1.0), Value::each("share that arrives", "", 1.0, 1.0)],
        fail: &[],
        short: false,
        measure: |run| {
            let mut crowd = run.crowd(scene!("rimea_14"), &[])?;
            let stairs = crowd.region("stairs")?;
            let mut short = BTreeSet::new();
            crowd.run(|crowd| {
                short.extend(crowd.world.events().iter().filter_map(|event| match event {
                    Event::EnteredRegion { agent, region, .. } if *region == stairs => Some(*agent),
                    _ => None,
                }));
            });
            Ok(vec![vec![short.len() as f64 / 100.0], vec![crowd.share_out()]])
        },
    },
    Test {
        name: "rimea_15",
        of: &["RiMEA 15"],
        title: "A large crowd walks around a corner",
        text: "500 persons in a corridor 20 m wide: straight for 44 m, straight for 75.4 m, and around a corner whose inner \
               side is 44 m and whose outer side is 75.4 m long. Ideally the time around the corner is between the two.",
        peers: "runs with corridors 6 m wide",
        values: &[
            Value::reported("short way", "s"),
            Value::reported("corner", "s"),
            Value::reported("long way", "s"),
            Value::mean("corner after the short way", "s", 0.0, ANY),
            Value::mean("corner before the long way", "s", 0.0, ANY),
        ],
        fail: &[Failure::serious(
            "collision_free_speed",
            "The queue before the corner grows until the way around it takes three times as long as the straight one.",
        )],
        short: false,
        measure: |run| {
            let goal = set("region.1.centre", "[47.0, 11.0]");
            let short = last(run, scene!("rimea_15"), &[goal, set("region.1.size", "[4.0, 20.0]")])?;
            let long = last(run, scene!("rimea_15"), &[])?;
            let corner = last(run, scene!("rimea_15_corner"), &[])?;
            Ok([short, corner, long, corner - short, long - corner].map(|time| vec![time]).to_vec())
        },
    },
    Test {
        name: "iso_09",
        of: &["ISO 9", "NIST 4.1"],
        title: "An exit closes",
        text: "A person walks to the nearer of two exits. The exit closes after one second; the person has to leave by the \
               other one.",
        peers: "passes, with a redirection by the program of the test",
        values: &[Value::each("leaves by exit 2", "", 1.0, 1.0)],
        fail: &[],
        short: true,
        measure: |run| {
            let mut crowd = run.crowd(scene!("iso_09"), &[])?;
            crowd.run(|_| ());
            Ok(vec![vec![f64::from(u8::from(crowd.exits.iter().any(|exit| exit.sink == 1)))]])
        },
    },
    Test {
        name: "iso_15",
        of: &["ISO 15", "NIST 3.2"],
        title: "Social influence on the choice of the exit",
        text: "A person in a room with two exits at the same distance, and five others that take exit 2. With their \
               influence (`follow = 0.5`) the person takes exit 2 more often than in half of the runs, and more often than \
               without.",
        peers: "not modelled",
        values: &[
            Value::mean("takes exit 2", "", 0.5, 1.0),
            Value::reported("takes exit 2 without influence", ""),
            Value::mean("more often than without", "", 0.01, 1.0),
        ],
        fail: &[],
        short: false,
        measure: |run| {
            let takes_2 = |sets: &[String]| -> Outcome<f64> {
                let mut crowd = run.crowd(scene!("iso_15"), sets)?;
                let person = crowd.species("person")?;
                crowd.run(|_| ());
                Ok(crowd.exits.iter().filter(|exit| (exit.species, exit.sink) == (person, 1)).count() as f64)
            };
            let (with, without) = (takes_2(&[])?, takes_2(&[set("species.person.walk_to.follow", "0.0")])?);
            Ok(one_each(vec![with, without, with - without]))
        },
    },
    Test {
        name: "iso_16",
        of: &["ISO 16", "NIST 3.3"],
        title: "Familiar exits",
        text: "Twenty persons in a room with two exits at the same distance: over all runs half of them take each, within \
               10 %. With a familiar exit all prefer it (NIST: more than without).",
        peers: "passes",
        values: &[
            Value::mean("share by exit 2", "", 0.4, 0.6),
            Value::mean("share by exit 2, the familiar one", "", 0.9, 1.0),
        ],
        fail: &[],
        short: true,
        measure: |run| {
            let share = |sets: &[String]| -> Outcome<f64> {
                let mut crowd = run.crowd(scene!("iso_16"), sets)?;
                crowd.run(|_| ());
                Ok(crowd.exits.iter().filter(|exit| exit.sink == 1).count() as f64 / 20.0)
            };
            let familiar = set("species.person.walk_to.goals", "[\"out_2\"]");
            Ok(vec![vec![share(&[])?], vec![share(&[familiar])?]])
        },
    },
    Test {
        name: "iso_06",
        of: &["ISO 6", "NIST 2.8"],
        title: "Counter-flow",
        text: "100 persons walk through a corridor of 10 x 2 m between two rooms of 10 x 10 m, against 0, 10, 50 and 100 \
               others. The mean time in which they reach the far room grows with the others (ISO), and so does that of \
               the last (NIST); a run ends after 400 s.",
        peers: "fails ISO 6: a deadlock from 50 others on; of 100 persons 100, 100, 1 and 0 arrive",
        values: &[
            Value::each("share that arrives against 0", "", 1.0, 1.0),
            Value::each("share that arrives against 10", "", 1.0, 1.0),
            Value::each("share that arrives against 50", "", 1.0, 1.0),
            Value::each("share that arrives against 100", "", 1.0, 1.0),
            Value::reported("mean time against 0", "s"),
            Value::reported("mean time against 100", "s"),
            Value::mean("mean time: 10 above 0", "s", 0.0, ANY),
            Value::mean("mean time: 50 above 10", "s", 0.0, ANY),
            Value::mean("mean time: 100 above 50", "s", 0.0, ANY),
            Value::mean("last: 10 above 0", "s", 0.0, ANY),
            Value::mean("last: 50 above 10", "s", 0.0, ANY),
            Value::mean("last: 100 above 50", "s", 0.0, ANY),
        ],
        fail: &[Failure::disqualifying(
            "collision_free_speed",
            "Two crowds that meet block each other for ever, from ten people on.",
        )],
        short: false,
        measure: |run| {
            let against = |others: u32| -> Outcome<[f64; 3]> {
                let mut crowd = run.crowd(scene!("iso_06"), &[set("source.1.number", others)])?;
                let east = crowd.species("east")?;
                let mut far = FirstTimes::default();
                while crowd.step() && far.0.len() < 100 {
                    let of_east = |id| crowd.world.find(id).is_ok_and(|(species, _)| species == east);
                    far.note(&crowd, |id, at| at[0] >= 21.0 && of_east(id));
                }
                let times: Vec<f64> = far.0.values().copied().collect();
                if times.len() < 100 {
                    return Ok([times.len() as f64 / 100.0, f64::INFINITY, f64::INFINITY]);
                }
                Ok([1.0, times.iter().sum::<f64>() / 100.0, times.iter().copied().fold(0.0, f64::max)])
            };
            let [none, few, half, all] = [against(0)?, against(10)?, against(50)?, against(100)?];
            let mut values: Vec<f64> = [none, few, half, all].iter().map(|times| times[0]).collect();
            values.extend([none[1], all[1]]);
            for time in [1, 2] {
                values.extend([few[time] - none[time], half[time] - few[time], all[time] - half[time]]);
            }
            Ok(one_each(values))
        },
    },
    Test {
        name: "iso_07",
        of: &["ISO 7", "NIST 2.10"],
        title: "A slower and larger person",
        text: "24 persons at 1.25 m/s behind one of 0.8 m/s and 0.7 m in diameter, through a corridor 2 m wide (dimensions \
               ours). It takes longer than behind one like the others.",
        peers: "passes",
        values: &[
            Value::reported("time", "s"),
            Value::reported("time without the slow person", "s"),
            Value::mean("longer", "s", 0.0, ANY),
        ],
        fail: &[Failure::disqualifying(
            "social_force",
            "A large slow person is held at the mouth of the corridor by the walls on both sides, for ever in some runs.",
        )],
        short: true,
        measure: |run| {
            let alike = [set("species.slow.max_speed", "1.25"), set("species.slow.radius", "0.2")];
            let (slow, alike) = (last(run, scene!("iso_07"), &[])?, last(run, scene!("iso_07"), &alike)?);
            Ok(vec![vec![slow], vec![alike], vec![slow - alike]])
        },
    },
];

/// The time at which the last agent of a scene leaves, in seconds.
fn last(run: &Run, scene: Scene, overrides: &[String]) -> Outcome<f64> {
    let mut crowd = run.crowd(scene, overrides)?;
    crowd.run(|_| ());
    Ok(crowd.last_exit())
}
