//! Floors of eight kinds of buildings, in four formats of plans: everyone on them reaches an exit, and wheelchairs and
//! prams take only the doors that they pass.

use std::collections::HashMap;
use std::path::Path;

use throng::columns::ColumnSlice;
use throng::{AgentId, Event, World};
use throng_scenario::Scenario;

/// A floor: its plan, its extent, where people start, and its exits.
struct Floor {
    name: &'static str,
    plan: &'static str,
    size: [f32; 2],
    /// The corners of the box in which people start.
    inside: [f32; 4],
    /// The name and the width of each exit, and its region if the plan does not have it.
    exits: &'static [(&'static str, f64, Option<[f32; 4]>)],
    people: u64,
    /// Further lines of the scenario.
    more: &'static str,
}

const FLOORS: [Floor; 8] = [
    Floor {
        name: "office",
        plan: "\"office.wkt\"",
        size: [40.0, 16.0],
        inside: [2.0, 0.0, 38.0, 15.0],
        exits: &[("west", 1.2, Some([0.9, 7.5, 1.2, 1.6])), ("east", 1.2, Some([39.1, 7.5, 1.2, 1.6]))],
        people: 80,
        more: "",
    },
    Floor {
        name: "school",
        plan: "{ file = \"school.svg\", scale = 0.01 }",
        size: [48.0, 22.0],
        inside: [2.0, 1.0, 46.0, 21.0],
        exits: &[("west", 1.8, None), ("east", 1.8, None)],
        people: 160,
        more: "",
    },
    Floor {
        name: "theatre",
        plan: "\"theatre.dxf\"",
        size: [24.0, 22.0],
        inside: [2.0, 2.0, 22.0, 20.0],
        exits: &[("left", 1.6, None), ("right", 1.6, None), ("west", 1.2, None), ("east", 1.2, None)],
        people: 200,
        more: "",
    },
    Floor {
        name: "ward",
        plan: "{ file = \"ward.svg\", scale = 0.01 }",
        size: [36.0, 18.0],
        inside: [2.0, 1.0, 34.0, 17.0],
        exits: &[("west", 1.4, None), ("east", 1.4, None)],
        people: 60,
        more: "",
    },
    Floor {
        name: "restaurant",
        plan: "\"restaurant.wkt\"",
        size: [20.0, 16.0],
        inside: [2.0, 2.0, 18.0, 14.0],
        exits: &[("main", 1.6, Some([6.0, 0.9, 2.4, 1.2])), ("back", 0.9, Some([19.2, 12.6, 1.0, 1.6]))],
        people: 80,
        more: "",
    },
    Floor {
        name: "platform",
        plan: "\"platform.dxf\"",
        size: [60.0, 10.0],
        inside: [4.0, 2.0, 56.0, 8.0],
        exits: &[("west", 2.4, None), ("east", 2.4, None), ("lift", 1.4, None)],
        people: 160,
        more: "[[zone]]\nregion = \"stairs_west\"\nfactor = 0.5\n[[zone]]\nregion = \"stairs_east\"\nfactor = 0.5\n",
    },
    Floor {
        name: "museum",
        plan: "{ file = \"museum.geojson\", origin = [0.0, 0.0] }",
        size: [30.0, 24.0],
        inside: [3.0, 3.0, 27.0, 21.0],
        exits: &[("main", 1.4, None), ("side", 0.9, None)],
        people: 100,
        more: "",
    },
    Floor {
        name: "supermarket",
        plan: "\"supermarket.toml\"",
        size: [32.0, 24.0],
        inside: [2.0, 2.0, 30.0, 22.0],
        exits: &[("main", 2.0, None), ("back", 1.0, None), ("side", 1.0, None)],
        people: 120,
        more: "",
    },
];

