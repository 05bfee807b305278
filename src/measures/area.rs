//! Density and speed in a measuring area.

use crate::base::error::Error;
use crate::base::values::{Allowed, Range};
use crate::maths::Vector;
use crate::measures::sample::{Measured, Sample};
use crate::measures::voronoi::{self, Point};

/// A measuring area: a box on the ground. In a periodic world it may reach across the seam. In three dimensions it
/// contains all points above and below, and agents are projected onto the ground.
///
/// The classic method counts the agents inside. It jumps by one agent over the area. The Voronoi method assigns to each
/// agent the points that are nearer to it than to others, and spreads the agent over this cell: Steffen and Seyfried,
/// *Methods for measuring pedestrian density, flow, speed and direction with minimal scatter*, Physica A 389, 1902
/// (2010).
///
/// ```
/// use throng::measures::{Area, Sample};
/// use throng::Settings;
///
/// // A square lattice of agents at a distance of 1 m has one agent per square metre, wherever the area lies.
/// let x: Vec<f32> = (0..100).map(|number| (number % 10) as f32).collect();
/// let y: Vec<f32> = (0..100).map(|number| (number / 10) as f32).collect();
/// let settings = Settings { size: [10.0, 10.0].into(), ..Settings::default() };
/// let sample = Sample::new([&x, &y], [&x, &y], &settings)?;
/// let area = Area::new([4.3, 5.1], [1.7, 2.9])?;
/// assert!((area.voronoi(&sample, 1.0).density - 1.0).abs() < 1e-6);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    centre: Vector<2>,
    size: Vector<2>,
}

/// The measurements of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InArea {
    /// The density in 1/m².
    pub density: f64,
    /// The mean speed in m/s; NaN without agents.
    pub speed: f64,
}

impl Area {
    /// A box around a point, in metres.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a coordinate is beyond [`LIMIT`](crate::LIMIT) or a side is not above zero.
    pub fn new(centre: impl Into<Vector<2>>, size: impl Into<Vector<2>>) -> Result<Self, Error> {
        let (centre, size) = (centre.into(), size.into());
        let sides = Range::above(0.0, Range::LENGTH.high);
        for (name, point, range) in [("centre", centre, Range::COORDINATE), ("size", size, sides)] {
            if !point.0.iter().all(|&at| range.contains(f64::from(at))) {
                return Err(Error::bad(name, point, Allowed::point(range, "m")));
            }
        }
        Ok(Self { centre, size })
    }

    /// The number of agents inside over the area, and their mean speed.
    #[must_use]
    pub fn classic<const D: usize>(&self, agents: &impl Measured<D>) -> InArea {
        let all = agents.sample();
        let sample: &Sample<2> = &all.on_the_ground();
        let (mut count, mut speeds) = (0u64, 0.0);
        for agent in 0..sample.len() {
            let at = self.offset(sample, sample.position(agent));
            // A point on a border belongs to the upper side of it, so that adjacent areas share no agent.
            if (0..2).all(|axis| at[axis] >= -0.5 * self.side(axis) && at[axis] < 0.5 * self.side(axis)) {
                count += 1;
                speeds += f64::from(sample.velocity(agent).length());
            }
        }
        InArea { density: count as f64 / (self.side(0) * self.side(1)), speed: speeds / count as f64 }
    }

    /// The density and the speed of the Voronoi cells: the sum of the shares of cells that are inside, over the area;
    /// and the mean of speeds, weighted with the areas of cells inside.
    ///
    /// Cells end at the boundary of a world that is not periodic, and are at most a dodecagon with corners at `reach`
    /// metres from the agent. Where such cells do not cover the area, the rest of it counts as empty for the density
    /// and does not count for the speed.
    #[must_use]
    pub fn voronoi<const D: usize>(&self, agents: &impl Measured<D>, reach: f32) -> InArea {
        let all = agents.sample();
        let sample: &Sample<2> = &all.on_the_ground();
        let corner = |x: f64, y: f64| [0.5 * x * self.side(0), 0.5 * y * self.side(1)];
        let area = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let near = |at: Point| (0..2).all(|axis| at[axis].abs() <= 0.5 * self.side(axis) + f64::from(reach));
        let parts = sample.each(|agent| {
            let offset = self.offset(sample, sample.position(agent));
            let images: Vec<Point> = images(offset, sample.period()).filter(|&at| near(at)).collect();
            if images.is_empty() {
                return None;
            }
            let cell = voronoi::cell(sample, agent, reach);
            let whole = voronoi::area(&cell);
            let inside = |at: &Point| {
                let corners = cell.iter().map(|corner| [corner[0] + at[0], corner[1] + at[1]]).collect();
                voronoi::area(&voronoi::intersection(corners, &area))
            };
            let inside: f64 = images.iter().map(inside).sum();
            (whole > 0.0 && inside > 0.0).then(|| (inside / whole, inside, f64::from(sample.velocity(agent).length())))
        });
        let (mut share, mut covered, mut speeds) = (0.0, 0.0, 0.0);
        for (of_cell, inside, speed) in parts.into_iter().flatten() {
            share += of_cell;
            covered += inside;
            speeds += inside * speed;
        }
        InArea { density: share / (self.side(0) * self.side(1)), speed: speeds / covered }
    }

    fn side(&self, axis: usize) -> f64 {
        f64::from(self.size[axis])
    }

    /// The offset of a point from the centre of the area, to its nearest image in a periodic world.
    fn offset(&self, sample: &Sample<2>, point: Vector<2>) -> Point {
        let offset = sample.settings().offset(self.centre, point);
        [f64::from(offset[0]), f64::from(offset[1])]
    }
}

/// The images of an offset in a world with this period: the cell of an agent may enter an area on two sides.
fn images(offset: Point, period: [f32; 2]) -> impl Iterator<Item = Point> {
    let shifts = period.map(|period| match f64::from(period) {
        f64::INFINITY => &[0.0][..],
        _ => &[0.0, -1.0, 1.0][..],
    });
    let across = move |shift: &f64, axis: usize| if *shift == 0.0 { 0.0 } else { shift * f64::from(period[axis]) };
    shifts[0]
        .iter()
        .flat_map(move |x| shifts[1].iter().map(move |y| [offset[0] + across(x, 0), offset[1] + across(y, 1)]))
}
