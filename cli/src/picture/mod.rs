//! What does a world look like? Every agent is a small dart on a dark ground.
//!
//! A painter keeps its buffers, so that a film costs no more than its frames.

mod camera;
mod colour;
mod raster;
mod scenery;

use rayon::prelude::*;
use throng::scenario::Colour;
use throng::{Agents, Edge, Scenario, Vector, World};

use camera::{Camera, in_space};
use raster::{Canvas, Dart};
use scenery::Shape;

/// How a world is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    width: u32,
    height: u32,
    colour: Colour,
    camera: Camera,
    /// The length of a dart in the middle of the world, in pixels.
    length: f32,
    /// The radius of the smallest bodies, in metres: larger ones have longer darts.
    smallest: f32,
    /// The part of the world that the picture shows.
    low: Vector<3>,
    high: Vector<3>,
}

impl Look {
    /// The look that the scenario asks for, where it does; else what suits the world.
    pub(crate) fn new<const D: usize>(scenario: &Scenario, world: &World<D>) -> Self {
        let output = scenario.output();
        let (low, high) = bounds(world);
        let extent = high - low;
        let ratio = if D == 2 { extent[0] / extent[1] } else { 16.0 / 9.0 };
        let (width, height) = fit(ratio, output.width, output.height);
        let several = scenario.species().count() > 1;
        let colour = output.colour.unwrap_or(if several { Colour::Species } else { Colour::Heading });
        let camera = Camera::new(low, high, width as f32, height as f32);
        // As long as the mean distance between agents, within what is neither a speck nor an arrow; in space, where
        // they stand one behind the other, shorter.
        let agents = world.population().clamp(1, usize::MAX) as f32;
        let spacing = (width as f32 * height as f32 / agents).sqrt();
        let share = if D == 2 { 1.15 } else { 0.75 };
        Self {
            width,
            height,
            colour,
            camera,
            length: (share * spacing).clamp(3.5, 18.0),
            smallest: smallest_radius(world),
            low: in_space(low),
            high: in_space(high),
        }
    }
}

/// The radius of the smallest body, in metres; no less than that of anything that has one.
fn smallest_radius<const D: usize>(world: &World<D>) -> f32 {
    let all = world.species_ids().filter_map(|id| world.agents(id).ok());
    let radii = all.filter(|agents| !agents.is_empty()).map(|agents| agents.radius(0)).filter(|radius| *radius > 0.0);
    radii.fold(f32::INFINITY, |smallest, radius| if radius < smallest { radius } else { smallest })
}

/// The part of the world that the picture shows: all of it, or where its agents are if it has no edge.
fn bounds<const D: usize>(world: &World<D>) -> (Vector<D>, Vector<D>) {
    let settings = world.settings();
    if settings.edge != Edge::Open || world.population() == 0 {
        return (Vector::ZERO, settings.size);
    }
    let (mut low, mut high) = (Vector::splat(f32::INFINITY), Vector::splat(f32::NEG_INFINITY));
    for agents in world.species_ids().filter_map(|id| world.agents(id).ok()) {
        for (axis, column) in agents.positions().into_iter().enumerate() {
            for &coordinate in column {
                low[axis] = if coordinate < low[axis] { coordinate } else { low[axis] };
                high[axis] = if coordinate > high[axis] { coordinate } else { high[axis] };
            }
        }
    }
    let margin = (high - low).length() * 0.03 + 1.0;
    (low - Vector::splat(margin), high + Vector::splat(margin))
}

/// Width and height in pixels: what was asked for; else of this ratio, and not larger than a screen.
fn fit(ratio: f32, width: Option<u32>, height: Option<u32>) -> (u32, u32) {
    const SCREEN: (f32, f32) = (1920.0, 1080.0);
    let pixels = |length: f32| (length.round().clamp(16.0, 16_384.0) as u32).next_multiple_of(2);
    match (width, height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, pixels(width as f32 / ratio)),
        (None, Some(height)) => (pixels(height as f32 * ratio), height),
        (None, None) if ratio > SCREEN.0 / SCREEN.1 => (pixels(SCREEN.0), pixels(SCREEN.0 / ratio)),
        (None, None) => (pixels(SCREEN.1 * ratio), pixels(SCREEN.1)),
    }
}

