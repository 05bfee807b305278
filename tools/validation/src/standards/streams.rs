//! Tests against experiments with streams of people: around a corner, and two that merge at a T-junction.

use throng::Vector;

use crate::run::{Outcome, set};
use crate::standards::crowd::{Crowd, FirstTimes, Run, scene};
use crate::standards::test::{Failure, Test, Value, one_each};

const ANY: f64 = f64::INFINITY;

/// The width of the corridors, in metres.
const WIDTH: f64 = 2.4;

/// The tests.
pub(crate) const TESTS: &[Test] = &[
    Test {
        name: "corner",
        of: &[],
        title: "Flow around a corner",
        text: "240 persons with free speeds N(1.34, 0.26) m/s leave a room of 10 x 10 m by a corridor 2.4 m wide and 14 m \
               long, which is straight or turns to the left: the flow of the middle three fifths 9.4 m from the room, per \
               metre of width. Published: no difference beyond the scatter of the measurements (Zhang 2012, corridors of \
               2.4 m; quoted from memory). The bound, 5 % less, is ours. Means are compared.",
        peers: "",
        values: &[
            Value::reported("flow in the straight corridor", "1/(m s)"),
            Value::reported("flow behind the corner", "1/(m s)"),
            Value::mean("flow behind the corner over that in the straight corridor", "", 0.95, ANY),
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[
            Failure::serious("pedvo", "A seventh of the flow is lost at the corner."),
            Failure::minor("orca", "A tenth of the flow is lost at the corner."),
            Failure::minor("social_force", "A tenth of the flow is lost at the corner."),
            Failure::serious("collision_free_speed", "Two fifths of the flow are lost at the corner."),
        ],
        short: false,
        measure: |run| {
            let (straight, straight_out) = straight(run)?;
            let mut crowd = run.crowd(scene!("corner"), &[])?;
            let corner = flow(&mut crowd, |at| at[1] >= 10.2, |_| ());
            Ok(one_each([straight, corner, corner / straight, crowd.share_out().min(straight_out)]))
        },
    },
    Test {
        name: "t_junction",
        of: &[],
        title: "Streams that merge at a T-junction",
        text: "120 persons in each of two rooms of 10 x 10 m walk through corridors 2.4 m wide, which meet head on, and \
               turn into a third one of this width. The flow of the middle three fifths 4.2 m behind the junction, per \
               metre of width, is compared with the straight corridor of the test before; density and speed in the two \
               corridors and behind the junction are means over the same time. Published (Zhang et al. 2011, \
               corridors of 2.4 m; quoted from memory): behind the junction people walk as in a straight corridor, and \
               people before it are slower and stand closer. The bound of the flow, 10 % less, is ours. Means are \
               compared.",
        peers: "",
        values: &[
            Value::reported("flow behind the junction", "1/(m s)"),
            Value::mean("flow behind the junction over that in a straight corridor", "", 0.9, ANY),
            Value::reported("density before the junction", "1/m²"),
            Value::reported("density behind the junction", "1/m²"),
            Value::mean("density before the junction above that behind", "1/m²", 0.0, ANY),
            Value::reported("speed before the junction", "m/s"),
            Value::reported("speed behind the junction", "m/s"),
            Value::mean("speed behind the junction above that before", "m/s", 0.0, ANY),
            Value::each("share that arrives", "", 1.0, 1.0),
        ],
        fail: &[Failure::serious("social_force", "People stand closer behind the junction than before it.")],
        short: false,
        measure: |run| {
            let (straight, straight_out) = straight(run)?;
            let mut crowd = run.crowd(scene!("t_junction"), &[])?;
            let mut fields = Vec::new();
            let merged = flow(&mut crowd, |at| at[1] >= 11.4, |crowd| fields.push(around_junction(crowd)));
            // The middle half of the run has both streams.
            let steady = &fields[fields.len() / 4..(fields.len() * 3 / 4).max(1)];
            let mean = |part: usize, what: usize| {
                let count: f64 = steady.iter().map(|fields| fields[part][0]).sum();
                let all: f64 = steady.iter().map(|fields| fields[part][what]).sum();
                if what == 0 { all / steady.len() as f64 } else { all / count }
            };
            // Six metres of the corridors before the junction, three of that behind.
            let density = [mean(0, 0) / (6.0 * WIDTH), mean(1, 0) / (3.0 * WIDTH)];
            let speed = [mean(0, 1), mean(1, 1)];
            Ok(one_each([
                merged,
                merged / straight,
                density[0],
                density[1],
                density[0] - density[1],
                speed[0],
                speed[1],
                speed[1] - speed[0],
                crowd.share_out().min(straight_out),
            ]))
        },
    },
];

/// The specific flow through the straight corridor, and the share that arrives.
fn straight(run: &Run) -> Outcome<(f64, f64)> {
    let walls = "[[[1.0, 1.0], [1.0, 11.0], [11.0, 11.0], [11.0, 7.2], [25.0, 7.2]], \
                 [[1.0, 1.0], [11.0, 1.0], [11.0, 4.8], [25.0, 4.8]]]";
    let sets = [set("walls", walls), set("region.1.centre", "[24.5, 6.0]"), set("region.1.size", "[1.0, 2.4]")];
    let mut crowd = run.crowd(scene!("corner"), &sets)?;
    let flow = flow(&mut crowd, |at| at[0] >= 20.4, |_| ());
    Ok((flow, crowd.share_out()))
}

/// The flow of the middle three fifths of the people past a line, per metre of width, in a run to its end with a look at
/// the crowd after each tick.
fn flow(crowd: &mut Crowd, is_past: impl Fn(Vector<2>) -> bool, mut look: impl FnMut(&Crowd)) -> f64 {
    let mut times = FirstTimes::default();
    crowd.run(|crowd| {
        times.note(crowd, |_, at| is_past(at));
        look(crowd);
    });
    times.middle_flow() / WIDTH
}

/// The number of persons and the sum of their speeds in the two corridors before the junction, and behind it.
fn around_junction(crowd: &Crowd) -> [[f64; 2]; 2] {
    let mut fields = [[0.0; 2]; 2];
    for agents in crowd.world.all_agents() {
        for row in 0..agents.len() {
            let at = agents.position(row);
            let from_middle = (at[0] - 18.0).abs();
            let field = if at[1] < 7.2 && (2.0..5.0).contains(&from_middle) {
                &mut fields[0]
            } else if (9.4..12.4).contains(&at[1]) && from_middle < 1.2 {
                &mut fields[1]
            } else {
                continue;
            };
            field[0] += 1.0;
            field[1] += f64::from(agents.velocity(row).length());
        }
    }
    fields
}
