//! Legs: the straight parts of the shortest way between two points.

use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::geometry::least;
use crate::environment::navigation::raster::{BAND, Raster};
use crate::environment::navigation::roads::metres;
use crate::environment::navigation::routes::Routes;
use crate::maths::Vector;

/// The next straight part of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    /// The number of the node at which it ends.
    pub(crate) node: u32,
    /// Where it ends, and whether this is the goal.
    pub(crate) end: Vector<2>,
    pub(crate) is_last: bool,
    /// The metres that are left from there.
    pub(crate) left: f32,
}

impl NavigationField {
    /// The next part of the shortest way from a point to a goal. `kept` is the node of an agent's last one.
    pub(crate) fn leg(&self, from: Vector<2>, goal: Vector<2>, kept: Option<u32>) -> Option<Leg> {
        let [start, end] = [self.free_node(from)?, self.free_node(goal)?];
        let (node, left) = self.routes().next(start, end, kept.map(|node| node as usize))?;
        let is_last = node == end;
        Some(Leg { node: node as u32, end: if is_last { goal } else { self.point_of(node) }, is_last, left })
    }

    /// The points at which the shortest way from one point to another turns, without the first point and with the last
    /// one, on the ground of this navigation; `None` where no way leads there. A way over a lift or a link turns at both
    /// of its ends. Ways across seams of storeys are not found. In a periodic world each straight part leads to the nearest image of its end.
    ///
    /// ```
    /// # use throng::{Navigation, Settings, Vector, Wall, WallShape, World};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let environment = world.environment_mut();
    /// environment.walls.add(Wall::new(WallShape::Box { centre: [50.0, 50.0].into(), half: [1.0, 30.0].into() }))?;
    /// let ground = environment.navigations.add(Navigation::new("ground", vec![]))?;
    /// world.prepare();
    /// let field = world.environment().navigation_field(ground).unwrap();
    /// let route = field.route([40.0, 45.0], [60.0, 45.0]).unwrap();
    /// assert!(route[0].distance(Vector([49.0, 20.0])) < 1.0 && route.last() == Some(&Vector([60.0, 45.0])));
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[must_use]
    pub fn route(&self, from: impl Into<Vector<2>>, to: impl Into<Vector<2>>) -> Option<Vec<Vector<2>>> {
        let (from, to) = (from.into(), to.into());
        let (mut at, mut route, mut kept) = (from, Vec::new(), None);
        loop {
            let leg = self.leg(at, to, kept)?;
            if kept == Some(leg.node) {
                // The way rides on from here.
                let (_, node, _) = self.routes().ride_from(leg.node as usize, self.free_node(to)?)?;
                (at, kept) = (self.point_of(node), None);
                route.push(at);
                continue;
            }
            route.push(leg.end);
            if leg.is_last {
                return Some(route);
            }
            (at, kept) = (leg.end, Some(leg.node));
        }
    }

    /// The nearest point to which ways lead: this point itself, or the centre of the nearest cell that is free; `None` if
    /// there is none.
    #[must_use]
    pub fn nearest_free(&self, point: impl Into<Vector<2>>) -> Option<Vector<2>> {
        let point = point.into();
        let at = self.grid.locate(point);
        let is_free = at.corners.iter().all(|&corner| !self.grid.raster.is(corner, BAND));
        if is_free { Some(point) } else { self.free_node(point).map(|node| self.point_of(node)) }
    }

    /// Whether a way to another goal was asked for.
    pub(super) fn has_routes(&self) -> bool {
        self.routes.get().is_some()
    }

    /// Finds the corners of ways to any goal.
    pub(crate) fn find_corners(&self) {
        self.routes();
    }

    pub(super) fn routes(&self) -> &Routes {
        self.routes.get_or_init(|| Routes::new(&self.grid.raster, &self.rides))
    }

    pub(super) fn point_of(&self, node: usize) -> Vector<2> {
        let columns = self.grid.raster.cells[0];
        Vector(self.grid.raster.node((node % columns) as i64, (node / columns) as i64).map(|at| at as f32))
    }

    /// The nearest free node that a point sees, or else the nearest one.
    pub(super) fn free_node(&self, point: Vector<2>) -> Option<usize> {
        let raster = &self.grid.raster;
        let seen = self.nearest_node(point, |node| !raster.is(node, BAND));
        seen.or_else(|| free_near(raster, self.grid.locate(point).corners[0]))
    }
}

/// The free node that is nearest to a node, which may be itself.
fn free_near(raster: &Raster, node: usize) -> Option<usize> {
    let cells = raster.cells.map(|cells| cells as i64);
    let at = [node as i64 % cells[0], node as i64 / cells[0]];
    let inside = |place: i64, axis: usize| match raster.wraps[axis] {
        true => Some(place.rem_euclid(cells[axis])),
        false => (0..cells[axis]).contains(&place).then_some(place),
    };
    let [x, y] = raster.spacing;
    let mut best: Option<(f32, usize)> = None;
    for reach in 0..cells[0].max(cells[1]) {
        if best.is_some_and(|(metres, _)| f64::from(metres) <= reach as f64 * least(x, y)) {
            break;
        }
        for row in -reach..=reach {
            let all = row.abs() == reach;
            for column in (-reach..=reach).step_by(if all { 1 } else { 2 * reach as usize }) {
                let Some((x, y)) = inside(at[0] + column, 0).zip(inside(at[1] + row, 1)) else { continue };
                let other = (y * cells[0] + x) as usize;
                let metres = metres(raster, node, other);
                if !raster.is(other, BAND) && best.is_none_or(|(nearest, _)| metres < nearest) {
                    best = Some((metres, other));
                }
            }
        }
    }
    best.map(|(_, node)| node)
}
