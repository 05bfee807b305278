//! Updates of navigation fields after changes of the ground, at ticks that follow only from the state.

use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::base::definition::Definition;
use crate::base::settings::{Seam, Settings};
use crate::environment::Environment;
use crate::environment::lift::Lift;
use crate::environment::link::within;
use crate::environment::navigation::background;
use crate::environment::navigation::crowd::Crowd;
use crate::environment::navigation::definition::{Fields, Goal, Navigation};
use crate::environment::navigation::geometry::{Capsule, Point, squared_distance};
use crate::environment::navigation::ground::{Ground, MOST_CELLS, Shaft};
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::pace::FlatZone;
use crate::environment::navigation::timed::LazyTimed;
use crate::environment::region::Shape;
use crate::environment::wall::WallShape;
use crate::environment::zone::{Against, WALKING, Zone};
use crate::maths::Vector;

/// The number of cells along the longer side of the world, unless a navigation has a cell of its own.
const CELLS_BY_DEFAULT: f32 = 512.0;

/// The number of cells for which new ways are due one tick later.
const CELLS_PER_TICK: usize = 20_000;

/// The steps of the factor in smoke that quickest ways count: each step is a change of the ways.
const STEPS_OF_SMOKE: f32 = 8.0;

/// Brings the navigation fields up to date with the ground at the start of this tick.
///
/// In the first tick a navigation gets a field at once. Later, one that is added or whose ground changes gets a field that
/// a thread computes in the background; a later tick takes it, and waits if it is not ready. Changes in between wait for
/// that tick.
pub(crate) fn settle<const D: usize>(
    environment: &mut Environment<D>,
    settings: &Settings<D>,
    (tick, seconds): (u64, f64),
) {
    if environment.navigations.is_empty() {
        return;
    }
    let mut navigations = std::mem::take(&mut environment.navigations);
    let lifts = in_service(environment);
    let shafts = lifts.iter().map(shaft).chain(links(environment)).collect();
    let now = Now { environment, settings, seconds, lifts, shafts };
    let mut last = last_due(navigations.records());
    for (navigation, fields) in navigations.items_mut() {
        let Fields { current, pending, crowd, next_crowd, timed } = fields;
        if let Some((_, ground)) = pending.take_if(|(due, _)| *due <= tick) {
            *current = Some(ground);
            [timed.current, timed.in_crowd] = std::mem::take(&mut timed.pending);
        }
        if let Some((_, next)) = next_crowd.take_if(|(due, _)| *due <= tick) {
            *crowd = Some(next);
            timed.in_crowd = timed.next.take();
        }
        let changed = current.as_ref().is_none_or(|current| !now.is(navigation, &current.ground));
        if pending.is_none() && changed {
            let ground = Arc::new(LazyField::new(now.ground(navigation)));
            if tick == 0 {
                *current = Some(ground);
            } else {
                last = due(tick, last, ground.ground.cells);
                *pending = Some((last, ground));
            }
        }
        if let Some(current) = current {
            now.keep(&mut timed.current, current, None);
            match crowd {
                None => timed.in_crowd.clone_from(&timed.current),
                Some(crowd) => drop(now.keep(&mut timed.in_crowd, current, Some(crowd))),
            }
            if let Some((_, next)) = next_crowd
                && now.keep(&mut timed.next, current, Some(next))
            {
                compute(timed.next.clone());
            }
        }
        if let Some((_, ground)) = pending.as_ref().filter(|(_, ground)| ground.begin()) {
            let on_ground = |timed: &Option<Arc<LazyTimed>>, crowd: Option<&Arc<Crowd>>| {
                let is_used = timed.as_ref().is_some_and(|timed| timed.is_ready());
                is_used.then(|| now.timed(ground, crowd))
            };
            let in_crowd = crowd.as_ref().and_then(|crowd| on_ground(&timed.in_crowd, Some(crowd)));
            timed.pending = [on_ground(&timed.current, None), in_crowd];
            let (ground, routes) = (Arc::clone(ground), current.as_ref().is_some_and(|current| current.has_routes()));
            background::run(move || {
                let field = ground.field();
                if routes {
                    field.find_corners();
                }
            });
            timed.pending.iter().for_each(|timed| compute(timed.clone()));
        }
    }
    let current = || navigations.records().iter().filter_map(|fields| fields.current.as_ref());
    if current().any(|ground| !ground.is_ready()) {
        navigations.records().par_iter().filter_map(|fields| fields.current.as_ref()).for_each(|ground| {
            ground.field();
        });
    }
    environment.navigations = navigations;
}

