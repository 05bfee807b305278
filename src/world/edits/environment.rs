//! Edits of a world's environment by its host.

use crate::derived::Change;
use crate::environment::{Environment, navigation};
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
}
