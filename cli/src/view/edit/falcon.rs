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
    fn inputs(&self) -> Inputs<'_> {
        Inputs::default().target("target", &self.target).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        Flee { target: self.target.clone(), panic_radius: self.panic_radius }.steer(me)
    }

    throng::reflect!();
}

/// The rules of snapshots: those of scenarios, and that of the falcon.
pub(crate) fn with_falcon(registry: &Registry) -> Result<Registry, String> {
    let both = registry.clone().with_in(Falcon::<2>::default()).and_then(|both| both.with_in(Falcon::<3>::default()));
    both.map_err(text)
}

/// Whether a rule is that of the falcon, which is none of the scenario's.
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
