//! Pictures of a world in braille dots: two by four in each cell of the terminal.

use throng::{AnyWorld, Vector};
use throng_draw::{Bounds, Drawable, DrawnAgent, EnvironmentShape};

/// The first of the braille letters: that without dots.
const EMPTY: u32 = 0x2800;
/// The bits of the dots of a cell, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
/// The colours of species, and of headings around the circle, among the 256 of a terminal: distinct for the
/// colour-blind.
const SPECIES: [u8; 6] = [117, 214, 79, 175, 228, 203];
const HEADINGS: [u8; 8] = [75, 111, 189, 222, 214, 209, 175, 140];
/// The colour of walls, obstacles and paths.
const GREY: u8 = 244;

/// The part of the world that is shown.
#[derive(Debug)]
pub(super) struct Dots {
    flat: bool,
    several_species: bool,
    /// Whether the world has an axis without an edge: the part follows the crowd.
    open: bool,
    bounds: Bounds,
}

/// The dots of a picture.
struct Canvas {
    columns: usize,
    rows: usize,
    /// The dots of each cell, and the colour of the first one.
    cells: Vec<(u8, u8)>,
    /// Dots per metre, and the place of the left upper dot in metres.
    scale: f32,
    corner: [f32; 2],
}

impl Dots {
    pub(super) fn of(world: &AnyWorld) -> Self {
        let subject = world.subject();
        let open = world.settings().edge.iter().take(world.dimensions()).any(|edge| *edge == throng::Edge::Open);
        Self { flat: subject.flat, several_species: subject.species > 1, open, bounds: subject.bounds }
    }

    /// The lines of a picture of this number of columns and rows.
    pub(super) fn draw(&mut self, world: &AnyWorld, columns: usize, rows: usize, colours: bool) -> Vec<String> {
        if self.open {
            self.follow(world);
        }
        let mut canvas = self.canvas(columns, rows);
        world.crowd(&mut |agents| {
            for agent in agents {
                canvas.dot(self.flattened(agent.position), self.colour(agent));
            }
        });
        for shape in world.shapes() {
            match shape {
                EnvironmentShape::Wall { from, to } => canvas.line([self.flattened(from), self.flattened(to)]),
                EnvironmentShape::Obstacle { centre, radius } => canvas.circle(self.flattened(centre), radius),
                _ => {}
            }
        }
        canvas.lines(colours)
    }

    /// Moves the part that is shown when the crowd leaves it, or becomes small in it.
    fn follow(&mut self, world: &AnyWorld) {
        let mut crowd = Bounds::EMPTY;
        world.crowd(&mut |agents| {
            crowd = agents.iter().fold(crowd, |bounds, agent| bounds.including(agent.position));
        });
        if crowd.is_empty() {
            return;
        }
        let (held, size) = (self.bounds.including(crowd.low).including(crowd.high), self.bounds.extent());
        let small = (0..3).all(|axis| crowd.extent()[axis] < 0.4 * size[axis] || size[axis] == 0.0);
        if held != self.bounds || small {
            let reach = Vector::splat(0.3 * crowd.extent().length());
            self.bounds = Bounds { low: crowd.low - reach, high: crowd.high + reach };
        }
    }

    /// The place of a point in the picture, in metres to the right and upwards. Space is seen from the front and a
    /// little from above.
    fn flattened(&self, Vector([x, y, z]): Vector<3>) -> [f32; 2] {
        if self.flat { [x, y] } else { [0.866 * x - 0.5 * y, 0.906 * z + 0.423 * (0.5 * x + 0.866 * y)] }
    }

    /// A canvas on which all of the part fits.
    fn canvas(&self, columns: usize, rows: usize) -> Canvas {
        let Bounds { low, high } = self.bounds;
        let corner =
            |number: usize| Vector::from_fn(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] });
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for place in (0..8).map(|number| self.flattened(corner(number))) {
            for axis in 0..2 {
                least[axis] = if place[axis] < least[axis] { place[axis] } else { least[axis] };
                most[axis] = if place[axis] > most[axis] { place[axis] } else { most[axis] };
            }
        }
        let dots = [2 * columns, 4 * rows].map(|dots| dots as f32);
        let [across, up] = [0, 1].map(|axis| (dots[axis] - 1.0) / (most[axis] - least[axis]));
        let scale = if across < up { across } else { up };
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        // The part is in the middle.
        let rest = [0, 1].map(|axis| (dots[axis] / scale - (most[axis] - least[axis])) * 0.5);
        let corner = [least[0] - rest[0], most[1] + rest[1]];
        Canvas { columns, rows, cells: vec![(0, GREY); columns * rows], scale, corner }
    }

    fn colour(&self, agent: &DrawnAgent) -> u8 {
        if self.several_species {
            return SPECIES[agent.species as usize % SPECIES.len()];
        }
        let [x, y] = self.flattened(agent.velocity);
        // The eighth of the circle: by the signs, and by which component is larger.
        let steep = y.abs() > x.abs();
        HEADINGS[match (x >= 0.0, y >= 0.0) {
            (true, true) => usize::from(steep),
            (false, true) => 3 - usize::from(steep),
            (false, false) => 4 + usize::from(steep),
            (true, false) => 7 - usize::from(steep),
        }]
    }
}

