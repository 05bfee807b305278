//! Validation of a complete scenario, before anything is built.

use throng::parameters::{Allowed, Kind, Value, is_name};
use throng::species::tables::{PERSON, QUANTITIES, THRESHOLD, TIMES};
use throng::{Combine, Distribution, Edge, Link, Quantity, Registry, Settings, Species};

use crate::definition::{Group, MAX_SPEED, Scenario};
use crate::document::{Document, Entry, Node};
use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, Scope};
use crate::keys::{self, FILE};
use crate::motions::MotionSpec;
use crate::output::{Colour, Output};
use crate::problem::{Problem, Problems};
use crate::reason::Reason;
use crate::rules::{self, KnownNames, RuleSpec};
use crate::start::StartRegion;
use crate::{
    environment, floor_plan, kinds, motions, navigation, overrides, place, places, reach, read_ground, read_people,
    read_storeys, read_tracks, recording, room, states, substances, walls, wide,
};

/// Reads a scenario, or returns all of its problems. `change` changes the document after the overrides.
pub(crate) fn check(
    registry: &Registry,
    text: &str,
    file: &str,
    sets: &[String],
    change: impl FnOnce(&mut Document<'_>, &mut Problems),
) -> Result<Scenario, Problems> {
    let mut document = Document::parse(text, file, sets)?;
    let mut problems = Problems::new(file);
    overrides::apply(&mut document, &mut problems);
    change(&mut document, &mut problems);
    let mut reader = Reader { document: &document, problems, doubts: Vec::new() };
    let scenario = read(&mut reader, registry);
    let Reader { mut problems, doubts, .. } = reader;
    match scenario {
        Some(scenario) if problems.is_empty() => Ok(Scenario { doubts, files: document.files.take(), ..scenario }),
        _ => {
            let lacks_plan = problems.list().iter().any(|problem| matches!(problem.reason, Reason::FloorPlan(_)));
            problems.leave_out(|problem| follows(&document, lacks_plan, problem));
            problems.sort();
            Err(problems)
        }
    }
}

/// Whether a problem follows from another one: from an item that the document has, and that could not be read, or from a
/// floor plan without its areas.
fn follows(document: &Document<'_>, lacks_plan: bool, problem: &Problem) -> bool {
    match &problem.reason {
        Reason::NoAgents => {
            let species = problem.key.split('.').nth(1).unwrap_or_default();
            ["source", "tracks"].iter().any(|table| document.has_item(table, "species", species))
        }
        Reason::Unknown { what: "region", name, .. } => lacks_plan || document.has_item("region", "name", name),
        Reason::Unknown { what, name, .. } => document.has_item(what, "name", name),
        _ => false,
    }
}

fn read(reader: &mut Reader<'_>, registry: &Registry) -> Option<Scenario> {
    let document = reader.document;
    let format = document.root.iter().find(|entry| entry.key == "format");
    if let Some(Entry { item, .. }) = format
        && let Node::Number(_, Some(version)) = item.node
        && u64::try_from(version) != Ok(keys::FORMAT)
    {
        // Another version has other keys, so messages about keys would mislead.
        reader.refuse("format".to_owned(), item, Reason::Format);
        return None;
    }
    let root = reader.root(FILE);
    reader.whole(&root, "format");
    let mut scenario = Scenario::empty(document.file, registry.clone());
    if let Some(world) = reader.inner(&root, "world") {
        read_world(reader, &world, &mut scenario);
        let plan = (scenario.dimensions, scenario.size.as_deref(), &mut scenario.edge);
        scenario.storeys = match root.entry("ground") {
            Some(_) => read_ground::read(reader, &root, &world, plan),
            None => read_storeys::read(reader, &root, &world, plan),
        };
    }
    scenario.environment = environment::read(reader, &root, scenario.dimensions, scenario.storeys.as_ref());
    if let Some(size) = scenario.plan().filter(|_| reader.problems.is_empty()) {
        // Walls of tables were looked at before they were moved to their storeys.
        let are_tables_in = scenario.storeys.is_some();
        walls::check_inside(reader, &root, (&scenario.environment.walls, are_tables_in), (size, &scenario.edge));
    }
    floor_plan::read(reader, &root, &mut scenario);
    let zones = scenario.unfold();
    read_ways(reader, &root, &mut scenario);
    let (people, tables) = read_people::read(reader, &root, &scenario);
    scenario.people = people;
    let flights = zones.len();
    scenario.people.zones.extend(zones);
    scenario.tracks = read_tracks::read(reader, &root, &scenario);
    if let Some(entry) = root.entry("species") {
        read_species(reader, entry, &mut scenario);
    }
    scenario.mark_stairs(flights);
    read_people::check(reader, &tables, &scenario);
    if let Some(output) = reader.inner(&root, "output") {
        scenario.output = read_output(reader, &output, &scenario);
        scenario.recording = recording::read(reader, &output, &scenario);
    }
    scenario.recording.crowd =
        !scenario.environment.walls.is_empty() || !scenario.people.sources.is_empty() || !scenario.tracks.is_empty();
    reach::check_reached(reader, &root, &scenario);
    reach::check_places(reader, &root, &scenario);
    Some(scenario)
}

/// Reads the keys that refer to marks, regions and fields.
fn read_ways<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &mut Scenario) {
    let environment = &scenario.environment;
    let marks: Vec<&str> = environment.marks.iter().map(|(name, _)| &name[..]).collect();
    let regions: Vec<&str> = environment.regions.iter().map(ItemSpec::name).collect();
    let fields: Vec<&str> = environment.fields.iter().map(|field| &field.name[..]).collect();
    let (names, dimensions) = ([("mark", &marks[..]), ("region", &regions)], scenario.dimensions);
    let scope = Scope { names: &names, dimensions };
    let tables = reader.tables(root, "link");
    let links = reader.items::<Link<2>, Link<3>>(&tables, "link", scope).into_iter();
    let links = links.map(|link| scenario.between_storeys(link)).collect();
    let navigations = navigation::read(reader, root, scenario, &fields, scope);
    let places = places::read(reader, root, (scenario.dimensions, scenario.storeys.as_ref()), &regions);
    (scenario.environment.navigations, scenario.environment.places) = (navigations, places);
    scenario.environment.links = links;
    scenario.environment.substances = substances::read(reader, root, scenario);
}

