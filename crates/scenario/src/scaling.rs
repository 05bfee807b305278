//! Larger and smaller worlds of the same scenario, at the same density.
//!
//! A world of `k` times the agents has `k` times the area or the volume: its layout is enlarged by `s = k^(1 /
//! dimensions)`. Bodies and rules of agents do not change.
//!
//! | multiplied by | what |
//! |---|---|
//! | `k` | numbers of agents: of species, and of sources |
//! | `s` | the world, places and paths, extents of obstacles, walls, regions and starts |
//! | `k / s` | rates of sources and capacities of navigations: the flow through each metre of a door stays the same |
//! | 1 | bodies, speeds, radii of perception, times, cells |

use throng::Registry;
use throng::maths::cube_root;
use throng::parameters::{Allowed, Kind, Parameter, Range, Scaled};

use crate::definition::Scenario;
use crate::document::{Document, Entry, Item, Node, Table};
use crate::keys::FILE;
use crate::problem::{Problem, Problems};
use crate::reason::Reason;

/// The factors of [`Scenario::parse_scaled`].
const SCALE: Range = Range::above(0.0, 1e6);

impl Scenario {
    /// Reads a scenario from text as [`parse_in`](Self::parse_in) does, with `scale` times the agents in a world that is
    /// larger at the same density: numbers of agents are multiplied by `scale`, the world, all places and the extents of
    /// obstacles, walls, regions and starts by `s`, its square or cube root, and rates of sources and capacities by
    /// `scale / s`. Bodies, speeds, radii of perception, times and cells stay as they are.
    ///
    /// ```
    /// use throng::Registry;
    /// use throng_scenario::Scenario;
    ///
    /// let text = "format = 1\nworld = { dimensions = 2, size = [20, 10] }\nspecies = { bird = { count = 9 } }";
    /// let scenario = Scenario::parse_scaled(&Registry::new(), text, "small.toml", &[], 4.0)?;
    /// let world = scenario.build::<2>()?;
    /// assert_eq!((world.population(), world.settings().size.0), (36, [40.0, 20.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All problems of the file and of the overrides, and the parts that cannot be enlarged: floor plans, recorded
    /// tracks, start positions from a file, on a circle or at a point. A `scale` outside of 0 to 1e6.
    pub fn parse_scaled(
        registry: &Registry,
        text: &str,
        file: &str,
        overrides: &[String],
        scale: f64,
    ) -> Result<Self, Problems> {
        if !SCALE.contains(scale) {
            let allowed = Allowed::Kind { kind: Kind::Number(SCALE), unit: "" };
            return Err(Problems::whole(file, Reason::MustBe(allowed)));
        }
        Self::parse_changed(registry, text, file, overrides, |document, problems| {
            let world = document.root.iter().find(|entry| entry.key == "world").map(|entry| &entry.item.node);
            let dimensions = match world {
                Some(Node::Table(world)) => world.iter().find(|entry| entry.key == "dimensions"),
                _ => None,
            };
            let is_space = matches!(dimensions.map(|entry| &entry.item.node), Some(Node::Number(_, Some(3))));
            let length = if is_space { exact_cube_root(scale) } else { scale.sqrt() };
            let mut root = std::mem::take(&mut document.root);
            let mut scaling = Scaling { document, registry, problems, count: scale, length, rate: scale / length };
            scaling.table("", &mut root, "", FILE);
            document.root = root;
        })
    }
}

/// The factors, and the data for finding the kinds of keys and reporting problems.
struct Scaling<'s, 'd> {
    document: &'s Document<'d>,
    registry: &'s Registry,
    problems: &'s mut Problems,
    count: f64,
    length: f64,
    rate: f64,
}

impl Scaling<'_, '_> {
    /// Enlarges the entries of a table with these keys. `of` is the key of the table or the name of the rule.
    fn table(&mut self, path: &str, table: &mut Table, of: &str, keys: &[Parameter]) {
        for entry in table {
            if let Some(key) = keys.iter().find(|key| key.name == entry.key) {
                let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
                self.entry(&path, entry, of, key);
            }
        }
    }