impl Floor {
    fn text(&self, seed: u64, tick: f32) -> String {
        let [west, south, east, north] = self.inside;
        let (middle, size) = ([0.5 * (west + east), 0.5 * (south + north)], [east - west, north - south]);
        let mut text = format!(
            "format = 1\nfloor_plan = {}\n[world]\ndimensions = 2\nsize = {:?}\nedge = \"bounce\"\ntick = {tick}\n\
             ticks = 1\nseed = {seed}\n{}",
            self.plan, self.size, self.more
        );
        for (name, width, region) in self.exits {
            if let Some([x, y, across, up]) = region {
                text += &format!("[[region]]\nname = \"{name}\"\ncentre = [{x}, {y}]\nsize = [{across}, {up}]\n");
            }
            text += &format!(
                "[[sink]]\nname = \"{name}\"\nregion = \"{name}\"\n\
                 [navigation.{name}]\ngoals = [\"region:{name}\"]\ncapacity = {}\n",
                1.3 * width
            );
        }
        let names: Vec<&str> = self.exits.iter().map(|(name, ..)| *name).collect();
        // Wheelchairs and prams take the lift.
        let stairs = if names.contains(&"lift") { "familiar = { west = 0.0, east = 0.0 }, " } else { "" };
        text + &format!(
            "[species.person]\ncount = {}\npeople = true\npopulation = \"rimea\"\n\
             place = {{ region = \"box\", centre = {middle:?}, size = {size:?}, speed = 0.0 }}\n\
             pre_movement = {{ weibull = 1.5, scale = 8.0, high = 30.0 }}\n\
             kinds = [\n\
             {{ name = \"wheelchair\", share = 0.05, radius = 0.4, mass = 120.0, {stairs}\
                max_speed = {{ mean = 0.69, sd = 0.35, low = 0.3, high = 1.35 }} }},\n\
             {{ name = \"pram\", share = 0.05, radius = 0.35, mass = 100.0, {stairs}max_speed = [0.9, 1.3] }},\n]\n\
             behaviours = [{{ rule = \"walk_to\", goals = {names:?}, choose = \"time\" }}]\n",
            self.people
        )
    }

    fn world(&self, seed: u64, tick: f32) -> World<2> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/floors/plans");
        let file = folder.join(format!("{}-{seed}.toml", self.name));
        let scenario = Scenario::parse(&self.text(seed, tick), &file.to_string_lossy());
        scenario.unwrap_or_else(|problems| panic!("{}: {problems}", self.name)).build().unwrap()
    }
}

/// A person at the start.
struct Person {
    kind: u32,
    /// The time until it sets off, in seconds.
    waits: f64,
    /// The time to the nearest exit at its own speed, without others, in seconds.
    walks: f64,
    at: [f32; 2],
}

/// Everyone in a world, after its first tick.
fn people(world: &World<2>, floor: &Floor) -> HashMap<AgentId, Person> {
    let agents = world.agents(world.find_species("person").unwrap()).unwrap();
    let column = |name: &str| agents.columns().find(|column| column.name == name).unwrap().numbers;
    let (ColumnSlice::U32(kinds), ColumnSlice::F32(waits)) = (column("kind"), column("pre_movement")) else {
        panic!("other columns");
    };
    let of_kind = |kind: u32| ["", "-wheelchair", "-pram"][kind as usize];
    let distance = |row: usize| {
        let navigations = &world.environment().navigations;
        let to = |(exit, ..): &(&str, f64, _)| {
            let field = navigations.find(&format!("{exit}{}", of_kind(kinds[row])));
            world.environment().navigation_field(field.unwrap()).unwrap().distance(agents.position(row))
        };
        let has_lift = floor.exits.iter().any(|(exit, ..)| *exit == "lift");
        let takes = |exit: &&(&str, f64, _)| kinds[row] == 0 || !has_lift || exit.0 == "lift";
        floor.exits.iter().filter(takes).map(to).fold(f32::INFINITY, |least, way| if way < least { way } else { least })
    };
    let person = |row: usize| Person {
        kind: kinds[row],
        waits: f64::from(waits[row]),
        walks: f64::from(distance(row) / agents.max_speed(row)),
        at: agents.position(row).0,
    };
    (0..agents.len()).map(|row| (agents.ids()[row], person(row))).collect()
}

/// The time in which an exit lets everyone through, at half of the flow that it has at capacity, in seconds.
fn queue(floor: &Floor) -> f64 {
    let width: f64 = floor.exits.iter().map(|(_, width, _)| width).sum();
    floor.people as f64 / (0.5 * 1.3 * width)
}

