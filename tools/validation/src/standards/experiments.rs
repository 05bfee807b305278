//! Tests against experiments with people: necks, one-way and two-way corridors, slow people at doors.

use std::collections::BTreeMap;

use throng::{Noise, Vector};

use crate::run::{Outcome, set};
use crate::standards::crowd::{FirstTimes, Run, scene};
use crate::standards::diagrams::{LENGTH, fill, speeds, weidmann};
use crate::standards::test::{Failure, Test, Value, one_each};

const ANY: f64 = f64::INFINITY;

/// The widths of necks, in metres.
const WIDTHS: [f64; 5] = [0.8, 1.2, 1.6, 2.0, 2.5];

/// The free speeds of people, in metres per second.
const FREE_SPEEDS: &str = "{ mean = 1.34, sd = 0.26, low = 0.7, high = 2.0 }";

/// The tests.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "necks",
        of: &[],
        title: "Flow through doors and necks",
        text: "200 persons with free speeds N(1.34, 0.26) m/s leave a room of 10 x 10 m by a door in a wall of 0.2 m, and \
               by a neck 4 m long: the flow of the middle three fifths per metre of width, in persons per metre and \
               second. Experiments find 1.5 to 2.1, constant over the width (Kretz 2006, Seyfried 2009, Liddle 2011). \
               Means are compared, and all have to get out.",
        peers: "",
        values: &[
            Value::mean("door of 0.8 m", "1/(m s)", 1.5, 2.1),
            Value::mean("door of 1.2 m", "1/(m s)", 1.5, 2.1),
            Value::mean("door of 1.6 m", "1/(m s)", 1.5, 2.1),
            Value::mean("door of 2.0 m", "1/(m s)", 1.5, 2.1),
            Value::mean("door of 2.5 m", "1/(m s)", 1.5, 2.1),
            Value::mean("neck of 0.8 m", "1/(m s)", 1.5, 2.1),
            Value::mean("neck of 1.2 m", "1/(m s)", 1.5, 2.1),
            Value::mean("neck of 1.6 m", "1/(m s)", 1.5, 2.1),
            Value::mean("neck of 2.0 m", "1/(m s)", 1.5, 2.1),
            Value::mean("neck of 2.5 m", "1/(m s)", 1.5, 2.1),
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[Failure::serious(
            "pedvo",
            "Long necks of 0.8 and 1.2 m are passed too slowly, by a quarter and a hundredth: people do not use its sides, and walk behind each other.",
        )],
        short: false,
        measure: |run| {
            let (mut flows, mut share) = (Vec::new(), 1.0f64);
            for length in [0.2, 4.0] {
                for width in WIDTHS {
                    let (flow, out) = neck(run, width, length, 200)?;
                    flows.push(flow);
                    share = share.min(out);
                }
            }
            flows.push(share);
            Ok(one_each(flows))
        },
    },
    Test {
        name: "narrow_doors",
        of: &[],
        title: "All get out by narrow doors",
        text: "The scene of the doors and necks with 100 persons, by doors of 0.8 and 0.9 m: in every run all get out.",
        peers: "",
        values: &[
            Value::each("share that arrives by a door of 0.8 m", "", 1.0, 1.0),
            Value::each("share that arrives by a door of 0.9 m", "", 1.0, 1.0),
            Value::each("share that arrives by a neck of 0.8 m", "", 1.0, 1.0),
            Value::each("share that arrives by a neck of 0.9 m", "", 1.0, 1.0),
        ],
        fail: &[
            Failure::serious("social_force", "The last one or two of a hundred stay before doors and necks of 0.8 m."),
            Failure::disqualifying("collision_free_speed", "In 18 of 120 runs an arch forms that never opens."),
        ],
        short: false,
        measure: |run| {
            let mut shares = Vec::new();
            for (width, length) in [(0.8, 0.2), (0.9, 0.2), (0.8, 4.0), (0.9, 4.0)] {
                shares.push(neck(run, width, length, 100)?.1);
            }
            Ok(one_each(shares))
        },
    },
    Test {
        name: "one_way",
        of: &[],
        title: "One-way corridor",
        text: "Persons with free speeds N(1.34, 0.26) m/s in the corridor of RiMEA 4. Up to 4 per square metre the speed \
               is within 0.15 m/s of Weidmann's curve (root mean square), and at 5 people still move.",
        peers: "",
        values: &[
            Value::reported("speed at 0.5 /m²", "m/s"),
            Value::reported("speed at 1 /m²", "m/s"),
            Value::reported("speed at 2 /m²", "m/s"),
            Value::reported("speed at 3 /m²", "m/s"),
            Value::reported("speed at 4 /m²", "m/s"),
            Value::mean("speed at 5 /m²", "m/s", 0.01, ANY),
            Value::mean("root mean square difference from Weidmann's curve", "m/s", 0.0, 0.15),
        ],
        fail: &[
            Failure::disqualifying(
                "orca",
                "The speed hardly falls up to 4 per square metre, and at 5 the crowd stands.",
            ),
            Failure::disqualifying(
                "social_force",
                "The speed hardly falls with the density: evacuations end too early.",
            ),
            Failure::serious(
                "collision_free_speed",
                "0.4 m/s too slow at 0.5 per square metre, since slow persons hold all others up; at 5 people stand.",
            ),
        ],
        short: false,
        measure: |run| {
            let densities = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0];
            let sets = [set("species.person.max_speed", FREE_SPEEDS)];
            let mut all = speeds(run, scene!("rimea_04"), 2.0, &densities.map(|density| density * 2.0), &sets)?;
            let squares =
                densities.iter().zip(&all).take(5).map(|(density, speed)| (speed - weidmann(*density)).powi(2));
            all.push((squares.sum::<f64>() / 5.0).sqrt());
            Ok(one_each(all))
        },
    },
    Test {
        name: "two_way",
        of: &[],
        title: "Two-way corridor",
        text: "The same persons in a periodic corridor of 26 x 4 m, half of them each way, mixed at the start; the second \
               half of 90 s. Experiments (Zhang 2012) have no jam up to 3 per square metre. At most a twentieth is \
               slower than 0.1 m/s. *Lanes* is the mean square of the surplus of one way in strips of half a metre: 1 in \
               pure lanes, 0.1 to 0.3 for people mixed at random.",
        peers: "",
        values: &[
            Value::mean("speed at 1 /m²", "m/s", 0.5, ANY),
            Value::mean("speed at 2 /m²", "m/s", 0.3, ANY),
            Value::mean("speed at 3 /m²", "m/s", 0.15, ANY),
            Value::mean("share that is slow at 1 /m²", "", 0.0, 0.05),
            Value::mean("share that is slow at 2 /m²", "", 0.0, 0.05),
            Value::mean("share that is slow at 3 /m²", "", 0.0, 0.05),
            Value::mean("lanes at 1 /m²", "", 0.5, 1.0),
            Value::mean("lanes at 2 /m²", "", 0.5, 1.0),
            Value::mean("lanes at 3 /m²", "", 0.5, 1.0),
        ],
        fail: &[
            Failure::serious("orca", "From 2 per square metre on, crowds mixed at the start block each other."),
            Failure::serious("social_force", "No lanes form, and at 3 per square metre a sixth stands."),
            Failure::disqualifying(
                "collision_free_speed",
                "From 2 per square metre on, crowds mixed at the start block each other.",
            ),
        ],
        short: false,
        measure: |run| {
            let runs = [1.0, 2.0, 3.0].map(|density| two_way(run, density));
            let [low, middle, high] = runs;
            let runs = [low?, middle?, high?];
            Ok(one_each((0..3).flat_map(|what| runs.map(|values| values[what]))))
        },
    },
    Test {
        name: "slow_door",
        of: &[],
        title: "A slow person at a door",
        text: "A person with 0.4 m/s walks through a door in a wall of 0.2 m to the goal 9 m away, in at most 60 s.",
        peers: "",
        values: &[Value::each("door of 0.8 m", "s", 0.0, 60.0), Value::each("door of 0.9 m", "s", 0.0, 60.0)],
        fail: &[Failure::disqualifying(
            "social_force",
            "The walls on both sides hold a slow person before the door for ever.",
        )],
        short: true,
        measure: |run| {
            let mut times = Vec::new();
            for width in [0.8, 0.9] {
                let sets = [
                    set("walls", walls(width, 0.2)),
                    set("source.0.number", 1),
                    set("species.person.max_speed", "0.4"),
                ];
                let mut crowd = run.crowd(scene!("room_and_neck"), &sets)?;
                crowd.run(|_| ());
                times.push(crowd.last_exit());
            }
            Ok(one_each(times))
        },
    },
];

