//! The storeys of a building and its stairs, or the sheets of a mesh, side by side in the coordinates of the world.

use std::sync::Arc;

use throng::Vector;
use throng::parameters::Value;

use crate::mesh::Surface;
use crate::ribbon::bounds;
use crate::stair::Stair;

/// The least distance between two parts of the world, in metres: more than anyone perceives.
const GAP: f32 = 12.0;

/// The unit of the offsets of parts, in metres: the cells of navigations divide it, and offsets are exact.
const UNIT: f32 = 4.0;

/// Where the storeys of a building and its stairs are, or the sheets of ground with height: the world has one plane, in
/// which they lie side by side. Here the sheets are storeys, named `sheet-1`, `sheet-2` and so on.
///
/// ```
/// use throng_scenario::Scenario;
///
/// let text = r#"
/// format = 1
/// world = { dimensions = 2, size = [20, 20] }
/// storey = [{ name = "ground" }, { name = "first", elevation = 3.0 }]
/// stair = [{ name = "west", storeys = ["ground", "first"], foot = [[4, 4], [6, 4]], run = [0, 6] }]
/// species.person = { count = 1, people = true, place = { region = "point", centre = [9, 9], storey = "first" } }
/// "#;
/// let scenario = Scenario::parse(text, "house.toml")?;
/// let storeys = scenario.storeys().expect("a scenario with storeys");
/// let at = storeys.position("first", [9.0, 9.0]).expect("a storey of this name");
/// let found = storeys.locate(at).expect("a place in the building");
/// assert_eq!((found.name, found.plan.0, found.elevation), ("first", [9.0, 9.0], 3.0));
/// # Ok::<(), throng_scenario::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Storeys {
    pub(crate) storeys: Vec<Storey>,
    pub(crate) stairs: Vec<Stair>,
    pub(crate) lifts: Vec<LiftPlan>,
    /// The size of each storey.
    pub(crate) size: [f32; 2],
    /// The size of the world.
    pub(crate) world: [f32; 2],
    /// The ground, if it has height: storeys are its sheets.
    pub(crate) surface: Option<Arc<Surface>>,
}

/// A place in a building.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaceInBuilding<'a> {
    /// The name of the storey or of the stair.
    pub name: &'a str,
    /// The place in the plan of the building, in metres.
    pub plan: Vector<2>,
    /// The height, in metres.
    pub elevation: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Storey {
    pub(crate) name: String,
    pub(crate) elevation: f32,
    /// The offset from the plan to the world.
    pub(crate) offset: Vector<2>,
}

/// A lift in the plan of a building.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiftPlan {
    pub(crate) name: String,
    /// The numbers of its storeys, from the lowest on.
    pub(crate) storeys: Vec<usize>,
    pub(crate) centre: Vector<2>,
    pub(crate) size: Vector<2>,
    /// The unit vector from the middle of the car through its door.
    pub(crate) door: Vector<2>,
    pub(crate) door_width: f32,
    /// The keys that the lift of the world has too.
    pub(crate) keys: Vec<(&'static str, Option<Value>)>,
}

/// Whether two boxes, by their corners, have an area in common.
pub(crate) fn overlap([from, to]: [Vector<2>; 2], [low, high]: [Vector<2>; 2]) -> bool {
    (0..2).all(|axis| from[axis] < high[axis] && low[axis] < to[axis])
}

/// Whether a box is not in the plan of a building.
pub(crate) fn is_out([low, high]: [[f32; 2]; 2], size: [f32; 2]) -> bool {
    (0..2).any(|axis| low[axis] < 0.0 || high[axis] > size[axis])
}

