//! The contribution of each rule to the steering of one agent.

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::derived::Derived;
use crate::tick::{arrange, edit, index, steer};
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::explanation::{Chosen, Contribution, Explanation};

impl<const D: usize> World<D> {
    /// Computes the contribution of each rule to the steering of an agent, as a tick would now, before agents change
    /// their states and take places: to the last bit, where the tick changes neither. An agent that the tick would remove
    /// first is explained as if it stayed. The state of the world does not change; the call may update its index. If the
    /// tick would sort rows, or add or remove agents, the first call makes a copy of the world, which serves until the
    /// world changes.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn explain(&mut self, id: AgentId) -> Result<Explanation<D>, Error> {
        (Compiled::functions().explain)(self, id)
    }

    /// Explains an agent: see [`explain`](Self::explain).
    pub(super) fn explained(&mut self, id: AgentId) -> Result<Explanation<D>, Error> {
        self.find(id)?;
        self.derived.plan(&self.state);
        // A single rank cannot ask the others, or measure boxes that they lack: it explains a copy.
        if self.next.is_none()
            && (!self.part.is_only_process()
                || edit::is_due(&self.state)
                || arrange::is_due(&self.state, &self.derived.indices, &mut self.part))
        {
            // Sums have the order of rows that the tick will have.
            let mut next = Box::new(self.copy());
            let Self { state, derived, undo, part, buffers, level, .. } = &mut *next;
            let state = &mut undo.of(state);
            edit::edit(state, derived, part, *level, &mut Vec::new());
            arrange::arrange(state, derived, part, (&mut buffers.sort, &mut buffers.search), *level);
            self.next = Some(next);
        }
        match &mut self.next {
            Some(next) if next.find(id).is_ok() => next.explained_now(id),
            _ => self.explained_now(id),
        }
    }

    /// The same in the present rows.
    fn explained_now(&mut self, id: AgentId) -> Result<Explanation<D>, Error> {
        let (species, row) = self.find(id)?;
        self.derived.plan(&self.state);
        let Self { state, derived: Derived { plans, indices, .. }, buffers, level, .. } = &mut *self;
        index::refresh(state, plans, indices, *level);
        let room = (&mut buffers.search, &mut buffers.steer);
        let (forces, steering, velocity) =
            steer::explain(state, (plans, indices), room, *level, (species.number(), row));
        let (definition, agents) = (self.species(species)?, self.agents(species)?);
        let state = definition.states.get(agents.state(row)).map(|state| state.name.clone());
        let contributions = definition.rules.iter().zip(forces).map(|(rule, force)| Contribution {
            rule: rule.behaviour.name().to_owned(),
            weight: rule.weight,
            force: force * rule.weight,
            silent: !rule.during.is_empty() && !rule.during.iter().any(|during| Some(during) == state.as_ref()),
        });
        let contributions = contributions.collect();
        Ok(Explanation {
            agent: id,
            species: definition.name.clone(),
            state,
            position: agents.position(row),
            velocity: agents.velocity(row),
            columns: agents.values(row).map(|(name, numbers)| (name.to_owned(), numbers)).collect(),
            contributions,
            steering,
            chosen: definition.model().map(|model| Chosen { model: model.to_owned(), velocity }),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::behaviours::StayOnPath;
    use crate::{Mark, Settings, Species, Vector, World};

    #[test]
    fn an_explanation_between_ticks_drops_no_index_of_a_path() {
        let mut world = World::<2>::new(Settings::default()).unwrap();
        let agents = [[0.0, 40.0], [60.0, 90.0]].map(|ends: [f32; 2]| {
            let points = ends.iter().map(|at| Vector([*at, 50.0])).collect();
            let rule = StayOnPath { points, ..StayOnPath::default() };
            let species = world.add_species(Species::new(format!("from {}", ends[0])).with(1.0, rule)).unwrap();
            world.spawn(species, [ends[0], 45.0], [1.0, 0.0]).unwrap()
        });
        world.step();
        let indices = |world: &World<2>| world.derived.indices.environment.paths.addresses();
        let built = indices(&world);
        assert_eq!(built.len(), 2);
        for tick in 0..5 {
            // Names are resolved again after an edit of the environment.
            if tick == 3 {
                world.environment_mut().marks.put(Mark::new("lamp", [1.0, 1.0])).unwrap();
            }
            for _ in 0..3 {
                world.explain(agents[0]).unwrap();
                assert_eq!(indices(&world), built, "tick {tick}");
            }
            world.step();
            assert_eq!(indices(&world), built, "tick {tick}");
        }
        // A path that no rule has is dropped.
        let species = world.species_ids().next().unwrap();
        world.remove_rule(species, 0).unwrap();
        world.step();
        world.step();
        assert_eq!(indices(&world), built[1..]);
    }
}