/// The walls of a room of 10 x 10 m with a neck of this width and length, in metres.
fn walls(width: f64, length: f64) -> String {
    let (low, high, end) = (6.0 - 0.5 * width, 6.0 + 0.5 * width, 11.0 + length);
    format!(
        "[[[{0:?}, 1.0], [{end:?}, 1.0], [{end:?}, {low:?}], [11.0, {low:?}], [11.0, 1.0], [1.0, 1.0], [1.0, 11.0], \
         [11.0, 11.0], [11.0, {high:?}], [{end:?}, {high:?}], [{end:?}, 11.0], [{0:?}, 11.0]]]",
        end + 6.0
    )
}

/// The specific flow of the middle three fifths of the people through a neck, and the share that arrives.
fn neck(run: &Run, width: f64, length: f64, count: u32) -> Outcome<(f64, f64)> {
    let goal = set("region.1.centre", format!("[{:?}, 6.0]", 15.0 + length));
    let sets = [
        set("walls", walls(width, length)),
        goal,
        set("region.1.size", "[1.0, 10.0]"),
        set("source.0.number", count),
        set("species.person.max_speed", FREE_SPEEDS),
    ];
    let mut crowd = run.crowd(scene!("room_and_neck"), &sets)?;
    let mut times = FirstTimes::default();
    crowd.run(|crowd| times.note(crowd, |_, at| at[0] >= 11.0));
    Ok((times.middle_flow() / width, crowd.share_out()))
}

