//! The check that agents can reach the goals of their rules, and that queues and waiting areas have places.

use throng::parameters::Value;
use throng::{AgentId, Environment, Error, Settings, Shape, Vector, World};

use crate::definition::{Group, Scenario};
use crate::draw::OccupiedSpace;
use crate::fields::{Fields, Reader};
use crate::reason::Reason;

/// The largest number of agents of a species whose ways are checked.
const CHECKED: u64 = 1000;

/// Reports queues and waiting areas with too few or too many places.
pub(crate) fn check_places<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) {
    if scenario.environment.places.is_empty() || !reader.problems.is_empty() {
        return;
    }
    match scenario.dimensions {
        3 => check_places_in::<3>(reader, root, scenario),
        _ => check_places_in::<2>(reader, root, scenario),
    }
}

fn check_places_in<'d, const D: usize>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) {
    let (mut environment, Some(settings)) = (Environment::<D>::default(), scenario.settings::<D>()) else { return };
    if scenario.environment.build(&mut environment).is_err() {
        return;
    }
    for (name, table) in reader.named_tables(root, "places") {
        let places = scenario.environment.places.iter().find(|places| places.name == name);
        let built = places.map_or(Ok(()), |places| places.build(&settings, &mut environment));
        if let (Err(Error::BadValue(bad)), Some(entry)) = (built, table.entry("line").or(table.entry("region"))) {
            reader.refuse(table.path.clone(), &entry.item, Reason::MustBe(bad.allowed));
        }
    }
}

/// Reports navigations whose goals agents cannot reach from where they start, even if every door is open.
pub(crate) fn check_reached<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) {
    if scenario.environment.navigations.is_empty() || !reader.problems.is_empty() {
        return;
    }
    let Some(settings) = scenario.settings::<2>() else { return };
    let mut environment = Environment::default();
    if scenario.environment.build(&mut environment).is_err() {
        return;
    }
    let doors: Vec<_> = environment.walls.iter().filter(|(_, wall)| !wall.open.is_empty()).map(|(id, _)| id).collect();
    for door in doors {
        environment.walls.remove(door);
    }
    // The first tick of a world computes the ways.
    let Ok(mut world) = World::new(settings.clone()) else { return };
    *world.environment_mut() = environment.clone();
    world.step();
    let space = OccupiedSpace::new(&environment, &settings, &scenario.groups);
    let mut space = space.with_few_bodies(&scenario.groups);
    let mut first = 0;
    for group in &scenario.groups {
        let checked = if group.count < CHECKED { group.count } else { CHECKED };
        // Species that do not fit are reported where their agents start.
        let Ok(placed) = space.starts(group, first, 0..checked) else { return };
        let mut starts: Vec<_> = placed.map(|start| start.agent.position).collect();
        let sources = scenario.people.sources.iter().filter(|source| source.species == group.name);
        let regions = sources.filter_map(|source| environment.regions.named(&source.region).map(|region| region.shape));
        let radius = group.radius(settings.seed, AgentId::from_bits(first));
        let room = |position: &Vector<2>| space.has_room(*position, radius);
        starts.extend(regions.flat_map(|shape| lattice(&shape, &settings)).filter(room));
        first += group.count;
        for (id, navigation) in world.environment().navigations.iter() {
            let field = world.environment().navigation_field(id).filter(|_| group.follows(&navigation.name));
            let Some(field) = field else { continue };
            let Some(&start) = starts.iter().find(|start| field.distance(**start) == f32::INFINITY) else { continue };
            let table = reader.named_tables(root, "navigation").into_iter().find(|(name, _)| *name == navigation.name);
            if let Some((entry, table)) = table.and_then(|(_, table)| Some((table.entry("goals")?, table))) {
                let reason = Reason::OutOfReach { species: group.name.clone(), from: start.0 };
                reader.refuse(table.path_of("goals"), &entry.item, reason);
            }
        }
    }
}

/// Points of a region, for the agents that its sources spawn there.
fn lattice(shape: &Shape<2>, settings: &Settings<2>) -> Vec<Vector<2>> {
    let (centre, half) = shape.bounds();
    let at = |number: usize| (number as f32 - 2.0) * 0.4;
    let points = (0..25).map(|number| centre + Vector([half[0] * at(number % 5), half[1] * at(number / 5)]));
    points.filter(|point| shape.contains(settings, *point)).collect()
}

impl Group {
    /// Whether a rule of the species refers to a navigation.
    pub(super) fn follows(&self, name: &str) -> bool {
        let refers = |value: &Value| match value {
            Value::Word(word) => word == name,
            Value::Words(words) => words.iter().any(|word| word == name),
            _ => false,
        };
        self.rules.iter().any(|rule| rule.values.iter().any(|(_, value)| refers(value)))
    }
}
