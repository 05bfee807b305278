//! The resolved appearance of a crowd: the subject decides where the options leave a choice.

use throng::Vector;
use throng::maths::sin_cos;

use super::camera::Camera;
use super::canvas::{Dart, Shape};
use super::theme::{Theme, mix};
use crate::bounds::Bounds;
use crate::drawable::{DrawnAgent, Role, Subject};
use crate::looks;
use crate::options::{Colour, Fit, Options, View};

/// The resolved appearance of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colour: Colour,
    pub(crate) theme: Theme,
    pub(crate) camera: Camera,
    /// The box that the picture encloses, and the part of it that it shows.
    bounds: Bounds,
    view: View,
    flat: bool,
    /// The most agents so far.
    agents: usize,
    /// The length of a dart in the middle of the world, in pixels.
    length: f32,
    /// The radius of the smallest bodies, in metres: larger ones have longer darts.
    smallest: f32,
    /// Whether the bodies of each species are drawn at their true sizes, and whether they are people.
    bodies: Vec<bool>,
    people: Vec<bool>,
    /// The speeds at the ends of the colour scale.
    pub(super) speeds: [f32; 2],
}

impl Style {
    /// The appearance of a picture that encloses these bounds.
    pub(crate) fn new(options: &Options, subject: &Subject, bounds: Bounds) -> Self {
        let extent = bounds.extent();
        let ratio = if subject.flat { extent[0] / extent[1] } else { 16.0 / 9.0 };
        let (width, height) = fit(ratio, options.width, options.height, options.screen);
        let usual = if subject.species > 1 { Colour::Species } else { Colour::Heading };
        let mut style = Self {
            width: width as usize,
            height: height as usize,
            bodies: Vec::new(),
            people: subject.people.clone(),
            colour: options.colour.clone().unwrap_or(usual),
            theme: if options.light { Theme::Light } else { Theme::Dark },
            camera: Camera::new(subject.flat, bounds, [width as f32, height as f32], &options.view),
            bounds,
            view: options.view,
            flat: subject.flat,
            agents: 0,
            length: 0.0,
            smallest: subject.smallest,
            speeds: subject.speeds,
        };
        style.grow(subject.agents);
        let is_body = |radius: &f32| {
            2.0 * radius * style.camera.scale() > looks::BODY * style.length * larger(*radius, subject.smallest)
        };
        style.bodies = subject.largest.iter().map(is_body).collect();
        style
    }

    /// Adapts the length of darts to a crowd that has become larger than ever before.
    pub(super) fn grow(&mut self, agents: usize) {
        if agents <= self.agents && self.length > 0.0 {
            return;
        }
        self.agents = agents;
        // About as long as the mean distance between agents, within limits; shorter in 3D, where agents hide each
        // other.
        let (width, height) = (self.width as f32, self.height as f32);
        let spacing = (width * height / agents.max(1) as f32).sqrt() * self.view.zoom;
        let share = if self.flat { 1.15 } else { 0.75 };
        let longest = (18.0 * (width / 1280.0).sqrt()).clamp(6.0, 18.0);
        self.length = (share * spacing).clamp(3.5, longest);
    }

    /// Moves the camera to this point, and returns by how many pixels the world moves on the picture.
    pub(super) fn look_at(&mut self, centre: Vector<3>) -> [i32; 2] {
        let before = self.camera.project(centre);
        self.view.centre = Some(centre);
        let size = [self.width as f32, self.height as f32];
        self.camera = Camera::new(self.flat, self.bounds.around(centre), size, &self.view).on_pixels();
        let (Some(before), Some(after)) = (before, self.camera.project(centre)) else { return [0; 2] };
        [after.x - before.x, after.y - before.y].map(|pixels| pixels.round().clamp(-1e6, 1e6) as i32)
    }

