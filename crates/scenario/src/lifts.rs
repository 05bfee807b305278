//! The lifts of a building: their walls and regions on each storey.

use throng::Vector;
use throng::parameters::Value;

use crate::items::ItemSpec;
use crate::storeys::{LiftPlan, Storeys};
use crate::unfold::line;

/// How far people wait before a door, in metres.
const DEPTH: f32 = 1.0;

impl LiftPlan {
    /// A point from the distances from the middle towards the door and beside it.
    fn at(&self, ahead: f32, beside: f32) -> Vector<2> {
        self.centre + self.door * ahead + Vector([-self.door[1], self.door[0]]) * beside
    }

    /// Half of its depth and of its width, seen from the door.
    pub(crate) fn half(&self) -> [f32; 2] {
        let [x, y] = (self.size * 0.5).0;
        if self.door[0] == 0.0 { [y, x] } else { [x, y] }
    }

    /// The corners of the car and of the place before its door in the plan: the lowest and the highest.
    pub(crate) fn boxes(&self) -> [[Vector<2>; 2]; 2] {
        let (half, reach) = (self.half(), 0.5 * self.door_width);
        let corners = |[a, b]: [Vector<2>; 2]| {
            let low = Vector::from_fn(|axis| if a[axis] < b[axis] { a[axis] } else { b[axis] });
            [low, a + b - low]
        };
        let car = [self.at(-half[0], -half[1]), self.at(half[0], half[1])];
        let before = [self.at(half[0], -reach), self.at(half[0] + DEPTH, reach)];
        [car, before].map(corners)
    }

    /// The walls around the car, open at the door, in the plan.
    fn walls(&self) -> Vec<Vector<2>> {
        let ([deep, wide], jamb) = (self.half(), 0.5 * self.door_width);
        let mut corners = vec![self.at(deep, -wide), self.at(-deep, -wide), self.at(-deep, wide), self.at(deep, wide)];
        if jamb < wide {
            corners.insert(0, self.at(deep, -jamb));
            corners.push(self.at(deep, jamb));
        }
        corners
    }
}

impl Storeys {
    /// The walls of lifts on their storeys.
    pub(crate) fn walls_of_lifts(&self) -> impl Iterator<Item = ItemSpec> {
        self.lifts.iter().flat_map(|lift| {
            lift.storeys.iter().map(|&storey| {
                let corners = lift.walls().into_iter().map(|corner| corner + self.storeys[storey].offset);
                line("line", &corners.collect::<Vec<_>>(), None)
            })
        })
    }

    /// The lifts, and the regions of their cars and before their doors; names that `is_taken` are lengthened.
    pub(crate) fn lifts(&self, is_taken: impl Fn(&str) -> bool) -> (Vec<ItemSpec>, Vec<ItemSpec>) {
        let (mut regions, mut lifts) = (Vec::<ItemSpec>::new(), Vec::new());
        for lift in &self.lifts {
            let mut names = [Vec::new(), Vec::new()];
            for &number in &lift.storeys {
                let storey = &self.storeys[number];
                for ((at, names), end) in lift.boxes().into_iter().zip(&mut names).zip(["", "-door"]) {
                    let whole: String = format!("lift-{}-{}", lift.name, storey.name).chars().take(50).collect();
                    let mut name = whole + end;
                    while is_taken(&name) || regions.iter().any(|region| region.name() == name) {
                        name.push('_');
                    }
                    let value = |vector: Vector<2>| Some(Value::from(&vector.0[..]));
                    let centre = (at[0] + at[1]) * 0.5 + storey.offset;
                    let keys =
                        [("name", Some(name[..].into())), ("centre", value(centre)), ("size", value(at[1] - at[0]))];
                    regions.push(ItemSpec::new(keys));
                    names.push(name);
                }
            }
            let [landings, doors] = names.map(|names| Some(Value::Words(names)));
            let heights = lift.storeys.iter().map(|&number| f64::from(self.storeys[number].elevation));
            let places = [
                ("name", Some(lift.name[..].into())),
                ("landings", landings),
                ("doors", doors),
                ("heights", Some(Value::Point(heights.collect()))),
            ];
            lifts.push(ItemSpec::new(places.into_iter().chain(lift.keys.iter().cloned())));
        }
        (lifts, regions)
    }
}
