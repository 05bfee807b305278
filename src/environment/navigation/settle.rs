//! Updates of navigation fields after changes of the ground, at ticks that follow from the state alone.

use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::navigation::geometry::{Capsule, Point, squared_distance};
use crate::environment::navigation::{Goal, Ground, MOST_CELLS, Navigation};
use crate::environment::region::Shape;
use crate::environment::wall::WallShape;
use crate::maths::Vector;

/// The number of cells along the longer side of the world, unless a navigation has a cell of its own.
const CELLS_BY_DEFAULT: f32 = 512.0;

/// The number of cells for which the delay of a new field is one tick longer.
const CELLS_PER_TICK: usize = 20_000;

/// Brings the navigation fields up to date with the ground at the start of this tick.
///
/// A navigation without a field gets one at once. A change of its ground starts the computation of another field in the
/// background, and a later tick takes it, waiting if it is not ready. Changes in between wait for that tick.
pub(crate) fn settle<const D: usize>(environment: &mut Environment<D>, settings: &Settings<D>, tick: u64) {
    if environment.navigations.items().is_empty() {
        return;
    }
    let ground = CommonGround::new(environment, settings, tick);
    let (regions, marks) = (&environment.regions, &environment.marks);
    let goal = |goal: &Goal<D>| -> Option<Shape<2>> {
        let point = |centre: Vector<D>| Shape::Ball { centre: flat(centre), radius: 0.0 };
        match goal {
            Goal::Point(at) => Some(point(*at)),
            Goal::Mark(name) => marks.find(name).map(|(_, mark)| point(mark.position)),
            Goal::Region(name) => {
                let region = regions.items().iter().find(|region| region.name == *name)?;
                Some(match region.shape {
                    Shape::Ball { centre, radius } => Shape::Ball { centre: flat(centre), radius },
                    Shape::Box { centre, half } => Shape::Box { centre: flat(centre), half: flat(half) },
                })
            }
        }
    };
    for (navigation, fields) in environment.navigations.items_mut() {
        if let Some((_, ground)) = fields.pending.take_if(|(due, _)| *due <= tick) {
            fields.current = Some(ground);
        }
        let goals: Vec<Shape<2>> = navigation.goals.iter().filter_map(goal).collect();
        let now = ground.of(navigation, &goals);
        let Some(current) = &fields.current else {
            fields.current = Some(Arc::new(now));
            continue;
        };
        if fields.pending.is_none() && now != **current {
            let cells = now.cells[0] * now.cells[1];
            fields.pending = Some((tick + 1 + cells.div_ceil(CELLS_PER_TICK) as u64, Arc::new(now)));
        }
        if let Some((_, ground)) = fields.pending.as_ref().filter(|(_, ground)| ground.begin()) {
            let ground = Arc::clone(ground);
            rayon::spawn(move || {
                ground.field();
            });
        }
    }
    let new: Vec<&Arc<Ground>> =
        environment.navigations.all_kept().iter().filter_map(|fields| fields.current.as_ref()).collect();
    if new.iter().any(|ground| !ground.is_ready()) {
        new.par_iter().for_each(|ground| {
            ground.field();
        });
    }
}

fn flat<const D: usize>(vector: Vector<D>) -> Vector<2> {
    Vector(std::array::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0)))
}

fn exact<const D: usize>(vector: Vector<D>) -> Point {
    flat(vector).0.map(f64::from)
}

/// What the grounds of all navigations have in common.
struct CommonGround {
    size: [f32; 2],
    wraps: [bool; 2],
    walls: Vec<Capsule>,
    solids: Vec<[Point; 2]>,
}

impl CommonGround {
    /// The walls that stand at a tick, and the obstacles, as far as they are at rest.
    fn new<const D: usize>(environment: &Environment<D>, settings: &Settings<D>, tick: u64) -> Self {
        let period = settings.period();
        let size = flat(settings.size).0;
        let mut ground =
            Self { size, wraps: [period[0].is_finite(), period[1].is_finite()], walls: Vec::new(), solids: Vec::new() };
        let seconds = tick as f64 * f64::from(settings.tick_seconds);
        for (wall, motion) in environment.walls.items().iter().zip(environment.walls.all_kept()) {
            if wall.velocity == Vector::ZERO && !wall.is_open(seconds) {
                if motion.offset == [0.0; D] {
                    ground.add(&wall.shape);
                } else {
                    ground.add(&wall.shape.displaced(motion.offset));
                }
            }
        }
        for obstacle in environment.obstacles().iter().filter(|obstacle| obstacle.velocity == Vector::ZERO) {
            ground.disc(obstacle.centre, obstacle.radius);
        }
        ground
    }

    fn disc<const D: usize>(&mut self, centre: Vector<D>, radius: f32) {
        self.walls.push(Capsule { ends: [exact(centre); 2], radius: radius.into() });
    }

    fn add<const D: usize>(&mut self, shape: &WallShape<D>) {
        match shape {
            WallShape::Path { points, closed } => {
                let ends = points.windows(2).map(|ends| [ends[0], ends[1]]);
                let last = points.last().zip(points.first()).filter(|_| *closed).map(|(last, first)| [*last, *first]);
                let walls = ends.chain(last).map(|ends| Capsule { ends: ends.map(exact), radius: 0.0 });
                self.walls.extend(walls);
            }
            WallShape::Box { centre, half } => {
                let (centre, half) = (exact(*centre), exact(*half));
                let corner = |side: f64| std::array::from_fn(|axis| centre[axis] + side * half[axis]);
                self.solids.push([corner(-1.0), corner(1.0)]);
            }
            WallShape::Ball { centre, radius } => self.disc(*centre, *radius),
            WallShape::Plane { point, normal } => {
                // Long enough to leave the world on both sides.
                let (point, normal) = (exact(*point), exact(*normal));
                let length = squared_distance([0.0; 2], normal).sqrt();
                let middle = self.size.map(|size| 0.5 * f64::from(size));
                let far = 2.0 * (squared_distance(point, middle).sqrt() + middle[0] + middle[1]);
                let along = [-normal[1] / length * far, normal[0] / length * far];
                let end = |side: f64| std::array::from_fn(|axis| point[axis] + side * along[axis]);
                self.walls.push(Capsule { ends: [end(-1.0), end(1.0)], radius: 0.0 });
            }
        }
    }

    fn of<const D: usize>(&self, navigation: &Navigation<D>, goals: &[Shape<2>]) -> Ground {
        let [x, y] = self.size;
        let longer = if y > x { y } else { x };
        let cells = cells(self.size, navigation.cell.unwrap_or(longer / CELLS_BY_DEFAULT));
        let mut ground = Ground::new((self.size, self.wraps, cells, navigation.clearance, goals));
        ground.walls.clone_from(&self.walls);
        ground.solids.clone_from(&self.solids);
        ground
    }
}

/// The least length of a cell in a world of this size, which has at most [`MOST_CELLS`] of them.
pub(crate) fn least_cell(size: [f32; 2]) -> f32 {
    let [x, y] = size.map(f64::from);
    // Half of the largest number leaves room for rounding up.
    (x * y / (0.5 * MOST_CELLS as f64)).sqrt() as f32
}

/// The number of cells of this length per axis, at least two.
fn cells(size: [f32; 2], cell: f32) -> [usize; 2] {
    let least = least_cell(size);
    let cell = f64::from(if cell < least { least } else { cell });
    size.map(|size| (f64::from(size) / cell).ceil().clamp(2.0, 0.5 * MOST_CELLS as f64) as usize)
}
