//! The transitions out of an agent's state, each with its condition and the present value that it compares.

use serde_json::{Value as Json, json};
use throng::{AgentId, Agents, Condition, Place, Shape, SpeciesFilter, Vector, World};

/// The factor of the distance of a condition up to which the nearest agent is searched for.
const REACH: f32 = 8.0;

/// Describes the transitions out of the state of an agent; none if its species has no states.
pub(super) fn of<const D: usize>(world: &World<D>, id: AgentId) -> Vec<Json> {
    let describe = || {
        let (species, row) = world.find(id).ok()?;
        let (definition, agents) = (world.species(species).ok()?, world.agents(species).ok()?);
        let state = definition.states.get(agents.state(row))?;
        let transitions = state.transitions.iter().map(|transition| {
            let (text, now) = condition(world, id, agents, row, &transition.when);
            json!({ "to": transition.to, "when": text, "now": now })
        });
        Some(transitions.collect())
    };
    describe().unwrap_or_default()
}

/// Returns a condition in words, and the present value, if there is one to compare.
fn condition<const D: usize>(
    world: &World<D>,
    id: AgentId,
    agents: &Agents<D>,
    row: usize,
    when: &Condition,
) -> (String, Option<String>) {
    let variable = |name: &str| agents.column::<f32>(name).ok().map(|column| number(column[row]));
    let near = |filter: &SpeciesFilter, limit: f32| nearest(world, id, filter, limit);
    let place =
        |place: &Place| distance(world, agents.position(row), place).map(|metres| format!("{} m", number(metres)));
    match when {
        Condition::Below(name, value) => (format!("{name} is at most {}", number(*value)), variable(name)),
        Condition::Above(name, value) => (format!("{name} is at least {}", number(*value)), variable(name)),
        Condition::Nearer(filter, limit) => {
            (format!("{} is nearer than {} m", one_of(filter), number(*limit)), Some(near(filter, *limit)))
        }
        Condition::Farther(filter, limit) => {
            (format!("{} is farther than {} m", one_of(filter), number(*limit)), Some(near(filter, *limit)))
        }
        Condition::NearerPlace(at, limit) => (format!("{} is nearer than {} m", named(at), number(*limit)), place(at)),
        Condition::FartherPlace(at, limit) => {
            (format!("{} is farther than {} m", named(at), number(*limit)), place(at))
        }
        Condition::Open(door) => (format!("the door {door} is open"), door_state(world, door)),
        Condition::Closed(door) => (format!("the door {door} is closed"), door_state(world, door)),
        Condition::After(seconds) => {
            let now = agents.seconds_in_state(row).map(|seconds| format!("{} s", number(seconds)));
            (format!("after {} s in the state", number(*seconds)), now)
        }
        Condition::Caught => ("it has caught an agent".into(), None),
        Condition::WasCaught => ("it was caught".into(), None),
        Condition::Arrived => ("it has arrived".into(), None),
        _ => (format!("{when:?}"), None),
    }
}

/// Formats a number with at most two decimals.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn one_of(filter: &SpeciesFilter) -> String {
    match filter {
        SpeciesFilter::Own => "one of its species".into(),
        SpeciesFilter::All => "any agent".into(),
        SpeciesFilter::Named(names) => names.join(" or "),
        _ => "an agent".into(),
    }
}

fn named(place: &Place) -> String {
    match place {
        Place::Point(point) => {
            format!("the point {}", point.iter().map(|&at| number(at)).collect::<Vec<_>>().join(", "))
        }
        Place::Mark(name) | Place::Region(name) => name.clone(),
        _ => "the place".into(),
    }
}

fn door_state<const D: usize>(world: &World<D>, name: &str) -> Option<String> {
    let door = world.environment().walls.named(name)?;
    let seconds = world.seconds();
    Some(if door.is_open(seconds) { "open" } else { "closed" }.into())
}

/// The distance of the nearest agent of these species, in words.
fn nearest<const D: usize>(world: &World<D>, id: AgentId, filter: &SpeciesFilter, limit: f32) -> String {
    let reach = (limit * REACH).clamp(1e-3, throng::LIMIT);
    let mut found = Vec::new();
    // An agent that does not exist has no neighbours.
    let _ = world.query().among(filter).around(id, reach, &mut found);
    match found.first() {
        Some(nearest) => format!("{} m", number(nearest.distance())),
        None => format!("over {} m", number(reach)),
    }
}

/// The distance of a place from a point, in metres; `None` if the world does not have the place.
fn distance<const D: usize>(world: &World<D>, from: Vector<D>, place: &Place) -> Option<f32> {
    let settings = world.settings();
    match place {
        Place::Point(point) => {
            let at = Vector::from_fn(|axis| point.get(axis).copied().unwrap_or(0.0));
            Some(settings.offset(from, at).length())
        }
        Place::Mark(name) => Some(settings.offset(from, world.environment().marks.named(name)?.position).length()),
        Place::Region(name) => {
            let region = world.environment().regions.named(name)?;
            let beyond = |length: f32| if length > 0.0 { length } else { 0.0 };
            match region.shape {
                Shape::Ball { centre, radius } => Some(beyond(settings.offset(from, centre).length() - radius)),
                Shape::Box { centre, half } => {
                    let offset = settings.offset(from, centre);
                    Some(Vector::<D>::from_fn(|axis| beyond(offset[axis].abs() - half[axis])).length())
                }
                _ => None,
            }
        }
        _ => None,
    }
}
