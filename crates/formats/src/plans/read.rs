//! Reading of floor plans from files and texts.

use std::fs::File;
use std::io::Read;

use crate::plans::builder::{Builder, FARTHEST};
#[cfg(feature = "dxf")]
use crate::plans::dxf;
use crate::plans::error::{Fault, PlanError};
use crate::plans::plan::FloorPlan;
use crate::plans::{geojson, svg, tables, wkt};

/// The largest size of a file, in bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// A format of floor plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Well-known text.
    Wkt,
    /// Scalable vector graphics.
    Svg,
    /// Walls and zones in TOML.
    Toml,
    /// GeoJSON.
    GeoJson,
    /// Drawings of CAD programs, as text.
    Dxf,
}

/// The conversion of coordinates from a file to metres: `origin + scale * (x, y)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file; `None` for the unit that the file declares.
    pub scale: Option<f64>,
    /// The position of the file's point (0, 0), in metres. In a drawing, whose y axis points down, this point is the
    /// lower left corner of the page. `None` for (0, 0); a plan in the coordinates of a map, more than 10 km from zero,
    /// is then moved to zero.
    pub origin: Option<[f64; 2]>,
    /// The largest distance between a curve and its straight segments, in metres, or in units of the file if there is
    /// no scale.
    pub tolerance: f64,
    /// The number of the one polygon or line that is read of well-known text or GeoJSON, from zero; `None` for all.
    pub element: Option<usize>,
    /// The features of GeoJSON that are read, each as `KEY=VALUE`: those whose property `KEY`, or member of this name, is
    /// `VALUE` or a list with it. Of several values of one property any is enough; empty for all features.
    pub select: Vec<String>,
    /// The shapes that are walls. In an SVG, filled shapes without a stroke: ids or labels of shapes or groups, or colours such as
    /// `#333333`. In a DXF, the names of layers. `None` if no one has said which are: those with a word for a wall in their
    /// names.
    pub walls: Option<Vec<String>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, origin: None, tolerance: 0.01, element: None, select: Vec::new(), walls: None }
    }
}

impl Format {
    /// The format with the extension of this file.
    #[must_use]
    pub fn of(file: &std::path::Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match &extension[..] {
            "wkt" => Some(Self::Wkt),
            "svg" => Some(Self::Svg),
            "toml" => Some(Self::Toml),
            "geojson" | "json" => Some(Self::GeoJson),
            "dxf" => Some(Self::Dxf),
            _ => None,
        }
    }
}

impl FloorPlan {
    /// Reads a file in the format of its extension.
    ///
    /// # Errors
    ///
    /// The first error of the file, with its place. A file that cannot be read or is larger than [`LARGEST_FILE`] is
    /// refused.
    pub fn load(file: impl AsRef<std::path::Path>, options: &ReadOptions) -> Result<Self, PlanError> {
        let file = file.as_ref();
        read(file, options).map_err(|error| error.in_file(file.to_string_lossy().into_owned()))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The first error of the text, with its place.
    pub fn parse(text: &str, format: Format, options: &ReadOptions) -> Result<Self, PlanError> {
        if let Some(scale) = options.scale.filter(|scale| !(*scale > 0.0 && scale.is_finite())) {
            return Err(PlanError::whole(Fault::Scale(scale)));
        }
        if !(options.tolerance > 0.0 && options.tolerance.is_finite()) {
            return Err(PlanError::whole(Fault::Tolerance(options.tolerance)));
        }
        if !options.origin.iter().flatten().all(|coordinate| coordinate.abs() <= FARTHEST) {
            return Err(PlanError::whole(Fault::Origin));
        }
        if text.len() as u64 > LARGEST_FILE {
            return Err(PlanError::whole(Fault::TooLarge(LARGEST_FILE)));
        }
        if let Some(selection) = options.select.iter().find(|one| format != Format::GeoJson || !one.contains('=')) {
            return Err(PlanError::whole(Fault::Select(selection.clone())));
        }
        let mut builder = Builder::new(text, options.clone());
        match format {
            Format::Wkt => wkt::read(&mut builder)?,
            Format::Svg => svg::read(&mut builder)?,
            Format::Toml => tables::read(&mut builder)?,
            Format::GeoJson => geojson::read(&mut builder)?,
            #[cfg(feature = "dxf")]
            Format::Dxf => dxf::read(&mut builder)?,
            #[cfg(not(feature = "dxf"))]
            Format::Dxf => return Err(PlanError::whole(Fault::Missing(crate::NO_DXF))),
        }
        Ok(builder.finish())
    }
}

fn read(file: &std::path::Path, options: &ReadOptions) -> Result<FloorPlan, PlanError> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dwg")) {
        return Err(PlanError::whole(Fault::Binary("a DWG")));
    }
    let format = Format::of(file).ok_or_else(|| PlanError::whole(Fault::UnknownFormat))?;
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|open| open.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| PlanError::whole(Fault::Unreadable { kind: error.kind(), message: error.to_string() }))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(PlanError::whole(Fault::TooLarge(LARGEST_FILE)));
    }
    if format == Format::Dxf {
        // Older programs write the letters of western languages in one byte each.
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
        return FloorPlan::parse(text.trim_start_matches('\u{feff}'), format, options);
    }
    let text =
        String::from_utf8(bytes).map_err(|error| PlanError::whole(Fault::NotUtf8(error.utf8_error().valid_up_to())))?;
    FloorPlan::parse(text.trim_start_matches('\u{feff}'), format, options)
}
