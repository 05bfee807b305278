//! The floor of a building, as on a plan: the areas between walls and doors in which people are or start. The areas
//! outside are darker.

use throng::Vector;

use super::camera::Camera;
use super::density::block;
use super::grid::Grid;
use super::theme::{Theme, mix};
use crate::bounds::Bounds;
use crate::drawable::{Drawable, DrawnAgent, EnvironmentShape, Role, Subject};
use crate::options::View;

/// The cells along the longer side of the whole world.
const CELLS: f32 = 800.0;

/// The most agents whose places are kept.
const MOST: usize = 4096;

/// An area is floor if at least one in this number of agents is in it.
const SHARE: usize = 50;

/// The data from which the floor of a world is found.
#[derive(Debug)]
pub(super) struct Floor {
    bounds: Bounds,
    /// Places of agents, one of each few.
    places: Vec<Vector<3>>,
}

impl Floor {
    /// The floor of a world with its present agents; `None` if it is not seen from above.
    pub(super) fn new(drawable: &(impl Drawable + ?Sized), subject: &Subject) -> Option<Self> {
        if !subject.flat {
            return None;
        }
        let (every, mut number, mut places) = (subject.agents / MOST + 1, 0, Vec::new());
        drawable.crowd(&mut |agents: &[DrawnAgent]| {
            places.extend(
                agents.iter().skip((every - number % every) % every).step_by(every).map(|agent| agent.position),
            );
            number += agents.len();
        });
        Some(Self { bounds: subject.bounds, places })
    }

    /// Draws the floor and the outside of it, if walls enclose either.
    pub(super) fn draw(
        &self,
        shapes: &[EnvironmentShape],
        camera: &Camera,
        theme: Theme,
        width: usize,
        pixels: &mut [u8],
    ) {
        let height = pixels.len() / 3 / width;
        let place = |pixel: usize| camera.place([(pixel % width) as f32 + 0.5, (pixel / width) as f32 + 0.5]);
        let Some(floor) =
            named(shapes, width * height, place).or_else(|| self.between(shapes, camera, [width, height], place))
        else {
            return;
        };
        for (pixel, is_floor) in pixels.chunks_exact_mut(3).zip(floor) {
            let below = [0, 1, 2].map(|channel| f32::from(pixel[channel]));
            let colour = mix(below, theme.plan(is_floor), 0.85);
            pixel.iter_mut().zip(colour).for_each(|(channel, value)| *channel = (value + 0.5) as u8);
        }
    }

    /// The pixels of the areas between walls that are floor, if walls enclose either.
    fn between(
        &self,
        shapes: &[EnvironmentShape],
        camera: &Camera,
        [width, height]: [usize; 2],
        place: impl Fn(usize) -> Option<Vector<3>>,
    ) -> Option<Vec<bool>> {
        let is_wall = |shape: &EnvironmentShape| matches!(shape, EnvironmentShape::Wall { .. });
        let whole = shapes.iter().any(is_wall).then(|| self.of_world(shapes)).flatten()?;
        let mut grid = Grid::new(width, height);
        block(&mut grid, shapes, camera, 1.0, true);
        // The areas of the picture that hold a place of the floor.
        let mut floor = vec![false; width * height];
        let is_sure = |&pixel: &usize| place(pixel).is_some_and(|place| whole.is_sure(place));
        grid.flood((0..floor.len()).filter(is_sure), &mut floor);
        Some(floor)
    }

    /// The floor of the whole world; `None` if nothing is outside it.
    fn of_world(&self, shapes: &[EnvironmentShape]) -> Option<Whole> {
        let extent = self.bounds.extent();
        let scale = CELLS / if extent[0] > extent[1] { extent[0] } else { extent[1] };
        let size = [scale * extent[0], scale * extent[1]].map(|length| length.ceil().clamp(2.0, CELLS));
        let camera = Camera::new(true, self.bounds, size, &View::default());
        let mut grid = Grid::new(size[0] as usize, size[1] as usize);
        block(&mut grid, shapes, &camera, 1.0, true);
        let cell = |place: Vector<3>| camera.project(place).and_then(|seen| grid.cell([seen.x, seen.y]));
        let mut sources = Vec::new();
        for shape in shapes {
            match shape {
                EnvironmentShape::Ball { centre, role: Role::Source, .. } => sources.extend(cell(*centre)),
                EnvironmentShape::Box { bounds, role: Role::Source, .. } => sources.extend(cell(bounds.middle())),
                _ => {}
            }
        }
        let mut floor = vec![false; grid.columns * grid.rows];
        let mut count = grid.flood(sources.iter().copied(), &mut floor);
        if sources.is_empty() {
            // Areas in which many agents are.
            let mut visited = floor.clone();
            let places: Vec<usize> = self.places.iter().filter_map(|&place| cell(place)).collect();
            for &place in &places {
                if visited[place] {
                    continue;
                }
                let mut area = vec![false; floor.len()];
                grid.flood(std::iter::once(place), &mut area);
                let held = places.iter().filter(|&&place| area[place]).count();
                visited.iter_mut().zip(&area).for_each(|(visited, &here)| *visited |= here);
                if held * SHARE >= places.len() {
                    count += area.iter().filter(|&&here| here).count();
                    floor.iter_mut().zip(area).for_each(|(floor, here)| *floor |= here);
                }
            }
        }
        if count == 0 || count * 100 > floor.len() * 99 {
            return None;
        }
        Some(Whole { grid, camera, floor })
    }
}

/// The pixels of the floors that shapes name; `None` if they name none.
fn named(shapes: &[EnvironmentShape], pixels: usize, place: impl Fn(usize) -> Option<Vector<3>>) -> Option<Vec<bool>> {
    let of = |shape: &EnvironmentShape| match shape {
        EnvironmentShape::Floor { bounds, .. } => Some(*bounds),
        _ => None,
    };
    let floors: Vec<Bounds> = shapes.iter().filter_map(of).collect();
    let is_on = |place: Vector<3>| {
        floors.iter().any(|Bounds { low, high }| (0..2).all(|axis| (low[axis]..=high[axis]).contains(&place[axis])))
    };
    (!floors.is_empty()).then(|| (0..pixels).map(|pixel| place(pixel).is_some_and(is_on)).collect())
}

/// The floor of the whole world, in cells.
struct Whole {
    grid: Grid,
    camera: Camera,
    floor: Vec<bool>,
}

impl Whole {
    /// Whether a place is on the floor, and no wall is nearer than a cell.
    fn is_sure(&self, place: Vector<3>) -> bool {
        let Some(seen) = self.camera.project(place) else { return false };
        let around = [-1.0, 0.0, 1.0];
        around.iter().all(|down| {
            around.iter().all(|right| {
                let cell = self.grid.cell([seen.x + right, seen.y + down]);
                cell.is_some_and(|cell| self.floor[cell] && self.grid.is_open(cell))
            })
        })
    }
}
