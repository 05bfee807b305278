//! Does the file say something that can be run? Everything is looked at before anything is made.

use crate::parameters::Range;
use crate::scenario::document::{Document, Entry, Node};
use crate::scenario::fields::{Fields, Reader, vector};
use crate::scenario::keys::{self, Form, Key};
use crate::scenario::overrides;
use crate::scenario::problem::Problems;
use crate::scenario::rules;
use crate::scenario::{Colour, Group, Heading, Output, Region, Scenario, Start};
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::{Combine, QUANTITIES, Species, Spread, THRESHOLD};
use crate::trig::sin_cos;

/// Reads a scenario, or finds all that is wrong with it.
pub(crate) fn check(text: &str, file: &str, sets: &[String]) -> Result<Scenario, Problems> {
    let mut document = Document::parse(text, file, sets)?;
    let mut problems = Problems::new(file);
    overrides::apply(&mut document, &mut problems);
    let keys = keys::file();
    let mut reader = Reader { document: &document, problems };
    let scenario = read(&mut reader, &keys);
    let mut problems = reader.problems;
    match scenario {
        Some(scenario) if problems.is_empty() => Ok(scenario),
        _ => {
            problems.sort();
            Err(problems)
        }
    }
}

fn read<'d>(reader: &mut Reader<'d>, keys: &'d [Key]) -> Option<Scenario> {
    let document = reader.document;
    let format = document.root.iter().find(|entry| entry.key == "format");
    if let Some(Entry { item, .. }) = format
        && let Node::Number(_, Some(version)) = item.node
        && version != i128::from(keys::FORMAT)
    {
        // Another version has other keys: what could be said about them would only mislead.
        let reason = format!("this program reads format = {} only", keys::FORMAT);
        reader.refuse("format".to_owned(), item, reason);
        return None;
    }
    let root = reader.root(keys);
    reader.whole(&root, "format");
    let mut scenario = Scenario::empty(document.file);
    if let Some(world) = reader.inner(&root, "world") {
        read_world(reader, &world, &mut scenario);
    }
    if let Some(entry) = root.entry("species") {
        read_species(reader, entry, keys, &mut scenario);
    }
    if let Some(output) = reader.inner(&root, "output") {
        read_output(reader, &output, &mut scenario.output);
    }
    Some(scenario)
}

fn read_world<'d>(reader: &mut Reader<'d>, world: &Fields<'d>, scenario: &mut Scenario) {
    let defaults = Settings::<2>::default();
    // Points are checked although the dimensions may be wrong: by the number of components that the size has.
    let components = match world.entry("size").map(|entry| &entry.item.node) {
        Some(Node::Array(items)) => items.len().clamp(2, 3),
        _ => 2,
    };
    scenario.dimensions = reader.whole(world, "dimensions").map_or(components, |dimensions| dimensions as usize);
    if let Some(name) = reader.text(world, "name") {
        scenario.name = name.to_owned();
    }
    scenario.size = reader.per_axis(world, "size", scenario.dimensions);
    let edge = reader.choice(world, "edge");
    scenario.edge = Edge::ALL.into_iter().find(|candidate| Some(candidate.name()) == edge).unwrap_or(defaults.edge);
    scenario.tick_seconds = reader.number(world, "tick").unwrap_or(defaults.tick_seconds);
    scenario.ticks = reader.whole(world, "ticks").unwrap_or(scenario.ticks);
    scenario.seed = reader.whole(world, "seed").unwrap_or(defaults.seed);
    scenario.candidate_cap = match reader.whole_or_off(world, "candidate_cap") {
        Some(cap) => cap.map(|cap| usize::try_from(cap).unwrap_or(usize::MAX)),
        None => defaults.candidate_cap,
    };
}

