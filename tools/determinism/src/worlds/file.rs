//! Random scenario files. The tables of keys and the registry say what a file can have, so that a new key, rule or
//! model is drawn without being listed here.

use throng::Registry;
use throng::parameters::{Kind, Parameter, Preset, Reflect, Value};
use throng::species::tables::WEIGHT;
use throng_scenario::keys::{DISTRIBUTION, FILE};
use throng_scenario::{Location, Scenario};

use crate::worlds::draw::Draw;
use crate::worlds::values::{Cast, written};

/// The section and the number of the key of a line; a section's header has no key, an empty line no section.
type LinePlace = Option<(usize, Option<usize>)>;

/// Rounds in which the lines that a reader refuses are removed.
const ROUNDS: usize = 60;

/// What a world with one of these keys would need: other files, or a program that writes some.
const LEFT_OUT: [&str; 2] = ["floor_plan", "output"];

/// A table of a file.
struct Section {
    header: String,
    parent: Option<usize>,
    lines: Vec<Line>,
    is_gone: bool,
}

/// A key with its value.
struct Line {
    key: String,
    value: String,
    /// Whether the table goes with it.
    is_vital: bool,
}

/// A file in the making.
struct Writer<'w> {
    draw: &'w mut Draw,
    registry: &'w Registry,
    cast: Cast,
    sections: Vec<Section>,
    /// How many optional keys it has.
    share: f32,
    /// The agents of all species.
    count: usize,
}

/// Draws a file; `None` if nothing valid is left of it.
pub(crate) fn file(draw: &mut Draw, registry: &Registry) -> Option<(String, Scenario)> {
    let dimensions = if draw.chance(0.75) { 2 } else { 3 };
    let size = draw.one(&[4.0, 10.0, 25.0, 60.0]);
    let sides = (0..dimensions).map(|_| size * draw.one(&[1.0, 1.0, 0.5, 1.7])).collect();
    let seconds = draw.one(&[0.2, 1.0, 1.0, 4.0, 20.0]);
    let count = draw.one(&[3, 15, 34, 60, 100, 200, 400]);
    let share = draw.one(&[0.2, 0.4, 0.6]);
    let cast = Cast { dimensions, size: sides, seconds, names: Default::default() };
    let mut writer = Writer { draw, registry, cast, sections: Vec::new(), share, count };
    writer.name_everything();
    writer.table("", FILE, None);
    writer.mend()
}

