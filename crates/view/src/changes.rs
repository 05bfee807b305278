//! The changes to a world since its scenario was read, and the text of the scenario with these changes.

use std::collections::BTreeMap;

use toml_edit::Value;

use super::scenario_editor::{ListChange, ScenarioEditor};
use super::source::Source;
use super::wall_places::WallPlaces;

/// A change to the world that a scenario file can express.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A new value of a key.
    Key(Vec<String>, Value),
    /// The number of agents that a species gained, or lost if negative.
    Count(String, i64),
    /// A change to the list of obstacles.
    Obstacle(ListChange),
    /// A change to the wall with this number in the world.
    Wall(usize, ListChange),
}

impl Change {
    /// About the bytes of memory that it takes. A value of TOML takes much more than its text.
    pub(crate) fn bytes(&self) -> usize {
        const PER_LETTER: usize = 16;
        let list = |change: &ListChange| match change {
            ListChange::Add(keys) | ListChange::Set(_, keys) => {
                keys.iter().map(|(name, value)| name.len() + value.to_string().len()).sum()
            }
            _ => 0,
        };
        let letters: usize = match self {
            Self::Key(path, value) => path.iter().map(String::len).sum::<usize>() + value.to_string().len(),
            Self::Count(species, _) => species.len(),
            Self::Obstacle(change) | Self::Wall(_, change) => list(change),
        };
        size_of::<Self>() + PER_LETTER * letters
    }
}

/// All changes since a file was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    keys: BTreeMap<Vec<String>, Value>,
    counts: BTreeMap<String, i64>,
    obstacles: Vec<ListChange>,
    walls: Vec<(usize, ListChange)>,
}

impl Changes {
    /// Whether nothing was changed.
    pub(crate) fn is_empty(&self) -> bool {
        let counts = self.counts.values().all(|&count| count == 0);
        self.keys.is_empty() && counts && self.obstacles.is_empty() && self.walls.is_empty()
    }

    /// Records a change.
    pub(crate) fn record(&mut self, change: Change) {
        match change {
            Change::Key(path, value) => {
                self.keys.insert(path, value);
            }
            Change::Count(species, number) => *self.counts.entry(species).or_default() += number,
            Change::Obstacle(change) => {
                let number = change.number();
                record(&mut self.obstacles, number, change, |change| (change.number(), change));
            }
            Change::Wall(number, change) => {
                record(&mut self.walls, Some(number), (number, change), |(number, change)| (Some(*number), change));
            }
        }
    }

    /// Returns the text of the file with all changes, which starts the changed world.
    ///
    /// # Errors
    ///
    /// Fails if the text has no place for a change, or if the result is not a valid scenario.
    pub(crate) fn text(&self, source: &Source) -> Result<String, String> {
        let mut editor = ScenarioEditor::parse(&source.text)?;
        let before = editor.text();
        for set in &source.sets {
            editor.set_text(set)?;
        }
        self.obstacles.iter().try_for_each(|change| editor.change_list("obstacle", change))?;
        let mut walls = WallPlaces::of(&editor);
        self.walls.iter().try_for_each(|(number, change)| walls.change(&mut editor, *number, change))?;
        for (path, value) in &self.keys {
            editor.set(&path.iter().map(String::as_str).collect::<Vec<_>>(), value.clone())?;
        }
        for (species, number) in self.counts.iter().filter(|(_, number)| **number != 0) {
            editor.add(&["species", species, "count"], *number)?;
        }
        let mut text = editor.text();
        let written = source.parse(&text).map_err(|problems| problems.to_string())?.seed();
        if let Some(seed) = source.seed.filter(|seed| *seed != written) {
            editor.set_text(&format!("world.seed={seed}"))?;
            text = editor.text();
            source.parse(&text).map_err(|problems| problems.to_string())?;
        }
        // Without changes, even mixed line ends stay as they are.
        Ok(if text == before { source.text.clone() } else { text })
    }
}

/// Adds a change to a list. New values of an entry replace earlier ones, as long as entries keep their numbers: dragging
/// things by turns takes no more room than dragging each once. `of` returns the number and the change of an item.
fn record<T>(changes: &mut Vec<T>, number: Option<usize>, change: T, of: impl Fn(&T) -> (Option<usize>, &ListChange)) {
    let is_set = |item: &T| matches!(of(item).1, ListChange::Set(..));
    if is_set(&change) {
        let sets = changes.iter().rev().take_while(|item| is_set(item)).count();
        let first = changes.len() - sets;
        if let Some(earlier) = changes[first..].iter().position(|item| of(item).0 == number) {
            changes.remove(first + earlier);
        }
    }
    changes.push(change);
}

#[cfg(test)]
mod tests {
    use throng::Registry;
    use throng_scenario::Scenario;
    use throng_scenario::keys::MAX_SEED;

    use super::*;
    use crate::source::Place;

    fn source(text: &str, sets: &[&str], seed: Option<u64>) -> Source {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        Source::new(Registry::new(), "moths.toml".into(), text.to_owned(), Place::File).with(&sets, seed)
    }

