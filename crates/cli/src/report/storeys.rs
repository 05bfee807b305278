//! The storeys and stairs of a building in a report: when they were empty, and which stairs the agents took out.

use std::collections::BTreeMap;

use super::building::Part;
use super::contents::Contents;
use super::html::{shown, table};
use super::passages::times_and_flow;
use crate::output::{fixed, grouped};

/// The agents on each storey and stair, and the stairs by which they left.
pub(super) fn storeys(html: &mut String, report: &Contents) {
    let Some(building) = &report.first.building else { return };
    let densest = |name: &str| {
        let density = report.first.density.as_ref()?;
        let squares = density.squares().filter(|(_, middle)| {
            building.storeys.locate(middle.map(|along| along as f32)).is_some_and(|place| place.name == name)
        });
        squares.map(|(most, _)| most).max_by(f64::total_cmp)
    };
    let of_storey = |name: &str| {
        let part = &building.parts[name];
        let [start, most] = [part.start, part.most].map(grouped);
        let densest = densest(name).map_or("–".to_owned(), |densest| fixed(densest, 2));
        [name.to_owned(), start, most, densest, shown(part.last.unwrap_or(f64::NAN))]
    };
    let names = ["storey", "agents at the start", "most at a time", "most in a square, 1/m²", "last agent on it, s"];
    table(html, "<h2>Storeys</h2>", names, 1, building.storeys.names().map(of_storey));
    let of_stair = |name: &str| {
        let Part { most, times, .. } = &building.parts[name];
        let [first, last, flow] = times_and_flow(times);
        [name.to_owned(), grouped(times.len() as u64), grouped(*most), first, last, flow]
    };
    if building.storeys.stairs().next().is_some() {
        let names = ["stair", "agents", "most at a time", "first comes, s", "last comes, s", "flow, 1/s"];
        table(html, "<h2>Stairs</h2>", names, 1, building.storeys.stairs().map(of_stair));
    }
    let persons = &report.first.persons;
    let mut left: BTreeMap<[&str; 2], u64> = BTreeMap::new();
    for person in persons.all() {
        let (Some(stair), Some(exit)) = (building.last_stair(person.id), persons.exit_of(person)) else { continue };
        *left.entry([stair, exit]).or_default() += 1;
    }
    if !left.is_empty() {
        let rows = left.into_iter().map(|([stair, exit], count)| [stair.to_owned(), exit.to_owned(), grouped(count)]);
        table(
            html,
            "<p>Stairs by which agents left, each by the last that it took:</p>",
            ["stair", "exit", "agents"],
            2,
            rows,
        );
    }
}

/// The names of storeys, and the places of their upper left corners in the world.
pub(super) fn labels(report: &Contents) -> Vec<(&str, [f64; 2])> {
    let storeys = report.first.building.iter().map(|building| &building.storeys);
    let corners = storeys.flat_map(|storeys| storeys.names().zip(storeys.parts()));
    corners.map(|(name, [low, high])| (name, [low[0], high[1]].map(f64::from))).collect()
}

/// A place of the world in metres: in the plan of its storey or stair if there is a building.
pub(super) fn place(report: &Contents, at: [f64; 2]) -> String {
    let building = report.first.building.as_ref();
    let found = building.and_then(|building| building.storeys.locate(at.map(|along| along as f32)));
    let point = |[x, y]: [f64; 2]| format!("({}, {})", fixed(x, 2), fixed(y, 2));
    found.map_or(point(at), |place| format!("{} {}", place.name, point(place.plan.0.map(f64::from))))
}
