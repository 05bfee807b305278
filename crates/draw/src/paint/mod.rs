//! The painter: draws a small dart for each agent, optionally with a trail, or a density map of all agents.

mod bands;
mod camera;
mod canvas;
mod crowd;
mod grid;
pub(crate) mod theme;
mod density;
mod floor;
pub(crate) mod neighbours;
mod environment;
mod style;
mod substance;
mod trails;

use throng::Vector;

use crate::bounds::Bounds;
use crate::drawable::{Drawable, DrawnAgent, EnvironmentShape, Values};
use crate::error::Error;
use crate::options::{Colour, Options};
use crate::picture::Picture;
use crate::raster;
use camera::Camera;
use canvas::Canvas;
use crowd::Crowd;
use density::{Density, Scale};
use environment::Part;
use floor::Floor;
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
    shapes: Option<Vec<EnvironmentShape>>,
    /// The box that the picture encloses in 3D.
    bounds: Bounds,
    floor: Option<Floor>,
    trails: Option<Trails>,
    density: Option<Density>,
    neighbours: Option<NeighbourCounts>,
    /// The ends of the scale of a variable.
    range: Option<[f32; 2]>,
    people: bool,
    colours: Vec<[u8; 3]>,
}

/// The scale of a painter's pictures and the meaning of their colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// Pixels per metre, in 3D in the middle of the world.
    pub scale: f32,
    /// The quantity that the colour of an agent shows; `None` for a density map.
    pub colour: Option<Colour>,
    /// The numbers at the ends of the colour scale, if the colour shows a number: metres per second, a count, a variable,
    /// or for a density map agents per square metre, in 3D along the line of sight.
    pub range: Option<[f32; 2]>,
    /// The colours.
    pub theme: Theme,
    /// The colours of a density map.
    density: Option<Scale>,
}

impl Legend {
    /// A legend of agents, with these numbers at the ends of the scale.
    #[must_use]
    pub fn new(scale: f32, colour: Colour, range: Option<[f32; 2]>, theme: Theme) -> Self {
        Self { scale, colour: Some(colour), range, theme, density: None }
    }

    /// The colour of a place on the scale, from 0 to 1.
    #[must_use]
    pub fn at(&self, share: f32) -> [f32; 3] {
        match self.density {
            Some(scale) => scale.colour(self.theme, self.theme.middle(), share),
            None => self.theme.amount(share),
        }
    }
}

