//! Edits of a world's environment by its host.

use crate::base::error::Error;
use crate::base::values::{Allowed, Kind};
use crate::derived::Change;
use crate::environment::substance::Amounts;
use crate::environment::{Environment, SubstanceId, navigation};
use crate::state::State;
use crate::world::World;

impl<const D: usize> World<D> {
    /// The environment of the world, for edits of its walls, obstacles, regions and other items.
    pub fn environment_mut(&mut self) -> &mut Environment<D> {
        // A change by the caller is noted before it happens: the index compares itself with the environment, and the
        // next tick brings the regions columns in line.
        let (state, derived) = self.edit_environment();
        derived.note(Change::Environment);
        &mut state.environment
    }

    /// Computes the ways of navigations, which the first tick does otherwise, and the corners of ways to goals of agents
    /// for a navigation without goals: a game that calls this while it loads has first steps like all others. It changes
    /// no bit.
    ///
    /// ```
    /// # use throng::{Goal, Navigation, Settings, World};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let exit = world.environment_mut().navigations.add(Navigation::new("exit", vec![Goal::Point([90.0, 50.0].into())]))?;
    /// world.prepare();
    /// assert!(world.environment().navigation_field(exit).is_some());
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn prepare(&mut self) {
        let (tick, seconds) = (self.state.tick, self.state.seconds());
        if tick == 0 {
            let State { environment, settings, .. } = &mut self.state;
            navigation::settle(environment, settings, (tick, seconds));
            environment.prepare_navigations();
        }
    }

    /// Sets the amounts in all cells of a substance, per square metre or in three dimensions per cubic metre. The first
    /// axis varies fastest; [`Substance::cells`](crate::Substance::cells) has their numbers.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchItem`] if it was removed; [`Error::BadValue`] if their number is wrong, or if one is negative or
    /// above 1e30.
    pub fn set_substance_amounts(&mut self, id: SubstanceId, amounts: Vec<f32>) -> Result<(), Error> {
        let substances = &self.environment().substances;
        let (Some(substance), Some(index)) = (substances.get(id), substances.index_of(id)) else {
            return Err(Error::no_item(id));
        };
        let count = substance.cells(self.settings()).iter().product::<usize>();
        if amounts.len() != count {
            let allowed = Allowed::Kind { kind: Kind::Whole(count as u64, count as u64), unit: "" };
            return Err(Error::bad("the number of amounts", amounts.len(), allowed));
        }
        let amounts = Amounts(amounts);
        amounts.check()?;
        if let Some(record) = self.environment_mut().substances.record_of(index) {
            *record = amounts;
        }
        Ok(())
    }
}
