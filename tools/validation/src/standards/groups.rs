//! Tests of groups: whether they arrive together, and how they walk.

use throng::{AgentId, Vector};

use crate::run::{Outcome, set};
use crate::standards::crowd::{Crowd, Run, scene};
use crate::standards::diagrams::LENGTH;
use crate::standards::test::{Failure, Test, Value, one_each};

/// The numbers of persons in the corridor of the experiments on groups: 0.12 and 0.23 per square metre.
const FEW: usize = 12;
const MORE: usize = 24;

/// The tests of the standards.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "iso_14",
        of: &["ISO 14"],
        title: "A group of equals",
        text: "A group of five with 1.25 m/s walks past ten persons with 0.5 m/s to the exit of a room of 10 x 20 m (the \
               size is ours). Its members keep together by `stay_in_group` (Moussaïd 2010) with its defaults, and have \
               to arrive within 10 s.",
        peers: "passes: 4.5 s",
        values: &[Value::each("from the first to the last", "s", 0.0, 10.0)],
        fail: &[
            Failure::serious("pedvo", "In 19 of 30 runs slow persons get between the members, up to 15 s."),
            Failure::serious("orca", "In 15 of 30 runs a part of the group falls behind the slow persons, up to 19 s."),
        ],
        short: true,
        measure: |run| Ok(vec![vec![spread(run, &[])?]]),
    },
    Test {
        name: "nist_2_9",
        of: &["NIST 2.9"],
        title: "A group with a slow member",
        text: "The scene of ISO 14 with a group of four with 1.25 m/s and one with 0.5 m/s, past ten persons with 0.2 m/s.",
        peers: "fails: 24 s",
        values: &[Value::each("from the first to the last", "s", 0.0, 10.0)],
        fail: &[
            Failure::serious(
                "pedvo",
                "In 13 of 30 runs slow strangers get between the members before the door, which walk on where they hold others up.",
            ),
            Failure::serious("orca", "In 4 of 30 runs the group is apart by up to 15 s."),
            Failure::serious("social_force", "In 10 of 30 runs the group is apart by up to 22 s."),
            Failure::serious("collision_free_speed", "In 19 of 30 runs the others leave long before the slow member."),
        ],
        short: true,
        measure: |run| {
            let mixed = [set("source.0.number", 4), set("source.1.number", 1), set("species.slow.max_speed", "0.2")];
            Ok(vec![vec![spread(run, &mixed)?]])
        },
    },
];

/// The tests against experiments.
pub(crate) const EXPERIMENTS: &[Test] = &[Test {
    name: "groups",
    of: &[],
    title: "Speeds and shapes of groups",
    text: "Twelve persons with free speeds N(1.34, 0.26) m/s in a periodic corridor of 26 x 4 m, alone or in groups of two, \
           three or four by `stay_in_group` with its defaults, which start behind each other; then 24. Means over 60 s, \
           after 30 s. Published (Moussaïd 2010, quoted from memory): the speed falls linearly with the size of a group, \
           by about 0.04 m/s per person; pairs walk side by side, 0.8 m apart; threes bend to a V at a moderate density, \
           with the middle one behind. Free speeds are drawn for each person, so a group that walks as its slowest member \
           loses 0.09 m/s per person by that. The bounds are ours. Means are compared.",
    peers: "",
    values: &[
        Value::reported("speed alone", "m/s"),
        Value::reported("speed in pairs", "m/s"),
        Value::reported("speed in threes", "m/s"),
        Value::reported("speed in fours", "m/s"),
        Value::mean("loss of speed per person", "m/s", 0.02, 0.06),
        Value::mean("angle of pairs to their way", "degrees", 60.0, 90.0),
        Value::mean("distance in pairs", "m", 0.6, 1.0),
        Value::mean("middle of three behind the others, of 24", "m", 0.0, f64::INFINITY),
    ],
    fail: &[
        Failure::serious("pedvo", "Groups are too slow: they lose three times the published speed per person."),
        Failure::serious(
            "orca",
            "Groups are too slow: they lose twice the published speed per person; threes are as often bent forwards.",
        ),
        Failure::serious(
            "social_force",
            "Groups are too slow: they lose twice the published speed per person; pairs are 1.3 m apart.",
        ),
        Failure::serious(
            "collision_free_speed",
            "Groups are too slow: they lose twice the published speed per person, and pairs walk behind each other.",
        ),
    ],
    short: true,
    measure: |run| {
        let few = [1, 2, 3, 4].map(|size| walk(run, FEW, size));
        let [alone, pairs, threes, fours] = few;
        let few = [alone?, pairs?, threes?, fours?];
        let speeds = few.each_ref().map(|walk| walk.speed);
        let slope = speeds.iter().zip([-1.5, -0.5, 0.5, 1.5]).map(|(speed, size)| speed * size).sum::<f64>() / 5.0;
        let mut values = speeds.to_vec();
        values.extend([-slope, few[1].angle, few[1].distance, walk(run, MORE, 3)?.behind]);
        Ok(one_each(values))
    },
}];