    /// The dart of one agent; `near` is the place of its number of neighbours, or of its variable, in the
    /// colour scale, from 0 to 1.
    pub(super) fn dart(&self, agent: &DrawnAgent, near: f32) -> Option<Dart> {
        let seen = self.camera.project(agent.position)?;
        let [right, down] = self.camera.heading(agent.velocity);
        let sideways = (right * right + down * down).sqrt();
        let heading = if sideways > 0.0 { [right / sideways, down / sideways] } else { [0.0, -1.0] };
        let colour = self.colour_of(agent, near);
        let size = self.length * larger(agent.radius, self.smallest) * seen.size;
        let length = size * (0.4 + 0.6 * sideways.clamp(0.0, 1.0));
        let width = (0.4 * size).clamp(1.6, 1e3);
        let [near, far] = looks::FOG;
        let colour = mix(colour, self.theme.far(), seen.depth * near + seen.depth * seen.depth * far);
        let dart = Dart {
            shape: Shape::Dart,
            x: seen.x,
            y: seen.y,
            heading,
            length,
            width,
            colour,
            opacity: 0.88,
            depth: seen.depth,
        };
        let of_species = |flags: &[bool]| flags.get(agent.species as usize).is_some_and(|&flag| flag);
        let is_person = self.flat && of_species(&self.people);
        if !is_person && !of_species(&self.bodies) {
            return Some(dart);
        }
        let least = if is_person { looks::PERSON } else { 1.6 };
        let across = (2.0 * agent.radius * self.camera.scale() * seen.size).clamp(least, 1e5);
        let shape = if matches!(self.camera, Camera::Flat { .. }) { Shape::Disc } else { Shape::Ball };
        Some(Dart { shape, length: across, width: across, opacity: 1.0, ..dart })
    }

    /// The colour of one agent close by; `near` is the place of its number of neighbours, or of its variable, in the
    /// colour scale, from 0 to 1.
    pub(super) fn colour_of(&self, agent: &DrawnAgent, near: f32) -> [f32; 3] {
        match &self.colour {
            Colour::Species => self.theme.kind(agent.species as usize),
            Colour::State => self.theme.kind(agent.state as usize),
            Colour::Heading => {
                let [right, down] = self.camera.heading(agent.velocity);
                self.theme.heading(right, -down)
            }
            Colour::Speed => self.theme.amount(self.share(agent.velocity.length())),
            // An agent without the variable.
            Colour::Variable(_) if near.is_nan() => self.theme.ink(0.3),
            Colour::Neighbours | Colour::Variable(_) => self.theme.amount(near),
        }
    }

    /// The position of a speed on the colour scale, from 0 to 1.
    fn share(&self, speed: f32) -> f32 {
        let [low, high] = self.speeds;
        if high > low { (speed - low) / (high - low) } else { 1.0 }
    }
}

/// The factor by which the dart of a body is longer than the dart of the smallest one. Grows with the root of the
/// radius: in proportion, large bodies would fill the picture.
fn larger(radius: f32, smallest: f32) -> f32 {
    (radius / smallest).sqrt().clamp(1.0, looks::LONGEST)
}

/// A sample of the colours that an agent can have.
fn agents(style: &Style, subject: &Subject) -> Vec<[f32; 3]> {
    let shares = (0..20).map(|step| step as f32 / 19.0);
    match &style.colour {
        Colour::Species => (0..subject.species.clamp(1, 7)).map(|number| style.theme.kind(number)).collect(),
        Colour::State => (0..subject.states.clamp(1, 7)).map(|number| style.theme.kind(number)).collect(),
        Colour::Heading => {
            let turns = (0..24).map(|step| sin_cos(step as f32 * (std::f32::consts::TAU / 24.0)));
            turns.map(|(up, right)| style.theme.heading(right, up)).collect()
        }
        Colour::Speed | Colour::Neighbours | Colour::Variable(_) => {
            shares.map(|share| style.theme.amount(share)).collect()
        }
    }
}

/// A sample of at most 250 of the colours that a picture can have: agents, environment and background, mixed in steps.
pub(super) fn sample(style: &Style, subject: &Subject, density: bool) -> Vec<[f32; 3]> {
    let theme = style.theme;
    let steps = |count: usize| (0..count).map(move |step| step as f32 / (count - 1) as f32);
    let mut colours: Vec<_> = steps(24).map(|share| mix(theme.middle(), theme.far(), share)).collect();
    for ink in [0.0, 0.3, 1.0] {
        colours.extend(steps(6).map(|share| mix(theme.middle(), theme.ink(ink), share)));
    }
    if subject.flat {
        let special = [theme.plan(true), theme.plan(false), theme.wall()];
        let roles = [Role::Source, Role::Sink, Role::Zone].into_iter().filter_map(|role| theme.role(role));
        colours.extend(special);
        colours.extend(roles.flat_map(|role| [0.2, 1.0].map(|share| mix(theme.plan(true), role, share))));
    }
    if density {
        colours.extend(steps(190).map(|share| theme.density_over(theme.middle(), share)));
    } else {
        // Fading trails, soft edges and distance all mix the colour of an agent with the background.
        let agents = agents(style, subject);
        let count = (198 / agents.len()).clamp(2, 24);
        colours.extend(agents.iter().flat_map(|&agent| steps(count).map(move |share| mix(theme.far(), agent, share))));
    }
    colours
}