    fn added(centre: [f64; 2], radius: f64) -> Change {
        Change::Obstacle(ListChange::Add(vec![("centre", centre.into_iter().collect()), ("radius", radius.into())]))
    }

    /// One world in three styles of TOML.
    const HEADERS: &str = r#"# Moths.
format = 1
[world] # here
dimensions = 2
size = [80.0, 60.0]   # metres
[marks]
"light" = [60, 3.0e1] # bright
[[obstacle]]
centre = [10.0, 10.0]
radius = 2.0
[species."moth-1"]
count = 40            # some
max_speed = [ 5.0, 8.0, ] # drawn
[[species."moth-1".behaviours]]
rule = "seek"
target = "mark:light"
[[species."moth-1".behaviours]] # the second
rule = "follow_path"
points = [
  [1.0, 2.0],
  [3.0, 4.0], # the last
]
[species."moth-1".states.calm]
behaviours = [{ rule = "wander" }]
# the end
"#;
    const INLINE: &str = r#"format = 1
world = { dimensions = 2, size = [80, 60] }
marks = { light = [60, 30] }
obstacle = [ { centre = [10, 10], radius = 2 } ]
species = { moth-1 = { count = 40, max_speed = [5, 8], behaviours = [{ rule = "seek", target = "mark:light" },
  { rule = "follow_path", points = [[1, 2], [3, 4]] }], states = { calm = { behaviours = [{ rule = "wander" }] } } } }
"#;
    const DOTTED: &str = r#"format = 1
world.dimensions = 2
world.size = [80, 60]
marks.light = [60, 30]
obstacle = [{ centre = [10, 10], radius = 2 }]
species.moth-1.count = 40
species.moth-1.max_speed = [5, 8]
species.moth-1.behaviours = [{ rule = "seek", target = "mark:light" },
  { rule = "follow_path", points = [[1, 2], [3, 4]] }]
species.moth-1.states.calm.behaviours = [{ rule = "wander" }]
"#;

    #[test]
    fn the_text_contains_the_values_of_the_options() {
        let sets = [
            "world.seed=9223372036854775807",
            "world.seed = 0x7fff_ffff_ffff_fff0",
            "world.name='a \"b\" = \\c, é'",
            "world.edge=bounce",
            "world.pair_budget=off",
            "marks.light=[1e-3, -0.0]",
            "obstacle.0.radius=3.25",
            "obstacle=[{ centre = [1, 2], radius = 3, velocity = [0.5, 0] }]",
            "species.moth-1.count=7",
            "species.moth-1.mass=1e-6",
            "species.moth-1.max_speed=1e6",
            "species.moth-1.max_speed.1=8.5",
            "species.moth-1.max_turn_rate=inf",
            "species.moth-1.max_turn_rate=1e20",
            "species.moth-1.place={ region = \"disc\", radius = 5 }",
            "species.moth-1.behaviours.1.points=[[9, 9]]",
            "species.moth-1.seek.weight=-1e6",
            "species.moth-1.states.calm.wander.weight=0.1",
            "output.picture.width=800",
        ];
        for text in [HEADERS, INLINE, DOTTED, &HEADERS.replace('\n', "\r\n"), &format!("\u{feff}{HEADERS}")] {
            for number in 0..=sets.len() {
                // Each option by itself, and several together.
                let sets = sets.get(number..=number).unwrap_or(&sets[..6]);
                let source = source(text, sets, None);
                let saved =
                    Changes::default().text(&source).unwrap_or_else(|error| panic!("{sets:?}: {error}\n{text}"));
                assert_eq!(source.parse(&saved), source.load(), "{sets:?}\n{saved}");
                assert_eq!(saved.contains('\r'), text.contains('\r'));
                assert!(
                    !text.contains("# the end") || saved.matches('#').count() == text.matches('#').count(),
                    "{saved}"
                );
            }
        }
    }

    #[test]
    fn unchanged_text_stays_byte_for_byte() {
        let mixed = HEADERS.replacen('\n', "\r\n", 3);
        for text in [HEADERS, INLINE, DOTTED, &mixed, &format!("\u{feff}{HEADERS}")] {
            let mut changes = Changes::default();
            assert_eq!(changes.text(&source(text, &[], None)).unwrap(), text);
            // Changes that cancel out, and a value set to itself.
            changes.record(Change::Key(vec!["marks".into(), "light".into()], [60.0, 30.0].iter().copied().collect()));
            changes.record(Change::Count("moth-1".into(), 5));
            changes.record(Change::Count("moth-1".into(), -5));
            assert_eq!(changes.text(&source(text, &["species.moth-1.count=40"], Some(0))).unwrap(), text);
        }
    }

