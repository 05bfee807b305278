//! The storeys of a building and its stairs, side by side in the coordinates of the world.

use throng::parameters::Value;
use throng::{Seam, Vector};

use crate::definition::Scenario;
use crate::items::ItemSpec;

/// The least distance between two parts of the world, in metres: more than anyone perceives.
const GAP: f32 = 12.0;

/// The unit of the offsets of parts, in metres: the cells of navigations divide it, and offsets are exact.
const UNIT: f32 = 4.0;

/// Where the storeys of a building and its stairs are: the world has one plane, in which they lie side by side.
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
    /// The size of each storey.
    pub(crate) size: [f32; 2],
    /// The size of the world.
    world: [f32; 2],
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

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stair {
    pub(crate) name: String,
    /// The numbers of the storeys at its foot and at its head.
    pub(crate) storeys: [usize; 2],
    /// The ends of its foot in the plan.
    pub(crate) foot: [Vector<2>; 2],
    /// The way from its foot to its head in the plan.
    pub(crate) run: Vector<2>,
    /// The factors of speeds up and down.
    pub(crate) factors: [f32; 2],
    pub(crate) offset: Vector<2>,
}

impl Stair {
    /// The corners of its footprint in the plan: the lowest and the highest.
    pub(crate) fn footprint(&self) -> [Vector<2>; 2] {
        let [a, b] = [self.foot[0], self.foot[1] + self.run];
        let least = |axis: usize| if a[axis] < b[axis] { a[axis] } else { b[axis] };
        let low = Vector::from_fn(least);
        [low, a + b - low]
    }

    /// The part of the flight between its foot and a place in the plan.
    fn share(&self, plan: Vector<2>) -> f32 {
        ((plan - self.foot[0]).dot(self.run) / self.run.length_squared()).clamp(0.0, 1.0)
    }
}

