//! The resolved appearance of a crowd: the subject decides where the options leave a choice.

use throng::maths::sin_cos;

use super::camera::Camera;
use super::canvas::{Dart, Shape};
use super::theme::{Theme, mix};
use crate::drawable::{Agent, Subject};
use crate::looks;
use crate::options::{Colour, Options};

/// The resolved appearance of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colour: Colour,
    pub(crate) theme: Theme,
    pub(crate) camera: Camera,
    /// The length of a dart in the middle of the world, in pixels.
    length: f32,
    /// The radius of the smallest bodies, in metres: larger ones have longer darts.
    smallest: f32,
    /// Whether the bodies of each species are drawn at their true sizes.
    bodies: Vec<bool>,
    /// The speeds at the ends of the colour scale.
    pub(super) speeds: [f32; 2],
}

impl Style {
    pub(crate) fn new(options: &Options, subject: &Subject) -> Self {
        let extent = subject.bounds.extent();
        let ratio = if subject.flat { extent[0] / extent[1] } else { 16.0 / 9.0 };
        let (width, height) = fit(ratio, options.width, options.height);
        let usual = if subject.species > 1 { Colour::Species } else { Colour::Heading };
        let camera = Camera::new(subject.flat, subject.bounds, [width as f32, height as f32], &options.view);
        // About as long as the mean distance between agents, within limits; shorter in 3D, where agents hide each
        // other.
        let spacing = (width as f32 * height as f32 / subject.agents.max(1) as f32).sqrt() * options.view.zoom;
        let share = if subject.flat { 1.15 } else { 0.75 };
        let longest = (18.0 * (width as f32 / 1280.0).sqrt()).clamp(6.0, 18.0);
        let length = (share * spacing).clamp(3.5, longest);
        let is_body =
            |radius: &f32| 2.0 * radius * camera.scale() > looks::BODY * length * larger(*radius, subject.smallest);
        Self {
            width: width as usize,
            height: height as usize,
            bodies: subject.largest.iter().map(is_body).collect(),
            colour: options.colour.unwrap_or(usual),
            theme: if options.light { Theme::Light } else { Theme::Dark },
            camera,
            length,
            smallest: subject.smallest,
            speeds: subject.speeds,
        }
    }

    /// The dart of one agent; `near` is the share of neighbours in the colour scale, from 0 to 1.
    pub(super) fn dart(&self, agent: &Agent, near: f32) -> Option<Dart> {
        let seen = self.camera.project(agent.position)?;
        let [right, down] = self.camera.heading(agent.velocity);
        let sideways = (right * right + down * down).sqrt();
        let heading = if sideways > 0.0 { [right / sideways, down / sideways] } else { [0.0, -1.0] };
        let colour = match self.colour {
            Colour::Species => self.theme.kind(agent.species as usize),
            Colour::State => self.theme.kind(agent.state as usize),
            Colour::Heading => self.theme.heading(right, -down),
            Colour::Speed => self.theme.amount(self.share(agent.velocity.length())),
            Colour::Neighbours => self.theme.amount(near),
        };
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
        if !self.bodies.get(agent.species as usize).is_some_and(|&body| body) {
            return Some(dart);
        }
        let across = (2.0 * agent.radius * self.camera.scale() * seen.size).clamp(1.6, 1e5);
        let shape = if matches!(self.camera, Camera::Flat { .. }) { Shape::Disc } else { Shape::Ball };
        Some(Dart { shape, length: across, width: across, opacity: 1.0, ..dart })
    }

    /// The position of a speed on the colour scale, from 0 to 1.
    fn share(&self, speed: f32) -> f32 {
        let [low, high] = self.speeds;
        if high > low { (speed - low) / (high - low) } else { 1.0 }
    }
}

/// The factor by which the dart of a body is longer than that of the smallest one. Grows with the root of the radius:
/// in proportion, large bodies would fill the picture.
fn larger(radius: f32, smallest: f32) -> f32 {
    (radius / smallest).sqrt().clamp(1.0, looks::LONGEST)
}

/// A sample of the colours that an agent can have.
fn agents(style: &Style, subject: &Subject) -> Vec<[f32; 3]> {
    let shares = (0..20).map(|step| step as f32 / 19.0);
    match style.colour {
        Colour::Species => (0..subject.species.clamp(1, 7)).map(|number| style.theme.kind(number)).collect(),
        Colour::State => (0..subject.states.clamp(1, 7)).map(|number| style.theme.kind(number)).collect(),
        Colour::Heading => {
            let turns = (0..24).map(|step| sin_cos(step as f32 * (std::f32::consts::TAU / 24.0)));
            turns.map(|(up, right)| style.theme.heading(right, up)).collect()
        }
        Colour::Speed | Colour::Neighbours => shares.map(|share| style.theme.amount(share)).collect(),
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
    if density {
        colours.extend(steps(200).map(|share| theme.density(theme.middle(), share)));
    } else {
        // Fading trails, soft edges and distance all mix the colour of an agent with the background.
        let agents = agents(style, subject);
        let count = (208 / agents.len()).clamp(2, 24);
        colours.extend(agents.iter().flat_map(|&agent| steps(count).map(move |share| mix(theme.far(), agent, share))));
    }
    colours
}

/// Returns width and height in pixels: as given, else with this aspect ratio and at most as large as a screen.
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

#[cfg(test)]
mod tests {
    use throng::Vector;

    use super::*;
    use crate::bounds::Bounds;

    #[test]
    fn the_largest_body_of_a_species_decides_how_all_of_them_look() {
        let bounds = Bounds { low: Vector::ZERO, high: Vector([100.0, 100.0, 0.0]) };
        let options = Options { width: Some(200), ..Options::default() };
        let looks = |largest: &[f32]| {
            let subject = Subject { agents: 3, smallest: 1.2, largest: largest.to_vec(), ..Subject::new(2, bounds) };
            let style = Style::new(&options, &subject);
            [0.3, 1.2, 3.0].map(|radius| {
                let agent = Agent { radius, ..Agent::at(Vector([50.0, 50.0, 0.0])) };
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