/// The last tick in which new ways are due.
pub(crate) fn last_due(fields: &[Fields]) -> u64 {
    let ticks = fields.iter().flat_map(|fields| {
        [fields.pending.as_ref().map(|(due, _)| *due), fields.next_crowd.as_ref().map(|(due, _)| *due)]
    });
    ticks.flatten().max().unwrap_or(0)
}

/// The tick in which new ways over this number of cells are due: one after the other, since a thread computes them in
/// turn. `last` is the last tick in which others are.
pub(crate) fn due(tick: u64, last: u64, cells: [usize; 2]) -> u64 {
    let begins = if last > tick { last } else { tick };
    begins + 1 + (cells[0] * cells[1]).div_ceil(CELLS_PER_TICK) as u64
}

/// Computes ways in the background.
fn compute(ways: Option<Arc<LazyTimed>>) {
    if let Some(ways) = ways {
        background::run(move || _ = ways.field());
    }
}

/// The data from which the grounds of navigations follow at a simulated time.
struct Now<'a, const D: usize> {
    environment: &'a Environment<D>,
    settings: &'a Settings<D>,
    seconds: f64,
    lifts: Vec<LiftInPlane<'a>>,
    shafts: Vec<Shaft>,
}

/// A lift with the shapes of the car and before the door at each landing.
type LiftInPlane<'a> = (&'a Lift, Vec<[Shape<2>; 2]>);

