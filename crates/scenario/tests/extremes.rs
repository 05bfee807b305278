//! Extreme numbers in scenario files. The tables of keys say where a file can have a number; each of them is given
//! every extreme value. The file is then refused with a place, or its world runs without a number that is not finite.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use throng::parameters::{Kind, Parameter, Value};
use throng::{AnyWorld, Registry};
use throng_scenario::keys::{DISTRIBUTION, FILE};
use throng_scenario::{Location, Scenario};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The extreme values, as a file writes them.
const EXTREMES: [&str; 15] = [
    "nan",
    "inf",
    "-inf",
    "0",
    "0.0",
    "-0.0",
    "1e-45",
    "5e-324",
    "3.4028234663852886e38",
    "1e30",
    "-1",
    "-1.0",
    "16777216",
    "9007199254740992",
    "18446744073709551615",
];

/// A world of more agents is not built: the largest files of this test would take minutes.
const MOST_AGENTS: u64 = 20_000;

/// The place of a number: its name in the tables, and its bytes in a file.
type Places = BTreeMap<String, Range<usize>>;

/// Walks a file and the tables of keys side by side.
struct Walk<'w> {
    registry: &'w Registry,
    found: Places,
}

impl Walk<'_> {
    fn table(&mut self, at: &str, keys: &[Parameter], table: &DeTable<'_>) {
        for key in keys {
            if let Some((_, value)) = table.iter().find(|(name, _)| name.get_ref() == key.name) {
                self.value(&format!("{at}.{}", key.name), key.kind, value);
            }
        }
    }

    fn number(&mut self, at: &str, value: &Spanned<DeValue<'_>>) {
        if matches!(value.get_ref(), DeValue::Integer(_) | DeValue::Float(_)) {
            self.found.entry(at.to_owned()).or_insert(value.span());
        }
    }

    /// The numbers in an array, or the one that stands in its place.
    fn each(&mut self, at: &str, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().for_each(|item| self.each(at, item)),
            _ => self.number(at, value),
        }
    }

    fn value(&mut self, at: &str, kind: Kind, value: &Spanned<DeValue<'_>>) {
        let (table, items) = match value.get_ref() {
            DeValue::Table(table) => (Some(table), None),
            DeValue::Array(items) => (None, Some(items)),
            _ => (None, None),
        };
        match (kind, table, items) {
            (Kind::Distribution(_), Some(table), _) => self.table("distribution", DISTRIBUTION, table),
            (Kind::Table(keys) | Kind::FileOrTable(keys), Some(table), _) => self.table(at, keys, table),
            (Kind::Tables(keys), _, Some(items)) => {
                let tables = items.iter().filter_map(|item| item.get_ref().as_table());
                tables.for_each(|table| self.table(at, keys, table));
            }
            (Kind::Named(_, kind), Some(table), _) => {
                table.iter().for_each(|(_, item)| self.value(&format!("{at}.*"), *kind, item));
            }
            (Kind::Species(keys), Some(table), _) => {
                let tables = table.iter().filter_map(|(_, item)| item.get_ref().as_table());
                tables.for_each(|table| self.table(at, keys, table));
            }
            (Kind::Rules, _, Some(items)) => {
                items.iter().filter_map(|item| item.get_ref().as_table()).for_each(|table| self.rule("rule", table));
            }
            (Kind::Motion, Some(table), _) => self.rule("model", table),
            _ if has_number(kind) => self.each(at, value),
            _ => {}
        }
    }

    fn rule(&mut self, key: &str, table: &DeTable<'_>) {
        let name = table.iter().find(|(name, _)| name.get_ref() == key).and_then(|(_, value)| value.get_ref().as_str());
        let Some(parameters) = name.and_then(|name| parameters(self.registry, key, name)) else { return };
        let at = format!("{key} {}", name.unwrap_or_default());
        self.table(&at, parameters, table);
        if key == "rule" {
            self.table("rule *", &[throng::species::tables::WEIGHT], table);
        }
    }
}

fn parameters(registry: &Registry, key: &str, name: &str) -> Option<&'static [Parameter]> {
    let mut rules =
        registry.tables().filter(|_| key == "rule").chain(registry.motion_tables().filter(|_| key != "rule"));
    rules.find(|table| table.rule() == name).map(|table| table.parameters())
}

/// Whether a value of this kind is a number or an array of numbers.
fn has_number(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Number(_)
            | Kind::Whole(..)
            | Kind::WholeOrOff(_)
            | Kind::Distribution(_)
            | Kind::Numbers(_)
            | Kind::Point(_)
            | Kind::Points(_)
            | Kind::Schedule(_)
            | Kind::Series(_)
            | Kind::Paths(_)
            | Kind::Intervals(_)
            | Kind::WholePoint(..)
            | Kind::SpeciesOrPlace
            | Kind::Target
            | Kind::Heading
    )
}

/// All places of numbers in the tables.
fn all(registry: &Registry) -> BTreeSet<String> {
    fn table(at: &str, keys: &[Parameter], all: &mut BTreeSet<String>) {
        keys.iter().for_each(|key| kind(&format!("{at}.{}", key.name), key.kind, all));
    }
    fn kind(at: &str, of: Kind, all: &mut BTreeSet<String>) {
        match of {
            Kind::Table(keys) | Kind::Tables(keys) | Kind::Species(keys) | Kind::FileOrTable(keys) => {
                table(at, keys, all);
            }
            Kind::Named(_, of) => kind(&format!("{at}.*"), *of, all),
            of if has_number(of) => _ = all.insert(at.to_owned()),
            _ => {}
        }
    }
    let mut places = BTreeSet::new();
    table("", FILE, &mut places);
    table("distribution", DISTRIBUTION, &mut places);
    table("rule *", &[throng::species::tables::WEIGHT], &mut places);
    for (key, rules) in [("rule", registry.tables().collect::<Vec<_>>()), ("model", registry.motion_tables().collect())]
    {
        for rule in rules {
            table(&format!("{key} {}", rule.rule()), rule.parameters(), &mut places);
        }
    }
    places
}

