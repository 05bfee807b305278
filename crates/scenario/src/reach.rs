//! The check that agents can reach the goals of their rules, and that queues and waiting areas have places.

use throng::parameters::Value;
use throng::{Collection, Environment, Error, Item, Settings, Shape, Vector, Warning, WarningKind, World};

use crate::definition::{Group, Scenario};
use crate::draw::{DrawnStart, OccupiedSpace};
use crate::fields::{Fields, Reader};
use crate::finer::Finer;
use crate::reason::Reason;
use crate::rules::RuleSpec;

/// The largest number of agents of a species whose ways are checked.
const CHECKED: u64 = 100_000;

/// The start of an agent.
struct Start {
    at: Vector<2>,
    /// The radius of its body, in metres.
    radius: f32,
    /// The place of its kind among the kinds of its species.
    kind: Option<usize>,
}

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
    remove(&mut environment.walls, |wall| !wall.open.is_empty());
    // Walls and obstacles that move may move away.
    let mut ground = environment.clone();
    remove(&mut ground.walls, |wall| wall.velocity != Vector::ZERO);
    remove(&mut ground.obstacles, |rock| rock.velocity != Vector::ZERO);
    // The first tick of a world computes the ways.
    let Ok(mut world) = World::new(settings.clone()) else { return };
    *world.environment_mut() = ground;
    world.step();
    reader.doubts.extend(world.warnings().into_iter().filter(|warning| warning.kind == WarningKind::Narrow));
    let space = OccupiedSpace::new(&environment, &settings, scenario);
    let mut space = space.with_few_bodies(&scenario.groups);
    let (mut first, mut groups) = (0, Vec::new());
    for group in &scenario.groups {
        let checked = if group.count < CHECKED { group.count } else { CHECKED };
        // Species that do not fit are reported where their agents start.
        let Ok(placed) = space.starts(group, first, 0..checked) else { return };
        let (seed, body) = (settings.seed, group.body());
        let start = |start: DrawnStart<2>| Start {
            at: start.agent.position,
            radius: body.start_radius(seed, start.id),
            kind: body.start_kind(seed, start.id),
        };
        let mut starts: Vec<_> = placed.map(start).collect();
        let sources = scenario.people.sources.iter().filter(|source| source.word("species") == group.name);
        let regions =
            sources.filter_map(|source| environment.regions.named(source.word("region")).map(|region| region.shape));
        let points: Vec<_> = regions.flat_map(|shape| lattice(&shape, &settings)).collect();
        for (kind, radius) in group.usual_radii() {
            let free = points.iter().filter(|point| space.has_room(**point, radius));
            starts.extend(free.map(|&at| Start { at, radius, kind }));
        }
        first += group.count;
        check_group(reader, root, (world.environment(), &settings, scenario), (group, &starts));
        groups.push((group, starts));
    }
    if reader.problems.is_empty() {
        check_cells(reader, root, (world.environment(), &settings), &groups);
    }
}

/// Removes the items of this kind.
fn remove<T: Item>(items: &mut Collection<T>, is_kind: impl Fn(&T) -> bool) {
    let found: Vec<_> = items.iter().filter(|(_, item)| is_kind(item)).map(|(id, _)| id).collect();
    found.into_iter().for_each(|id| drop(items.remove(id)));
}

/// Warns of navigations whose cells close a passage on the way of an agent.
fn check_cells<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    (environment, settings): (&Environment<2>, &Settings<2>),
    groups: &[(&Group, Vec<Start>)],
) {
    for (name, table) in reader.named_tables(root, "navigation") {
        let of_group = |(group, starts): &'_ (&Group, Vec<Start>)| {
            let takes = |start: &&Start| group.follows(name) && group.may_take(name, start.kind, start.radius);
            starts.iter().filter(takes).map(|start| start.at).collect::<Vec<_>>()
        };
        let starts: Vec<_> = groups.iter().flat_map(of_group).collect();
        if let Some(doubt) = (Finer { environment, settings, name }).doubt(&starts) {
            reader.doubts.push(Warning::new(WarningKind::Narrow, table.path_of("cell"), doubt));
        }
    }
}

