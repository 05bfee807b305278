//! Pictures of crowds: a small dart for each agent, optionally with a trail, or a density map of all agents.
//!
//! A painter keeps its buffers, so that a film costs no more than its frames.

mod bands;
mod camera;
mod canvas;
mod colour;
mod crowd;
mod density;
mod look;
mod near;
mod raster;
mod scenery;
mod trails;

use rayon::prelude::*;
use throng::scenario::Colour;

pub(crate) use camera::{Camera, View, point};
use canvas::{Canvas, Dart};
pub(crate) use crowd::{NOWHERE, Sight, Subject, around, see, with_margin};
use density::Density;
use look::Look;
pub(crate) use look::Wishes;
use near::Near;
pub(crate) use scenery::{Shape, shapes};
use trails::{Step, Trails};

/// Draws a crowd, tick after tick.
#[derive(Debug)]
pub(crate) struct Painter {
    look: Look,
    canvas: Canvas,
    /// The agents in the order of drawing: in 3D, those in the back first.
    darts: Vec<Dart>,
    /// The background without scenery, and the scenery drawn on it at present.
    empty: Vec<u8>,
    shapes: Vec<Shape>,
    trails: Option<Trails>,
    steps: Vec<Step>,
    density: Option<Density>,
    near: Option<Near>,
    colours: Vec<[u8; 3]>,
}

impl Painter {
    pub(crate) fn new(wishes: &Wishes, subject: &Subject) -> Self {
        let look = Look::new(wishes, subject);
        let (width, height) = (look.width, look.height);
        let mut empty = look.ground.pixels(width, height);
        if !subject.flat {
            draw_box(&look, subject, &mut empty);
        }
        let trails = (wishes.trails > 0).then(|| Trails::new(width, height, wishes.trails));
        let near = (look.colour == Colour::Neighbours).then(|| Near::new(subject));
        let colours = look::sample(&look, subject, wishes.density);
        Self {
            colours: colours.into_iter().map(|colour| colour.map(|channel| (channel + 0.5) as u8)).collect(),
            canvas: Canvas::new(width, height, empty.clone()),
            look,
            darts: Vec::new(),
            empty,
            shapes: Vec::new(),
            trails,
            steps: Vec::new(),
            density: wishes.density.then(|| Density::new(width, height, subject.agents)),
            near,
        }
    }

    /// A sample of the colours that its pictures can have, the background first.
    pub(crate) fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// The camera of its pictures.
    pub(crate) fn camera(&self) -> &Camera {
        &self.look.camera
    }

    /// Width and height, in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.look.width, self.look.height)
    }

    /// The picture, three bytes a pixel, row by row.
    pub(crate) fn pixels(&self) -> &[u8] {
        self.canvas.pixels()
    }

    /// Takes in the present crowd, `ticks` ticks after the last call. Trails need every tick, whether it is drawn or
    /// not.
    pub(crate) fn look(&mut self, crowd: &[Sight], ticks: u32) {
        let Self { look, darts, trails, steps, near, .. } = self;
        let counts = near.as_mut().map(|near| near.count(crowd));
        let seen = |row: usize| {
            let sight = &crowd[row];
            let dart = look.dart(sight, counts.as_ref().map_or(0.0, |counts| counts[row]))?;
            Some((dart, look.camera.see(sight.before).map_or([dart.x, dart.y], |seen| [seen.x, seen.y])))
        };
        let all: Vec<(Dart, [f32; 2])> = (0..crowd.len()).into_par_iter().with_min_len(1024).filter_map(seen).collect();
        darts.clear();
        darts.extend(all.iter().map(|(dart, _)| dart));
        if let Some(trails) = trails {
            steps.clear();
            steps.extend(all.iter().map(|&(dart, from)| Step {
                from,
                to: [dart.x, dart.y],
                width: (0.3 * dart.width).clamp(1.0, 3.0),
                colour: dart.colour,
            }));
            trails.grow(steps, ticks);
        }
    }

    /// Draws the crowd of the last call of `look`, over this scenery.
    pub(crate) fn draw(&mut self, scenery: Vec<Shape>) {
        let Self { look, canvas, darts, empty, shapes, trails, density, .. } = self;
        if scenery != *shapes {
            canvas.set_background(empty);
            scenery::draw(&scenery, look.ground, look.width, canvas.background_mut());
            *shapes = scenery;
        }
        if let Some(density) = density {
            density.count(darts.iter().map(|dart| [dart.x, dart.y]));
            return canvas.draw(&[], |row, pixels| density.lay(look.ground, look.width, row, pixels));
        }
        if matches!(look.camera, Camera::Space { .. }) {
            // Agents in front hide those behind.
            darts.par_sort_by(|a, b| b.depth.total_cmp(&a.depth));
        }
        canvas.draw(darts, |row, pixels| {
            if let Some(trails) = &*trails {
                trails.lay(row, pixels);
            }
        });
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.look.width as u32, self.look.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        // Writing to memory cannot fail; an empty file would reveal that it did.
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(self.canvas.pixels()));
        if written.is_err() {
            file.clear();
        }
        file
    }
}

/// Draws the edges of a world in 3D, which show its floor.
fn draw_box(look: &Look, subject: &Subject, background: &mut [u8]) {
    let [low, high] = subject.bounds;
    for (from, to) in scenery::edges(low, high) {
        if let (Some(from), Some(to)) = (look.camera.see(from), look.camera.see(to)) {
            let opacity = 0.55 - 0.2 * (from.depth + to.depth);
            let ink = look.ground.ink(0.0);
            raster::line(background, look.width, [from.x, from.y], [to.x, to.y], ink, opacity);
        }
    }
}