/// The numbers of a file.
fn places(text: &str, registry: &Registry) -> Places {
    let mut walk = Walk { registry, found: BTreeMap::new() };
    walk.table("", FILE, DeTable::parse(text).unwrap().get_ref());
    walk.found
}

/// The scenarios of the repository, with fewer agents.
fn files() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root.join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    paths.sort();
    let own = ["extremes.toml", "extremes-ground.toml"].map(|file| root.join("crates/scenario/tests").join(file));
    paths.splice(0..0, own);
    paths.into_iter().map(|path| (path.clone(), few(&std::fs::read_to_string(&path).unwrap()))).collect()
}

/// The file with at most forty agents of each species.
fn few(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("count = ").map(|count| count.replace('_', "")) {
        Some(count) if count.trim().parse::<u64>().is_ok_and(|count| count > 40) => "count = 40".to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn parse(text: &str, path: &std::path::Path) -> Result<Scenario, throng_scenario::Problems> {
    Scenario::parse(text, &path.to_string_lossy())
}

/// A file with every number of its rules written out, as far as the file stays valid.
fn complete(path: &std::path::Path, text: String, registry: &Registry) -> String {
    let mut whole = text;
    for (key, tables) in
        [("rule", registry.tables().collect::<Vec<_>>()), ("model", registry.motion_tables().collect())]
    {
        for table in tables {
            let start = format!("{key} = \"{}\"", table.rule());
            let Some(at) = whole.find(&start).map(|at| at + start.len()) else { continue };
            for parameter in table.parameters().iter().filter(|parameter| has_number(parameter.kind)) {
                let number = match (table.get(parameter.name), parameter.kind) {
                    (Some(Value::Number(number)), Kind::Number(_)) if number.is_finite() => format!("{number:?}"),
                    (Some(Value::Whole(number)), _) => number.to_string(),
                    (Some(Value::Number(number)), Kind::Whole(..)) => format!("{number}"),
                    _ => "1.0".to_owned(),
                };
                for number in
                    [number, "1".to_owned(), "0.5".to_owned(), "[1.0, 2.0]".to_owned(), "[[1.0, 2.0]]".to_owned()]
                {
                    let written = format!("{}, {} = {number}{}", &whole[..at], parameter.name, &whole[at..]);
                    if parse(&written, path).is_ok() {
                        whole = written;
                        break;
                    }
                }
            }
        }
    }
    whole
}

/// Checks one file with an extreme number. Returns whether it was accepted.
fn check(text: &str, path: &std::path::Path, what: &str) -> bool {
    let scenario = match parse(text, path) {
        Ok(scenario) => scenario,
        Err(problems) => {
            for problem in problems.list() {
                assert!(matches!(problem.place, Location::Text { .. }), "{what}: {problem:?}");
            }
            assert!(!problems.is_empty(), "{what}");
            return false;
        }
    };
    if scenario.agents() > MOST_AGENTS || scenario.check_limits().is_err() {
        return false;
    }
    let Ok(mut world) = scenario.build_any() else { return false };
    for tick in 0..4 {
        finite(&world, &format!("{what}, tick {tick}"));
        if world.population() as u64 > MOST_AGENTS {
            break;
        }
        world.step();
    }
    true
}

fn finite(world: &AnyWorld, what: &str) {
    for (species, name, _) in world.all_species() {
        let columns = [world.positions(species).unwrap(), world.velocities(species).unwrap()].concat();
        let fits = |column: &&[f32]| column.iter().all(|number| number.is_finite());
        assert!(columns.iter().all(fits), "{what}: {name} has a position or velocity that is not finite");
        for column in world.columns(species).unwrap() {
            if let throng::columns::ColumnSlice::F32(numbers) = column.numbers {
                assert!(numbers.iter().all(|number| number.is_finite()), "{what}: {name}.{}", column.name);
            }
        }
    }
    assert!(world.polarisation().is_finite() && world.mean_speed().is_finite(), "{what}");
}

#[test]
fn every_number_may_be_extreme() {
    let registry = Registry::new();
    let mut tested = BTreeSet::new();
    let mut accepted = 0;
    for (path, text) in files() {
        let text = complete(&path, text, &registry);
        if parse(&text, &path).is_err() {
            continue;
        }
        for (place, span) in places(&text, &registry) {
            if !tested.insert(place.clone()) {
                continue;
            }
            for extreme in EXTREMES {
                let changed = format!("{}{extreme}{}", &text[..span.start], &text[span.end..]);
                let what = format!("{}: {place} = {extreme}", path.to_string_lossy());
                accepted += usize::from(check(&changed, &path, &what));
            }
        }
    }
    let missing: Vec<String> = all(&registry).into_iter().filter(|place| !tested.contains(place)).collect();
    assert!(missing.is_empty(), "numbers that no file of this test has: {missing:#?}");
    assert!(accepted > 500, "most keys admit some extreme: {accepted}");
}
