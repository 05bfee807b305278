//! The painter: draws a small dart for each agent, optionally with a trail, or a density map of all agents.

mod bands;
mod camera;
mod canvas;
mod crowd;
mod density;
pub(crate) mod theme;
pub(crate) mod neighbours;
mod raster;
mod environment;
mod style;
mod trails;

use crate::bounds::edges;
use crate::drawable::{Agent, Drawable, EnvironmentShape, Subject};
use crate::error::Error;
use crate::options::{Colour, Options};
use crate::picture::Picture;
use camera::Camera;
use canvas::Canvas;
use crowd::Crowd;
use density::Density;
use neighbours::NeighbourCounts;
use style::Style;
use theme::Theme;
use trails::{Segment, Trails};

/// Draws a crowd, tick after tick. It keeps the trails of agents from picture to picture. It holds few agents at a time,
/// except where colours show neighbours, which are counted among all.
///
/// ```
/// use throng::{Settings, World};
/// use throng_draw::{Options, Painter};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let mut painter = Painter::new(&world, &Options { width: Some(320), trails: 20, ..Options::default() })?;
/// for _ in 0..50 {
///     world.step();
///     painter.observe(&world);
/// }
/// painter.paint(&world);
/// assert_eq!(painter.picture().width(), 320);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Painter {
    style: Style,
    canvas: Canvas,
    /// The tick observed last.
    tick: Option<u64>,
    /// The background without environment, and the environment drawn on it at present.
    empty: Vec<u8>,
    shapes: Vec<EnvironmentShape>,
    trails: Option<Trails>,
    density: Option<Density>,
    neighbours: Option<NeighbourCounts>,
    colours: Vec<[u8; 3]>,
}

/// The scale of a painter's pictures and the meaning of their colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legend {
    /// Pixels per metre, in 3D in the middle of the world.
    pub scale: f32,
    /// What the colour of an agent shows; `None` for a density map.
    pub colour: Option<Colour>,
    /// The numbers at the ends of the colour scale, if the colour shows a number: metres per second, a count, or for a
    /// density map agents per square metre, in 3D along the line of sight.
    pub range: Option<[f32; 2]>,
    /// The colours.
    pub theme: Theme,
}

impl Painter {
    /// A painter for this world. Size, camera and colour scales are those of its present [`Subject`]; they stay when
    /// the world changes.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] if an option is out of its range, [`Error::Bounds`] if the subject's bounds enclose nothing.
    pub fn new(drawable: &(impl Drawable + ?Sized), options: &Options) -> Result<Self, Error> {
        options.check()?;
        let subject = &drawable.subject();
        let (bounds, axes) = (subject.bounds, if subject.flat { 2 } else { 3 });
        let finite = (0..3).all(|axis| bounds.low[axis].is_finite() && bounds.high[axis].is_finite());
        if !finite || !(0..axes).all(|axis| bounds.extent()[axis] > 0.0) {
            return Err(Error::Bounds);
        }
        let style = Style::new(options, subject);
        let (width, height) = (style.width, style.height);
        let mut empty = style.theme.pixels(width, height);
        if !subject.flat {
            draw_box(&style, subject, &mut empty);
        }
        let colours = style::sample(&style, subject, options.density);
        Ok(Self {
            colours: colours.into_iter().map(|colour| colour.map(|channel| (channel + 0.5) as u8)).collect(),
            canvas: Canvas::new(width, height, empty.clone()),
            tick: None,
            empty,
            shapes: Vec::new(),
            trails: (options.trails > 0).then(|| Trails::new(width, height, options.trails)),
            density: options.density.then(|| Density::new(width, height, subject.agents)),
            neighbours: (style.colour == Colour::Neighbours).then(|| NeighbourCounts::new(subject)),
            style,
        })
    }

    /// The last picture; before the first, the background.
    #[must_use]
    pub fn picture(&self) -> &Picture {
        self.canvas.picture()
    }

    /// Returns the last picture and drops the painter.
    #[must_use]
    pub fn into_picture(self) -> Picture {
        self.canvas.into_picture()
    }

