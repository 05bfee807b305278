//! Random edits and questions of a host between two ticks. Worlds in the same state get the same ones and answer alike.

use std::sync::Arc;

use throng::parameters::{Reflect, Value};
use throng::species::tables::TIMES;
use throng::{
    AgentId, Behaviour, Collection, Distribution, Edge, Environment, Item, Mark, Motion, Obstacle, Quantity, Registry,
    Rule, Settings, SpeciesId, Track, Tracks, Vector, Wall, WallShape, World,
};

use crate::worlds::draw::Draw;
use crate::worlds::values::Cast;

/// A host that edits a world.
pub(crate) struct Host<'h, const D: usize> {
    pub(crate) world: &'h mut World<D>,
    pub(crate) registry: &'h Registry,
    pub(crate) draw: Draw,
}

impl<const D: usize> Host<'_, D> {
    /// Makes a random edit or asks a random question. Returns the action, and the answer. A refused edit has changed
    /// nothing.
    pub(crate) fn act(&mut self) -> String {
        let before = self.world.state_hash();
        let said = self.action();
        assert!(
            !said.contains("Err(") || self.world.state_hash() == before,
            "a refused edit changes the state: {said}"
        );
        said
    }

    fn action(&mut self) -> String {
        match self.draw.below(12) {
            0..3 => self.crowd(),
            3 | 4 => self.agent(),
            5 => self.columns(),
            6 => self.species(),
            7 => self.rules(),
            8 => self.settings(),
            9 | 10 => self.environment(),
            _ => self.ask(),
        }
    }

    fn size(&self) -> Vector<D> {
        self.world.settings().size
    }

    fn any_species(&mut self) -> SpeciesId {
        let species: Vec<SpeciesId> = self.world.species_ids().collect();
        self.draw.one(&species)
    }

    fn any_agent(&mut self) -> Option<AgentId> {
        let species = self.any_species();
        let ids = self.world.agents(species).ok()?.ids();
        (!ids.is_empty()).then(|| self.draw.one(ids))
    }

    fn cast(&self) -> Cast {
        let settings = self.world.settings();
        let named = |what: &str, names: Vec<String>| (what.to_owned(), names);
        let environment = self.world.environment();
        let species = self.world.species_ids().filter_map(|id| self.world.species(id).ok());
        let mut names: std::collections::BTreeMap<_, _> = [
            named("species", species.map(|species| species.name.clone()).collect()),
            named("mark", environment.marks.items().iter().map(|mark| mark.name.clone()).collect()),
            named("region", environment.regions.items().iter().map(|region| region.name.clone()).collect()),
            named("flow field", environment.fields.items().iter().map(|field| field.name().to_owned()).collect()),
            named("navigation", environment.navigations.items().iter().map(|ways| ways.name.clone()).collect()),
            named(
                "queue or waiting area",
                environment.places.items().iter().map(|places| places.name.clone()).collect(),
            ),
        ]
        .into();
        names.retain(|_, names| !names.is_empty());
        Cast {
            dimensions: D,
            size: settings.size.0.iter().map(|&size| size.into()).collect(),
            seconds: f64::from(settings.tick_seconds) * 20.0,
            names,
        }
    }

    /// Adds and removes agents.
    fn crowd(&mut self) -> String {
        let (species, size) = (self.any_species(), self.size());
        match self.draw.below(10) {
            0..4 => {
                let (at, velocity) = (self.draw.point(size), self.draw.velocity());
                format!("spawn {:?}", self.world.spawn(species, at, velocity))
            }
            4 => {
                let (at, velocity) = (self.draw.point(size), self.draw.velocity());
                let count = self.draw.one(&[2, 16, 17, 40]);
                // A clump has neither end nor limit: the rest of a crowd goes.
                if self.world.population() > 1500 {
                    self.world.clear();
                }
                let added = self.world.spawn_many(species, &vec![at.0; count], &vec![velocity.0; count]);
                format!("spawn {count}: {added:?}")
            }
            5..8 => match self.any_agent() {
                Some(id) => format!("despawn {id:?}: {:?}", self.world.despawn(id)),
                None => String::new(),
            },
            8 => {
                let part = self.draw.one(&[2, 3, 7]);
                let removed = self.world.despawn_where(species, |_, row| row % part == 0);
                format!("despawn every {part}th of {species:?}: {removed:?}")
            }
            _ if self.draw.chance(0.1) => {
                self.world.clear();
                "clear".to_owned()
            }
            _ => match self.any_agent() {
                Some(id) => format!("despawn {id:?}: {:?}", self.world.despawn(id)),
                None => String::new(),
            },
        }
    }

    /// Moves agents, and changes their bodies, goals and states.
    fn agent(&mut self) -> String {
        let (species, size) = (self.any_species(), self.size());
        let Some(id) = self.any_agent() else { return String::new() };
        let (at, velocity) = (self.draw.point(size), self.draw.velocity::<D>());
        match self.draw.below(9) {
            0 => format!("place {id:?} at {at:?}: {:?}", self.world.set_position(id, at)),
            1 => {
                // As far as agents move in a tick.
                let near = self.world.position(id).unwrap_or(at) + velocity * self.world.settings().tick_seconds;
                format!("move {id:?} to {near:?}: {:?}", self.world.set_position(id, near))
            }
            2 => {
                let Ok(agents) = self.world.agents(species) else { return String::new() };
                let moved = agents.positions().map(|axis| axis.iter().map(|at| at * 0.99).collect::<Vec<_>>());
                format!(
                    "move {species:?}: {:?}",
                    self.world.set_positions(species, moved.each_ref().map(|axis| &axis[..]))
                )
            }
            3 => format!("push {id:?} by {velocity:?}: {:?}", self.world.set_velocity(id, velocity)),
            4 => {
                let Ok(agents) = self.world.agents(species) else { return String::new() };
                let all = velocity.0.map(|speed| vec![speed; agents.len()]);
                let pushed = self.world.set_velocities(species, all.each_ref().map(|axis| &axis[..]));
                format!("push {species:?} by {velocity:?}: {pushed:?}")
            }
            5 | 6 => {
                let goal = self.draw.chance(0.7).then_some(at);
                format!("goal of {id:?} is {goal:?}: {:?}", self.world.set_goal(id, goal))
            }
            7 => {
                let quantity = self.draw.one(&Quantity::OF_BODY);
                let value = self.number(quantity.parameter()) as f32;
                format!("{quantity:?} of {id:?} is {value}: {:?}", self.world.set_quantity(id, quantity, value))
            }
            _ => {
                let state = format!("state{}", self.draw.below(3));
                format!("{id:?} enters {state}: {:?}", self.world.set_state(id, &state))
            }
        }
    }

    /// A number of the range of a parameter.
    fn number(&mut self, parameter: &throng::parameters::Parameter) -> f64 {
        let cast = self.cast();
        match cast.value(&mut self.draw, parameter, None) {
            Some(Value::Number(number)) => number,
            _ => 1.0,
        }
    }

    /// Adds, removes and writes columns.
    fn columns(&mut self) -> String {
        let species = self.any_species();
        // The first three are read by rules.
        let name = self.draw.one(&["preferred", "force", "group", "count"]);
        let known = self.world.agents(species).is_ok_and(|agents| agents.columns().any(|column| column.name == name));
        let value = self.draw.velocity::<D>();
        match (known, self.draw.below(4)) {
            (true, 0) => format!("remove {name}: {:?}", self.world.remove_column(species, name)),
            (true, 1) => {
                let Ok(count) = self.world.agents(species).map(throng::Agents::len) else { return String::new() };
                format!("write {name}: {:?}", self.world.set_column(species, name, &vec![value.0; count]))
            }
            (true, _) => match self.any_agent() {
                Some(id) if name == "group" => {
                    format!("{name} of {id:?}: {:?}", self.world.set_column_value(id, name, 1_u32))
                }
                Some(id) => format!("{name} of {id:?}: {:?}", self.world.set_column_value(id, name, value.0)),
                None => String::new(),
            },
            (false, _) if name == "group" => format!("add {name}: {:?}", self.world.add_column(species, name, 0_u32)),
            (false, _) => format!("add {name}: {:?}", self.world.add_column(species, name, value.0)),
        }
    }

    /// Changes quantities, states and the motion of a species.
    fn species(&mut self) -> String {
        let id = self.any_species();
        match self.draw.below(8) {
            0..3 => {
                let quantity = self.draw.one(&Quantity::ALL);
                let value = self.number(quantity.parameter());
                format!("{quantity:?} is {value}: {:?}", self.world.set_parameter(id, quantity.name(), value))
            }
            3 => {
                let quantity = self.draw.one(&Quantity::OF_BODY);
                let [one, other] = [0, 1].map(|_| self.number(quantity.parameter()) as f32);
                let (low, high) = if one < other { (one, other) } else { (other, one) };
                let drawn = Distribution::Uniform(low, high);
                let edit = self.world.edit_species(id, |species| species.set_quantity(quantity, drawn));
                format!("{quantity:?} is {drawn:?}: {edit:?}")
            }
            4 => {
                let [first, second] = TIMES.each_ref().map(|time| {
                    let number = self.number(time) as f32;
                    let most = if number > 0.0 { number } else { 0.0 };
                    self.draw.chance(0.7).then_some(Distribution::Uniform(0.0, most))
                });
                let edit = self.world.edit_species(id, |species| {
                    (species.pre_movement, species.lifetime) = (first, second);
                });
                format!("times {first:?} {second:?}: {edit:?}")
            }
            5 => {
                let edit = self.world.edit_species(id, |species| {
                    species.states.pop();
                });
                format!("a state less: {edit:?}")
            }
            6 => {
                let edit = self.world.edit_species(id, |species| species.moved_by_host = !species.moved_by_host);
                format!("moved by the host: {edit:?}")
            }
            _ => {
                let motions: Vec<_> = self.registry.motions::<D>().collect();
                let motion: Box<dyn Motion<D>> = self.draw.one(&motions).duplicate();
                let motion = self.draw.chance(0.7).then(|| Arc::from(motion));
                let what = format!("motion {motion:?}");
                format!("{what}: {:?}", self.world.edit_species(id, |species| species.motion = motion))
            }
        }
    }

    /// Adds, removes and changes rules.
    fn rules(&mut self) -> String {
        let id = self.any_species();
        let Ok(count) = self.world.species(id).map(|species| species.rules.len()) else { return String::new() };
        let place = self.draw.below(count);
        match self.draw.below(8) {
            0 => {
                let rules: Vec<_> = self.registry.rules::<D>().collect();
                let rule: Box<dyn Behaviour<D>> = self.draw.one(&rules).duplicate();
                let what = format!("rule {rule:?}");
                format!("{what}: {:?}", self.world.add_rule(id, Rule::from_arc(0.5, Arc::from(rule))))
            }
            1 => format!("remove rule {place}: {:?}", self.world.remove_rule(id, place).map(drop)),
            2 => format!("reverse rules: {:?}", self.world.edit_species(id, |species| species.rules.reverse())),
            3 if count > 0 => {
                let weight = self.draw.between(-1.0, 2.0);
                format!(
                    "weight {weight}: {:?}",
                    self.world.set_parameter(id, &format!("behaviours.{place}.weight"), weight)
                )
            }
            _ if count == 0 => String::new(),
            _ => {
                let Ok(species) = self.world.species(id) else { return String::new() };
                let Some(table) = species.rules[place].behaviour.table() else { return String::new() };
                let (name, parameters) = (table.rule(), Reflect::parameters(table));
                if parameters.is_empty() {
                    return String::new();
                }
                let (parameter, cast) = (self.draw.one(parameters), self.cast());
                let Some(value) = cast.value(&mut self.draw, &parameter, None) else { return String::new() };
                let path = format!("behaviours.{place}.{}", parameter.name);
                format!(
                    "{name}.{} is {value:?}: {:?}",
                    parameter.name,
                    self.world.set_parameter(id, &path, value.clone())
                )
            }
        }
    }

    fn settings(&mut self) -> String {
        let mut settings: Settings<D> = self.world.settings().clone();
        match self.draw.below(5) {
            0 => settings.tick_seconds *= self.draw.one(&[0.5, 2.0]),
            1 => settings.pair_budget = self.draw.one(&[None, Some(64), Some(4096)]),
            2 => settings.seed = self.draw.seed(),
            3 => settings.edge[D - 1] = self.draw.one(&Edge::ALL),
            _ => settings.size[0] *= self.draw.one(&[0.8, 1.25]),
        }
        format!("{settings:?}: {:?}", self.world.set_settings(settings.clone()))
    }

    /// Removes an item of one kind, changes it, or adds another one.
    fn item<T: Item>(
        &mut self,
        all: impl Fn(&mut Environment<D>) -> &mut Collection<T>,
        alter: impl Fn(&mut T, &mut Draw),
        rename: impl Fn(&mut T, String),
    ) -> String {
        let all = all(self.world.environment_mut());
        let items: Vec<_> = all.iter().map(|(id, item)| (id, item.clone())).collect();
        if items.is_empty() {
            return String::new();
        }
        let (id, mut item) = self.draw.one(&items);
        match self.draw.below(4) {
            0 => format!("remove {:?}", all.remove(id)),
            1 => {
                rename(&mut item, format!("new{}", self.draw.below(3)));
                alter(&mut item, &mut self.draw);
                format!("add {item:?}: {:?}", all.add(item.clone()))
            }
            _ => {
                alter(&mut item, &mut self.draw);
                format!("set {item:?}: {:?}", all.set(id, item.clone()))
            }
        }
    }

    /// Adds, removes, moves and changes items of the environment.
    fn environment(&mut self) -> String {
        let size = self.size();
        let at: Vector<D> = self.draw.point(size);
        match self.draw.below(14) {
            0 => {
                let obstacle = Obstacle { velocity: self.draw.velocity(), ..Obstacle::new(at, 0.1 * size[0]) };
                format!("add {obstacle:?}: {:?}", self.world.environment_mut().obstacles.add(obstacle))
            }
            1 => {
                let shape = match self.draw.below(3) {
                    0 if D == 2 => WallShape::Path { points: vec![at, self.draw.point(size)], closed: false },
                    1 => WallShape::Box { centre: at, half: size * 0.07 },
                    _ => WallShape::Ball { centre: at, radius: 0.1 * size[0] },
                };
                let wall = Wall { velocity: self.draw.velocity::<D>() * 0.3, ..Wall::new(shape) };
                format!("add {wall:?}: {:?}", self.world.environment_mut().walls.add(wall.clone()))
            }
            2 => {
                let mark = format!("mark{}", self.draw.below(3));
                format!("{mark} at {at:?}: {:?}", self.world.environment_mut().marks.put(Mark::new(&mark, at)))
            }
            3 => self.item(
                |environment| &mut environment.obstacles,
                |item: &mut Obstacle<D>, _: &mut Draw| item.centre = at,
                |_: &mut Obstacle<D>, _| (),
            ),
            4 | 5 => self.item(
                |environment| &mut environment.walls,
                |item: &mut Wall<D>, draw: &mut Draw| match draw.below(3) {
                    0 => item.velocity = draw.velocity::<D>() * 0.3,
                    1 => item.open = vec![[0.0, draw.between(0.1, 2.0) as f32]],
                    _ => item.shape = item.shape.displaced([draw.between(-1.0, 1.0); D]),
                },
                |item: &mut Wall<D>, name| item.name = Some(name),
            ),
            6 => self.item(
                |environment| &mut environment.regions,
                |item: &mut throng::Region<D>, _: &mut Draw| match &mut item.shape {
                    throng::Shape::Ball { centre, .. } | throng::Shape::Box { centre, .. } => *centre = at,
                    _ => {}
                },
                |item: &mut throng::Region<D>, name| item.name = name,
            ),
            7 => self.item(
                |environment| &mut environment.sources,
                |item: &mut throng::Source<D>, draw: &mut Draw| {
                    item.arrivals = throng::Arrivals::Poisson(draw.between(0.0, 20.0) as f32)
                },
                |item: &mut throng::Source<D>, name| item.name = name,
            ),
            8 => self.item(
                |environment| &mut environment.sinks,
                |item: &mut throng::Sink, _: &mut Draw| item.states.clear(),
                |item: &mut throng::Sink, name| item.name = name,
            ),
            9 => self.item(
                |environment| &mut environment.zones,
                |item: &mut throng::Zone<D>, draw: &mut Draw| item.factor = draw.between(0.0, 3.0) as f32,
                |_: &mut throng::Zone<D>, _| (),
            ),
            10 => self.item(
                |environment| &mut environment.navigations,
                |item: &mut throng::Navigation<D>, draw: &mut Draw| item.clearance = draw.between(0.0, 0.5) as f32,
                |item: &mut throng::Navigation<D>, name| item.name = name,
            ),
            11 => self.item(
                |environment| &mut environment.places,
                |item: &mut throng::Places<D>, _: &mut Draw| item.points.reverse(),
                |item: &mut throng::Places<D>, name| item.name = name,
            ),
            12 => self.tracks(at),
            _ => {
                let fields = self.world.environment().fields.ids().to_vec();
                if fields.is_empty() {
                    return String::new();
                }
                let id = self.draw.one(&fields);
                let environment = self.world.environment_mut();
                match environment.fields.get(id).cloned() {
                    Some(field) if self.draw.chance(0.7) => {
                        let turned = field.vectors().iter().map(|&vector| vector * -0.5).collect();
                        match throng::FlowField::new(field.name(), field.cells(), turned) {
                            Ok(turned) => format!("field {}: {:?}", field.name(), environment.fields.put(turned)),
                            Err(error) => error.to_string(),
                        }
                    }
                    _ => format!("remove field {id:?}: {}", environment.fields.remove(id).is_ok()),
                }
            }
        }
    }

    /// Adds tracks that begin soon, through the edges of the world or over its seam, or changes or removes some.
    fn tracks(&mut self, at: Vector<D>) -> String {
        if self.draw.chance(0.3) {
            return self.item(
                |environment| &mut environment.tracks,
                |item: &mut Tracks<D>, _: &mut Draw| item.tracks.iter_mut().for_each(|track| track.positions.reverse()),
                |item: &mut Tracks<D>, name| item.name = name,
            );
        }
        let (id, size, seconds) = (self.any_species(), self.size(), self.world.seconds());
        let Ok(species) = self.world.species(id).map(|species| species.name.clone()) else { return String::new() };
        let frame_seconds = self.world.settings().tick_seconds * self.draw.one(&[0.4, 1.0, 2.5]);
        let track = |draw: &mut Draw| {
            let (velocity, is_wrapped) = (draw.velocity::<D>(), draw.chance(0.5));
            let first = (seconds / f64::from(frame_seconds)) as u64 + draw.below(5) as u64;
            let on = |frame: usize| {
                let on = at + velocity * (frame as f32 * frame_seconds);
                if is_wrapped { Vector::from_fn(|axis| on[axis].rem_euclid(size[axis])) } else { on }
            };
            Track { first, positions: (0..2 + draw.below(12)).map(on).collect() }
        };
        let tracks = (0..3).map(|_| track(&mut self.draw)).collect();
        let item = Tracks::new(format!("tracks{}", self.draw.below(3)), species, frame_seconds, tracks);
        format!("add {item:?}: {:?}", self.world.environment_mut().tracks.add(item.clone()))
    }

    /// Asks a question, whose answer follows from the state.
    fn ask(&mut self) -> String {
        let size = self.size();
        let at: Vector<D> = self.draw.point(size);
        let radius = self.draw.one(&[0.0, 0.1, 0.4]) * size[0];
        let (mut found, mut near, mut walls) = (Vec::new(), Vec::new(), Vec::new());
        match self.draw.below(5) {
            0 => {
                let answer = self.world.query().within(at, radius, &mut found);
                format!("within {answer:?} {found:?}")
            }
            1 => {
                let answer = self.world.query().nearest(at, 1 + self.draw.below(9), &mut found);
                format!("nearest {answer:?} {found:?}")
            }
            2 => {
                let answer = self.world.query().walls_within(at, radius, &mut walls);
                format!("walls {answer:?} {walls:?}")
            }
            number => match self.any_agent() {
                Some(id) if number == 3 => {
                    let answer = self.world.query().around(id, radius, &mut near);
                    format!("near {answer:?} {near:?}")
                }
                // The force of the last tick is not part of the state.
                Some(id) => format!("{:?} {:?}", self.world.steering_of(id).is_ok(), self.world.explain(id)),
                None => String::new(),
            },
        }
    }
}
