//! How agents start: all that a host says of one when it spawns it.

use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, SpeciesId};
use crate::base::settings::within_limit;
use crate::maths::Vector;
use crate::world::World;

/// How an agent starts: its position and velocity, where it looks while it is at rest, and its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AgentStart<const D: usize> {
    /// The position, in metres.
    pub position: Vector<D>,
    /// The velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The direction in which it looks if it is at rest, a vector of any length; zero for a random one. It has an effect
    /// if the species has a field of view, or keeps headings for another reason: see [`World::set_heading`].
    pub heading: Vector<D>,
    /// Its own goal in metres, which its rules use instead of their targets: see [`World::set_goal`].
    pub goal: Option<Vector<D>>,
}

impl<const D: usize> AgentStart<D> {
    /// An agent at a position, in metres, with a velocity in metres per second.
    #[must_use]
    pub fn new(position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> Self {
        Self { position: position.into(), velocity: velocity.into(), heading: Vector::ZERO, goal: None }
    }

    /// Sets the direction in which the agent looks if it is at rest.
    #[must_use]
    pub fn with_heading(mut self, heading: impl Into<Vector<D>>) -> Self {
        self.heading = heading.into();
        self
    }

    /// Sets the goal, in metres.
    #[must_use]
    pub fn with_goal(mut self, goal: impl Into<Vector<D>>) -> Self {
        self.goal = Some(goal.into());
        self
    }
}

impl<const D: usize> World<D> {
    /// Adds an agent as [`spawn`](Self::spawn) does, with its heading and its goal.
    ///
    /// ```
    /// use throng::behaviours::Seek;
    /// use throng::{AgentStart, Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let ant = world.add_species(Species::new("ant").with(1.0, Seek { target: [0.0, 0.0].into() }))?;
    /// let start = AgentStart::new([50.0, 50.0], [0.0, 0.0]).with_heading([0.0, 1.0]).with_goal([90.0, 50.0]);
    /// let id = world.spawn_from(ant, &start)?;
    /// (0..60).for_each(|_| world.step());
    /// assert!(world.position(id)?[0] > 50.0, "it goes to its own goal");
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`spawn`](Self::spawn), also if a component of the heading or of the goal is not finite or beyond
    /// [`LIMIT`](crate::LIMIT).
    pub fn spawn_from(&mut self, species: SpeciesId, start: &AgentStart<D>) -> Result<AgentId, Error> {
        check(start)?;
        let id = self.spawn(species, start.position, start.velocity)?;
        let row = self.agents(species)?.len() - 1;
        self.complete_start(AgentRow { species: species.0, row: row as u32 }, start)?;
        Ok(id)
    }

    /// Gives the agent at a row the values of a start other than position and velocity.
    pub(super) fn complete_start(&mut self, at: AgentRow, start: &AgentStart<D>) -> Result<(), Error> {
        let (agents, row) = (&mut self.edit().0.agents[at.species as usize], at.row as usize);
        if start.heading != Vector::ZERO && agents.is_at_rest(row) {
            agents.face(row, start.heading);
        }
        if start.goal.is_some() { self.set_goal_at(at, start.goal) } else { Ok(()) }
    }
}

/// Checks the values of a start other than position and velocity.
pub(super) fn check<const D: usize>(start: &AgentStart<D>) -> Result<(), Error> {
    within_limit("heading", start.heading, "")?;
    start.goal.map_or(Ok(()), |goal| within_limit("goal", goal, "m").map(drop))
}