impl Painter {
    /// A painter for this world. Size, camera and colour scales belong to its present [`Subject`](crate::Subject); they
    /// stay when the world changes.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] if an option is out of its range, [`Error::Bounds`] if the subject's bounds enclose nothing,
    /// [`Error::Variable`] if no species has the variable that colours show.
    pub fn new(drawable: &(impl Drawable + ?Sized), options: &Options) -> Result<Self, Error> {
        options.check()?;
        let subject = &drawable.subject();
        let (bounds, axes) = (style::enclosed(options, subject), if subject.flat { 2 } else { 3 });
        let finite = (0..3).all(|axis| bounds.low[axis].is_finite() && bounds.high[axis].is_finite());
        if !finite || !(0..axes).all(|axis| bounds.extent()[axis] > 0.0) {
            return Err(Error::Bounds);
        }
        let range = match &options.colour {
            Some(Colour::Variable(name)) if !options.density => {
                Some(drawable.values(name).ok_or_else(|| Error::Variable(name.clone()))?.range)
            }
            _ => None,
        };
        let style = Style::new(options, subject, bounds);
        let (width, height, scale) = (style.width, style.height, style.camera.scale());
        let empty = empty(&style, bounds);
        let people = subject.has_people();
        let colours = style::sample(&style, subject, options.density);
        Ok(Self {
            colours: colours.into_iter().map(|colour| colour.map(|channel| (channel + 0.5) as u8)).collect(),
            canvas: Canvas::new(width, height, empty.clone()),
            tick: None,
            empty,
            shapes: None,
            bounds,
            floor: Floor::new(drawable, subject),
            trails: (options.trails > 0).then(|| Trails::new(width, height, options.trails)),
            density: options.density.then(|| Density::new(width, height, scale, people)),
            neighbours: (style.colour == Colour::Neighbours).then(|| NeighbourCounts::new(subject)),
            range,
            people,
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
        let Self { style, density, neighbours, range, .. } = self;
        let range = match style.colour {
            _ if density.is_some() => density.as_ref().map(|density| [0.0, density.scale().most]),
            Colour::Speed => Some(style.speeds),
            Colour::Neighbours => neighbours.as_ref().map(|counts| [0.0, counts.most() as f32]),
            Colour::Variable(_) => *range,
            _ => None,
        };
        let colour = density.is_none().then(|| style.colour.clone());
        let density = density.as_ref().map(Density::scale);
        Legend { scale: style.camera.scale(), colour, range, theme: style.theme, density }
    }

    /// A sample of at most 250 colours of its pictures, the background first, for palettes.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// The colours of all agents, in the order of [`Drawable::crowd`]: as in a picture in which nothing is far away.
    #[must_use]
    pub fn colours_of(&mut self, drawable: &(impl Drawable + ?Sized)) -> Vec<[u8; 3]> {
        let near = self.count_near(drawable);
        let style = &self.style;
        let mut colours = Vec::new();
        Crowd { drawable, style, near }.each_of(
            |agent, near| Some(style.colour_of(agent, near).map(|channel| (channel + 0.5) as u8)),
            |some| colours.extend_from_slice(some),
        );
        colours
    }

    /// The shares of the picture's width and height that a box in the world covers.
    #[must_use]
    pub fn share(&self, bounds: Bounds) -> [f32; 2] {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for number in 0..8 {
            let corner =
                Vector::from_fn(|axis| if number >> axis & 1 == 0 { bounds.low[axis] } else { bounds.high[axis] });
            let Some(seen) = self.style.camera.project(corner) else { continue };
            for (axis, along) in [seen.x, seen.y].into_iter().enumerate() {
                low[axis] = if along < low[axis] { along } else { low[axis] };
                high[axis] = if along > high[axis] { along } else { high[axis] };
            }
        }
        let size = [self.style.width as f32, self.style.height as f32];
        [0, 1].map(|axis| {
            let within = |along: f32| (along / size[axis]).clamp(0.0, 1.0);
            if bounds.is_empty() { 0.0 } else { within(high[axis]) - within(low[axis]) }
        })
    }

    /// Moves the camera, so that this point is in the middle of the next pictures; trails move with it.
    pub fn look_at(&mut self, centre: Vector<3>) {
        let Self { style, trails, .. } = self;
        let [right, down] = style.look_at(centre);
        if let Some(trails) = trails {
            trails.shift(right, down);
        }
        if matches!(style.camera, Camera::Space { .. }) {
            self.empty = empty(&self.style, self.bounds);
        }
        self.shapes = None;
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
        let mut environment = drawable.shapes();
        if self.people {
            // Arrows all over a plan would hide its people.
            environment.retain(|shape| !matches!(shape, EnvironmentShape::Flow { .. }));
        }
        let Self { style, canvas, empty, shapes, floor, trails, density, .. } = self;
        let (camera, theme, width) = (&style.camera, style.theme, style.width);
        if shapes.as_ref() != Some(&environment) {
            canvas.set_background(empty);
            let pixels = canvas.background_mut();
            environment::draw(&environment, Part::Flow, camera, theme, width, pixels);
            if let Some(floor) = floor {
                floor.draw(&environment, camera, theme, width, pixels);
            }
            environment::draw(&environment, Part::Ground, camera, theme, width, pixels);
            match density {
                Some(density) => density.divide(&environment, camera),
                None => environment::draw(&environment, Part::Standing, camera, theme, width, pixels),
            }
        }
        let environment = &*shapes.insert(environment);
        let crowd = Crowd { drawable, style, near };
        if let Some(density) = density {
            density.clear();
            crowd.each(|darts| density.count(darts.iter().map(|dart| [dart.x, dart.y])));
            density.spread();
            canvas.start(|row, pixels| density.lay(theme, width, row, pixels));
            // Walls stand above the map.
            return environment::draw(environment, Part::Standing, camera, theme, width, canvas.pixels_mut());
        }
        canvas.start(|row, pixels| {
            if let Some(trails) = &*trails {
                trails.lay(row, pixels);
            }
        });
        let drawn = match style.camera {
            Camera::Flat { .. } => crowd.draw(canvas),
            Camera::Space { .. } => crowd.draw_by_depth(canvas),
        };
        style.grow(drawn);
    }

    /// Counts the neighbours of each agent, if its colour shows them, or reads its variable: places on the colour scale.
    fn count_near(&mut self, drawable: &(impl Drawable + ?Sized)) -> Option<Vec<f32>> {
        if let (Colour::Variable(name), Some([low, high])) = (&self.style.colour, self.range) {
            let Values { mut numbers, .. } = drawable.values(name)?;
            // All agents have one colour where the scale has no length.
            let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
            numbers.iter_mut().for_each(|number| *number = (*number - low) * scale);
            return Some(numbers);
        }
        let counts = self.neighbours.as_mut()?;
        let mut all: Vec<DrawnAgent> = Vec::new();
        drawable.crowd(&mut |agents| all.extend_from_slice(agents));
        counts.grow(all.len());
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
        let step = |agent: &DrawnAgent, near: f32| {
            let dart = style.dart(agent, near)?;
            let to = [dart.x, dart.y];
            let from = style.camera.project(agent.before).map_or(to, |seen| [seen.x, seen.y]);
            Some(Segment { from, to, width: (0.3 * dart.width).clamp(1.0, 3.0), colour: dart.colour })
        };
        crowd.each_of(step, |steps| trails.grow(steps));
        crowd.near
    }
}

/// The background, in 3D with the edges of the enclosed box, which show its floor.
fn empty(style: &Style, bounds: Bounds) -> Vec<u8> {
    let mut pixels = style.theme.pixels(style.width, style.height);
    if matches!(style.camera, Camera::Flat { .. }) {
        return pixels;
    }
    for (from, to) in bounds.edges(false) {
        if let (Some(from), Some(to)) = (style.camera.project(from), style.camera.project(to)) {
            let opacity = (0.55 - 0.2 * (from.depth + to.depth)).clamp(0.0, 1.0);
            let ink = style.theme.ink(0.0);
            raster::line(&mut pixels, style.width, [from.x, from.y], [to.x, to.y], ink, opacity);
        }
    }
    pixels
}
