//! Updates of navigation fields after changes of the ground, at ticks that follow from the state alone.

use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::navigation::geometry::Capsule;
use crate::environment::navigation::{Goal, Ground, MOST_CELLS, Navigation};
use crate::environment::region::Shape;
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
    let ground = CommonGround::new(environment, settings);
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
    let new: Vec<&Arc<Ground>> = environment.navigations.all_kept().iter().filter_map(|fields| fields.current.as_ref()).collect();
    if new.iter().any(|ground| !ground.is_ready()) {
        new.par_iter().for_each(|ground| {
            ground.field();
        });
    }
}

fn flat<const D: usize>(vector: Vector<D>) -> Vector<2> {
    Vector(std::array::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0)))
}

/// What the grounds of all navigations have in common.
struct CommonGround {
    size: [f32; 2],
    wraps: [bool; 2],
    walls: Vec<Capsule>,
}

impl CommonGround {
    fn new<const D: usize>(environment: &Environment<D>, settings: &Settings<D>) -> Self {
        let period = settings.period();
        let at_rest = environment.obstacles().iter().filter(|obstacle| obstacle.velocity == Vector::ZERO);
        let walls = at_rest.map(|obstacle| Capsule {
            ends: [flat(obstacle.centre).0.map(f64::from); 2],
            radius: obstacle.radius.into(),
        });
        Self {
            size: flat(settings.size).0,
            wraps: [period[0].is_finite(), period[1].is_finite()],
            walls: walls.collect(),
        }
    }

    fn of<const D: usize>(&self, navigation: &Navigation<D>, goals: &[Shape<2>]) -> Ground {
        let [x, y] = self.size;
        let longer = if y > x { y } else { x };
        let cells = cells(self.size, navigation.cell.unwrap_or(longer / CELLS_BY_DEFAULT));
        let mut ground = Ground::new((self.size, self.wraps, cells, navigation.clearance, goals));
        ground.walls.clone_from(&self.walls);
        ground
    }
}

/// The number of cells of this length per axis, at least two. Cells are enlarged to at most [`MOST_CELLS`].
fn cells(size: [f32; 2], cell: f32) -> [usize; 2] {
    let size = size.map(f64::from);
    let most = MOST_CELLS as f64;
    let mut cell = f64::from(cell);
    // Half of the largest number leaves room for rounding up.
    let least = (size[0] * size[1] / (0.5 * most)).sqrt();
    let count = |size: f64, cell: f64| (size / cell).ceil().clamp(2.0, 0.5 * most);
    if count(size[0], cell) * count(size[1], cell) > most {
        cell = least;
    }
    size.map(|size| count(size, cell) as usize)
}
