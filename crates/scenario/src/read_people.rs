//! Reading of sources, sinks and zones.

use throng::parameters::{Allowed, Kind, Range, Value, rounded};
use throng::{Arrivals, Environment, Noise, Sink};

use crate::definition::Scenario;
use crate::document::Node;
use crate::draw::{CHECK_DRAWS, OccupiedSpace};
use crate::fields::{Fields, Reader, point};
use crate::people::{PeopleSpec, SourceSpec, ZoneSpec};
use crate::place;
use crate::reason::{Cause, Reason};
use crate::start::{Heading, StartRegion};

/// The tables of the sources and of the sinks, for the checks that need the species.
pub(crate) type Tables<'d> = [Vec<Fields<'d>>; 2];

/// Reads sources, sinks and zones. Their states and the room for their agents are checked by [`check`].
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> (PeopleSpec, Tables<'d>) {
    let species: Vec<&str> = match root.entry("species").map(|entry| &entry.item.node) {
        Some(Node::Table(table)) => table.iter().map(|entry| &entry.key[..]).collect(),
        _ => Vec::new(),
    };
    let regions: Vec<&str> = scenario.environment.regions.iter().map(|region| &region.name[..]).collect();
    let tables = ["source", "sink"].map(|key| reader.tables(root, key));
    let mut people = PeopleSpec::default();
    for fields in &tables[0] {
        let source = read_source(reader, fields, scenario.dimensions, &species, &regions);
        let names = people.sources.iter().map(|source: &SourceSpec| &source.name[..]);
        check_name(reader, fields, "source", names.collect());
        people.sources.extend(source);
    }
    for fields in &tables[1] {
        let name = reader.name(fields, "name").map(str::to_owned);
        check_name(reader, fields, "sink", people.sinks.iter().map(|sink| &sink.name[..]).collect());
        let region = reader.reference(fields, "region", &regions).map(str::to_owned);
        let of_species = reader.references(fields, "species", &species).unwrap_or_default();
        let states = match reader.value(fields, "states", 0) {
            Some(Value::Words(states)) => states,
            _ => Vec::new(),
        };
        if let (Some(name), Some(region)) = (name, region) {
            people.sinks.push(Sink { name, region, species: of_species, states });
        }
    }
    for fields in &reader.tables(root, "zone") {
        people.zones.extend(read_zone(reader, fields, scenario.dimensions, &regions));
    }
    (people, tables)
}

/// Refuses a name that an earlier item has.
fn check_name(reader: &mut Reader<'_>, fields: &Fields<'_>, what: &'static str, taken: Vec<&str>) {
    if let Some(entry) = fields.entry("name")
        && entry.item.node.text().is_some_and(|name| taken.contains(&name))
    {
        reader.refuse(fields.path_of("name"), &entry.item, Reason::NameTaken(what));
    }
}

fn read_source<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    dimensions: usize,
    species: &[&str],
    regions: &[&str],
) -> Option<SourceSpec> {
    let name = reader.name(fields, "name").map(str::to_owned);
    let species = reader.reference(fields, "species", species).map(str::to_owned);
    let region = reader.reference(fields, "region", regions).map(str::to_owned);
    let keys = vec!["number", "rate", "poisson", "schedule", "on_entry"];
    let found = keys.iter().filter(|key| fields.entry(key).is_some()).count();
    if found != 1 {
        reader.note(fields.at, fields.path.clone(), None, Reason::OneOf { keys, found });
    }
    let number = reader.whole(fields, "number").map(Arrivals::at_once);
    let rate = reader.number(fields, "rate").map(Arrivals::Rate);
    let poisson = reader.number(fields, "poisson").map(Arrivals::Poisson);
    let schedule = match reader.value(fields, "schedule", 0) {
        Some(Value::Points(pairs)) => {
            Some(Arrivals::Schedule(pairs.iter().map(|pair| (rounded(pair[0]), pair[1] as u64)).collect()))
        }
        _ => None,
    };
    let on_entry = reader.reference(fields, "on_entry", regions).map(|region| Arrivals::OnEntry(region.to_owned()));
    let heading = match place::read_heading(reader, fields, dimensions) {
        Some(Heading::Along(heading)) => Some(heading),
        _ => None,
    };
    let (limit, speed) = (reader.whole(fields, "limit"), reader.distribution(fields, "speed"));
    let arrivals = number.or(rate).or(poisson).or(schedule).or(on_entry);
    Some(SourceSpec { name: name?, species: species?, region: region?, arrivals: arrivals?, limit, heading, speed })
}

