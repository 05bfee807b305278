//! The units of the files.

/// The units of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Metres.
    Metres,
    /// Centimetres.
    Centimetres,
    /// Millimetres.
    Millimetres,
    /// International feet.
    Feet,
    /// International inches.
    Inches,
    /// Pixels of a drawing, which have no length of their own.
    Pixels,
    /// The units of a drawing that names none.
    Unitless,
    /// Degrees of longitude and latitude, which a reader turns into metres.
    Degrees,
}

impl Units {
    /// All variants.
    pub const ALL: [Self; 8] = [
        Self::Metres,
        Self::Centimetres,
        Self::Millimetres,
        Self::Feet,
        Self::Inches,
        Self::Pixels,
        Self::Unitless,
        Self::Degrees,
    ];

    /// The abbreviation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metres => "m",
            Self::Centimetres => "cm",
            Self::Millimetres => "mm",
            Self::Feet => "ft",
            Self::Inches => "in",
            Self::Pixels => "px",
            Self::Unitless => "unit",
            Self::Degrees => "degrees",
        }
    }

    /// The length of a unit in metres; `None` for pixels, units without a name, and degrees.
    #[must_use]
    pub const fn metres(self) -> Option<f64> {
        match self {
            Self::Metres => Some(1.0),
            Self::Centimetres => Some(0.01),
            Self::Millimetres => Some(0.001),
            Self::Feet => Some(0.3048),
            Self::Inches => Some(0.0254),
            Self::Pixels | Self::Unitless | Self::Degrees => None,
        }
    }
}
