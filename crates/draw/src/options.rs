//! The options of a picture: its size, its colours and the part of the world that it shows.

use throng::Vector;

use crate::error::{Error, check};

/// The options of a picture. The options of [`Options::default`] show the whole world on a dark background.
///
/// ```
/// use throng_draw::{Colour, Options, View};
///
/// let options = Options {
///     width: Some(640),
///     colour: Some(Colour::Speed),
///     view: View { zoom: 2.0, ..View::default() },
///     ..Options::default()
/// };
/// # assert_eq!(options.height, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The width in pixels, from 16 to 16384; `None` for the width that fits the height and the shape of the world, or
    /// `screen`.
    pub width: Option<u32>,
    /// The height in pixels, from 16 to 16384; `None` for the height that fits the width and the shape of the world.
    pub height: Option<u32>,
    /// The width and the height in pixels, from 16 to 16384, into which a picture fits that has neither.
    pub screen: [u32; 2],
    /// The quantity that the colour of an agent shows; `None` for the species if the world has several, else the
    /// heading.
    pub colour: Option<Colour>,
    /// Whether the background is light.
    pub light: bool,
    /// The ticks after which a trail has faded; zero for no trails. A trail begins where the [`Painter`] first observes
    /// the agent.
    ///
    /// [`Painter`]: crate::Painter
    pub trails: u32,
    /// Whether to draw a density map instead of single agents.
    pub density: bool,
    /// The part of the world that the picture encloses; `None` for the crowd where it is small in its world, else for
    /// the whole world.
    pub fit: Option<Fit>,
    /// The part of it to show.
    pub view: View,
}

/// The part of the world that a picture encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fit {
    /// The whole world.
    World,
    /// The crowd: the box around all agents but strays.
    Crowd,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: None,
            height: None,
            screen: [1920, 1080],
            colour: None,
            light: false,
            trails: 0,
            density: false,
            fit: None,
            view: View::default(),
        }
    }
}

/// The part of the world or of the crowd to show, and in 3D the direction of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point in the middle of the picture, in metres; `None` for the middle of this part. In 2D its third component
    /// is ignored.
    pub centre: Option<Vector<3>>,
    /// The magnification relative to all that it encloses, from 0.01 to 10000.
    pub zoom: f32,
    /// In 3D: the direction of view, in degrees from the first axis towards the second, from -360 to 360.
    pub azimuth: f32,
    /// In 3D: the angle of view downwards, in degrees from -90 to 90.
    pub elevation: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { centre: None, zoom: 1.0, azimuth: 57.0, elevation: 17.5 }
    }
}

/// The quantity that the colour of an agent shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Colour {
    /// The species.
    Species,
    /// The direction of motion.
    Heading,
    /// The speed.
    Speed,
    /// The number of agents nearby.
    Neighbours,
    /// The state and the species.
    State,
    /// A variable with this name, from its lowest to its highest value, or another column, from the lowest to the highest
    /// value at the first picture.
    Variable(String),
}

impl Options {
    /// Returns the first option that is out of its range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let View { centre, zoom, azimuth, elevation } = self.view;
        let [across, along] = self.screen.map(Some);
        for (name, length) in
            [("width", self.width), ("height", self.height), ("screen width", across), ("screen height", along)]
        {
            length.map_or(Ok(()), |length| check(name, length as f32, [16.0, 16_384.0]))?;
        }
        for coordinate in centre.unwrap_or(Vector::ZERO).0 {
            check("view.centre", coordinate, [-1e9, 1e9])?;
        }
        check("view.zoom", zoom, [0.01, 1e4])?;
        check("view.azimuth", azimuth, [-360.0, 360.0])?;
        check("view.elevation", elevation, [-90.0, 90.0])
    }
}

#[cfg(feature = "scenario")]
impl From<throng_scenario::Colour> for Colour {
    fn from(colour: throng_scenario::Colour) -> Self {
        match colour {
            throng_scenario::Colour::Species => Self::Species,
            throng_scenario::Colour::Heading => Self::Heading,
            throng_scenario::Colour::Speed => Self::Speed,
            throng_scenario::Colour::Neighbours => Self::Neighbours,
            throng_scenario::Colour::State => Self::State,
            throng_scenario::Colour::Variable(name) => Self::Variable(name),
        }
    }
}

/// The size and the colours that a scenario file sets.
#[cfg(feature = "scenario")]
impl From<&throng_scenario::Output> for Options {
    fn from(output: &throng_scenario::Output) -> Self {
        let colour = output.colour.clone().map(Colour::from);
        Self { width: output.width, height: output.height, colour, ..Self::default() }
    }
}