fn read_zone<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    dimensions: usize,
    regions: &[&str],
) -> Option<ZoneSpec> {
    let region = reader.reference(fields, "region", regions).map(str::to_owned);
    let factor = reader.number(fields, "factor");
    let against = reader.number(fields, "against");
    let direction = reader.value(fields, "direction", dimensions).and_then(point);
    for (key, other) in [("against", "direction"), ("direction", "against")] {
        if fields.entry(key).is_some() && fields.entry(other).is_none() {
            let cause = Cause { key, value: None };
            reader.note(fields.at, fields.path_of(other), None, Reason::MissingFor(cause));
        }
    }
    if let (Some(entry), Some(zero)) = (fields.entry("direction"), &direction)
        && zero.iter().all(|&component| component == 0.0)
    {
        let kind = Kind::Point(Range::COORDINATE);
        reader.refuse(fields.path_of("direction"), &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "" }));
    }
    Some(ZoneSpec { region: region?, factor: factor?, against: direction.zip(against) })
}

/// Checks that the states of sinks exist, and that sources have room for their agents.
pub(crate) fn check<'d>(reader: &mut Reader<'d>, [sources, sinks]: &Tables<'d>, scenario: &Scenario) {
    for fields in sinks {
        let Some(sink) = named(fields, &scenario.people.sinks, |sink| &sink.name) else { continue };
        let concerned = |name: &String| sink.species.is_empty() || sink.species.contains(name);
        let groups = scenario.groups.iter().filter(|group| concerned(&group.name));
        let known: Vec<&str> =
            groups.flat_map(|group| group.states.states.iter().map(|state| &state.name[..])).collect();
        for state in &sink.states {
            reader.known(fields, "states", "state", state, &known);
        }
    }
    for fields in sources {
        let Some(source) = named(fields, &scenario.people.sources, |source| &source.name) else { continue };
        let Some(group) = scenario.groups.iter().find(|group| group.name == source.species) else { continue };
        let Some(region) = scenario.environment.regions.iter().find(|region| region.name == source.region) else {
            continue;
        };
        let (radius, Some(entry)) = (group.widest(), fields.entry("region")) else { continue };
        let mut problem = |reason| reader.refuse(fields.path_of("region"), &entry.item, reason);
        let Some(world) = &scenario.size else { continue };
        let start = region.start();
        let half = match &start {
            StartRegion::Disc(_, radius) | StartRegion::Circle(_, radius) => *radius,
            StartRegion::Box(_, size) => {
                0.5 * size.iter().fold(f32::INFINITY, |least, &size| if size < least { size } else { least })
            }
            StartRegion::All | StartRegion::Polygon(_) | StartRegion::Recorded(_) => continue,
        };
        if half < radius {
            problem(Reason::NoRoom { radius });
        } else if let Some(outside) = place::outside(&start, world, &scenario.edge) {
            problem(outside);
        } else if !has_room(scenario, &start, radius) {
            problem(Reason::NoFreePlace { draws: CHECK_DRAWS });
        }
    }
}

/// The item whose name a table has.
fn named<'i, T>(fields: &Fields<'_>, items: &'i [T], name: impl Fn(&T) -> &String) -> Option<&'i T> {
    let given = fields.entry("name")?.item.node.text()?;
    items.iter().find(|item| name(item) == given)
}

/// Returns whether draws find a place for a body clear of obstacles and walls.
fn has_room(scenario: &Scenario, region: &StartRegion, radius: f32) -> bool {
    match scenario.dimensions {
        3 => has_room_in::<3>(scenario, region, radius),
        _ => has_room_in::<2>(scenario, region, radius),
    }
}

fn has_room_in<const D: usize>(scenario: &Scenario, region: &StartRegion, radius: f32) -> bool {
    let (Some(settings), Some(shape)) = (scenario.settings::<D>(), region.shape::<D>()) else { return true };
    let mut environment = Environment::default();
    // An environment that a world refuses is reported when the world is built.
    if scenario.environment.build(&mut environment).is_err() {
        return true;
    }
    let space = OccupiedSpace::new(&environment, &settings, &scenario.groups);
    let mut noise = Noise::new(settings.seed, 0, 0, Noise::PLACE);
    (0..CHECK_DRAWS).any(|_| {
        let position = shape.draw(&settings, radius, &mut noise);
        position.is_some_and(|position| space.has_room(position, radius))
    })
}
