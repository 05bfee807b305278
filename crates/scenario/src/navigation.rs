//! Reading of navigations.

use throng::parameters::{Value, is_name};
use throng::{Environment, Error, Goal, MOST_CELLS, Navigation};

use crate::fields::{Fields, Reader};
use crate::reason::Reason;

/// A validated navigation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NavigationSpec {
    pub(crate) name: String,
    /// The prefix, `mark` or `region`, and the name of each goal.
    goals: Vec<(bool, String)>,
    clearance: Option<f32>,
    cell: Option<f32>,
    capacity: Option<f32>,
}

/// The largest length of a name.
const MOST_LETTERS: usize = 64;

/// Reads the navigations from the file's outermost table.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    size: Option<&[f32]>,
    dimensions: usize,
    [marks, regions, fields]: [&[&str]; 3],
) -> Vec<NavigationSpec> {
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "navigation") {
        if dimensions != 2 {
            reader.note(table.at, table.path.clone(), None, Reason::OnlyWith { key: "dimensions", value: "2" });
        }
        if fields.contains(&name) {
            reader.note(table.at, table.path.clone(), None, Reason::FieldTaken);
        }
        let [clearance, cell, capacity] = ["clearance", "cell", "capacity"].map(|key| reader.number(&table, key));
        check_cell(reader, &table, cell, size);
        let Some(Value::Words(words)) = reader.value(&table, "goals", 0) else { continue };
        let mut goals = Vec::new();
        for word in &words {
            match word.split_once(':') {
                Some(("region", region)) if reader.known(&table, "goals", "region", region, regions) => {
                    goals.push((false, region.to_owned()));
                }
                Some(("mark", mark)) if reader.known(&table, "goals", "mark", mark, marks) => {
                    goals.push((true, mark.to_owned()));
                }
                Some(("region" | "mark", _)) => {}
                _ => {
                    let prefixed = |kind: &str, names: &[&str]| -> Vec<String> {
                        names.iter().map(|name| format!("{kind}:{name}")).collect()
                    };
                    let known = [prefixed("region", regions), prefixed("mark", marks)].concat();
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    if let Some(entry) = table.entry("goals") {
                        reader.refuse(table.path_of("goals"), &entry.item, Reason::unknown("goal", word, &known));
                    }
                }
            }
        }
        if is_name(name) && goals.len() == words.len() {
            specs.push(NavigationSpec { name: name.to_owned(), goals, clearance, cell, capacity });
        }
    }
    specs
}

/// Refuses a cell size that gives the world too many cells.
fn check_cell<'d>(reader: &mut Reader<'d>, table: &Fields<'d>, cell: Option<f32>, size: Option<&[f32]>) {
    let (Some(cell), Some(entry), Some(&[x, y])) = (cell, table.entry("cell"), size) else { return };
    let least = Navigation::least_cell([x, y]);
    if cell < least {
        reader.refuse(table.path_of("cell"), &entry.item, Reason::TooFine { least, most: MOST_CELLS });
    }
}

impl NavigationSpec {
    /// The least distance of ways from walls, in metres.
    pub(crate) fn clearance(&self) -> f32 {
        self.clearance.unwrap_or(Navigation::<2>::CLEARANCE)
    }

    /// The same ways with another clearance, for a kind of people.
    pub(crate) fn widened(&self, kind: &str, clearance: f32) -> Self {
        let name = format!("{}-{kind}", self.name).chars().take(MOST_LETTERS).collect();
        Self { name, clearance: Some(clearance), ..self.clone() }
    }

    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        let goal = |(is_mark, name): &(bool, String)| match is_mark {
            true => Goal::Mark(name.clone()),
            false => Goal::Region(name.clone()),
        };
        let mut navigation = Navigation::new(&self.name[..], self.goals.iter().map(goal).collect());
        navigation.clearance = self.clearance.unwrap_or(navigation.clearance);
        (navigation.capacity, navigation.cell) = (self.capacity, self.cell);
        environment.navigations.add(navigation).map(drop)
    }
}
