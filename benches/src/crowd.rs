//! Crowds that cross in a periodic world, for what one pedestrian costs.

use throng::{AgentRef, Behaviour, Edge, Error, Execution, Motion, Noise, Settings, Species, Vector, World};

/// Requests a constant velocity.
#[derive(Debug)]
pub struct Walk(pub Vector<2>);

impl Behaviour<2> for Walk {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        me.towards(self.0)
    }
}

/// People that walk at 1.34 m/s, with bodies of 0.18 m.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// The number of people.
    pub agents: usize,
    /// People per square metre.
    pub density: f32,
    /// The directions in which they walk, one species for each.
    pub directions: &'static [[f32; 2]],
}

impl Crowd {
    /// Two crowds that cross at a right angle.
    pub const TWO: &'static [[f32; 2]] = &[[1.0, 0.0], [0.0, 1.0]];

    /// The world of the crowd, before its first tick.
    ///
    /// # Errors
    ///
    /// [`Error`] if the world refuses the crowd or the way to run it.
    pub fn world(&self, motion: impl Motion<2> + Clone, execution: Execution) -> Result<World<2>, Error> {
        let side = (self.agents as f32 / self.density).sqrt();
        let settings =
            Settings { size: Vector::splat(side), edge: [Edge::Wrap; 2], tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(settings)?;
        world.set_execution(execution)?;
        let mut species = Vec::new();
        for (number, direction) in self.directions.iter().enumerate() {
            let walker = Species::new(format!("crowd {number}")).with_radius(0.18).with_mass(80.0);
            let walker = walker.with_max_speed(1.75).with_response(0.5).with_motion(motion.clone());
            species.push(world.add_species(walker.with(1.0, Walk(Vector(*direction) * 1.34)))?);
        }
        let (mut noise, cells) = (Noise::new(8, 0, 0, 0), (self.agents as f32).sqrt().ceil());
        for number in 0..self.agents {
            let cell = [number as f32 % cells, (number as f32 / cells).floor()];
            let at = Vector(cell.map(|cell| (cell + noise.between(0.4, 0.6)) * side / cells));
            let group = species[(noise.unit() * species.len() as f32) as usize];
            world.spawn(group, at, Vector::ZERO)?;
        }
        Ok(world)
    }
}
