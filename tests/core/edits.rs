//! Random edits by a host. Worlds in the same state get the same edits.

#![allow(dead_code, reason = "not every test uses every item")]

use throng::behaviours::{Separation, Wander};
use throng::{AgentId, Mark, Obstacle, Region, Rule, Settings, Shape, SpeciesId, Vector, World};

/// A random generator of the tests' own, independent of throng's noise.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Returns a number below `count`, or zero if `count` is zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { self.next() as usize % count }
    }

    /// Returns a number in [0, 1).
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 7) as f32 / (1 << 24) as f32
    }

    pub(crate) fn point<const D: usize>(&mut self, size: Vector<D>) -> Vector<D> {
        Vector::from_fn(|axis| self.unit() * size[axis])
    }
}

/// The number of kinds of edits.
pub(crate) const KINDS: usize = 19;

/// Makes a random edit. Returns the id of a spawned agent.
pub(crate) fn edit<const D: usize>(world: &mut World<D>, random: &mut Random) -> Option<AgentId> {
    let kind = random.below(KINDS);
    edit_of(world, random, kind)
}

/// Makes an edit of this kind, which succeeds. Returns the id of a spawned agent.
pub(crate) fn edit_of<const D: usize>(world: &mut World<D>, random: &mut Random, kind: usize) -> Option<AgentId> {
    let species: Vec<SpeciesId> = world.species_ids().collect();
    let species = species[random.below(species.len())];
    let size = world.settings().size;
    let point = random.point(size);
    let chosen = {
        let agents = world.agents(species).unwrap();
        agents.ids().get(random.below(agents.len())).copied()
    };
    let number = random.below(1000);
    let some = 1.0 + 4.0 * random.unit();
    match (kind, chosen) {
        (0 | 1, _) => return Some(world.spawn(species, point, Vector::splat(some)).unwrap()),
        (2, Some(id)) => world.despawn(id).unwrap(),
        (3, Some(id)) => world.set_position(id, point).unwrap(),
        (4, Some(id)) => {
            // A small step, as agents move in a tick.
            let at = world.position(id).unwrap();
            let near = Vector::from_fn(|axis| (at[axis] + 0.01 * some).clamp(0.0, size[axis]));
            world.set_position(id, near).unwrap();
        }
        (5, Some(id)) => world.set_velocity(id, point - size * 0.5).unwrap(),
        (6, Some(id)) => world.set_goal(id, (!number.is_multiple_of(3)).then_some(point)).unwrap(),
        (7, Some(id)) => {
            let states = &world.species(species).unwrap().states;
            if let Some(state) = states.get(number % (states.len() + 1)).map(|state| state.name.clone()) {
                world.set_state(id, &state).unwrap();
            }
        }
        (8, Some(id)) => world.set_quantity(id, throng::Quantity::OF_BODY[number % 4], some).unwrap(),
        (9, _) => {
            let name = format!("column {}", number % 3);
            let known = world.agents(species).unwrap().columns().any(|column| column.name == name);
            if known && number.is_multiple_of(2) {
                world.remove_column(species, &name).unwrap();
            } else if !known {
                world.add_column(species, &name, [number as u32, 7]).unwrap();
            }
        }
        (10, Some(id)) => {
            let columns: Vec<String> =
                world.agents(species).unwrap().columns().map(|column| column.name.to_owned()).collect();
            let [first, second] = [number as u32, random.next() as u32];
            for name in columns.iter().filter(|name| name.starts_with("column ")) {
                world.set_column_value(id, name, [first, second]).unwrap();
            }
        }
        (11, _) => {
            let weight = some - 2.0;
            let rules = world.species(species).unwrap().rules.len();
            if rules > 0 {
                let place = number % rules;
                world.edit_species(species, |species| species.rules[place].weight = weight).unwrap();
            }
        }
        (18, _) if number.is_multiple_of(4) => {
            let definition = world.species(species).unwrap().clone();
            world.remove_species(species).unwrap();
            let again = world.add_species(definition).unwrap();
            world.spawn_many(again, &[point.0; 3], &[[some; D]; 3]).unwrap();
        }
        (12, _) => match number % 4 {
            0 => world.add_rule(species, Rule::new(0.2, Wander::default())).unwrap(),
            1 => {
                let near = Separation { radius: some, ..Separation::default() };
                world.add_rule(species, Rule::new(0.3, near)).unwrap();
            }
            2 => world.edit_species(species, |species| species.rules.reverse()).unwrap(),
            _ => {
                let rules = world.species(species).unwrap().rules.len();
                if rules > 1 {
                    world.remove_rule(species, number % rules).unwrap();
                }
            }
        },
        (13, _) => {
            let speed =
                if number.is_multiple_of(2) { some.into() } else { throng::Distribution::Uniform(1.0, some + 1.0) };
            world.edit_species(species, |species| species.max_speed = speed).unwrap();
        }
        (14, _) => {
            let velocity = Vector::splat(some - 2.0);
            let environment = world.environment_mut();
            let first = environment.obstacles.iter().next().map(|(id, _)| id);
            match first {
                Some(id) if number.is_multiple_of(3) => assert!(environment.obstacles.remove(id).is_ok()),
                _ => {
                    environment.obstacles.add(Obstacle { velocity, ..Obstacle::new(point, some) }).unwrap();
                }
            }
        }
        (15, _) => {
            let environment = world.environment_mut();
            let first = environment.regions.iter().next().map(|(id, _)| id);
            match first {
                Some(id) if number.is_multiple_of(3) => assert!(environment.regions.remove(id).is_ok()),
                _ => {
                    let shape = Shape::Ball { centre: point, radius: 5.0 * some };
                    environment.regions.add(Region { name: format!("region {number}"), shape }).unwrap();
                }
            }
        }
        (16, _) => {
            world.environment_mut().marks.put(Mark::new(["light", "water", "nest"][number % 3], point)).unwrap();
        }
        _ => {
            let settings =
                Settings { pair_budget: [None, Some(64), Some(4096)][number % 3], ..world.settings().clone() };
            world.set_settings(settings).unwrap();
        }
    }
    None
}