    fn entry(&mut self, path: &str, entry: &mut Entry, of: &str, key: &Parameter) {
        let place = (of, key.name);
        let word = entry.item.node.text();
        let refused = match (place, word) {
            (("", "floor_plan"), _) => Some("a floor plan"),
            (("", "ground"), _) => Some("a mesh"),
            (("place", "positions"), _) => Some("a list of start positions"),
            (("place", "file"), _) => Some("start positions from a file"),
            (("", "tracks"), _) => Some("recorded tracks"),
            (("place", "region"), Some("circle")) => Some("places at equal distances on a circle"),
            (("place", "region"), Some("point")) => Some("a start at one point"),
            _ => None,
        };
        if let Some(what) = refused {
            let place = self.document.place(entry.at);
            self.problems.add(Problem { place, key: path.to_owned(), value: None, reason: Reason::NotScaled(what) });
        } else if key.scaled == Scaled::Count {
            self.counts(&mut entry.item);
        } else if key.scaled == Scaled::Rate {
            multiply(&mut entry.item, self.rate);
        } else if is_length(key) {
            multiply(&mut entry.item, self.length);
        } else {
            self.inner(path, &mut entry.item, key.name, key.kind);
        }
    }

    /// Enlarges the tables within a value.
    fn inner(&mut self, path: &str, item: &mut Item, of: &str, kind: Kind) {
        match (kind, &mut item.node) {
            (Kind::Table(keys), Node::Table(table)) => self.table(path, table, of, keys),
            (Kind::Tables(keys), Node::Array(items)) => {
                for (number, item) in items.iter_mut().enumerate() {
                    self.inner(&format!("{path}.{number}"), item, of, Kind::Table(keys));
                }
            }
            (Kind::Named(_, kind), Node::Table(table)) => {
                for entry in table {
                    self.inner(&format!("{path}.{}", entry.key), &mut entry.item, of, *kind);
                }
            }
            (Kind::Species(keys), Node::Table(table)) => {
                for entry in table {
                    self.inner(&format!("{path}.{}", entry.key), &mut entry.item, of, Kind::Table(keys));
                }
            }
            (Kind::Rules, Node::Array(items)) => {
                for (number, item) in items.iter_mut().enumerate() {
                    self.rule(&format!("{path}.{number}"), item);
                }
            }
            _ => {}
        }
    }

    fn rule(&mut self, path: &str, item: &mut Item) {
        let Node::Table(table) = &mut item.node else { return };
        let named = table.iter().find(|entry| entry.key == "rule").and_then(|entry| entry.item.node.text());
        let Some(rule) = named.and_then(|name| self.registry.tables().find(|rule| rule.rule() == name)) else { return };
        let (name, keys) = (rule.rule(), rule.parameters());
        self.table(path, table, name, keys);
    }

