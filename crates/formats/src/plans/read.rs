//! Reading of floor plans from files and texts.

use std::fs::File;
use std::io::Read;

use crate::plans::builder::Builder;
#[cfg(feature = "dxf")]
use crate::plans::dxf;
use crate::plans::error::{Fault, PlanError};
use crate::plans::limits::{FARTHEST, LARGEST_FILE};
use crate::plans::options::ReadOptions;
use crate::plans::plan::FloorPlan;
use crate::plans::{geojson, svg, tables, wkt};

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