fn read_species<'d>(reader: &mut Reader<'d>, entry: &'d Entry, keys: &'d [Key], scenario: &mut Scenario) {
    let form = keys.iter().find(|key| key.name == entry.key).map(|key| &key.form);
    let Some(Form::Species(keys)) = form else { return };
    let Node::Table(table) = &entry.item.node else {
        reader.refuse(entry.key.clone(), &entry.item, "must be a table of species, such as [species.starling]");
        return;
    };
    let names: Vec<&str> = table.iter().map(|species| &species.key[..]).collect();
    for species in table {
        let path = format!("species.{}", species.key.chars().take(64).collect::<String>());
        if let Some(reason) = bad_name(&species.key) {
            reader.note(species.at, path.clone(), None, reason);
        }
        if let Some(fields) = reader.table(path, species, keys) {
            let group = read_group(reader, &species.key, &fields, &names, scenario);
            scenario.groups.push(group);
        }
    }
    if table.is_empty() {
        reader.note(
            entry.at,
            entry.key.clone(),
            None,
            "there must be a species, such as [species.starling]".to_owned(),
        );
    }
}

fn bad_name(name: &str) -> Option<String> {
    if matches!(name, "own" | "all") {
        return Some(format!("a species cannot be called `{name}`: the rules' `from` has another use for the word"));
    }
    let character = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let fits = (1..=64).contains(&name.len()) && name.chars().all(character);
    (!fits).then(|| "the name of a species is 1 to 64 letters, digits, `_` or `-`".to_owned())
}

fn read_group<'d>(
    reader: &mut Reader<'d>,
    name: &str,
    fields: &Fields<'d>,
    names: &[&str],
    scenario: &Scenario,
) -> Group {
    let mut quantities = Species::<2>::new("").quantities();
    for (value, quantity) in quantities.iter_mut().zip(&QUANTITIES) {
        *value = reader.spread(fields, quantity.name).unwrap_or(*value);
    }
    let place = reader.inner(fields, "place");
    let start = read_start(reader, place.as_ref(), scenario);
    let rules = match fields.entry("behaviours") {
        Some(entry) => rules::read(reader, &fields.path_of("behaviours"), entry, names, scenario.dimensions),
        None => Vec::new(),
    };
    let count = reader.whole(fields, "count").unwrap_or(0);
    let combine = read_combine(reader, fields);
    Group { name: name.to_owned(), count, start, quantities, combine, rules }
}

fn read_combine<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>) -> Combine {
    let threshold = reader.number(fields, THRESHOLD.name).unwrap_or(0.0);
    let combine = reader.choice(fields, "combine");
    if let Some(entry) = fields.entry(THRESHOLD.name)
        && combine != Some("priority")
    {
        let reason = "only combine = \"priority\" uses it".to_owned();
        reader.note(entry.at, fields.path_of(THRESHOLD.name), None, reason);
    }
    match combine {
        Some("priority") => Combine::Priority(threshold),
        Some("truncated") => Combine::Truncated,
        _ => Combine::Weighted,
    }
}

fn read_start<'d>(reader: &mut Reader<'d>, place: Option<&Fields<'d>>, scenario: &Scenario) -> Start {
    let mut start = Start { region: Region::All, heading: Heading::Random, speed: None };
    let Some(place) = place else { return start };
    start.speed = reader.spread(place, "speed");
    start.heading = read_heading(reader, place, scenario.dimensions).unwrap_or(start.heading);
    let centre = reader.per_axis(place, "centre", scenario.dimensions);
    let radius = reader.number(place, "radius");
    let size = reader.per_axis(place, "size", scenario.dimensions);
    let region = match place.entry("region") {
        Some(_) => reader.choice(place, "region"),
        None => Some("all"),
    };
    let (Some(region), Some(world)) = (region, &scenario.size) else { return start };
    let middle: Vec<f32> = world.iter().map(|extent| 0.5 * extent).collect();
    let used: &[&str] = match region {
        "disc" => &["centre", "radius"],
        "box" => &["centre", "size"],
        "point" => &["centre"],
        _ => &[],
    };
    for name in ["centre", "radius", "size"] {
        match place.entry(name) {
            Some(entry) if !used.contains(&name) => {
                reader.note(entry.at, place.path_of(name), None, format!("the region `{region}` does not use it"));
            }
            None if used.contains(&name) && name != "centre" => {
                let reason = format!("is missing: the region `{region}` needs it");
                reader.note(place.at, place.path_of(name), None, reason);
            }
            _ => {}
        }
    }
    let centre = match place.entry("centre") {
        Some(_) => centre,
        None => Some(middle),
    };
    start.region = match (region, centre, radius, size) {
        ("disc", Some(centre), Some(radius), _) => Region::Disc(centre, radius),
        ("box", Some(centre), _, Some(size)) => Region::Box(centre, size),
        ("point", Some(centre), ..) => Region::Box(centre, vec![0.0; scenario.dimensions]),
        _ => Region::All,
    };
    check_inside(reader, place, &start.region, world, scenario.edge);
    start
}