/// How a floor emptied.
struct Emptied {
    /// When the last person left, in seconds.
    last: f64,
    /// The mean time, in seconds.
    mean: f64,
    /// The largest share of its bound that a person needed.
    share: f64,
}

/// Empties a floor. The error names the people that need more than their bound.
fn empty(floor: &Floor, seed: u64, tick: f32) -> Result<Emptied, String> {
    let mut world = floor.world(seed, tick);
    world.step();
    let people = people(&world, floor);
    assert_eq!(people.len() as u64, floor.people);
    // Stairs halve the speed, and people walk around others.
    let bound = |person: &Person| person.waits + 2.0 * person.walks + queue(floor) + 20.0;
    let last = people.values().map(bound).fold(0.0, f64::max);
    let (mut late, mut left) = (Vec::new(), Emptied { last: 0.0, mean: 0.0, share: 0.0 });
    while world.seconds() < last && world.population() > 0 {
        world.step();
        let now = world.seconds();
        for event in world.events() {
            let Event::Removed { agent, .. } = event else { continue };
            let person = &people[agent];
            let (mean, share) = (left.mean + now / floor.people as f64, left.share.max(now / bound(person)));
            left = Emptied { last: now, mean, share };
            if now > bound(person) {
                late.push(format!("kind {} from {:?} after {now:.0} s", person.kind, person.at));
            }
        }
    }
    let agents = world.agents(world.find_species("person").unwrap()).unwrap();
    let inside = (0..agents.len()).map(|row| {
        let person = &people[&agents.ids()[row]];
        format!("kind {} from {:?} stands at {:?}", person.kind, person.at, agents.position(row).0)
    });
    late.extend(inside);
    if late.is_empty() { Ok(left) } else { Err(format!("{}, seed {seed}: {}", floor.name, late.join("; "))) }
}

/// Empties all floors with these seeds.
fn empty_all(seeds: std::ops::Range<u64>) {
    let mut failures = Vec::new();
    for floor in &FLOORS {
        let runs: Vec<_> = seeds.clone().map(|seed| empty(floor, seed, 0.05)).collect();
        let all = || runs.iter().flatten();
        let (last, share) = all().fold((0.0f64, 0.0f64), |most, run| (most.0.max(run.last), most.1.max(run.share)));
        let (number, of) = (all().count(), runs.len());
        println!("{}: {number} of {of} empty, {last:.0} s at most, {share:.2} of the bound", floor.name);
        failures.extend(runs.into_iter().filter_map(Result::err));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn everyone_reaches_an_exit() {
    empty_all(0..1);
}

#[test]
#[ignore = "minutes: 20 seeds"]
fn everyone_reaches_an_exit_with_twenty_seeds() {
    empty_all(0..20);
}

/// Means of evacuation times over seeds hardly depend on the tick, from 0.05 s down, and by a twentieth at 0.1 s.
#[test]
#[ignore = "minutes: 144 evacuations"]
fn evacuation_times_converge_with_the_tick() {
    // The means of single runs have a standard deviation of 2 s.
    for name in ["office", "museum"] {
        let seeds = 24_u8;
        let floor = FLOORS.iter().find(|floor| floor.name == name).unwrap();
        let times = [0.1, 0.05, 0.025].map(|tick| {
            let runs = (0..seeds).map(|seed| empty(floor, seed.into(), tick).unwrap_or_else(|late| panic!("{late}")));
            let sums = runs.fold([0.0, 0.0], |[mean, last], run| [mean + run.mean, last + run.last]);
            sums.map(|sum| sum / f64::from(seeds))
        });
        println!("{}: {times:?}", floor.name);
        let [.., finest] = times;
        for ([mean, last], most) in times.into_iter().zip([0.055, 0.03, 0.0]) {
            assert!((mean / finest[0] - 1.0).abs() <= most, "{}: mean times {times:?}", floor.name);
            assert!((last / finest[1] - 1.0).abs() < 0.06, "{}: last times {times:?}", floor.name);
        }
    }
}
