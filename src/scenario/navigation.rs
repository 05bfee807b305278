//! Reading of navigations, and the check that agents can reach their goals.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::settings::Settings;
use crate::environment::navigation::{self, CAPACITY, CELL, MOST_CELLS};
use crate::environment::region::Shape;
use crate::environment::{Environment, Goal, Navigation};
use crate::maths::Vector;
use crate::rules::parameters::{Kind, Parameter, Preset, Range, Value};
use crate::scenario::definition::{Group, Scenario};
use crate::scenario::draw::OccupiedSpace;
use crate::scenario::fields::{Fields, Reader, is_name};
use crate::scenario::reason::Reason;

/// The keys of a navigation.
pub(crate) const NAVIGATION: &[Parameter] = &[
    Parameter {
        name: "goals",
        unit: "",
        kind: Kind::References("mark or region"),
        help: "Goals: `\"region:NAME\"` or `\"mark:NAME\"`; ways lead to the nearest.",
        default: Preset::Required,
    },
    Parameter {
        name: "clearance",
        unit: "m",
        kind: Kind::Number(Range::LENGTH),
        help: "Least distance of ways from walls: the radius of the bodies.",
        default: Preset::Number(0.25),
    },
    Parameter {
        name: "cell",
        unit: "m",
        kind: Kind::Number(CELL),
        help: "Length of a cell; a passage must be wider by more than a cell than twice the clearance.",
        default: Preset::Word("the longer side of the world / 512"),
    },
    Parameter {
        name: "capacity",
        unit: "1/s",
        kind: Kind::Number(CAPACITY),
        help: "Agents that can leave at the goals per second, for estimates of queues.",
        default: Preset::Number(1.3),
    },
];

/// The largest number of agents of a species whose ways are checked.
const CHECKED: u64 = 1000;

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

/// Reads the navigations from the file's outermost table.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> Vec<NavigationSpec> {
    let environment = &scenario.environment;
    let marks: Vec<&str> = environment.marks.iter().map(|(name, _)| &name[..]).collect();
    let regions: Vec<&str> = environment.regions.iter().map(|region| &region.name[..]).collect();
    let mut specs = Vec::new();
    for (name, table) in reader.named_tables(root, "navigation") {
        if scenario.dimensions != 2 {
            reader.note(table.at, table.path.clone(), None, Reason::OnlyWith { key: "dimensions", value: "2" });
        }
        if environment.fields.iter().any(|field| field.name == name) {
            reader.note(table.at, table.path.clone(), None, Reason::FieldTaken);
        }
        let [clearance, cell, capacity] = ["clearance", "cell", "capacity"].map(|key| reader.number(&table, key));
        check_cell(reader, &table, cell, scenario.size.as_deref());
        let Some(Value::Words(words)) = reader.value(&table, "goals", 0) else { continue };
        let mut goals = Vec::new();
        for word in &words {
            match word.split_once(':') {
                Some(("region", region)) if reader.known(&table, "goals", "region", region, &regions) => {
                    goals.push((false, region.to_owned()));
                }
                Some(("mark", mark)) if reader.known(&table, "goals", "mark", mark, &marks) => {
                    goals.push((true, mark.to_owned()));
                }
                Some(("region" | "mark", _)) => {}
                _ => {
                    let prefixed = |kind: &str, names: &[&str]| -> Vec<String> {
                        names.iter().map(|name| format!("{kind}:{name}")).collect()
                    };
                    let known = [prefixed("region", &regions), prefixed("mark", &marks)].concat();
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

/// Refuses a cell of which the world has too many.
fn check_cell<'d>(reader: &mut Reader<'d>, table: &Fields<'d>, cell: Option<f32>, size: Option<&[f32]>) {
    let (Some(cell), Some(entry), Some(&[x, y])) = (cell, table.entry("cell"), size) else { return };
    let least = navigation::least_cell([x, y]);
    if cell < least {
        reader.refuse(table.path_of("cell"), &entry.item, Reason::TooFine { least, most: MOST_CELLS });
    }
}

impl NavigationSpec {
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        let goal = |(is_mark, name): &(bool, String)| match is_mark {
            true => Goal::Mark(name.clone()),
            false => Goal::Region(name.clone()),
        };
        let mut navigation = Navigation::new(&self.name[..], self.goals.iter().map(goal).collect());
        navigation.clearance = self.clearance.unwrap_or(navigation.clearance);
        navigation.capacity = self.capacity.unwrap_or(navigation.capacity);
        navigation.cell = self.cell;
        environment.add_navigation(navigation).map(drop)
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
    let doors: Vec<_> = environment.wall_ids().filter(|(_, wall)| !wall.open.is_empty()).map(|(id, _)| id).collect();
    for door in doors {
        environment.remove_wall(door);
    }
    navigation::settle(&mut environment, &settings, 0);
    let occupied = OccupiedSpace::new(&environment, &settings);
    let mut first = 0;
    for group in &scenario.groups {
        let starts: Vec<_> =
            (0..group.count).take(CHECKED as usize).map(|number| AgentId::from_bits(first + number)).collect();
        let mut starts: Vec<_> = starts.into_iter().map(|id| group.draw(&settings, &occupied, id).0).collect();
        let sources = scenario.people.sources.iter().filter(|source| source.species == group.name);
        let regions = sources.filter_map(|source| {
            environment.regions().iter().find(|region| region.name == source.region).map(|region| region.shape)
        });
        starts.extend(regions.flat_map(|shape| lattice(&shape, &settings)));
        first += group.count;
        for (number, navigation) in environment.navigations().iter().enumerate() {
            let Some(field) = environment.navigation_field_at(number).filter(|_| group.follows(&navigation.name))
            else {
                continue;
            };
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
    fn follows(&self, name: &str) -> bool {
        let refers = |value: &Value| match value {
            Value::Word(word) => word == name,
            Value::Words(words) => words.iter().any(|word| word == name),
            _ => false,
        };
        self.rules.iter().any(|rule| rule.values.iter().any(|(_, value)| refers(value)))
    }
}
