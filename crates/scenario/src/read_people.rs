//! Reading of sources, sinks and zones.

use throng::{Environment, Noise, Sink, Source, Vector, Zone};

use crate::definition::Scenario;
use crate::document::Node;
use crate::draw::{CHECK_DRAWS, OccupiedSpace};
use crate::environment;
use crate::fields::{Fields, Reader};
use crate::items::{ItemSpec, Scope};
use crate::people::PeopleSpec;
use crate::place;
use crate::reason::Reason;
use crate::start::StartRegion;
use crate::states::variables_of;
use crate::storeys::{Storeys, overlap};

/// The tables of the sources and of the sinks, for the checks that need the species.
pub(crate) type Tables<'d> = [Vec<Fields<'d>>; 2];

/// Reads sources, sinks and zones. Their states and the room for their agents are checked by [`check`].
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &Scenario) -> (PeopleSpec, Tables<'d>) {
    let table = match root.entry("species").map(|entry| &entry.item.node) {
        Some(Node::Table(table)) => &table[..],
        _ => &[],
    };
    let species: Vec<&str> = table.iter().map(|entry| &entry.key[..]).collect();
    let variables: Vec<&str> = table.iter().flat_map(|entry| variables_of(&entry.item.node)).collect();
    let regions: Vec<&str> = scenario.environment.regions.iter().map(ItemSpec::name).collect();
    let names = [("species", &species[..]), ("region", &regions), ("variable", &variables)];
    let scope = Scope { names: &names, dimensions: scenario.dimensions };
    let [sources, sinks, zones] = ["source", "sink", "zone"].map(|table| reader.tables(root, table));
    let people = PeopleSpec {
        sources: reader.items::<Source<2>, Source<3>>(&sources, "source", scope),
        sinks: reader.items::<Sink, Sink>(&sinks, "sink", scope),
        zones: reader.items::<Zone<2>, Zone<3>>(&zones, "zone", scope),
    };
    (people, [sources, sinks])
}

/// Checks that the states of sinks exist, and that sources have room for their agents.
pub(crate) fn check<'d>(reader: &mut Reader<'d>, [sources, sinks]: &Tables<'d>, scenario: &Scenario) {
    for fields in sinks {
        let Some(sink) = named(fields, &scenario.people.sinks) else { continue };
        let concerned = |name: &String| sink.words("species").is_empty() || sink.words("species").contains(name);
        let groups = scenario.groups.iter().filter(|group| concerned(&group.name));
        let known: Vec<&str> =
            groups.flat_map(|group| group.states.states.iter().map(|state| &state.name[..])).collect();
        for state in sink.words("states") {
            reader.known(fields, "states", "state", state, &known);
        }
    }
    for fields in sources {
        let Some(source) = named(fields, &scenario.people.sources) else { continue };
        let Some(group) = scenario.groups.iter().find(|group| group.name == source.word("species")) else { continue };
        let Some(region) = scenario.environment.regions.iter().find(|region| region.name() == source.word("region"))
        else {
            continue;
        };
        let (radius, Some(entry)) = (group.widest(), fields.entry("region")) else { continue };
        let mut problem = |reason| reader.refuse(fields.path_of("region"), &entry.item, reason);
        let Some(world) = &scenario.size else { continue };
        let start = environment::start(region);
        let half = match &start {
            StartRegion::Disc(_, radius) | StartRegion::Circle(_, radius) => *radius,
            StartRegion::Box(_, size) => {
                0.5 * size.iter().fold(f32::INFINITY, |least, &size| if size < least { size } else { least })
            }
            _ => continue,
        };
        let bounds = start.bounds(Vector::<2>::ZERO);
        let mut holes = scenario.storeys.iter().flat_map(Storeys::holes);
        let is_off_ground = |at: &[f64; 2]| {
            let position = Vector(at.map(|along| along as f32));
            scenario.storeys.as_ref().is_some_and(|storeys| !storeys.is_floor(position))
        };
        if half < radius {
            problem(Reason::NoRoom { radius });
        } else if let Some((name, _)) = holes.find(|(_, corners)| overlap(*corners, bounds)) {
            problem(Reason::InHole(name.to_owned()));
        } else if start.samples::<2>().iter().any(is_off_ground) {
            problem(Reason::Ground("all of the region must lie on the ground of the mesh".to_owned()));
        } else if let Some(outside) = place::outside(&start, world, &scenario.edge) {
            problem(outside);
        } else if !has_room(scenario, &start, radius) {
            problem(Reason::NoFreePlace { draws: CHECK_DRAWS });
        }
    }
}

/// The item whose name a table has.
fn named<'i>(fields: &Fields<'_>, items: &'i [ItemSpec]) -> Option<&'i ItemSpec> {
    let given = fields.entry("name")?.item.node.text()?;
    items.iter().find(|item| item.name() == given)
}

/// Returns whether draws find a place for a body clear of obstacles and walls.
fn has_room(scenario: &Scenario, region: &StartRegion, radius: f32) -> bool {
    match scenario.dimensions {
        3 => has_room_in::<3>(scenario, region, radius),
        _ => has_room_in::<2>(scenario, region, radius),
    }
}

fn has_room_in<const D: usize>(scenario: &Scenario, region: &StartRegion, radius: f32) -> bool {
    let (Some(settings), Some(shape)) = (scenario.settings::<D>(), region.shape::<D>()) else { return true };
    let mut environment = Environment::default();
    // An environment that a world refuses is reported when the world is built.
    if scenario.environment.build(&mut environment).is_err() {
        return true;
    }
    let space = OccupiedSpace::new(&environment, &settings, scenario);
    let mut noise = Noise::new(settings.seed, 0, 0, Noise::PLACE);
    (0..CHECK_DRAWS).any(|_| {
        let position = shape.draw(&settings, radius, &mut noise);
        position.is_some_and(|position| space.has_room(position, radius))
    })
}
