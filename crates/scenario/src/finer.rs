//! Navigations with shorter cells, which lead through passages that the cells of the file close.

use throng::{Environment, Navigation, NavigationField, Settings, Vector, World};

/// The numbers of parts into which cells are divided.
const PARTS: [u16; 3] = [2, 4, 8];

/// The largest number of cells of ways that are only computed to compare their lengths.
const COMPARED: usize = 400_000;

/// By which factor, and by how many metres, a way is longer where cells close a passage.
const LONGER: f32 = 1.2;
const LONGER_BY: f32 = 1.0;

/// A navigation of a world whose first tick is over.
pub(crate) struct Finer<'a> {
    pub(crate) environment: &'a Environment<2>,
    pub(crate) settings: &'a Settings<2>,
    pub(crate) name: &'a str,
}

impl Finer<'_> {
    fn field<'e>(&self, environment: &'e Environment<2>) -> Option<&'e NavigationField> {
        environment.navigation_field(environment.navigations.find(self.name)?)
    }

    /// The ways over cells that are parts of the present ones, and the length of these cells in millimetres; `None` if a
    /// world has no cells of this length.
    fn with_cells(&self, parts: u16) -> Option<(NavigationField, f32)> {
        let cells = self.field(self.environment)?.cells();
        let size = self.settings.size.0;
        let [x, y] = [0, 1].map(|axis| size[axis] / cells[axis] as f32);
        let cell = (if y < x { y } else { x } / f32::from(parts) * 1e3).floor() / 1e3;
        if cell <= Navigation::least_cell(size) {
            return None;
        }
        let mut environment = Environment::default();
        environment.walls = self.environment.walls.clone();
        environment.obstacles = self.environment.obstacles.clone();
        environment.regions = self.environment.regions.clone();
        environment.marks = self.environment.marks.clone();
        let navigation = self.environment.navigations.named(self.name)?.clone();
        environment.navigations.add(Navigation { cell: Some(cell), ..navigation }).ok()?;
        let mut world = World::new(self.settings.clone()).ok()?;
        *world.environment_mut() = environment;
        world.step();
        Some((self.field(world.environment())?.clone(), cell))
    }

    /// The longest cells with which a way leads from a point to the goals.
    pub(crate) fn serving_cell(&self, from: Vector<2>) -> Option<f32> {
        let ways = PARTS.into_iter().filter_map(|parts| self.with_cells(parts));
        let mut serving = ways.filter(|(field, _)| field.distance(from) < f32::INFINITY);
        serving.next().map(|(_, cell)| cell)
    }

    /// The doubt that the cells close a passage on the way from one of these points.
    pub(crate) fn doubt(&self, starts: &[Vector<2>]) -> Option<String> {
        let field = self.field(self.environment)?;
        let count = field.cells()[0] * field.cells()[1];
        let lengths: Vec<_> =
            starts.iter().map(|&at| (at, field.distance(at))).filter(|(_, way)| *way < f32::INFINITY).collect();
        if lengths.is_empty() {
            return None;
        }
        let compared = PARTS.into_iter().filter(|parts| count * usize::from(parts * parts) <= COMPARED);
        compared.filter_map(|parts| self.with_cells(parts)).find_map(|(finer, cell)| {
            let is_longer = |(at, way): &&(Vector<2>, f32)| *way > LONGER * finer.distance(*at) + LONGER_BY;
            let &(at, way) = lengths.iter().find(is_longer)?;
            let (Vector([x, y]), shorter) = (at, finer.distance(at));
            Some(format!(
                "the cells close a passage that is wide enough: from [{x}, {y}] m the way is {way:.1} m long, and with \
                 `cell = {cell}` {shorter:.1} m"
            ))
        })
    }
}