/// The time from the first to the last of a group at the exit, in seconds.
fn spread(run: &Run, overrides: &[String]) -> Outcome<f64> {
    let rules =
        "[{ rule = \"walk_to\", goals = [\"out\"] }, { rule = \"stay_in_group\", from = [\"fast\", \"member\"] }]";
    let mut sets = ["fast", "member"].map(|name| set(&format!("species.{name}.behaviours"), rules)).to_vec();
    sets.extend_from_slice(overrides);
    let mut crowd = run.crowd(scene!("iso_14"), &sets)?;
    for name in ["fast", "member"] {
        let species = crowd.species(name)?;
        crowd.world.add_column(species, "group", 1u32).map_err(|error| error.to_string())?;
    }
    let slow = crowd.species("slow")?;
    crowd.run(|_| ());
    let group: Vec<f64> = crowd.exits.iter().filter(|exit| exit.species != slow).map(|exit| exit.time).collect();
    Ok(if group.len() == 5 { group[4] - group[0] } else { f64::INFINITY })
}

/// The means over groups of one size in a corridor.
#[derive(Default)]
struct Walk {
    /// Along the corridor, in m/s.
    speed: f64,
    /// Of neighbours in a group: the angle between their line and the corridor, in degrees, and their distance in metres.
    angle: f64,
    distance: f64,
    /// How far those in the middle are behind the two beside them, in metres.
    behind: f64,
}

/// Walks of groups along a periodic corridor over 60 s, after 30 s.
fn walk(run: &Run, persons: usize, size: usize) -> Outcome<Walk> {
    let mut crowd = run.crowd(scene!("groups"), &[])?;
    let groups = place_groups(&mut crowd, persons / size, size)?;
    crowd.pass(30.0);
    let (mut sum, [mut looks, mut pairs, mut middles]) = (Walk::default(), [0.0; 3]);
    for _ in 0..60 {
        crowd.pass(1.0);
        for group in &groups {
            let mut members = Vec::new();
            for &id in group {
                sum.speed += f64::from(crowd.world.velocity(id)?[0]);
                looks += 1.0;
                members.push(crowd.world.position(id)?);
            }
            members.sort_by(|one, other| one[1].total_cmp(&other[1]));
            let offset =
                |from: usize, to: usize| crowd.world.settings().offset(members[from], members[to]).0.map(f64::from);
            for right in 1..size {
                let [along, across] = offset(right - 1, right);
                sum.angle += across.atan2(along.abs()).to_degrees();
                sum.distance += along.hypot(across);
                pairs += 1.0;
            }
            for middle in 1..size.max(2) - 1 {
                sum.behind += 0.5 * (offset(middle, middle - 1)[0] + offset(middle, middle + 1)[0]);
                middles += 1.0;
            }
        }
    }
    Ok(Walk {
        speed: sum.speed / looks,
        angle: sum.angle / pairs,
        distance: sum.distance / pairs,
        behind: sum.behind / middles,
    })
}

/// Places groups at equal distances along the corridor, on its two halves in turn. Their members start behind each other.
fn place_groups(crowd: &mut Crowd, groups: usize, size: usize) -> Outcome<Vec<Vec<AgentId>>> {
    let species = crowd.species("person")?;
    crowd.world.add_column(species, "group", 0u32).map_err(|error| error.to_string())?;
    let place = |group: usize, member: usize| {
        let along = LENGTH * group as f64 / groups as f64 + 0.8 * member as f64;
        Vector([along.rem_euclid(LENGTH) as f32, if group.is_multiple_of(2) { 2.0 } else { 4.0 }])
    };
    let mut all = Vec::new();
    for group in 0..groups {
        let mut members = Vec::new();
        for member in 0..size {
            let id = crowd.world.spawn(species, place(group, member), Vector::ZERO)?;
            crowd.world.set_column_value(id, "group", group as u32 + 1)?;
            members.push(id);
        }
        all.push(members);
    }
    Ok(all)
}
