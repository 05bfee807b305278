//! The agents that are measured: a copy of their positions and velocities, and an index for searches among them.

use std::any::Any;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::agents::Agents;
use crate::agents::positions::Positions;
use crate::base::error::Error;
use crate::base::ids::SpeciesId;
use crate::base::settings::{Edge, Settings, nearest_image, within_limit};
use crate::base::values::{Allowed, Range};
use crate::index::ordered_copy::{Copied, OrderedCopy, Threads};
use crate::kernels::nearest::Bound;
use crate::kernels::simd::InstructionSet;
use crate::maths::Vector;
use crate::world::World;

/// The number of agents of one piece of parallel work.
const PIECE: usize = 256;

/// Agents to measure: all of a world, one species, or slices from another source.
///
/// A measure of a [`World`] makes a sample of it. Several measures of the same tick share one sample, and with it the
/// index of positions.
///
/// ```
/// use throng::Settings;
/// use throng::measures::{Sample, nearest_distance, polarisation};
///
/// let (x, y) = ([1.0, 2.0, 99.0], [5.0, 5.0, 5.0]);
/// let (vx, vy) = ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]);
/// let sample = Sample::new([&x, &y], [&vx, &vy], &Settings::default())?;
/// assert_eq!(polarisation(&sample), 1.0);
/// // The world is periodic: the third agent is 2 m from the first.
/// assert!((nearest_distance(&sample) - (1.0 + 1.0 + 2.0) / 3.0).abs() < 1e-6);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sample<const D: usize> {
    settings: Settings<D>,
    period: [f32; D],
    position: Positions<D>,
    velocity: [Vec<f32>; D],
    /// The radii of bodies, in metres.
    radius: Vec<f32>,
    /// The radii of the cores of bodies, which do not yield to others.
    core: Vec<f32>,
    largest: f32,
    index: OnceLock<OrderedCopy<u32, D>>,
}

/// Whatever can be measured: a [`World`] with all its species, or a [`Sample`].
pub trait Measured<const D: usize> {
    /// The agents.
    fn sample(&self) -> Cow<'_, Sample<D>>;

    /// The world of the agents, if these are all of a world: measures made of expressions read its variables.
    fn world(&self) -> Option<&World<D>> {
        None
    }
}

impl<const D: usize> Measured<D> for World<D> {
    fn sample(&self) -> Cow<'_, Sample<D>> {
        Cow::Owned(Sample::of(self))
    }

    fn world(&self) -> Option<&World<D>> {
        Some(self)
    }
}

impl<const D: usize> Measured<D> for Sample<D> {
    fn sample(&self) -> Cow<'_, Sample<D>> {
        Cow::Borrowed(self)
    }
}

impl<const D: usize> Sample<D> {
    /// All agents of a world, species by species.
    #[must_use]
    pub fn of(world: &World<D>) -> Self {
        let mut sample = Self::empty(world.settings());
        world.all_agents().iter().for_each(|agents| sample.add(world, agents));
        sample
    }