/// Returns width and height in pixels: as given, else with this aspect ratio and at most as large as a screen.
fn fit(ratio: f32, width: Option<u32>, height: Option<u32>, screen: [u32; 2]) -> (u32, u32) {
    let [across, along] = screen.map(|length| length as f32);
    let pixels = |length: f32| (length.round().clamp(16.0, 16_384.0) as u32).next_multiple_of(2);
    match (width, height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, pixels(width as f32 / ratio)),
        (None, Some(height)) => (pixels(height as f32 * ratio), height),
        (None, None) if ratio > across / along => (pixels(across), pixels(across / ratio)),
        (None, None) => (pixels(along * ratio), pixels(along)),
    }
}

/// The margin around a crowd, as a share of its larger extent, and its least extent as a share of the extent of the
/// world.
const MARGIN: f32 = 0.08;
const LEAST: f32 = 0.01;
/// The limits of the width of the box around a crowd in its heights.
const RATIOS: [f32; 2] = [1.0, 16.0 / 9.0];

/// Returns the part of the world that a picture encloses: the whole world or the crowd.
pub(super) fn enclosed(options: &Options, subject: &Subject) -> Bounds {
    let (world, crowd) = (subject.bounds, subject.crowd);
    let axes = if subject.flat { 2 } else { 3 };
    let is_finite = (0..3).all(|axis| crowd.low[axis].is_finite() && crowd.high[axis].is_finite());
    let fit = options.fit.unwrap_or(if subject.has_small_crowd() { Fit::Crowd } else { Fit::World });
    if crowd.is_empty() || !is_finite || fit == Fit::World {
        return world;
    }
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let most = |extent: Vector<3>| (0..axes).map(|axis| extent[axis]).fold(0.0, larger);
    let margin = 2.0 * MARGIN * most(crowd.extent());
    let least = LEAST * most(world.extent());
    let mut extent =
        Vector::from_fn(|axis| if axis < axes { larger(crowd.extent()[axis] + margin, least) } else { 0.0 });
    if subject.flat && options.width.is_none() | options.height.is_none() {
        let [narrow, wide] = RATIOS;
        extent[0] = larger(extent[0], narrow * extent[1]);
        extent[1] = larger(extent[1], extent[0] / wide);
    }
    Bounds { low: Vector::ZERO, high: extent }.around(crowd.middle())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_body_of_a_species_decides_how_all_of_them_look() {
        let bounds = Bounds { low: Vector::ZERO, high: Vector([100.0, 100.0, 0.0]) };
        let options = Options { width: Some(200), ..Options::default() };
        let looks = |largest: &[f32]| {
            let subject = Subject { agents: 3, smallest: 1.2, largest: largest.to_vec(), ..Subject::new(2, bounds) };
            let style = Style::new(&options, &subject, bounds);
            [0.3, 1.2, 3.0].map(|radius| {
                let agent = DrawnAgent { radius, ..DrawnAgent::at(Vector([50.0, 50.0, 0.0])) };
                let dart = style.dart(&agent, 0.0).unwrap();
                (dart.shape, (dart.length * 10.0).round())
            })
        };
        // Two pixels per metre, and at least 1.6 pixels.
        assert_eq!(looks(&[3.0]), [(Shape::Disc, 16.0), (Shape::Disc, 48.0), (Shape::Disc, 120.0)]);
        for largest in [&[1.3][..], &[0.0], &[]] {
            assert!(looks(largest).iter().all(|(shape, _)| *shape == Shape::Dart), "{largest:?}");
        }
    }
}