/// Draws worlds, one after another.
#[derive(Debug)]
pub(crate) struct Painter {
    look: Look,
    canvas: Canvas,
    darts: Vec<Dart>,
    /// The ground without scenery, and the scenery that is drawn on it now.
    ground: Vec<u8>,
    shapes: Vec<Shape>,
}

impl Painter {
    pub(crate) fn new(look: Look) -> Self {
        let (width, height) = (look.width as usize, look.height as usize);
        let mut background = colour::background(width, height);
        if matches!(look.camera, Camera::Space { .. }) {
            draw_box(&look, &mut background);
        }
        let canvas = Canvas::new(width, height, background.clone());
        Self { canvas, look, darts: Vec::new(), ground: background, shapes: Vec::new() }
    }

    /// Draws the world as it is now.
    pub(crate) fn draw<const D: usize>(&mut self, world: &World<D>) {
        let Self { look, canvas, darts, ground, shapes } = self;
        let now = scenery::shapes(world, &look.camera);
        if now != *shapes {
            canvas.set_background(ground);
            scenery::draw(&now, look.width as usize, canvas.background_mut());
            *shapes = now;
        }
        darts.clear();
        for (number, agents) in world.species_ids().filter_map(|id| world.agents(id).ok()).enumerate() {
            let seen = (0..agents.len()).into_par_iter().with_min_len(1024).map(|row| dart(look, number, agents, row));
            darts.par_extend(seen.filter_map(|dart| dart));
        }
        if matches!(look.camera, Camera::Space { .. }) {
            // Who is in front hides who is behind.
            darts.par_sort_by(|a, b| b.depth.total_cmp(&a.depth));
        }
        canvas.draw(darts);
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.look.width, self.look.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        // Writing to memory cannot fail; an empty file would say that it did.
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(self.canvas.pixels()));
        if written.is_err() {
            file.clear();
        }
        file
    }
}

/// The edges of a world in space: without them nobody sees where its floor is.
fn draw_box(look: &Look, background: &mut [u8]) {
    const LINES: [f32; 3] = [92.0, 112.0, 150.0];
    let corner =
        |number: usize| Vector::from_fn(|axis| if number >> axis & 1 == 0 { look.low[axis] } else { look.high[axis] });
    for from in 0..8 {
        for to in [from | 1, from | 2, from | 4] {
            if let (true, Some(start), Some(end)) =
                (from != to, look.camera.see(corner(from)), look.camera.see(corner(to)))
            {
                let opacity = 0.55 - 0.2 * (start.depth + end.depth);
                raster::line(background, look.width as usize, [start.x, start.y], [end.x, end.y], LINES, opacity);
            }
        }
    }
}

/// One agent on the picture.
fn dart<const D: usize>(look: &Look, species: usize, agents: &Agents<D>, row: usize) -> Option<Dart> {
    let velocity = in_space(agents.velocity(row));
    let seen = look.camera.see(in_space(agents.position(row)))?;
    let [right, down] = look.camera.heading(velocity);
    let sideways = (right * right + down * down).sqrt();
    let heading = if sideways > 0.0 { [right / sideways, down / sideways] } else { [0.0, -1.0] };
    let colour = match look.colour {
        Colour::Species => colour::of_species(species),
        Colour::Heading => colour::of_heading(right, -down),
    };
    // Not as large as they are: six times the radius would be most of the picture.
    let large = (agents.radius(row) / look.smallest).sqrt().clamp(1.0, 3.0);
    let size = look.length * large * seen.size;
    let length = size * (0.4 + 0.6 * sideways.clamp(0.0, 1.0));
    let width = (0.4 * size).clamp(1.6, 1e3);
    let fog = seen.depth * seen.depth * 0.35 + seen.depth * 0.4;
    let colour = colour::mix(colour, colour::NIGHT, fog);
    Some(Dart { x: seen.x, y: seen.y, heading, length, width, colour, opacity: 0.88, depth: seen.depth })
}