    #[test]
    fn changes_are_written_in_their_places() {
        let mut changes = Changes::default();
        let key = |path: &str| path.split('.').map(str::to_owned).collect::<Vec<_>>();
        let points = [[1.0, 2.0], [3.0, 4.0], [0.1, 1e-7]];
        let points = points.iter().map(|point| point.iter().copied().collect::<Value>()).collect::<Value>();
        changes.record(Change::Key(key("species.moth-1.behaviours.1.points"), points));
        changes.record(Change::Key(key("species.moth-1.mass"), 2.5.into()));
        changes.record(Change::Key(key("species.moth-1.max_speed"), [5.0, 9.0].iter().copied().collect()));
        changes.record(Change::Count("moth-1".into(), -3));
        changes.record(added([70.0, 5.5], 0.25));
        let saved = changes.text(&source(HEADERS, &[], Some(MAX_SEED))).unwrap();
        let expected = HEADERS
            .replace("count = 40  ", "count = 37  ")
            .replace("5.0, 8.0, ]", "5.0, 9.0, ]")
            .replace("# drawn\n", "# drawn\nmass = 2.5\n")
            .replace("# the last\n]", "# the last\n  [0.1, 0.0000001],\n]")
            .replace("# metres\n", "# metres\nseed = 9223372036854775807\n")
            .replace("radius = 2.0\n", "radius = 2.0\n\n[[obstacle]]\ncentre = [70.0, 5.5]\nradius = 0.25\n");
        assert_eq!(saved, expected);

        changes.record(Change::Obstacle(ListChange::Clear));
        changes.record(added([1.0, 2.0], 3.0));
        for text in [HEADERS, INLINE, DOTTED] {
            let saved = changes.text(&source(text, &[], None)).unwrap();
            assert!(!saved.contains("10.0, 10.0") && !saved.contains("[10, 10]"), "{saved}");
            assert_eq!(saved.matches("radius").count(), 1, "{saved}");
        }
    }

    #[test]
    fn things_dragged_by_turns_leave_one_change_each() {
        let mut changes = Changes::default();
        let set = |number, x: f64| ListChange::Set(number, vec![("centre", [x, 1.0].into_iter().collect())]);
        for turn in 0..100 {
            changes.record(Change::Obstacle(set(turn % 3, turn as f64)));
            changes.record(Change::Wall(turn % 2, set(turn % 2, turn as f64)));
        }
        assert_eq!((changes.obstacles.len(), changes.walls.len()), (3, 2));
        // After a removal the same number is another entry.
        changes.record(Change::Obstacle(ListChange::Remove(0)));
        changes.record(Change::Obstacle(set(1, 7.0)));
        assert_eq!(changes.obstacles.len(), 5);
    }

    #[test]
    fn walls_are_changed_where_they_are() {
        let text = "format = 1\nwalls = [ [[1, 1], [9, 1]], # south\n  [[1, 5], [9, 5]], [[1, 7], [9, 7]] ]\n[world]\n\
                    dimensions = 2\nsize = [20, 20]\n[[wall]]\nline = [[1, 2], [3, 4]]\n[[wall]]\ncentre = [15, 15]\n\
                    radius = 1\n[species.ant]\ncount = 1\nbehaviours = []\n";
        let moved = |number, y: f64| {
            let points: Value = [[1.0, y], [9.0, y]].iter().map(|at| at.iter().copied().collect::<Value>()).collect();
            Change::Wall(number, ListChange::Set(number, vec![("line", points)]))
        };
        let mut changes = Changes::default();
        // The world's walls: two entries, then three paths.
        changes.record(moved(3, 5.5));
        changes.record(moved(3, 6.0));
        changes.record(Change::Wall(2, ListChange::Remove(2)));
        changes.record(Change::Wall(0, ListChange::Remove(0)));
        changes.record(moved(2, 8.0));
        changes.record(Change::Wall(
            3,
            ListChange::Add(vec![("centre", [4.0, 4.0].into_iter().collect()), ("radius", 2.0.into())]),
        ));
        let saved = changes.text(&source(text, &[], None)).unwrap();
        assert!(saved.contains("[[1, 6.0], [9, 6.0]]") && saved.contains("[[1, 8.0], [9, 8.0]]"), "{saved}");
        assert!(!saved.contains("[1, 1]") && !saved.contains("[3, 4]"), "{saved}");
        assert_eq!((saved.matches("[[wall]]").count(), saved.matches("radius").count()), (2, 2), "{saved}");

        changes.record(moved(9, 1.0));
        let refused = changes.text(&source(text, &[], None)).unwrap_err();
        assert!(refused.contains("wall 10 is part of the floor plan"), "{refused}");
    }

    #[test]
    fn an_invalid_scenario_is_not_written() {
        let mut changes = Changes::default();
        changes.record(added([40.0, 30.0], 500.0));
        let written = changes.text(&source(HEADERS, &[], None)).unwrap_err();
        assert!(written.contains("inside an obstacle"), "{written}");
        // Another scenario has replaced the file.
        let mut changes = Changes::default();
        changes.record(Change::Count("moth-1".into(), 1));
        let other = HEADERS.replace("moth-1", "bee");
        assert!(Scenario::parse(&other, "bees.toml").is_ok());
        assert!(changes.text(&source(&other, &[], None)).unwrap_err().contains("moth-1"));
    }
}