fn read_world<'d>(reader: &mut Reader<'d>, world: &Fields<'d>, scenario: &mut Scenario) {
    let defaults = Settings::<2>::default();
    // If the dimensions are invalid, the size gives the number of components, so that points are still checked.
    let components = match world.entry("size").map(|entry| &entry.item.node) {
        Some(Node::Array(items)) => items.len().clamp(2, 3),
        _ => 2,
    };
    scenario.dimensions = reader.whole(world, "dimensions").map_or(components, |dimensions| dimensions as usize);
    if let Some(name) = reader.text(world, "name") {
        scenario.name = name.to_owned();
    }
    scenario.size = reader.per_axis(world, "size", scenario.dimensions);
    let words = reader.choice_per_axis(world, "edge", scenario.dimensions).unwrap_or_default();
    let edge = |axis: usize| Edge::ALL.into_iter().find(|edge| words.get(axis).is_some_and(|word| word == edge.name()));
    scenario.edge = (0..scenario.dimensions).map(|axis| edge(axis).unwrap_or(defaults.edge[0])).collect();
    scenario.tick_seconds = reader.number(world, "tick").unwrap_or(defaults.tick_seconds);
    scenario.ticks = reader.whole(world, "ticks").unwrap_or(scenario.ticks);
    scenario.until_empty = reader.choice(world, "until") == Some("empty");
    scenario.seed = reader.whole(world, "seed").unwrap_or(defaults.seed);
    scenario.pair_budget = match reader.whole_or_off(world, "pair_budget") {
        Some(budget) => budget.map(|budget| usize::try_from(budget).unwrap_or(usize::MAX)),
        None => defaults.pair_budget,
    };
}

/// The names by which filters mean the agents of a species in one of its states.
fn states_of(species: &str, node: &Node) -> Vec<String> {
    let Node::Table(keys) = node else { return Vec::new() };
    let states = keys.iter().find(|key| key.key == "states").map(|key| &key.item.node);
    let Some(Node::Table(states)) = states else { return Vec::new() };
    states.iter().map(|state| format!("{species}:{}", state.key)).collect()
}

