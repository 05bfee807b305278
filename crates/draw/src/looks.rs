//! How agents look: the numbers that pictures share with other ways to draw the same crowd, such as the page of `throng
//! view`. The colours come from [`Theme`](crate::Theme).

/// The bodies of a species are drawn at their true sizes, as discs or balls, where the largest of them is larger than
/// this share of its dart's length: one species has one look.
pub const BODY: f32 = 0.8;

/// The direction of the light on balls: right, up and towards the viewer.
pub const LIGHT: [f32; 3] = [-0.4, 0.6, 0.69];

/// The brightness of a ball where no light falls on it.
pub const SHADE: f32 = 0.45;

/// The additional brightness of a ball where the light falls on it at a right angle.
pub const LIT: f32 = 0.65;

/// The brightness of the line from the middle of a disc to its front.
pub const FRONT: f32 = 0.35;

/// The brightness of the rim of a disc.
pub const RIM: f32 = 0.72;

/// The smallest diameter of the disc of a person, in pixels.
pub const PERSON: f32 = 3.0;

/// Distant agents fade into the background: by these factors of their depth, from the front (0) to the back (1) of the
/// world, and of its square.
pub const FOG: [f32; 2] = [0.4, 0.35];

/// The largest factor by which the dart of a large body is longer than the dart of the smallest one.
pub const LONGEST: f32 = 3.0;