    /// The agents of one species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn of_species(world: &World<D>, species: SpeciesId) -> Result<Self, Error> {
        let mut sample = Self::empty(world.settings());
        sample.add(world, world.agents(species)?);
        Ok(sample)
    }

    /// The agents of some species of a world.
    pub(super) fn of_parts(world: &World<D>, parts: &[&Agents<D>]) -> Self {
        let mut sample = Self::empty(world.settings());
        parts.iter().for_each(|agents| sample.add(world, agents));
        sample
    }

    /// Agents from slices: positions in metres and velocities in metres per second, one slice per axis. Size and edge
    /// of the settings apply: on a periodic axis, positions outside the world stand for their images in it.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the slices have different lengths; [`Error::BadValue`] if a position or a velocity is not
    /// finite or beyond [`LIMIT`](crate::LIMIT), or a setting is out of its range.
    pub fn new(positions: [&[f32]; D], velocities: [&[f32]; D], settings: &Settings<D>) -> Result<Self, Error> {
        settings.check()?;
        let agents = positions[0].len();
        if let Some(other) = positions.iter().chain(&velocities).find(|slice| slice.len() != agents) {
            return Err(Error::Length { agents, given: other.len() });
        }
        let at = |columns: &[&[f32]; D], row: usize| Vector::<D>::from_fn(|axis| columns[axis][row]);
        for row in 0..agents {
            within_limit("position", at(&positions, row), "m")?;
            within_limit("velocity", at(&velocities, row), "m/s")?;
        }
        let mut sample = Self::empty(settings);
        for axis in 0..D {
            let period = sample.period[axis];
            sample.position[axis].extend(positions[axis].iter().map(|&at| inside(at, period)));
            sample.velocity[axis].extend(velocities[axis]);
        }
        sample.radius.resize(agents, 0.0);
        sample.core.resize(agents, 0.0);
        Ok(sample)
    }

    /// The same agents with bodies of these radii, in metres. Agents from slices have radius zero otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the slice does not have one radius per agent; [`Error::BadValue`] if a radius is negative
    /// or beyond [`LIMIT`](crate::LIMIT).
    pub fn with_radii(mut self, radii: &[f32]) -> Result<Self, Error> {
        if radii.len() != self.len() {
            return Err(Error::Length { agents: self.len(), given: radii.len() });
        }
        if let Some(&bad) = radii.iter().find(|radius| !Range::LENGTH.contains(f64::from(**radius))) {
            return Err(Error::bad("radius", bad, Allowed::number(Range::LENGTH, "m")));
        }
        (self.radius, self.core) = (radii.to_vec(), radii.to_vec());
        self.largest = largest(radii);
        Ok(self)
    }

    pub(super) fn empty(settings: &Settings<D>) -> Self {
        Self {
            settings: settings.clone(),
            period: settings.period(),
            position: Positions::default(),
            velocity: std::array::from_fn(|_| Vec::new()),
            radius: Vec::new(),
            core: Vec::new(),
            largest: 0.0,
            index: OnceLock::new(),
        }
    }

    fn add(&mut self, world: &World<D>, agents: &Agents<D>) {
        for axis in 0..D {
            self.position[axis].extend(agents.positions()[axis]);
            self.velocity[axis].extend(agents.velocities()[axis]);
        }
        let start = self.radius.len();
        self.radius.extend((0..agents.len()).map(|row| agents.radius(row)));
        let part = world.species(agents.species()).map_or(1.0, |species| species.cores()[1]);
        self.core.extend(self.radius[start..].iter().map(|radius| part * radius));
        let radius = largest(&self.radius[start..]);
        self.largest = if radius > self.largest { radius } else { self.largest };
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.radius.len()
    }

    /// Returns whether there are no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.radius.is_empty()
    }

    /// The settings of the world.
    #[must_use]
    pub fn settings(&self) -> &Settings<D> {
        &self.settings
    }

    /// The position of an agent, in metres. Agents have the order of species and rows, or the order of the slices.
    ///
    /// # Panics
    ///
    /// Panics if `agent` is not below [`len`](Self::len).
    #[must_use]
    pub fn position(&self, agent: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.position[axis][agent])
    }

    /// The velocity of an agent, in metres per second.
    ///
    /// # Panics
    ///
    /// As for [`position`](Self::position).
    #[must_use]
    pub fn velocity(&self, agent: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.velocity[axis][agent])
    }

    pub(super) fn set_velocity(&mut self, agent: usize, velocity: Vector<D>) {
        (0..D).for_each(|axis| self.velocity[axis][agent] = velocity[axis]);
    }

    /// The radius of an agent's body, in metres.
    ///
    /// # Panics
    ///
    /// As for [`position`](Self::position).
    #[must_use]
    pub fn radius(&self, agent: usize) -> f32 {
        self.radius[agent]
    }

    /// The radius of the core of an agent's body, which does not yield to others.
    pub(super) fn core(&self, agent: usize) -> f32 {
        self.core[agent]
    }

    /// The largest radius of a body.
    pub(super) fn largest_radius(&self) -> f32 {
        self.largest
    }

    /// The period per axis, infinite where the world does not wrap.
    pub(super) fn period(&self) -> [f32; D] {
        self.period
    }

    /// The agents without their height: their first two axes.
    pub(super) fn on_the_ground(&self) -> Cow<'_, Sample<2>> {
        if let Some(flat) = (self as &dyn Any).downcast_ref() {
            return Cow::Borrowed(flat);
        }
        let Settings { size, edge, .. } = &self.settings;
        let settings = Settings { size: Vector([size[0], size[1]]), edge: [edge[0], edge[1]], ..Settings::default() };
        let mut flat = Sample::empty(&settings);
        for axis in 0..2 {
            flat.position[axis].clone_from(&self.position[axis]);
            flat.velocity[axis].clone_from(&self.velocity[axis]);
        }
        (flat.radius, flat.core, flat.largest) = (self.radius.clone(), self.core.clone(), self.largest);
        Cow::Owned(flat)
    }

    /// Whether the space ends at 0 and at the size of the world on an axis.
    pub(super) fn is_bounded(&self, axis: usize) -> bool {
        !matches!(self.settings.edge[axis], Edge::Wrap | Edge::Open)
    }

    /// The extent of the space per axis, in metres: the world's size, or the extent of the agents where the world has
    /// no boundary.
    pub(super) fn extent(&self) -> [f64; D] {
        std::array::from_fn(|axis| match self.settings.edge[axis] {
            Edge::Open => {
                let column = &self.position[axis];
                let low = column.iter().fold(f32::INFINITY, |low, &at| if at < low { at } else { low });
                let high = column.iter().fold(f32::NEG_INFINITY, |high, &at| if at > high { at } else { high });
                if high > low { f64::from(high) - f64::from(low) } else { 0.0 }
            }
            _ => f64::from(self.settings.size[axis]),
        })
    }

    /// The lower end of the space per axis, in metres: zero, or the first agent where the world has no boundary.
    pub(super) fn origin(&self) -> [f64; D] {
        std::array::from_fn(|axis| match self.settings.edge[axis] {
            Edge::Open if !self.is_empty() => {
                let column = &self.position[axis];
                f64::from(column.iter().fold(f32::INFINITY, |low, &at| if at < low { at } else { low }))
            }
            _ => 0.0,
        })
    }

    /// The number of the part that holds an agent, of this number of equal parts of an axis. Positions beyond an end of
    /// the space count to the part there.
    pub(super) fn part(&self, agent: usize, axis: usize, parts: usize, (low, extent): (f64, f64)) -> usize {
        let at = (f64::from(inside(self.position[axis][agent], self.period[axis])) - low) / extent * parts as f64;
        let part = if at > 0.0 { at as usize } else { 0 };
        if part < parts { part } else { parts - 1 }
    }

    /// The offset from one agent to another, in metres; in a periodic world, to its nearest image.
    pub(super) fn offset(&self, from: usize, to: usize) -> Vector<D> {
        Vector::from_fn(|axis| nearest_image(self.position[axis][to] - self.position[axis][from], self.period[axis]))
    }

    /// The sum of a value over all agents, in their order.
    pub(super) fn sum(&self, value: impl Fn(usize) -> f64) -> f64 {
        (0..self.len()).map(value).sum()
    }

    /// The agents in the order of space. The first search makes this copy.
    fn index(&self) -> Option<Copied<'_, u32, D>> {
        if self.index.get().is_none() {
            let mut index = OrderedCopy::default();
            if let Some(level) = InstructionSet::widest().level() {
                let part = (&self.position, 0..self.len() as u32);
                index.fill((level, Threads::All), &self.period, std::iter::once(part), |_, row| row);
            }
            // Another thread may have made the same copy. None waits: this one may have taken over work of others.
            drop(self.index.set(index));
        }
        self.index.get()?.read([&self.position])
    }

    /// Calls `visit` with each other agent within `radius` of an agent, in any order, with the squared distance.
    pub(super) fn within(&self, agent: usize, radius: f32, mut visit: impl FnMut(usize, f32)) {
        let Some(index) = self.index() else { return };
        let _ = index.within(&self.period, self.point(agent), radius * radius, |other, squared| {
            if other as usize != agent {
                visit(other as usize, squared);
            }
            ControlFlow::Continue(())
        });
    }

    /// The nearest other agent, with the squared distance; `None` without another.
    pub(super) fn nearest(&self, agent: usize) -> Option<(usize, f32)> {
        let mut nearest = None;
        let mut bound = Bound { squared: f32::INFINITY, row: u32::MAX };
        self.index()?.nearest(&self.period, self.point(agent), bound, |_, other, squared| {
            if other as usize != agent {
                nearest = Some((other as usize, squared));
                // Another agent at the same distance changes nothing.
                bound = Bound { squared, row: 0 };
            }
            bound
        });
        nearest
    }

    /// The position of an agent inside the world.
    fn point(&self, agent: usize) -> [f32; D] {
        let position = self.position(agent);
        std::array::from_fn(|axis| inside(position[axis], self.period[axis]))
    }

    /// The values of a function for all agents, in the order of agents. Threads share the work in the order of space,
    /// so that consecutive searches read the same boxes.
    pub(super) fn each<T: Clone + Default + Send>(&self, value: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        if self.is_empty() {
            return Vec::new();
        }
        let Some(rows) = self.index().map(Copied::names) else { return Vec::new() };
        let by_place: Vec<T> = rows.par_iter().with_min_len(PIECE).map(|&row| value(row as usize)).collect();
        let mut values = vec![T::default(); self.len()];
        for (&row, value) in rows.iter().zip(by_place) {
            values[row as usize] = value;
        }
        values
    }

    /// The values of a function for pieces of consecutive agents in the order of space, in that order.
    pub(super) fn pieces<T: Send>(&self, value: impl Fn(&[u32]) -> T + Send + Sync) -> Vec<T> {
        if self.is_empty() {
            return Vec::new();
        }
        self.index().map_or_else(Vec::new, |index| index.names().par_chunks(PIECE).map(value).collect())
    }
}

/// The image of a coordinate inside a world with this period.
fn inside(at: f32, period: f32) -> f32 {
    if period == f32::INFINITY || (at >= 0.0 && at < period) {
        return at;
    }
    let image = at - (at / period).floor() * period;
    if image >= 0.0 && image < period { image } else { 0.0 }
}

fn largest(radii: &[f32]) -> f32 {
    radii.iter().fold(0.0, |largest, &radius| if radius > largest { radius } else { largest })
}