impl Canvas {
    fn dot(&mut self, place: [f32; 2], colour: u8) {
        let at = [(place[0] - self.corner[0]) * self.scale, (self.corner[1] - place[1]) * self.scale];
        let inside =
            (0.0..2.0 * self.columns as f32).contains(&at[0]) && (0.0..4.0 * self.rows as f32).contains(&at[1]);
        if inside {
            let [x, y] = at.map(|number| number as usize);
            let cell = &mut self.cells[y / 4 * self.columns + x / 2];
            if cell.0 == 0 {
                cell.1 = colour;
            }
            cell.0 |= BITS[y % 4][x % 2];
        }
    }

    fn line(&mut self, [from, to]: [[f32; 2]; 2]) {
        let reach = [to[0] - from[0], to[1] - from[1]];
        let longest = if reach[0].abs() > reach[1].abs() { reach[0].abs() } else { reach[1].abs() };
        // A line far out of the picture has no more dots than one across it.
        let steps = (longest * self.scale).clamp(1.0, 4000.0) as usize;
        for step in 0..=steps {
            let share = step as f32 / steps as f32;
            self.dot([from[0] + reach[0] * share, from[1] + reach[1] * share], GREY);
        }
    }

    fn circle(&mut self, [x, y]: [f32; 2], radius: f32) {
        const CORNERS: [[f32; 2]; 8] = [
            [1.0, 0.0],
            [0.707, 0.707],
            [0.0, 1.0],
            [-0.707, 0.707],
            [-1.0, 0.0],
            [-0.707, -0.707],
            [0.0, -1.0],
            [0.707, -0.707],
        ];
        let corner = |number: usize| CORNERS[number % 8].map(|part| part * radius);
        for number in 0..8 {
            let ends = [corner(number), corner(number + 1)];
            self.line(ends.map(|[right, up]| [x + right, y + up]));
        }
    }

    /// The lines of the picture. A colour is set where it changes.
    fn lines(&self, colours: bool) -> Vec<String> {
        let rows = self.cells.chunks(Ord::max(self.columns, 1));
        let line = |row: &[(u8, u8)]| {
            let (mut line, mut present) = (String::new(), None);
            for &(dots, colour) in row {
                if dots == 0 {
                    line.push(' ');
                    continue;
                }
                if colours && present != Some(colour) {
                    line += &format!("\x1b[38;5;{colour}m");
                    present = Some(colour);
                }
                line.extend(char::from_u32(EMPTY + u32::from(dots)));
            }
            if present.is_some() {
                line += "\x1b[0m";
            }
            line
        };
        rows.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use throng_scenario::Scenario;

    use super::*;

    const WORLD: &str = "format = 1\nworld = { dimensions = 2, size = [40, 40], edge = \"bounce\", tick = 0.1 }\n\
                         [species.bird]\ncount = 1\nplace = { region = \"disc\", centre = [1, 39], radius = 0.1 }\n";

    fn world(text: &str) -> AnyWorld {
        Scenario::parse(text, "x").unwrap_or_else(|problems| panic!("{problems}")).build_any().unwrap()
    }

    #[test]
    fn an_agent_is_a_dot_in_its_place() {
        let world = world(WORLD);
        let mut dots = Dots::of(&world);
        // The world is as high as the picture and in the middle of it.
        let lines = dots.draw(&world, 40, 10, false);
        assert_eq!(lines.len(), 10);
        let found: Vec<(usize, usize)> = lines
            .iter()
            .enumerate()
            .flat_map(|(row, line)| line.chars().enumerate().map(move |(column, letter)| (row, column, letter)))
            .filter(|(.., letter)| *letter != ' ')
            .map(|(row, column, _)| (row, column))
            .collect();
        assert_eq!(found, [(0, 10)], "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() == 40));
    }

    #[test]
    fn colours_are_set_where_they_are_allowed() {
        let world = world(WORLD);
        let picture = |colours| Dots::of(&world).draw(&world, 40, 10, colours).join("\n");
        assert!(picture(true).contains("\x1b[38;5;") && !picture(false).contains('\x1b'));
    }

    #[test]
    fn every_scenario_fits_every_terminal() {
        for name in ["couzin", "hall", "avoid", "walls"] {
            let world = world(throng_view::built_in::text(name).unwrap());
            for (columns, rows) in [(80, 23), (7, 2), (1, 1), (0, 0)] {
                let lines = Dots::of(&world).draw(&world, columns, rows, false);
                assert!(lines.iter().all(|line| line.chars().count() <= columns), "{name} in {columns} x {rows}");
            }
            let lines = Dots::of(&world).draw(&world, 80, 23, false);
            assert!(lines.iter().any(|line| !line.trim().is_empty()), "{name}");
        }
    }
}