impl<const D: usize> Now<'_, D> {
    /// The quickest ways over a ground in a crowd.
    fn timed(&self, ground: &Arc<LazyField>, crowd: Option<&Arc<Crowd>>) -> Arc<LazyTimed> {
        Arc::new(LazyTimed::new(Arc::clone(ground), self.zones().collect(), crowd.cloned()))
    }

    /// Replaces ways that are not those over this ground in this crowd. Returns whether it did.
    fn keep(&self, ways: &mut Option<Arc<LazyTimed>>, ground: &Arc<LazyField>, crowd: Option<&Arc<Crowd>>) -> bool {
        let replaces = !ways.as_ref().is_some_and(|ways| ways.is_of(ground, self.zones(), crowd));
        if replaces {
            *ways = Some(self.timed(ground, crowd));
        }
        replaces
    }

    /// Size, periodic axes, cells and clearance.
    fn numbers(&self, navigation: &Navigation<D>) -> ([f32; 2], [bool; 2], [usize; 2], f32) {
        let (size, period) = (flat(self.settings.size).0, self.settings.period());
        let longer = if size[1] > size[0] { size[1] } else { size[0] };
        let cells = cells(size, navigation.cell.unwrap_or(longer / CELLS_BY_DEFAULT));
        (size, [period[0].is_finite(), period[1].is_finite()], cells, navigation.clearance)
    }

    fn goals(&self, navigation: &Navigation<D>) -> impl Iterator<Item = Shape<2>> {
        let point = |centre: Vector<D>| Shape::Ball { centre: flat(centre), radius: 0.0 };
        navigation.goals.iter().filter_map(move |goal| match goal {
            Goal::Point(at) => Some(point(*at)),
            Goal::Mark(name) => self.environment.marks.named(name).map(|mark| point(mark.position)),
            Goal::Region(name) => Some(flat_shape(&self.environment.regions.named(name)?.shape)),
        })
    }

    /// The zones, in the plane of the ways.
    fn zones(&self) -> impl Iterator<Item = FlatZone> {
        let Environment { zones, regions, .. } = self.environment;
        let of_zones = zones.items().iter().enumerate().flat_map(move |(number, zone)| {
            let smoke = (zone.factor_in_smoke(self.seconds) * STEPS_OF_SMOKE).ceil() / STEPS_OF_SMOKE;
            let in_smoke =
                |Against { direction, factor }| Against { direction: flat(direction), factor: factor * smoke };
            let (factor, against, carry) = (zone.factor * smoke, zone.against.map(in_smoke), zone.carry);
            let flat_zone = Zone { region: String::new(), factor, against, carry: flat(carry), ..Zone::blank() };
            let places = regions.items().iter().filter(|region| region.name == zone.region);
            places.map(move |region| FlatZone { shape: flat_shape(&region.shape), number, zone: flat_zone.clone() })
        });
        of_zones.chain(self.lifts.iter().flat_map(|(lift, shapes)| shapes.iter().map(|at| waiting_zone(lift, at))))
    }

    /// Calls `wall` with the walls that stand, and `solid` with the corners of boxes, as far as they are at rest or carve:
    /// those that move are where they were, rounded to a lattice, so that they change the ground seldom.
    fn visit(&self, navigation: &Navigation<D>, mut wall: impl FnMut(Capsule), mut solid: impl FnMut([Point; 2])) {
        let Environment { walls, obstacles, .. } = self.environment;
        let (size, _, cells, clearance) = self.numbers(navigation);
        let lattice = size[0] / cells[0] as f32;
        let lattice = if lattice > 0.5 * clearance { lattice } else { 0.5 * clearance };
        let rounded = |at: &Vector<D>| Vector::from_fn(|axis| (at[axis] / lattice).round() * lattice);
        for (item, motion) in walls.items().iter().zip(walls.records()) {
            let moves = item.velocity != Vector::ZERO || motion.turned.is_some();
            if item.is_open(self.seconds) || moves && !item.carve {
                continue;
            }
            if !moves && motion.offset == [0.0; D] {
                self.visit_shape(&item.shape, &mut wall, &mut solid);
                continue;
            }
            let shape = item.shape.displaced(motion.offset);
            self.visit_shape(&if moves { shape.moved(rounded) } else { shape }, &mut wall, &mut solid);
        }
        for obstacle in obstacles.items() {
            match obstacle.velocity == Vector::ZERO {
                true => wall(disc(obstacle.centre, obstacle.radius)),
                false if obstacle.carve => wall(disc(rounded(&obstacle.centre), obstacle.radius)),
                false => {}
            }
        }
    }

    fn visit_shape(&self, shape: &WallShape<D>, wall: &mut impl FnMut(Capsule), solid: &mut impl FnMut([Point; 2])) {
        match shape {
            WallShape::Path { points, closed } => {
                let ends = points.windows(2).map(|ends| [ends[0], ends[1]]);
                let last = points.last().zip(points.first()).filter(|_| *closed).map(|(last, first)| [*last, *first]);
                ends.chain(last).for_each(|ends| wall(Capsule { ends: ends.map(exact), radius: 0.0 }));
            }
            WallShape::Box { centre, half } => {
                let (centre, half) = (exact(*centre), exact(*half));
                let corner = |side: f64| std::array::from_fn(|axis| centre[axis] + side * half[axis]);
                solid([corner(-1.0), corner(1.0)]);
            }
            WallShape::Ball { centre, radius } => wall(disc(*centre, *radius)),
            WallShape::Plane { point, normal } => {
                // Long enough to leave the world on both sides.
                let (point, normal) = (exact(*point), exact(*normal));
                let length = squared_distance([0.0; 2], normal).sqrt();
                let middle = exact(self.settings.size).map(|size| 0.5 * size);
                let far = 2.0 * (squared_distance(point, middle).sqrt() + middle[0] + middle[1]);
                let along = [-normal[1] / length * far, normal[0] / length * far];
                let end = |side: f64| std::array::from_fn(|axis| point[axis] + side * along[axis]);
                wall(Capsule { ends: [end(-1.0), end(1.0)], radius: 0.0 });
            }
        }
    }

    fn seams(&self) -> impl Iterator<Item = Seam<2>> {
        self.settings.seams.iter().map(|seam| Seam { ends: seam.ends.map(flat), shift: flat(seam.shift) })
    }

    fn ground(&self, navigation: &Navigation<D>) -> Ground {
        let (size, wraps, cells, clearance) = self.numbers(navigation);
        let goals: Vec<Shape<2>> = self.goals(navigation).collect();
        let mut ground = Ground::new((size, wraps, cells, clearance, &goals));
        ground.seams.extend(self.seams());
        ground.shafts.clone_from(&self.shafts);
        let Ground { walls, solids, .. } = &mut ground;
        self.visit(navigation, |wall| walls.push(wall), |solid| solids.push(solid));
        ground
    }

    /// Whether a ground is the present one.
    fn is(&self, navigation: &Navigation<D>, ground: &Ground) -> bool {
        let Ground { size, wraps, cells, clearance, seams, shafts, .. } = ground;
        if self.numbers(navigation) != (*size, *wraps, *cells, *clearance)
            || !self.seams().eq(seams.iter().copied())
            || self.shafts != *shafts
            || !self.goals(navigation).eq(ground.goals.iter().copied())
        {
            return false;
        }
        let (mut walls, mut solids) = (ground.walls.iter(), ground.solids.iter());
        let (mut same_walls, mut same_solids) = (true, true);
        self.visit(
            navigation,
            |wall| same_walls &= walls.next() == Some(&wall),
            |solid| same_solids &= solids.next() == Some(&solid),
        );
        same_walls && same_solids && walls.next().is_none() && solids.next().is_none()
    }
}