impl Writer<'_> {
    /// Decides which items there are, which come after the references to them.
    fn name_everything(&mut self) {
        let mut named = |what: &str, most: usize| {
            let count = if self.draw.chance(0.5) { 0 } else { 1 + self.draw.below(most) };
            let names = (0..count).map(|number| format!("{}{number}", what.replace(' ', "_"))).collect();
            self.cast.names.insert(what.to_owned(), names);
        };
        for key in FILE {
            match key.kind {
                Kind::Named(what, _) => named(what, 3),
                Kind::Tables(keys) if keys.iter().any(|key| key.kind == Kind::Name) => named(key.name, 4),
                _ => {}
            }
        }
        let species = (0..1 + self.draw.below(4)).map(|number| format!("species{number}")).collect();
        self.cast.names.insert("species".to_owned(), species);
        for what in ["state", "variable", "kinds"] {
            self.cast.names.insert(what.to_owned(), (0..2).map(|number| format!("{what}{number}")).collect());
        }
    }

    fn names(&self, what: &str) -> Vec<String> {
        self.cast.names.get(what).cloned().unwrap_or_default()
    }

    fn section(&mut self, header: String, parent: Option<usize>) -> usize {
        self.sections.push(Section { header, parent, lines: Vec::new(), is_gone: false });
        self.sections.len() - 1
    }

    fn line(&mut self, section: usize, key: &str, value: String, is_vital: bool) {
        self.sections[section].lines.push(Line { key: key.to_owned(), value, is_vital });
    }

    /// Writes a table with these keys, and then the tables in it.
    fn table(&mut self, path: &str, keys: &[Parameter], parent: Option<usize>) {
        let header = if path.is_empty() { String::new() } else { format!("[{path}]") };
        let section = self.section(header, parent);
        self.keys(section, path, keys);
    }

    fn keys(&mut self, section: usize, path: &str, keys: &[Parameter]) {
        let mut points = None;
        let mut inner = Vec::new();
        // Keys exclude each other: tables with few of them have some that others seldom leave.
        let few = self.draw.chance(0.5).then(|| [0, 1].map(|_| self.draw.below(keys.len())));
        for (number, key) in keys.iter().enumerate().filter(|(_, key)| !LEFT_OUT.contains(&key.name)) {
            let is_required = key.default == Preset::Required;
            // Their defaults are for larger worlds.
            let is_large = matches!((path, key.name), ("world", "tick") | (_, "count" | "cell"));
            // The items that others refer to are there if they have names.
            let is_cast = self.cast.names.get(what_of(key)).is_some_and(|names| path.is_empty() && !names.is_empty());
            let is_drawn = match few.filter(|_| keys.iter().any(|key| key.default == Preset::Required)) {
                Some(few) if !path.is_empty() => few.contains(&number),
                _ => self.draw.chance(self.share),
            };
            if !is_required && !is_large && !is_drawn && !is_cast {
                continue;
            }
            if is_table(key.kind) {
                inner.push(key);
            } else if let Some(value) = self.written(path, key, &mut points) {
                self.line(section, key.name, value, is_required);
            }
        }
        for key in inner {
            let path = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
            self.inner(section, &path, key);
        }
    }

    /// The value of a key in the words of a file.
    fn written(&mut self, path: &str, key: &Parameter, points: &mut Option<usize>) -> Option<String> {
        let Self { draw, cast, .. } = self;
        match (path, key.name, key.kind) {
            ("world", "dimensions", _) => return Some(cast.dimensions.to_string()),
            ("world", "size", _) => return Some(format!("{:?}", cast.size)),
            ("world", "tick", _) => return Some(format!("{:?}", cast.seconds / 20.0)),
            ("world", "seed", _) => return Some(draw.seed().to_string()),
            (_, "count", _) => {
                let count = self.count / cast.names["species"].len();
                return Some(draw.one(&[count, count / 2, 1]).to_string());
            }
            ("storey", "elevation", _) => return None,
            ("stair", "storeys", _) => {
                let names = cast.names.get("storey").filter(|names| names.len() > 1)?;
                let foot = draw.below(names.len());
                return Some(format!("{:?}", [&names[foot], &names[(foot + 1) % names.len()]]));
            }
            ("stair", "foot", _) => {
                // Its run begins at the same corner: a stair is 1 m to 3 m wide and goes along the other axis.
                let [x, y] = [0, 1].map(|axis| draw.one(&[0.1, 0.4]) * cast.size[axis]);
                return Some(format!("[[{x:?}, {y:?}], [{:?}, {y:?}]]", x + draw.one(&[1.0, 3.0])));
            }
            ("stair", "run", _) => return Some(format!("[0.0, {:?}]", draw.one(&[0.1, 0.3, 0.5]) * cast.size[1])),
            (_, "cell", _) => return Some(format!("{:?}", cast.size[0] / draw.one(&[8.0, 20.0, 50.0]))),
            (_, _, Kind::Distribution(range)) if draw.chance(0.2) => {
                let numbers = DISTRIBUTION.iter().filter(|_| draw.chance(0.7)).collect::<Vec<_>>();
                let number = |part: &&Parameter| {
                    format!("{} = {:?}", part.name, cast.number(draw, range, key.unit, None) as f32)
                };
                return Some(format!("{{ {} }}", numbers.iter().map(number).collect::<Vec<_>>().join(", ")));
            }
            (_, _, Kind::Paths(range)) => {
                let path = Parameter { kind: Kind::Points(range), ..*key };
                let paths = (0..1 + draw.below(2)).filter_map(|_| cast.value(draw, &path, None));
                return Some(format!("[{}]", paths.map(|path| written(&path)).collect::<Vec<_>>().join(", ")));
            }
            _ => {}
        }
        let value = cast.value(draw, key, *points)?;
        match (key.kind, &value) {
            (Kind::WholePoint(..), Value::Point(cells)) => {
                *points = Some(cells.iter().product::<f64>() as usize);
                Some(format!("{:?}", cells.iter().map(|&cells| cells as u64).collect::<Vec<_>>()))
            }
            (Kind::Schedule(_), Value::Points(pairs)) => {
                let pairs = pairs.iter().map(|pair| format!("[{:?}, {}]", pair[0] as f32, pair[1] as u64));
                Some(format!("[{}]", pairs.collect::<Vec<_>>().join(", ")))
            }
            _ => Some(written(&value)),
        }
    }

    /// Writes the tables of a key.
    fn inner(&mut self, parent: usize, path: &str, key: &Parameter) {
        match key.kind {
            Kind::Table(keys) => self.table(path, keys, Some(parent)),
            Kind::Tables(keys) => {
                let name = keys.iter().find(|key| key.kind == Kind::Name);
                let names = match name {
                    Some(_) => self.names(key.name),
                    None => vec![String::new(); 1 + self.draw.below(3)],
                };
                for item in names {
                    let section = self.section(format!("[[{path}]]"), Some(parent));
                    if let Some(name) = name {
                        self.line(section, name.name, format!("{item:?}"), true);
                    }
                    self.keys(section, path, keys);
                }
            }
            Kind::Species(keys) => {
                for name in self.names("species") {
                    self.table(&format!("{path}.{name}"), keys, Some(parent));
                }
            }
            Kind::Named(what, Kind::Table(keys)) => {
                for name in self.names(what) {
                    self.table(&format!("{path}.{name}"), keys, Some(parent));
                }
            }
            Kind::Named(what, kind) => {
                let section = self.section(format!("[{path}]"), Some(parent));
                for name in self.names(what) {
                    let item = Parameter { kind: *kind, ..*key };
                    if let Some(value) = self.written(path, &item, &mut None) {
                        self.line(section, &name, value, false);
                    }
                }
            }
            Kind::Rules => {
                for _ in 0..1 + self.draw.below(4) {
                    let tables: Vec<&dyn Reflect> = match self.cast.dimensions {
                        2 => self.registry.rules::<2>().map(|rule| rule as &dyn Reflect).collect(),
                        _ => self.registry.rules::<3>().map(|rule| rule as &dyn Reflect).collect(),
                    };
                    let table = self.draw.one(&tables);
                    let section = self.rule(format!("[[{path}]]"), "rule", parent, table);
                    self.keys(section, path, &[WEIGHT]);
                }
            }
            Kind::Motion => {
                let tables: Vec<&dyn Reflect> = match self.cast.dimensions {
                    2 => self.registry.motions::<2>().map(|motion| motion as &dyn Reflect).collect(),
                    _ => self.registry.motions::<3>().map(|motion| motion as &dyn Reflect).collect(),
                };
                let table = self.draw.one(&tables);
                self.rule(format!("[{path}]"), "model", parent, table);
            }
            _ => {}
        }
    }

    /// Writes the table of a rule or of a model. Those that refer to something need a value. Advanced parameters keep
    /// their defaults, which all worlds of a model then share.
    fn rule(&mut self, header: String, key: &str, parent: usize, rule: &dyn Reflect) -> usize {
        let section = self.section(header, Some(parent));
        self.line(section, key, format!("{:?}", rule.rule()), true);
        for parameter in rule.parameters().iter().filter(|parameter| !parameter.advanced) {
            let refers = matches!(parameter.kind, Kind::Reference(_) | Kind::References(_) | Kind::Points(_));
            if refers || self.draw.chance(self.share) {
                // The defaults of rules are in their registry.
                let default = match rule.get(parameter.name) {
                    Some(Value::Number(number)) => Preset::Number(number as f32),
                    _ => parameter.default,
                };
                if let Some(value) = self.written("", &Parameter { default, ..*parameter }, &mut None) {
                    self.line(section, parameter.name, value, refers);
                }
            }
        }
        section
    }

    /// Removes what a reader refuses, until the file is a scenario. Returns it, or `None` if nothing is left.
    fn mend(mut self) -> Option<(String, Scenario)> {
        for _ in 0..ROUNDS {
            let (text, places) = self.text();
            let problems = match Scenario::parse_in(self.registry, &text, "random world", &[]) {
                Ok(scenario) => return Some((text, scenario)),
                Err(problems) => problems,
            };
            // Two keys that exclude each other are both reported: one goes at a time.
            let mut touched = Vec::new();
            for problem in problems.list() {
                let Location::Text { line, .. } = problem.place else { return None };
                let (section, number) = places[line - 1]?;
                if touched.contains(&section) {
                    continue;
                }
                touched.push(section);
                let lines = &mut self.sections[section].lines;
                match number {
                    Some(number) if !lines[number].is_vital => _ = lines.remove(number),
                    _ => self.remove(section),
                }
            }
        }
        None
    }

    fn remove(&mut self, section: usize) {
        self.sections[section].is_gone = true;
        for inner in section + 1..self.sections.len() {
            if self.sections[inner].parent.is_some_and(|parent| self.sections[parent].is_gone) {
                self.sections[inner].is_gone = true;
            }
        }
    }

    /// The text, and the section and the number of the key of each line.
    fn text(&self) -> (String, Vec<LinePlace>) {
        let (mut text, mut places) = (String::new(), Vec::new());
        let mut add = |line: &str, place| {
            text.push_str(line);
            text.push('\n');
            places.push(place);
        };
        for (number, section) in self.sections.iter().enumerate().filter(|(_, section)| !section.is_gone) {
            if !section.header.is_empty() {
                add(&section.header, Some((number, None)));
            }
            for (place, Line { key, value, .. }) in section.lines.iter().enumerate() {
                add(&format!("{key} = {value}"), Some((number, Some(place))));
            }
        }
        add("", None);
        (text, places)
    }
}

/// What the items of a key are called where others refer to them.
fn what_of(key: &Parameter) -> &'static str {
    match key.kind {
        Kind::Named(what, _) => what,
        _ => key.name,
    }
}

fn is_table(kind: Kind) -> bool {
    matches!(kind, Kind::Table(_) | Kind::Tables(_) | Kind::Named(..) | Kind::Species(_) | Kind::Rules | Kind::Motion)
}