/// In a corridor with people both ways: the mean speed along it, the share of people slower than 0.1 m/s, and how much
/// each strip of half a metre belongs to one way.
fn two_way(run: &Run, density: f64) -> Outcome<[f64; 3]> {
    let mut crowd = run.crowd(scene!("two_way"), &[])?;
    fill(&mut crowd, run.seed, "west", 4.0, (density * 4.0 * LENGTH).round() as usize)?;
    // Every second one at random walks the other way.
    let [east, west] = [crowd.species("east")?, crowd.species("west")?];
    let places: Vec<_> = crowd.positions().collect();
    let drawn = |number: usize| Noise::new(run.seed, number as u64, 1, Noise::USER).between(0.0, 1.0);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|one, other| drawn(*one).total_cmp(&drawn(*other)));
    for &number in &order[..order.len() / 2] {
        crowd.world.despawn(places[number].0)?;
        crowd.world.spawn(east, places[number].1, Vector::ZERO)?;
    }
    crowd.pass(45.0);
    let (mut sum, mut slow, mut count, mut lanes, mut strips) = (0.0, 0, 0, 0.0, 0);
    let mut before: BTreeMap<_, _> = crowd.positions().collect();
    for _ in 0..45 {
        crowd.pass(1.0);
        let mut surplus = [[0.0f64; 2]; 8];
        for (species, sign) in [(east, 1.0), (west, -1.0)] {
            let agents = crowd.world.agents(species)?;
            for (row, id) in agents.ids().iter().enumerate() {
                let at = agents.position(row);
                let way = f64::from(at[0] - before[id][0]);
                let way = sign * (way - LENGTH * (way / LENGTH).round());
                sum += way;
                count += 1;
                slow += usize::from(way < 0.1);
                before.insert(*id, at);
                let strip = &mut surplus[(2.0 * (at[1] - 1.0)).clamp(0.0, 7.0) as usize];
                strip[0] += sign;
                strip[1] += 1.0;
            }
        }
        let used = surplus.iter().filter(|[_, all]| *all > 0.0);
        lanes += used.clone().map(|[more, all]| (more / all).powi(2)).sum::<f64>();
        strips += used.count();
    }
    let count = f64::from(count);
    Ok([sum / count, slow as f64 / count, lanes / strips as f64])
}