fn read_species<'d>(reader: &mut Reader<'d>, entry: &'d Entry, scenario: &mut Scenario) {
    let kind = FILE.iter().find(|key| key.name == entry.key).map(|key| key.kind);
    let Some(Kind::Species(keys)) = kind else { return };
    let Node::Table(table) = &entry.item.node else {
        reader.refuse(
            entry.key.clone(),
            &entry.item,
            Reason::MustBe(Allowed::Kind { kind: Kind::Species(keys), unit: "" }),
        );
        return;
    };
    let states = table.iter().flat_map(|species| states_of(&species.key, &species.item.node)).collect::<Vec<_>>();
    let species = table.iter().map(|species| &species.key[..]).chain(states.iter().map(String::as_str));
    let species: Vec<&str> = species.collect();
    let (environment, registry) = (scenario.environment.clone(), scenario.registry.clone());
    let marks: Vec<&str> = environment.marks.iter().map(|(name, _)| &name[..]).collect();
    let regions: Vec<&str> = environment.regions.iter().map(ItemSpec::name).collect();
    let navigations: Vec<&str> = environment.navigations.iter().map(ItemSpec::name).collect();
    let fields: Vec<&str> =
        environment.fields.iter().map(|field| &field.name[..]).chain(navigations.iter().copied()).collect();
    let walls: Vec<&str> = environment.walls.iter().map(ItemSpec::name).filter(|name| !name.is_empty()).collect();
    let places: Vec<&str> = environment.places.iter().map(|places| &places.name[..]).collect();
    let substances: Vec<&str> = environment.substances.iter().map(ItemSpec::name).collect();
    let dimensions = scenario.dimensions;
    let all_variables: Vec<&str> = table.iter().flat_map(|species| states::variables_of(&species.item.node)).collect();
    let names = KnownNames {
        registry: &registry,
        species: &species,
        marks: &marks,
        regions: &regions,
        fields: &fields,
        navigations: &navigations,
        walls: &walls,
        places: &places,
        substances: &substances,
        variables: &[],
        all_variables: &all_variables,
        dimensions,
    };
    let mut places = Vec::new();
    for species in table {
        let path = format!("species.{}", species.key.chars().take(64).collect::<String>());
        if let Some(reason) = bad_name(&species.key) {
            reader.note(species.at, path.clone(), None, reason);
        }
        if let Some(fields) = reader.table(path, species, keys) {
            let place = reader.inner(&fields, "place");
            let variables = states::variables_of(&species.item.node);
            let names = KnownNames { variables: &variables, ..names };
            let group = read_group(reader, &species.key, (&fields, place.as_ref()), &names, scenario);
            scenario.groups.push(group);
            places.push(place.unwrap_or(fields));
        }
    }
    wide::derive(reader, scenario);
    room::check_room(reader, &places, scenario);
    if table.is_empty() {
        reader.note(entry.at, entry.key.clone(), None, Reason::NoSpecies);
    }
}

fn bad_name(name: &str) -> Option<Reason> {
    match name {
        "own" | "all" => Some(Reason::Reserved(name.to_owned())),
        _ => (!is_name(name)).then_some(Reason::Name { of_species: true }),
    }
}