impl Storeys {
    /// Lays out a building: each storey, and the stairs from it, in the rows of a grid.
    pub(crate) fn new(size: [f32; 2], mut storeys: Vec<Storey>, mut stairs: Vec<Stair>, lifts: Vec<LiftPlan>) -> Self {
        // The stairs from a storey lie beside it, with their first pieces, and then with the others.
        let pieces = |number: usize, stairs: &[Stair]| {
            let from = stairs.iter().filter(|stair| stair.storeys[0] == number);
            from.map(|stair| stair.pieces.len()).max().unwrap_or(0)
        };
        let parts = storeys.len() + (0..storeys.len()).map(|number| pieces(number, &stairs)).sum::<usize>();
        let columns = (parts as f32).sqrt().ceil() as usize;
        let whole = |extent: f32| (extent / UNIT).ceil() * UNIT;
        let offset = |part: usize| {
            let at = [part % columns, part / columns];
            Vector::from_fn(|axis| at[axis] as f32 * whole(size[axis] + GAP))
        };
        let mut part = 0;
        for (number, storey) in storeys.iter_mut().enumerate() {
            storey.offset = offset(part);
            part += 1;
            let used = pieces(number, &stairs);
            for stair in stairs.iter_mut().filter(|stair| stair.storeys[0] == number) {
                for (place, (_, at)) in stair.pieces.iter_mut().enumerate() {
                    *at = offset(part + place);
                }
            }
            part += used;
        }
        let last = [parts.min(columns), parts.div_ceil(columns)].map(|count| count as f32 - 1.0);
        let world = [0, 1].map(|axis| last[axis] * whole(size[axis] + GAP) + whole(size[axis]));
        Self { storeys, stairs, lifts, size, world, surface: None }
    }

    /// Lays out the sheets of ground with height.
    pub(crate) fn of_sheets(size: [f32; 2], surface: Surface) -> Self {
        let mut lowest = vec![f32::INFINITY; surface.count() as usize];
        for (sheet, corner) in surface.corners() {
            let (low, height) = (&mut lowest[sheet as usize], corner[2] as f32);
            *low = if height < *low { height } else { *low };
        }
        let sheet = |(number, elevation)| Storey { name: format!("sheet-{number}"), elevation, offset: Vector::ZERO };
        let sheets = (1..).zip(lowest).map(sheet).collect();
        Self { surface: Some(Arc::new(surface)), ..Self::new(size, sheets, Vec::new(), Vec::new()) }
    }

    /// The storey at a place of the plan whose floor is the nearest to a height. Without one it is the first storey of a
    /// building, and the lowest sheet of ground. `None` where ground has none.
    pub(crate) fn storey_at(&self, plan: Vector<2>, height: Option<f32>) -> Option<&Storey> {
        if let Some(surface) = &self.surface {
            return surface.sheet_at(plan, height).and_then(|sheet| self.storeys.get(sheet as usize));
        }
        let Some(height) = height else { return self.storeys.first() };
        let off = |storey: &&Storey| (storey.elevation - height).abs();
        self.storeys.iter().min_by(|one, other| off(one).total_cmp(&off(other)))
    }

    /// The position in the world of a place of the plan, where the floor is the nearest to a height, in metres. Without a
    /// height it is on the first storey, and on the lowest ground of a mesh. `None` where a mesh has no ground.
    #[must_use]
    pub fn position_at(&self, plan: impl Into<Vector<2>>, height: Option<f32>) -> Option<Vector<2>> {
        let plan = plan.into();
        self.storey_at(plan, height).map(|storey| plan + storey.offset)
    }

    /// Whether agents can stand at a position of the world: not over or under a flight, and on the ground of a mesh.
    pub(crate) fn is_floor(&self, position: Vector<2>) -> bool {
        let Some(surface) = &self.surface else {
            let is_in =
                |[low, high]: [Vector<2>; 2]| (0..2).all(|axis| (low[axis]..=high[axis]).contains(&position[axis]));
            return !self.holes().any(|(_, corners)| is_in(corners));
        };
        let mut sheets = (0..).zip(&self.storeys);
        sheets.any(|(sheet, storey)| {
            let plan = position - storey.offset;
            (0..2).all(|axis| (0.0..=self.size[axis]).contains(&plan[axis])) && surface.is_ground(sheet, plan)
        })
    }