    /// The scale of its pictures and the meaning of their colours.
    #[must_use]
    pub fn legend(&self) -> Legend {
        let Self { style, density, neighbours, .. } = self;
        let range = match style.colour {
            _ if density.is_some() => {
                density.as_ref().map(|density| [0.0, density.most_per_area(style.camera.scale())])
            }
            Colour::Speed => Some(style.speeds),
            Colour::Neighbours => neighbours.as_ref().map(|counts| [0.0, counts.most() as f32]),
            _ => None,
        };
        let colour = if density.is_some() { None } else { Some(style.colour) };
        Legend { scale: style.camera.scale(), colour, range, theme: style.theme }
    }

    /// A sample of at most 250 colours of its pictures, the background first, for palettes.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// Extends the trails by the present agents, without drawing them. Trails are smooth if every tick is observed or
    /// painted.
    pub fn observe(&mut self, drawable: &(impl Drawable + ?Sized)) {
        let near = if self.trails.is_some() { self.count_near(drawable) } else { None };
        self.extend_trails(drawable, near);
    }

    /// Observes the present agents and draws them over the present environment.
    pub fn paint(&mut self, drawable: &(impl Drawable + ?Sized)) {
        let near = self.count_near(drawable);
        let near = self.extend_trails(drawable, near);
        let environment = drawable.shapes();
        let Self { style, canvas, empty, shapes, trails, density, .. } = self;
        if environment != *shapes {
            canvas.set_background(empty);
            environment::draw(&environment, &style.camera, style.theme, style.width, canvas.background_mut());
            *shapes = environment;
        }
        let crowd = Crowd { drawable, style, near };
        if let Some(density) = density {
            density.clear();
            crowd.each(|darts| density.count(darts.iter().map(|dart| [dart.x, dart.y])));
            density.spread();
            return canvas.start(|row, pixels| density.lay(style.theme, style.width, row, pixels));
        }
        canvas.start(|row, pixels| {
            if let Some(trails) = &*trails {
                trails.lay(row, pixels);
            }
        });
        match style.camera {
            Camera::Flat { .. } => crowd.each(|darts| canvas.draw(darts)),
            Camera::Space { .. } => crowd.draw_by_depth(canvas),
        }
    }

    /// Counts the neighbours of each agent, if its colour shows them.
    fn count_near(&mut self, drawable: &(impl Drawable + ?Sized)) -> Option<Vec<f32>> {
        let counts = self.neighbours.as_mut()?;
        let mut all: Vec<Agent> = Vec::new();
        drawable.crowd(&mut |agents| all.extend_from_slice(agents));
        Some(counts.count(&all))
    }

    /// Takes note of the tick, and extends the trails by the present agents. Returns the counts of neighbours again.
    fn extend_trails(&mut self, drawable: &(impl Drawable + ?Sized), near: Option<Vec<f32>>) -> Option<Vec<f32>> {
        let tick = drawable.tick();
        let ticks = self.tick.map_or(1, |last| u32::try_from(tick.saturating_sub(last)).unwrap_or(u32::MAX));
        self.tick = Some(tick);
        let Self { style, trails, .. } = self;
        let Some(trails) = trails else { return near };
        let crowd = Crowd { drawable, style, near };
        trails.age(ticks);
        let step = |agent: &Agent, near: f32| {
            let dart = style.dart(agent, near)?;
            let to = [dart.x, dart.y];
            let from = style.camera.project(agent.before).map_or(to, |seen| [seen.x, seen.y]);
            Some(Segment { from, to, width: (0.3 * dart.width).clamp(1.0, 3.0), colour: dart.colour })
        };
        crowd.each_of(step, |steps| trails.grow(steps));
        crowd.near
    }
}

/// Draws the edges of a world in 3D, which show its floor.
fn draw_box(style: &Style, subject: &Subject, background: &mut [u8]) {
    for (from, to) in edges(subject.bounds.low, subject.bounds.high) {
        if let (Some(from), Some(to)) = (style.camera.project(from), style.camera.project(to)) {
            let opacity = 0.55 - 0.2 * (from.depth + to.depth);
            let ink = style.theme.ink(0.0);
            raster::line(background, style.width, [from.x, from.y], [to.x, to.y], ink, opacity);
        }
    }
}
