//! The falcon: the pointer as a hunter from which all agents near it flee. It is a rule that every species has while the
//! falcon flies, so its flight is part of the run: snapshots have it, and an earlier tick is reached with equal bits.

use throng::behaviours::Flee;
use throng::parameters::{Kind, Range};
use throng::{AgentRef, Behaviour, Combine, Error, Inputs, Registry, Rule, Species, Target, Vector, World};

use super::kinds::Applied;
use super::points::text;

/// The name of its rule, which no scenario can use.
const NAME: &str = "page-falcon";
/// The weight of its rule: fear exceeds every other wish.
const WEIGHT: f32 = 20.0;

throng::rule! {
    /// The force of `flee`.
    "page-falcon": "Flees from the pointer."
    pub(crate) struct Falcon<D> {
        /// The pointer.
        target: Target<D> = Target::default(), "m", Kind::Target;
        /// Distance within which agents flee.
        panic_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Behaviour<D> for Falcon<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        Flee { target: self.target.clone(), panic_radius: self.panic_radius, ..Flee::default() }.steer(me)
    }

    throng::reflect!();
}

/// The rules of snapshots: the rules of scenarios, and the rule of the falcon.
///
/// # Errors
///
/// Fails if the registry has a rule with the name of the falcon's.
pub fn with_falcon(registry: &Registry) -> Result<Registry, String> {
    let both = registry.clone().with_in(Falcon::<2>::default()).and_then(|both| both.with_in(Falcon::<3>::default()));
    both.map_err(text)
}

/// Whether a rule is the rule of the falcon, which no scenario has.
pub(crate) fn is_falcon<const D: usize>(rule: &Rule<D>) -> bool {
    rule.behaviour.name() == NAME
}

/// Whether the falcon flies in this world.
pub(crate) fn has_falcon<const D: usize>(world: &World<D>) -> bool {
    world.species_ids().any(|id| world.species(id).is_ok_and(|species| species.rules.iter().any(is_falcon)))
}

/// Moves the falcon to a point, or ends its flight. Species that cannot flee stay as they are.
pub(super) fn fly<const D: usize>(world: &mut World<D>, at: Option<Vector<D>>, radius: f32) -> Result<Applied, String> {
    let ids: Vec<_> = world.species_ids().collect();
    for id in ids {
        let before = world.species(id).map_err(text)?;
        if at.is_none() && !before.rules.iter().any(is_falcon) {
            continue;
        }
        match world.edit_species(id, |species| perch(species, at, radius)) {
            Ok(()) | Err(Error::BadValue { .. }) => {}
            Err(error) => return Err(text(error)),
        }
    }
    Ok(Applied::default())
}

/// Gives a species its rule of the falcon, or takes it. It comes first where the order of rules decides.
fn perch<const D: usize>(species: &mut Species<D>, at: Option<Vector<D>>, radius: f32) {
    let place = species.rules.iter().position(is_falcon);
    let rule = at.map(|at| Rule::new(WEIGHT, Falcon { target: Target::Point(at), panic_radius: radius }));
    match (place, rule) {
        (Some(place), Some(rule)) => species.rules[place].behaviour = rule.behaviour,
        (Some(place), None) => drop(species.rules.remove(place)),
        (None, Some(rule)) if species.combine == Combine::Weighted => species.rules.push(rule),
        (None, Some(rule)) => species.rules.insert(0, rule),
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use throng::behaviours::{Separation, Wander};
    use throng::parameters::Value;
    use throng::{Settings, SpeciesId};

    use super::super::{Edit, apply};
    use super::*;

    fn world(combine: Combine) -> (World<2>, SpeciesId) {
        let mut world = World::new(Settings { size: [100.0, 100.0].into(), ..Settings::default() }).unwrap();
        let bird =
            Species { combine, ..Species::new("bird") }.with(1.0, Separation::default()).with(1.0, Wander::default());
        let bird = world.add_species(bird).unwrap();
        (world, bird)
    }

    fn falcon(at: Option<[f64; 2]>) -> Edit {
        Edit::Falcon { at: at.map(|at| at.to_vec()), radius: 20.0 }
    }

    #[test]
    fn agents_near_the_falcon_flee_in_every_way_to_combine_rules() {
        for combine in [Combine::Weighted, Combine::Priority(0.1), Combine::Truncated] {
            let (mut world, bird) = world(combine);
            let near = world.spawn(bird, [55.0, 50.0], [0.0, 1.0]).unwrap();
            apply(&mut world, &falcon(Some([50.0, 50.0]))).unwrap();
            (0..60).for_each(|_| world.step());
            let off = world.position(near).unwrap().distance(Vector([50.0, 50.0]));
            assert!(off > 12.0, "{combine:?}: {off}");
        }
    }

    #[test]
    fn rules_keep_their_numbers_while_the_falcon_flies() {
        for combine in [Combine::Weighted, Combine::Truncated] {
            let (mut world, bird) = world(combine);
            apply(&mut world, &falcon(Some([50.0, 50.0]))).unwrap();
            apply(&mut world, &falcon(Some([51.0, 50.0]))).unwrap();
            assert!(has_falcon(&world) && world.species(bird).unwrap().rules.len() == 3);
            let value = Value::Number(7.0);
            let set = Edit::Set { species: 0, rule: Some(0), name: "radius".to_owned(), value: value.clone() };
            let applied = apply(&mut world, &set).unwrap();
            assert!(format!("{:?}", applied.changes).contains("\"behaviours\", \"0\", \"radius\""), "{applied:?}");
            let applied = apply(&mut world, &falcon(None)).unwrap();
            assert!(applied.changes.is_empty() && applied.inverse.is_empty() && !has_falcon(&world));
            let rules = &world.species(bird).unwrap().rules;
            let names: Vec<&str> = rules.iter().map(|rule| rule.behaviour.name()).collect();
            assert_eq!(names, ["separation", "wander"]);
            assert_eq!(rules[0].behaviour.table().unwrap().get("radius"), Some(value));
        }
    }

    #[test]
    fn a_snapshot_with_a_falcon_is_loaded() {
        let (mut world, _) = world(Combine::Weighted);
        apply(&mut world, &falcon(Some([50.0, 50.0]))).unwrap();
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let again = World::<2>::load_with(&bytes[..], &with_falcon(&Registry::new()).unwrap()).unwrap();
        assert_eq!(again.state_hash(), world.state_hash());
    }
}