    /// Whether heights follow the ground of a mesh.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.surface.is_some()
    }

    /// Where a position of the world is in the building; `None` if it is in no storey and on no stair.
    #[must_use]
    pub fn locate(&self, position: impl Into<Vector<2>>) -> Option<PlaceInBuilding<'_>> {
        let position = position.into();
        let in_part = |offset: Vector<2>| {
            let plan = position - offset;
            (0..2).all(|axis| (-0.5 * GAP..=self.size[axis] + 0.5 * GAP).contains(&plan[axis])).then_some(plan)
        };
        for (number, Storey { name, elevation, offset }) in (0..).zip(&self.storeys) {
            if let Some(plan) = in_part(*offset) {
                let elevation = self.surface.as_ref().map_or(*elevation, |surface| surface.height(number, plan));
                return Some(PlaceInBuilding { name, plan, elevation });
            }
        }
        let pieces = self.stairs.iter().flat_map(|stair| {
            let pieces = stair.pieces.iter().enumerate();
            pieces.filter_map(move |(piece, (_, offset))| Some((stair, in_part(*offset)?, piece)))
        });
        // One that crosses an end may be out by the rounding of its position.
        let off = |(stair, plan, piece): &(&Stair, Vector<2>, usize)| stair.pieces[*piece].0.distance(*plan);
        let (stair, plan, piece) = pieces.min_by(|one, other| off(one).total_cmp(&off(other)))?;
        let [low, high] = stair.storeys.map(|storey| self.storeys[storey].elevation);
        let elevation = low + stair.share(piece, plan) * (high - low);
        Some(PlaceInBuilding { name: &stair.name, plan, elevation })
    }

    /// The position in the world of a place on a storey or a stair; `None` if none has this name.
    #[must_use]
    pub fn position(&self, name: &str, plan: impl Into<Vector<2>>) -> Option<Vector<2>> {
        let plan = plan.into();
        if let Some(storey) = self.storeys.iter().find(|storey| storey.name == name) {
            return Some(plan + storey.offset);
        }
        let stair = self.stairs.iter().find(|stair| stair.name == name)?;
        let off = |piece: &usize| stair.pieces[*piece].0.distance(plan);
        let nearest = (0..stair.pieces.len()).min_by(|one, other| off(one).total_cmp(&off(other)));
        nearest.map(|piece| plan + stair.pieces[piece].1)
    }

    /// The lowest and the highest corner of each storey in the world, and then of each piece of stairs.
    pub fn parts(&self) -> impl Iterator<Item = [Vector<2>; 2]> {
        let whole = [Vector::ZERO, Vector(self.size)];
        let storeys = self.storeys.iter().map(move |storey| whole.map(|corner| corner + storey.offset));
        let flights = self
            .stairs
            .iter()
            .flat_map(|stair| &stair.pieces)
            .map(|(piece, offset)| bounds(piece.sides().iter().flatten().copied()).map(|corner| corner + *offset));
        storeys.chain(flights)
    }

    /// Positions in the world that have all heights between them: the corners of [`parts`](Self::parts), or of a mesh.
    pub fn corners(&self) -> impl Iterator<Item = Vector<2>> {
        let corners = self.surface.iter().flat_map(|surface| surface.corners());
        let of_mesh =
            corners.map(|(sheet, at)| Vector([at[0] as f32, at[1] as f32]) + self.storeys[sheet as usize].offset);
        of_mesh.chain(self.parts().flatten().filter(|_| self.surface.is_none()))
    }

    /// The names of the stairs, in the order of the file.
    pub fn stairs(&self) -> impl Iterator<Item = &str> {
        self.stairs.iter().map(|stair| &stair.name[..])
    }

    /// The names of the storeys, from the first of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.storeys.iter().map(|storey| &storey.name[..])
    }
}
