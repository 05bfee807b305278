//! How agents came to where they are: they moved there, or they were set there.

use crate::agents::Agents;
use crate::agents::columns::{Column, Owner, Stored as _};
use crate::base::settings::Settings;
use crate::maths::Vector;

/// How an agent came from where it was [seen](Seen) last to where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Came<const D: usize> {
    /// It moved by this way, in metres: straight, and across the seam of a periodic world.
    Moved(Vector<D>),
    /// It was set there, and has no way: it respawned, or the host set its position or changed the size of the world. In
    /// a species that is [moved by the host](crate::Species::moved_by_host), the host moves agents and sets none.
    WasSet,
}

/// Where an observer saw an agent last. Everything that follows agents asks it how they came to where they are, so that
/// a jump is never a way.
///
/// ```
/// use throng::{Came, Seen, Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings { size: [10.0, 10.0].into(), tick_seconds: 1.0, ..Settings::default() })?;
/// let bird = world.add_species(Species::new("bird"))?;
/// let id = world.spawn(bird, [9.0, 5.0], [3.0, 0.0])?;
/// let mut seen = Seen::of(world.agents(bird)?, 0);
/// world.step();
/// assert_eq!(seen.again(world.settings(), world.agents(bird)?, 0), Came::Moved([3.0, 0.0].into()));
/// world.set_position(id, [5.0, 5.0])?;
/// world.step();
/// assert_eq!(seen.again(world.settings(), world.agents(bird)?, 0), Came::WasSet);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    at: [f32; 3],
    /// How often it had been set elsewhere. A world that was loaded counts from zero, and so does one of these.
    jumps: u32,
}

impl Seen {
    /// Sees an agent for the first time.
    ///
    /// # Panics
    ///
    /// Panics if `row` is out of bounds.
    #[must_use]
    pub fn of<const D: usize>(agents: &Agents<D>, row: usize) -> Self {
        let at = agents.position(row);
        Self { jumps: agents.jumps(row), ..Self::at(std::array::from_fn(|axis| if axis < D { at[axis] } else { 0.0 })) }
    }

    /// An agent that was at this place, with zeros beyond the dimensions of its world, when the world was saved.
    #[must_use]
    pub fn at(at: [f32; 3]) -> Self {
        Self { at, jumps: 0 }
    }

    /// Where it was, in metres; zero beyond the dimensions of its world.
    #[must_use]
    pub fn place(&self) -> [f32; 3] {
        self.at
    }

    /// Sees the agent again: how it came to where it is now. At most one tick may lie between, since an agent that moves by
    /// more than half of the world's period counts as one that moved the other way.
    ///
    /// # Panics
    ///
    /// As for [`of`](Self::of).
    pub fn again<const D: usize>(&mut self, settings: &Settings<D>, agents: &Agents<D>, row: usize) -> Came<D> {
        let before = std::mem::replace(self, Self::of(agents, row));
        if before.jumps != self.jumps {
            return Came::WasSet;
        }
        Came::Moved(settings.offset(Vector::<D>::from_fn(|axis| before.at[axis]), agents.position(row)))
    }
}

impl<const D: usize> Agents<D> {
    /// How often the agent at a row was set elsewhere. The state does not include it.
    fn jumps(&self, row: usize) -> u32 {
        self.columns.values::<u32>(Owner::Jumps).map_or(0, |jumps| jumps[row])
    }

    /// Sets the agent at a row to a position, to which it has no way.
    pub(crate) fn jump(&mut self, row: usize, position: Vector<D>) {
        if self.position(row) != position {
            if self.columns.of(Owner::Jumps).is_none() {
                self.columns.0.push(Column::new(Owner::Jumps, "jumps", 0_u32.data(), self.len()));
            }
            if let Some(jumps) = self.columns.values_mut::<u32>(Owner::Jumps) {
                jumps[row] = jumps[row].wrapping_add(1);
            }
        }
        self.set_position(row, position);
        self.forget_way(row);
        self.forget_previous(row);
    }
}