    /// Multiplies a number of agents, or the numbers of a schedule. Some agents stay at least one.
    fn counts(&self, item: &mut Item) {
        match &mut item.node {
            Node::Number(number, exact) if *number > 0.0 => {
                let scaled = (*number * self.count).round().clamp(1.0, (1_u64 << 53) as f64);
                (*number, *exact) = (scaled, Some(scaled as i64));
            }
            Node::Array(pairs) => {
                for pair in pairs {
                    if let Node::Array(pair) = &mut pair.node {
                        pair.iter_mut().skip(1).for_each(|number| self.counts(number));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The cube root of a positive number, to the last digits.
fn exact_cube_root(number: f64) -> f64 {
    let near = cube_root(number);
    // A step of Newton's method.
    near - (near * near * near - number) / (3.0 * near * near)
}

/// Whether the value of a key is a part of the layout.
fn is_length(key: &Parameter) -> bool {
    match (key.scaled, key.kind) {
        (Scaled::Length, _) => true,
        (Scaled::Places, Kind::Target | Kind::SpeciesOrPlace) => true,
        (
            Scaled::Places,
            Kind::Point(_) | Kind::Points(_) | Kind::Paths(_) | Kind::Goals | Kind::Named(_, Kind::Point(_)),
        ) => key.unit == "m",
        _ => false,
    }
}

/// Multiplies all numbers within a value.
fn multiply(item: &mut Item, factor: f64) {
    match &mut item.node {
        Node::Number(number, exact) => (*number, *exact) = (*number * factor, None),
        Node::Array(items) => items.iter_mut().for_each(|item| multiply(item, factor)),
        Node::Table(table) => table.iter_mut().for_each(|entry| multiply(&mut entry.item, factor)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Vector;

    const TEXT: &str = r#"format = 1
[world]
dimensions = 2
size = [40.0, 20.0]
edge = "bounce"
[marks]
well = [30.0, 10.0]
[[wall]]
centre = [20.0, 10.0]
radius = 1.0
velocity = [0.5, 0.0]
[[region]]
name = "door"
centre = [2.0, 10.0]
size = [2.0, 4.0]
[[source]]
name = "door"
species = "ant"
region = "door"
rate = 3.0
limit = 50
[species.ant]
count = 10
place = { region = "box", centre = [10.0, 10.0], size = [4.0, 4.0] }
radius = 0.1
behaviours = [
  { rule = "separation", radius = 2.0 },
  { rule = "arrive", target = [20.0, 5.0], slowing_radius = 3.0 },
  { rule = "offset_pursuit", target = "nearest:own", offset = [1.0, 0.0] },
  { rule = "tether", anchor = "mark:well", length = 4.0 },
]
"#;

    fn scaled(text: &str, sets: &[String], scale: f64) -> Result<Scenario, Problems> {
        Scenario::parse_scaled(&Registry::new(), text, "ants.toml", sets, scale)
    }

    #[test]
    fn the_layout_grows_and_an_agent_stays_as_it_is() {
        // The file enlarged by a factor of four, key by key.
        let expected = [
            ("[40.0, 20.0]", "[80.0, 40.0]"),
            ("well = [30.0, 10.0]", "well = [60.0, 20.0]"),
            ("[20.0, 10.0]\nradius = 1.0", "[40.0, 20.0]\nradius = 2.0"),
            ("[2.0, 10.0]\nsize = [2.0, 4.0]", "[4.0, 20.0]\nsize = [4.0, 8.0]"),
            ("rate = 3.0\nlimit = 50", "rate = 6.0\nlimit = 200"),
            ("count = 10", "count = 40"),
            ("[10.0, 10.0], size = [4.0, 4.0]", "[20.0, 20.0], size = [8.0, 8.0]"),
            ("target = [20.0, 5.0]", "target = [40.0, 10.0]"),
            ("length = 4.0", "length = 8.0"),
        ];
        let larger = expected.iter().fold(TEXT.to_owned(), |text, (now, then)| {
            assert!(text.contains(now), "{now}");
            text.replacen(now, then, 1)
        });
        assert_eq!(scaled(TEXT, &[], 4.0).unwrap(), Scenario::parse(&larger, "ants.toml").unwrap());
        assert_eq!(scaled(TEXT, &[], 1.0).unwrap(), Scenario::parse(TEXT, "ants.toml").unwrap());
        // Overrides are values of the file; a few agents stay at least one.
        let sets = ["species.ant.count=100".to_owned()];
        assert_eq!(scaled(TEXT, &sets, 4.0).unwrap().agents(), 400);
        assert_eq!(scaled(TEXT, &[], 0.01).unwrap().agents(), 1);
    }

    #[test]
    fn in_three_dimensions_the_layout_grows_by_the_cube_root() {
        let text = "format = 1\nworld = { dimensions = 3, size = [10, 10, 20] }\nspecies = { bird = { count = 5 } }";
        let world = scaled(text, &[], 8.0).unwrap().build::<3>().unwrap();
        assert_eq!((world.population(), world.settings().size), (40, Vector([20.0, 20.0, 40.0])));
    }

    #[test]
    fn what_cannot_grow_is_refused_by_name() {
        for (place, key) in [
            ("region = \"point\"", "species.ant.place.region"),
            ("region = \"circle\", radius = 3.0", "species.ant.place.region"),
            ("file = \"run.csv\"", "species.ant.place.file"),
        ] {
            let text = TEXT.replace("region = \"box\", centre = [10.0, 10.0], size = [4.0, 4.0]", place);
            let message = scaled(&text, &[], 2.0).unwrap_err().to_string();
            assert!(
                message.contains(&format!("{key}: cannot be scaled")) && message.contains("ants.toml:"),
                "{message}"
            );
        }
        let planned = format!("floor_plan = \"hall.wkt\"\n{TEXT}");
        assert!(scaled(&planned, &[], 2.0).unwrap_err().to_string().contains("floor_plan: cannot be scaled"));
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(scaled(TEXT, &[], scale).is_err(), "{scale}");
        }
    }
}
