//! The floor plan of a scenario: its walls, and its named rectangles as regions.

use crate::definition::Scenario;
use crate::fields::{Fields, Reader};

/// Reads `floor_plan` from the file's outermost table, and adds the items of the plan to the environment.
#[cfg(feature = "floor_plans")]
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &mut Scenario) {
    reading::read(reader, root, scenario);
}

#[cfg(feature = "floor_plans")]
pub use reading::{NamedArea, add_floor_plan};

/// Refuses the key.
#[cfg(not(feature = "floor_plans"))]
pub(crate) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, _: &mut Scenario) {
    if let Some(entry) = root.entry("floor_plan") {
        let reason =
            "this program was built without floor plans: the feature `floor_plans` of throng-scenario reads them";
        let reason = crate::reason::Reason::FloorPlan(reason.to_owned());
        reader.refuse("floor_plan".to_owned(), &entry.item, reason);
    }
}

#[cfg(feature = "floor_plans")]
mod reading {
    use throng_formats::{Area, FloorPlan, ReadOptions, Warning};

    use throng::parameters::{Value, is_name};
    use throng::{Edge, Environment, PathFault, Registry, Settings, Vector, WarningKind};

    use crate::definition::Scenario;
    use crate::document::Node;
    use crate::environment::EnvironmentSpec;
    use crate::fields::{Fields, Reader};
    use crate::items::ItemSpec;
    use crate::reason::Reason;
    use crate::start::in_dimensions;

    /// How far a plan may reach out of the world, in metres: more than rounding does.
    const BEYOND: f64 = 1e-3;

    /// A named area of a floor plan: the corners of its outline and of its holes, in metres.
    pub type NamedArea = (String, Vec<Vec<[f32; 2]>>);

    /// Adds a floor plan to the environment of a world with these settings, as the key `floor_plan` does: its walls, and
    /// its named rectangles as regions. `file` is its name in messages, and `origin` the position of its point (0, 0).
    /// Returns the named areas, and warnings.
    ///
    /// ```
    /// use throng::{Settings, Vector, World};
    /// use throng_formats::{FloorPlan, Format, ReadOptions};
    ///
    /// let plan = FloorPlan::parse("POLYGON ((1 1, 9 1, 9 5, 1 5, 1 1))", Format::Wkt, &ReadOptions::default())?;
    /// let mut world = World::<2>::new(Settings { size: Vector([10.0, 6.0]), ..Settings::default() })?;
    /// let settings = world.settings().clone();
    /// throng_scenario::add_floor_plan(&plan, ("room.wkt", [0.0, 0.0]), &settings, world.environment_mut())?;
    /// assert_eq!(world.environment().walls.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The reason in words. The environment may then have a part of the plan.
    pub fn add_floor_plan(
        plan: &FloorPlan,
        (file, origin): (&str, [f64; 2]),
        settings: &Settings<2>,
        environment: &mut Environment<2>,
    ) -> Result<(Vec<NamedArea>, Vec<throng::Warning>), String> {
        let mut scenario = Scenario::empty(file, Registry::new());
        (scenario.size, scenario.edge) = (Some(settings.size.0.to_vec()), settings.edge.to_vec());
        add(plan, (file, origin), &mut scenario)?;
        scenario.environment.build(environment).map_err(|error| format!("{file}: {error}"))?;
        let named = plan.areas.iter().filter_map(|area| Some((area.name.clone()?, rings(area))));
        let warning = |message| throng::Warning::new(WarningKind::Reading, "floor_plan".to_owned(), message);
        Ok((named.collect(), doubts(plan, file).map(warning).collect()))
    }

    /// The warnings of a plan that is read nevertheless.
    fn doubts(plan: &FloorPlan, file: &str) -> impl Iterator<Item = String> {
        let is_shown =
            |warning: &Warning| !matches!(warning, Warning::Ignored(..) | Warning::Filled(_)) && is_harmless(warning);
        plan.warnings().into_iter().filter(is_shown).map(move |warning| format!("{file}: {warning}"))
    }

    /// Whether a plan with this warning is read.
    fn is_harmless(warning: &Warning) -> bool {
        use Warning::{Crs, Cut, Filled, Floors, Ignored, Moved};
        matches!(warning, Ignored(..) | Filled(_) | Moved(_) | Cut(..) | Floors { .. } | Crs(_))
    }

    /// The corners of the rings of an area.
    fn rings(area: &Area) -> Vec<Vec<[f32; 2]>> {
        let rings = std::iter::once(&area.outline).chain(&area.holes);
        rings.map(|ring| ring.iter().map(|point| point.map(|at| at as f32)).collect()).collect()
    }

    pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &Fields<'d>, scenario: &mut Scenario) {
        let Some(entry) = root.entry("floor_plan") else { return };
        let before = reader.problems.count();
        let (file, options) = match entry.item.node {
            Node::Table(_) => {
                let Some(fields) = reader.inner(root, "floor_plan") else { return };
                let scale = reader.number(&fields, "scale").and_then(|scale| Value::from(scale).number());
                let origin = match reader.value(&fields, "origin", scenario.dimensions) {
                    Some(Value::Point(origin)) => Some([origin[0], origin[1]]),
                    _ => None,
                };
                let element = reader.whole(&fields, "element").map(|element| element as usize);
                let mut words = |key: &str| match reader.value(&fields, key, 0) {
                    Some(Value::Words(words)) => Some(words),
                    _ => None,
                };
                let (select, walls) = (words("select").unwrap_or_default(), words("walls"));
                let options = ReadOptions { scale, origin, element, select, walls, ..ReadOptions::default() };
                (reader.text(&fields, "file"), options)
            }
            _ => (reader.text(root, "floor_plan"), ReadOptions::default()),
        };
        let Some(file) = file.filter(|_| reader.problems.count() == before) else { return };
        let path = reader.document.beside(file);
        let plan = FloorPlan::load(path, &options).map_err(|error| error.to_string());
        match plan.and_then(|plan| add(&plan, (file, options.origin.unwrap_or_default()), scenario).map(|()| plan)) {
            Err(reason) => reader.refuse("floor_plan".to_owned(), &entry.item, Reason::FloorPlan(reason)),
            Ok(plan) => {
                for doubt in doubts(&plan, file) {
                    reader.doubt("floor_plan".to_owned(), doubt);
                }
                // A shape that the scenario refers to is an area.
                let filled: Vec<_> = plan.filled.into_iter().filter(|name| !reader.document.mentions(name)).collect();
                if !filled.is_empty() {
                    reader.doubt("floor_plan".to_owned(), format!("{file}: {}", Warning::Filled(filled)));
                }
            }
        }
    }

    /// Adds the walls and the regions of a plan to a scenario.
    fn add(plan: &FloorPlan, (file, origin): (&str, [f64; 2]), scenario: &mut Scenario) -> Result<(), String> {
        if scenario.dimensions != 2 {
            return Err("floor plans are for worlds of two dimensions".to_owned());
        }
        let suspicious = plan.warnings().into_iter().find(|warning| !is_harmless(warning));
        if let Some(warning) = suspicious {
            return Err(format!("{file}: {warning}"));
        }
        check_inside(plan, (file, origin), scenario)?;
        for (number, wall) in plan.walls.iter().enumerate() {
            let points = corners(&wall.points, wall.closed);
            let found = PathFault::of(
                &points.iter().map(|point| in_dimensions(point)).collect::<Vec<Vector<2>>>(),
                wall.closed,
            );
            if let Some(fault) = found {
                let name = wall.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
                return Err(format!("{file}: wall {}{name}: {fault}", number + 1));
            }
            let name = wall.name.as_ref().map(|name| new_name(name, &scenario.environment.walls));
            let points =
                Value::Points(points.iter().map(|point| point.iter().copied().map(f64::from).collect()).collect());
            scenario.environment.walls.push(ItemSpec::new([
                ("name", name.map(|name| name[..].into())),
                (if wall.closed { "polygon" } else { "line" }, Some(points)),
                ("solid", wall.solid.map(Value::Flag)),
            ]));
        }
        for area in &plan.areas {
            add_region(area, scenario);
        }
        Ok(())
    }

    /// Refuses a plan that reaches out of the world: it is in other units, or elsewhere.
    fn check_inside(plan: &FloorPlan, (file, origin): (&str, [f64; 2]), scenario: &Scenario) -> Result<(), String> {
        let (Some(bounds), Some(size)) = (plan.bounds(), scenario.plan()) else { return Ok(()) };
        let outside = |axis: usize| {
            let reaches = bounds.low[axis] < -BEYOND || bounds.high[axis] > f64::from(size[axis]) + BEYOND;
            reaches && scenario.edge.get(axis) != Some(&Edge::Open)
        };
        if outside(0) || outside(1) {
            let world = format!("(0, 0) to ({}, {})", size[0], size[1]);
            let fits = (0..2).all(|axis| bounds.size()[axis] <= f64::from(size[axis]));
            let remedy = if fits {
                // A plan in the coordinates of a map.
                let [x, y] = [0, 1].map(|axis| ((origin[axis] - bounds.low[axis]) * 1e3).ceil() / 1e3);
                format!("set origin = [{x}, {y}]")
            } else {
                "set scale, origin or the world's size".to_owned()
            };
            return Err(format!("{file}: the plan reaches from {bounds} m, out of the world, {world} m: {remedy}"));
        }
        Ok(())
    }

    /// The corners in single precision, without those that rounding made equal.
    fn corners(points: &[[f64; 2]], closed: bool) -> Vec<Vec<f32>> {
        let mut corners: Vec<Vec<f32>> = points.iter().map(|point| point.map(|at| at as f32).to_vec()).collect();
        corners.dedup();
        if closed && corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        corners
    }

    /// A name of a wall that no other wall has: with other characters where a name cannot have them, and a number.
    fn new_name(name: &str, walls: &[ItemSpec]) -> String {
        let letter = |character: char| if is_name(character.encode_utf8(&mut [0; 4])) { character } else { '_' };
        let valid: String = name.chars().map(letter).take(56).collect();
        let taken = |name: &str| walls.iter().any(|wall| wall.name() == name);
        let numbered = (2..).map(|number| format!("{valid}-{number}"));
        std::iter::once(valid.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(valid)
    }

    /// Adds a named rectangle as a region, and any other named area as one of initial positions. A region of the
    /// scenario file with the same name replaces it.
    fn add_region(area: &Area, scenario: &mut Scenario) {
        let EnvironmentSpec { regions, areas, .. } = &mut scenario.environment;
        let taken = |name: &str| {
            regions.iter().any(|other| other.name() == name) || areas.iter().any(|(other, _)| other == name)
        };
        let Some(name) = area.name.as_ref().filter(|name| is_name(name) && !taken(name)) else { return };
        if let Some(bounds) = area.rectangle() {
            let centre = [0, 1].map(|axis| (0.5 * (bounds.low[axis] + bounds.high[axis])) as f32);
            let size = bounds.size().map(|extent| extent as f32);
            let [centre, size] = [centre, size].map(|point| Some(point.into()));
            regions.push(ItemSpec::new([("name", Some(name[..].into())), ("centre", centre), ("size", size)]));
        } else {
            areas.push((name.clone(), rings(area)));
        }
    }
}