/// A world with a boundary takes nobody outside; no world takes anybody beyond its limit.
fn check_inside(reader: &mut Reader<'_>, place: &Fields<'_>, region: &Region, world: &[f32], edge: Edge) {
    let (centre, reach) = match region {
        Region::All => return,
        Region::Disc(centre, radius) => (centre, vec![*radius; world.len()]),
        Region::Box(centre, size) => (centre, size.iter().map(|extent| 0.5 * extent).collect()),
    };
    let bounded = !matches!(edge, Edge::Wrap | Edge::Open);
    let inside = |axis: usize| {
        let (low, high) = if bounded { (0.0, world[axis]) } else { (-LIMIT, LIMIT) };
        centre[axis] - reach[axis] >= low && centre[axis] + reach[axis] <= high
    };
    if !(0..world.len()).all(inside) {
        let what = if bounded { format!("the world: [0, 0] to {world:?}") } else { "1e6 m around zero".to_owned() };
        let what = if bounded && world.len() == 3 { what.replace("[0, 0]", "[0, 0, 0]") } else { what };
        let at = place.entry("centre").or(place.entry("region")).map_or(place.at, |entry| entry.at);
        reader.note(at, place.path.clone(), None, format!("the region must lie in {what}"));
    }
}

fn read_heading<'d>(reader: &mut Reader<'d>, place: &Fields<'d>, dimensions: usize) -> Option<Heading> {
    let item = &place.entry("heading")?.item;
    let range = Range::from(-f64::from(LIMIT), f64::from(LIMIT));
    let heading = match &item.node {
        Node::Text(word) if word == "random" => Some(Heading::Random),
        Node::Number(degrees, _) if dimensions == 2 && range.contains(*degrees) => {
            let (sine, cosine) = sin_cos((degrees * (std::f64::consts::PI / 180.0)) as f32);
            Some(Heading::Along(vec![cosine, sine]))
        }
        node => vector(node, dimensions, range)
            .filter(|vector| vector.iter().any(|&component| component != 0.0))
            .map(Heading::Along),
    };
    if heading.is_none() {
        reader.refuse(place.path_of("heading"), item, Form::Heading.allowed(""));
    }
    heading
}

fn read_output<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, output: &mut Output) {
    if let Some(trajectory) = reader.inner(fields, "trajectory") {
        output.trajectory_every = reader.whole(&trajectory, "every");
    }
    if let Some(picture) = reader.inner(fields, "picture") {
        output.colour = match reader.choice(&picture, "colour") {
            Some("species") => Some(Colour::Species),
            Some(_) => Some(Colour::Heading),
            None => None,
        };
        output.width = reader.whole(&picture, "width").map(|width| width as u32);
        output.height = reader.whole(&picture, "height").map(|height| height as u32);
    }
}

impl Start {
    /// The speeds of agents with these largest speeds.
    pub(crate) fn speed(&self, max_speed: Spread) -> Spread {
        self.speed.unwrap_or(match max_speed {
            Spread::Uniform(low, _) => Spread::Same(low),
            same => same,
        })
    }
}