impl Storeys {
    /// Lays out a building: each storey, and the stairs from it, in the rows of a grid.
    pub(crate) fn new(size: [f32; 2], mut storeys: Vec<Storey>, mut stairs: Vec<Stair>) -> Self {
        let starts = |number: usize, stairs: &[Stair]| stairs.iter().any(|stair| stair.storeys[0] == number);
        let parts = storeys.len() + (0..storeys.len()).filter(|&number| starts(number, &stairs)).count();
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
            let is_used = starts(number, &stairs);
            for stair in stairs.iter_mut().filter(|stair| stair.storeys[0] == number) {
                stair.offset = offset(part);
                // The foot has the storey to its left.
                let along = stair.foot[1] - stair.foot[0];
                if along[1] * stair.run[0] < along[0] * stair.run[1] {
                    stair.foot.reverse();
                }
            }
            part += usize::from(is_used);
        }
        let last = [parts.min(columns), parts.div_ceil(columns)].map(|count| count as f32 - 1.0);
        let world = [0, 1].map(|axis| last[axis] * whole(size[axis] + GAP) + whole(size[axis]));
        Self { storeys, stairs, size, world }
    }

    /// Where a position of the world is in the building; `None` if it is in no storey and on no stair.
    #[must_use]
    pub fn locate(&self, position: impl Into<Vector<2>>) -> Option<PlaceInBuilding<'_>> {
        let position = position.into();
        let in_part = |offset: Vector<2>| {
            let plan = position - offset;
            (0..2).all(|axis| (-0.5 * GAP..=self.size[axis] + 0.5 * GAP).contains(&plan[axis])).then_some(plan)
        };
        for Storey { name, elevation, offset } in &self.storeys {
            if let Some(plan) = in_part(*offset) {
                return Some(PlaceInBuilding { name, plan, elevation: *elevation });
            }
        }
        let on_stair = self.stairs.iter().filter_map(|stair| Some((stair, in_part(stair.offset)?)));
        // One that crosses an end may be out by the rounding of its position.
        let off = |(stair, plan): &(&Stair, Vector<2>)| {
            let [low, high] = stair.footprint();
            Vector::<2>::from_fn(|axis| plan[axis] - plan[axis].clamp(low[axis], high[axis])).length_squared()
        };
        let (stair, plan) = on_stair.min_by(|one, other| off(one).total_cmp(&off(other)))?;
        let [low, high] = stair.storeys.map(|storey| self.storeys[storey].elevation);
        Some(PlaceInBuilding { name: &stair.name, plan, elevation: low + stair.share(plan) * (high - low) })
    }

    /// The position in the world of a place on a storey or a stair; `None` if none has this name.
    #[must_use]
    pub fn position(&self, name: &str, plan: impl Into<Vector<2>>) -> Option<Vector<2>> {
        let storeys = self.storeys.iter().map(|storey| (&storey.name, storey.offset));
        let mut parts = storeys.chain(self.stairs.iter().map(|stair| (&stair.name, stair.offset)));
        parts.find(|(known, _)| *known == name).map(|(_, offset)| plan.into() + offset)
    }

    /// The names of the storeys, from the first of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.storeys.iter().map(|storey| &storey.name[..])
    }

    /// The line at the foot of a stair on the storey below, the same two on the flight, and that on the storey above:
    /// each exactly where seams lead.
    fn lines(&self, stair: &Stair) -> [[Vector<2>; 2]; 4] {
        let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
        let foot = stair.foot.map(|end| end + below);
        let head = stair.foot.map(|end| end + stair.run + stair.offset);
        let [up, on] = [stair.offset - below, above - stair.offset];
        [foot, foot.map(|end| end + up), head, head.map(|end| end + on)]
    }

    /// The seams at the feet and the heads of stairs.
    pub(crate) fn seams<const D: usize>(&self) -> Vec<Seam<D>> {
        let seam = |[from, to]: [[Vector<2>; 2]; 2], shift: Vector<2>| {
            debug_assert!(from.iter().zip(to).all(|(end, other)| *end + shift == other), "seams are exact");
            Seam { ends: from.map(in_world), shift: in_world(shift) }
        };
        let of_stair = |stair: &Stair| {
            let [foot, low, high, head] = self.lines(stair);
            let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
            [seam([foot, low], stair.offset - below), seam([high, head], above - stair.offset)]
        };
        self.stairs.iter().flat_map(of_stair).collect()
    }

    /// The walls around storeys, beside flights and around the holes over and under them.
    pub(crate) fn walls(&self) -> Vec<ItemSpec> {
        let wall = |key: &'static str, points: &[Vector<2>], solid: Option<bool>| {
            let points = points.iter().map(|point| point.0.map(f64::from).to_vec()).collect();
            ItemSpec::new([(key, Some(Value::Points(points))), ("solid", solid.map(Value::Flag))])
        };
        let [x, y] = self.size;
        let around = self.storeys.iter().map(|storey| {
            let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]].map(|corner| storey.offset + Vector(corner));
            wall("polygon", &corners, Some(false))
        });
        let of_stair = |stair: &Stair| {
            let [foot, low, high, head] = self.lines(stair);
            let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
            let end = stair.foot.map(|end| end + stair.run + below);
            let start = stair.foot.map(|end| end + above);
            [
                wall("line", &[foot[0], end[0], end[1], foot[1]], None),
                wall("line", &[head[0], start[0], start[1], head[1]], None),
                wall("line", &[low[0], high[0]], None),
                wall("line", &[low[1], high[1]], None),
            ]
        };
        around.chain(self.stairs.iter().flat_map(of_stair)).collect()
    }

    /// The parts of storeys over and under flights, by their corners: no one starts there.
    pub(crate) fn holes(&self) -> impl Iterator<Item = (&Stair, [Vector<2>; 2])> {
        let of_stair = |stair: &'_ Stair| stair.storeys.map(|storey| self.storeys[storey].offset);
        self.stairs.iter().flat_map(move |stair| {
            of_stair(stair).map(|offset| (stair, stair.footprint().map(|corner| corner + offset)))
        })
    }

    /// A region over each flight with its zone; names that `is_taken` are lengthened.
    pub(crate) fn zones(&self, is_taken: impl Fn(&str) -> bool) -> (Vec<ItemSpec>, Vec<ItemSpec>) {
        let of_stair = |stair: &Stair| {
            let mut name: String = format!("stair-{}", stair.name).chars().take(60).collect();
            while is_taken(&name) {
                name.push('_');
            }
            let [low, high] = stair.footprint();
            let (centre, size) = ((low + high) * 0.5 + stair.offset, high - low);
            let value = |vector: Vector<2>| Some(Value::from(&vector.0[..]));
            let region =
                ItemSpec::new([("name", Some(name[..].into())), ("centre", value(centre)), ("size", value(size))]);
            let [up, down] = stair.factors.map(|factor| Some(factor.into()));
            let zone = [("region", Some(name[..].into())), ("factor", up), ("against", down)];
            (region, ItemSpec::new(zone.into_iter().chain([("direction", value(stair.run))])))
        };
        self.stairs.iter().map(of_stair).unzip()
    }
}

impl Scenario {
    /// Gives the world the size of all parts of the building, the walls of storeys and stairs, and regions over flights.
    /// Returns the zones of these.
    pub(crate) fn unfold(&mut self) -> Vec<ItemSpec> {
        let Some(storeys) = &self.storeys else { return Vec::new() };
        let (walls, regions) = (&mut self.environment.walls, &mut self.environment.regions);
        let (over_flights, zones) = storeys.zones(|name| regions.iter().any(|region| region.name() == name));
        self.size = Some(storeys.world.to_vec());
        walls.extend(storeys.walls());
        regions.extend(over_flights);
        zones
    }
}

/// A vector of a world, whose further components are zero.
fn in_world<const D: usize>(vector: Vector<2>) -> Vector<D> {
    Vector::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0))
}