/// The lifts of an environment, without those that lack a region.
fn in_service<const D: usize>(environment: &Environment<D>) -> Vec<LiftInPlane<'_>> {
    let shapes = |lift: &Lift| lift.shapes(&environment.regions);
    let flat = |all: Vec<[Shape<D>; 2]>| all.into_iter().map(|at| at.map(|shape| flat_shape(&shape))).collect();
    environment.lifts.items().iter().filter_map(|lift| Some((lift, flat(shapes(lift)?)))).collect()
}

/// The links of an environment, as shafts with two landings. Those that lack a region have none.
fn links<const D: usize>(environment: &Environment<D>) -> impl Iterator<Item = Shaft> {
    environment.links.items().iter().filter_map(|link| {
        let shapes = link.shapes(&environment.regions)?;
        let [from, to] = shapes.map(|shape| flat(within(&shape)));
        let half = Vector::from_fn(|axis| if from[axis] < to[axis] { from[axis] } else { to[axis] });
        let back = if link.both_ways { link.metres() } else { f32::INFINITY };
        let landings = shapes.map(|shape| flat(shape.bounds().0)).to_vec();
        Some(Shaft { landings, half, metres: vec![0.0, link.metres(), back, 0.0] })
    })
}

fn shaft((lift, shapes): &LiftInPlane<'_>) -> Shaft {
    let all = 0..shapes.len();
    let rides = all.clone().flat_map(|from| all.clone().map(move |to| (from, to)));
    let metres = rides.map(|(from, to)| lift.ride_metres(from, to)).collect();
    let half = shapes.first().map_or(Vector::ZERO, |[car, _]| car.bounds().1);
    Shaft { landings: shapes.iter().map(|[car, _]| car.bounds().0).collect(), half, metres }
}

/// The car, in which the way from the door to the middle takes the time for which one waits: no way goes round it.
fn waiting_zone(lift: &Lift, &[car, door]: &[Shape<2>; 2]) -> FlatZone {
    let (centre, half) = car.bounds();
    let outwards = (door.bounds().0 - centre).direction();
    let depth = half[0] * outwards[0].abs() + half[1] * outwards[1].abs();
    let wait = lift.wait_seconds() * WALKING;
    let factor = if wait > 0.0 { depth / (depth + wait) } else { 1.0 };
    let against = Against { direction: outwards, factor };
    FlatZone { shape: car, number: usize::MAX, zone: Zone { against: Some(against), ..Zone::new("", 1.0) } }
}

/// A vector in the plane of ways.
pub(crate) fn flat<const D: usize>(vector: Vector<D>) -> Vector<2> {
    Vector(std::array::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0)))
}

fn flat_shape<const D: usize>(shape: &Shape<D>) -> Shape<2> {
    match *shape {
        Shape::Ball { centre, radius } => Shape::Ball { centre: flat(centre), radius },
        Shape::Box { centre, half } => Shape::Box { centre: flat(centre), half: flat(half) },
    }
}

fn exact<const D: usize>(vector: Vector<D>) -> Point {
    flat(vector).0.map(f64::from)
}

fn disc<const D: usize>(centre: Vector<D>, radius: f32) -> Capsule {
    Capsule { ends: [exact(centre); 2], radius: radius.into() }
}

impl Navigation<2> {
    /// The least length of a cell, in metres, in a world of this size, which has at most [`MOST_CELLS`] of them. A
    /// navigation with a smaller [`cell`](Self::cell) gets this one.
    #[must_use]
    pub fn least_cell(size: [f32; 2]) -> f32 {
        let [x, y] = size.map(f64::from);
        // Half of the largest number leaves room for rounding up.
        (x * y / (0.5 * MOST_CELLS as f64)).sqrt() as f32
    }
}

/// The number of cells of this length per axis, at least two.
fn cells(size: [f32; 2], cell: f32) -> [usize; 2] {
    let least = Navigation::least_cell(size);
    let cell = f64::from(if cell < least { least } else { cell });
    size.map(|size| (f64::from(size) / cell).ceil().clamp(2.0, 0.5 * MOST_CELLS as f64) as usize)
}