fn read_group<'d>(
    reader: &mut Reader<'d>,
    name: &str,
    (fields, place): (&Fields<'d>, Option<&Fields<'d>>),
    names: &KnownNames<'_>,
    scenario: &Scenario,
) -> Group {
    let people = reader.flag(fields, "people") == Some(true);
    let motion = match fields.entry("motion") {
        Some(entry) => motions::read(reader, &fields.path_of("motion"), (entry, people), names),
        None => people.then(MotionSpec::people),
    };
    let walks = motion.as_ref().is_some_and(MotionSpec::walks);
    let usual = Species::<2>::new("");
    let mut quantities = Quantity::ALL.map(|quantity| usual.quantity(quantity));
    for (value, quantity) in quantities.iter_mut().zip(&QUANTITIES) {
        let of_person = PERSON.iter().find(|(name, _)| walks && *name == quantity.name);
        let default = of_person.map_or(*value, |(_, number)| Distribution::Same(*number));
        *value = reader.distribution(fields, quantity.name).unwrap_or(default);
    }
    let kinds = kinds::read(reader, fields, names.navigations, &mut quantities);
    let times = TIMES.each_ref().map(|table| reader.distribution(fields, table.name));
    let start = place::read(reader, (name, place), scenario);
    let familiar = kinds::read_familiar(reader, fields, names.navigations);
    let mut rules = match fields.entry("behaviours") {
        Some(entry) => rules::read(reader, &fields.path_of("behaviours"), entry, names),
        None => Vec::new(),
    };
    let states = states::read(reader, fields, names, &mut rules);
    let recorded = match &start.region {
        StartRegion::Recorded(agents) => Some(agents.len() as u64),
        _ => None,
    };
    let count = reader.whole(fields, "count").or(recorded).unwrap_or(0);
    if let (Some(entry), Some(most)) = (fields.entry("count"), recorded.filter(|most| *most < count)) {
        let reason = format!("`place` has {most} agents");
        reader.note(entry.at, fields.path_of("count"), None, Reason::Trajectory(reason));
    }
    let has_file = place.is_some_and(|place| ["file", "positions"].iter().any(|key| place.entry(key).is_some()));
    let is_recorded = scenario.tracks.iter().any(|tracks| tracks.species == name);
    if fields.entry("count").is_none() && !has_file && !is_recorded && !scenario.people.feed(name) {
        reader.note(fields.at, fields.path_of("count"), None, Reason::NoAgents);
    }
    let combine = read_combine(reader, fields);
    let scope = Scope { names: &[], dimensions: names.dimensions };
    let own = reader.item::<Species<2>, Species<3>>(fields, None, scope).unwrap_or_default();
    // An agent that never moves is furniture, which may overlap.
    let moves = quantities[MAX_SPEED].largest() > 0.0;
    let walks = moves && (walks || rules.iter().any(RuleSpec::leads));
    let mut group = Group {
        name: name.to_owned(),
        count,
        start,
        quantities,
        combine,
        motion,
        rules,
        states,
        times,
        kinds,
        familiar,
        own,
        walks,
        written: Vec::new(),
        doubts: Vec::new(),
    };
    group.note(fields, place);
    group
}

fn read_combine<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>) -> Combine {
    let threshold = reader.number(fields, THRESHOLD.name).unwrap_or(0.0);
    let combine = reader.choice(fields, "combine");
    if let Some(entry) = fields.entry(THRESHOLD.name)
        && combine != Some("priority")
    {
        let reason = Reason::OnlyWith { key: "combine", value: "priority" };
        reader.note(entry.at, fields.path_of(THRESHOLD.name), None, reason);
    }
    match combine {
        Some("priority") => Combine::Priority(threshold),
        Some("truncated") => Combine::Truncated,
        _ => Combine::Weighted,
    }
}

fn read_output<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, scenario: &Scenario) -> Output {
    let mut output = Output::default();
    if let Some(trajectory) = reader.inner(fields, "trajectory") {
        output.trajectory_every = reader.whole(&trajectory, "every");
        output.trajectory_unwrapped = reader.flag(&trajectory, "unwrapped").unwrap_or(false);
    }
    output.audit = reader.flag(fields, "audit") == Some(true);
    if let Some(Value::Words(names)) = reader.value(fields, "show", 0) {
        let sliders: Vec<String> = scenario.groups.iter().flat_map(|group| group.sliders(&scenario.registry)).collect();
        let known: Vec<&str> = sliders.iter().map(|name| &name[..]).collect();
        output.show = names.into_iter().filter(|name| reader.known(fields, "show", "value", name, &known)).collect();
    }
    if let Some(picture) = reader.inner(fields, "picture") {
        let known: Vec<&str> = Colour::ALL.iter().map(Colour::name).chain(scenario.variables()).collect();
        output.colour = reader.reference(&picture, "colour", &known).map(Colour::named);
        output.width = reader.whole(&picture, "width").map(|width| width as u32);
        output.height = reader.whole(&picture, "height").map(|height| height as u32);
    }
    output
}