/// Reports the navigations of a species whose goals its agents cannot reach, and wide kinds that reach no goal.
fn check_group<'d>(
    reader: &mut Reader<'d>,
    root: &Fields<'d>,
    (environment, settings, scenario): (&Environment<2>, &Settings<2>, &Scenario),
    (group, starts): (&Group, &[Start]),
) {
    // A navigation without goals is the ground of ways to goals of agents.
    let has_goals = |id: &_| environment.navigations.get(*id).is_some_and(|navigation| !navigation.goals.is_empty());
    let reaches = |navigation: &str, start: Vector<2>| {
        let id = environment.navigations.find(navigation).filter(has_goals);
        let field = id.and_then(|id| environment.navigation_field(id));
        field.is_none_or(|field| field.distance(start) < f32::INFINITY)
    };
    for (name, table) in reader.named_tables(root, "navigation").into_iter().filter(|(name, _)| group.follows(name)) {
        let takes = |start: &&Start| group.may_take(name, start.kind, start.radius);
        let cut_off = starts.iter().filter(takes).find(|start| !reaches(name, start.at));
        if let (Some(start), Some(entry)) = (cut_off, table.entry("goals")) {
            let cell = Finer { environment, settings, name }.serving_cell(start.at);
            let (species, (from, storey)) = (group.name.clone(), in_plan(scenario, start.at));
            reader.refuse(table.path_of("goals"), &entry.item, Reason::OutOfReach { species, from, storey, cell });
        }
    }
    for goals in group.rules.iter().map(RuleSpec::goals) {
        let is_stuck = |start: &&Start| {
            let may_take = |goal: &String| group.may_take(goal, start.kind, start.radius);
            // Agents that take all are reported above.
            !goals.iter().all(may_take) && !goals.iter().any(|goal| may_take(goal) && reaches(goal, start.at))
        };
        let Some(start) = starts.iter().find(is_stuck) else { continue };
        // A species without wide kinds takes all navigations.
        let Some(number) = start.kind.or(group.kinds.kinds.len().checked_sub(1)) else { continue };
        let (kind, (at, path)) = (&group.kinds.kinds[number], group.kinds.places[number].clone());
        let (from, storey) = in_plan(scenario, start.at);
        let reason = Reason::NoWideWay {
            kind: kind.name.clone(),
            radius: start.radius,
            from,
            storey,
            goals: goals.iter().filter(|goal| group.may_take(goal, None, 0.0)).cloned().collect(),
        };
        reader.note(at, path, None, reason);
    }
}

/// A position as the file has it, and its storey.
fn in_plan(scenario: &Scenario, at: Vector<2>) -> ([f32; 2], Option<String>) {
    let place = scenario.storeys.as_ref().and_then(|storeys| storeys.locate(at));
    place.map_or((at.0, None), |place| (place.plan.0, Some(place.name.to_owned())))
}

/// Points of a region, for the agents that its sources spawn there.
fn lattice(shape: &Shape<2>, settings: &Settings<2>) -> Vec<Vector<2>> {
    let (centre, half) = shape.bounds();
    let at = |number: usize| (number as f32 - 2.0) * 0.4;
    let points = (0..25).map(|number| centre + Vector([half[0] * at(number % 5), half[1] * at(number / 5)]));
    points.filter(|point| shape.contains(settings, *point)).collect()
}

impl Group {
    /// Whether a rule of the species follows a navigation like a flow field, and does not choose among several.
    pub(super) fn is_led_by_field(&self, name: &str) -> bool {
        let is_it = |value: &Value| matches!(value, Value::Word(word) if word == name);
        self.rules.iter().any(|rule| rule.values.iter().any(|(_, value)| is_it(value)))
    }

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
