//! GeoJSON (RFC 7946), as QGIS, PostGIS and geopandas write it.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::plans::builder::{Builder, FARTHEST, Shape};
use crate::plans::error::{Fault, PlanError};
use crate::plans::plan::{Anchor, AreaKind, Units};
use crate::plans::wkt::{DEEPEST_COLLECTION, unite};

/// The members of an object that a plan needs.
#[derive(Deserialize)]
struct Object<'t> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'t, str>,
    #[serde(borrow, default)]
    features: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    geometries: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    geometry: Option<&'t RawValue>,
    #[serde(borrow, default)]
    coordinates: Option<&'t RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'t RawValue>,
    #[serde(borrow, default)]
    id: Option<&'t RawValue>,
    #[serde(borrow, default)]
    crs: Option<&'t RawValue>,
}

/// The properties of a feature that a plan knows. Any of them may be something else in a file.
#[derive(Default, Deserialize)]
struct Properties<'t> {
    #[serde(borrow, default)]
    name: Option<&'t RawValue>,
    #[serde(borrow, default)]
    kind: Option<&'t RawValue>,
}

/// The coordinate system of a file before RFC 7946.
#[derive(Deserialize)]
struct Crs<'t> {
    #[serde(borrow)]
    properties: CrsName<'t>,
}

#[derive(Deserialize)]
struct CrsName<'t> {
    #[serde(borrow)]
    name: Cow<'t, str>,
}

/// A position; a height after its two coordinates is dropped.
struct Position([f64; 2]);

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Two;
        impl<'de> Visitor<'de> for Two {
            type Value = Position;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a position of two numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Position, A::Error> {
                let mut point = [0.0; 2];
                for (axis, coordinate) in point.iter_mut().enumerate() {
                    *coordinate = list.next_element()?.ok_or_else(|| serde::de::Error::invalid_length(axis, &Self))?;
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Position(point))
            }
        }
        deserializer.deserialize_seq(Two)
    }
}

/// What a geometry becomes.
enum Use {
    Line,
    Area(AreaKind),
    /// Walls along the rings of a polygon.
    Walls,
}

/// A line, or a polygon with its holes.
struct Geometry {
    role: Use,
    rings: Vec<Vec<[f64; 2]>>,
    name: Option<String>,
    byte: usize,
}

struct Reader<'b, 't> {
    builder: &'b mut Builder<'t>,
    geometries: Vec<Geometry>,
    /// The name of the coordinate system, if the file has one.
    crs: Option<String>,
}

/// Reads an object. Polygons are walkable areas, or by their property `kind` zones or walls; lines are walls; points are
/// ignored. Degrees become metres.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    let text = builder.text;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, 0, text, &error))?;
    let mut reader = Reader { builder, geometries: Vec::new(), crs: None };
    reader.object(raw, None, &Properties::default(), 0)?;
    let Reader { builder, mut geometries, crs } = reader;
    if let Some(element) = builder.options.element {
        let count = geometries.len();
        if element >= count {
            return Err(PlanError::whole(Fault::NoElement { element, count }));
        }
        geometries = geometries.drain(element..=element).collect();
    }
    if builder.options.scale.is_none() && are_degrees(&geometries, crs.as_deref()) {
        project(builder, &mut geometries);
    } else {
        builder.set_units(Units::Metres);
    }
    let mut polygons = Vec::new();
    for Geometry { role, rings, name, byte } in geometries {
        let name = name.as_deref();
        match role {
            Use::Line => {
                let points = &rings[0];
                let is_ring = points.len() > 3 && points.first() == points.last();
                builder.wall(points, if is_ring { Shape::Ring } else { Shape::Line }, name, byte)?;
            }
            Use::Walls => {
                for ring in &rings {
                    builder.wall(ring, Shape::Ring, name, byte)?;
                }
            }
            Use::Area(kind) => {
                if kind == AreaKind::Walkable {
                    polygons.push(byte);
                }
                let rings: Vec<_> = rings.into_iter().map(|ring| (ring, byte)).collect();
                builder.area(kind, &rings, name)?;
            }
        }
    }
    unite(builder, &polygons)
}

/// The error of a part of the text that is not what it should be.
fn syntax(text: &str, start: usize, part: &str, error: &serde_json::Error) -> PlanError {
    // The place of the error is within the part.
    let line: usize = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let byte = start + line + error.column().saturating_sub(1);
    let byte = (0..=usize::min(byte, text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0);
    let message = error.to_string();
    // The message ends with the place, which the error has already.
    let message = message.rsplit_once(" at line ").map_or(&message[..], |(message, _)| message);
    PlanError::at(text, byte, Fault::Syntax(message.to_owned()))
}

/// A text member as text.
fn word(raw: Option<&RawValue>) -> Option<String> {
    raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok())
}

impl<'t> Reader<'_, 't> {
    /// The byte at which a part starts.
    fn byte(&self, part: &RawValue) -> usize {
        (part.get().as_ptr() as usize).saturating_sub(self.builder.text.as_ptr() as usize)
    }

    fn parse<T: Deserialize<'t>>(&self, part: &'t RawValue) -> Result<T, PlanError> {
        let parsed = serde_json::from_str(part.get());
        parsed.map_err(|error| syntax(self.builder.text, self.byte(part), part.get(), &error))
    }

    /// Reads an object inside this number of collections.
    fn object(
        &mut self,
        raw: &'t RawValue,
        name: Option<String>,
        properties: &Properties<'t>,
        depth: usize,
    ) -> Result<(), PlanError> {
        let object: Object<'t> = self.parse(raw)?;
        let byte = self.byte(raw);
        if depth > DEEPEST_COLLECTION {
            return Err(self.builder.error(byte, Fault::TooDeep(DEEPEST_COLLECTION)));
        }
        if let Some(crs) = object.crs.filter(|crs| crs.get() != "null") {
            let crs: Crs<'_> = self.parse(crs)?;
            self.crs = Some(crs.properties.name.into_owned());
        }
        match &object.kind[..] {
            "FeatureCollection" => {
                object.features.into_iter().try_for_each(|feature| self.object(feature, None, properties, depth + 1))
            }
            "Feature" => {
                let own: Properties<'t> = match object.properties.filter(|own| own.get().starts_with('{')) {
                    Some(own) => self.parse(own)?,
                    None => Properties::default(),
                };
                let name = word(own.name).or_else(|| word(object.id));
                match object.geometry.filter(|geometry| geometry.get() != "null") {
                    Some(geometry) => self.object(geometry, name, &own, depth + 1),
                    None => Ok(()),
                }
            }
            "GeometryCollection" => object
                .geometries
                .into_iter()
                .try_for_each(|geometry| self.object(geometry, name.clone(), properties, depth + 1)),
            "Point" | "MultiPoint" => {
                self.builder.ignore();
                Ok(())
            }
            kind @ ("LineString" | "MultiLineString" | "Polygon" | "MultiPolygon") => {
                let Some(coordinates) = object.coordinates else {
                    let found = kind.to_owned();
                    return Err(self.builder.error(byte, Fault::Expected { expected: "coordinates", found }));
                };
                let shapes: Vec<Vec<Vec<Position>>> = match kind {
                    "LineString" => vec![vec![self.parse(coordinates)?]],
                    "MultiLineString" => {
                        self.parse::<Vec<_>>(coordinates)?.into_iter().map(|line| vec![line]).collect()
                    }
                    "Polygon" => vec![self.parse(coordinates)?],
                    _ => self.parse(coordinates)?,
                };
                let is_line = kind.ends_with("LineString");
                let byte = self.byte(coordinates);
                shapes.into_iter().try_for_each(|rings| {
                    let role = match word(properties.kind).as_deref() {
                        _ if is_line => Use::Line,
                        Some("zone") => Use::Area(AreaKind::Zone),
                        Some("wall") => Use::Walls,
                        _ => Use::Area(AreaKind::Walkable),
                    };
                    self.geometry(role, rings, name.clone(), byte)
                })
            }
            other => {
                let name = other.chars().take(40).collect();
                Err(self.builder.error(byte, Fault::Unsupported(name)))
            }
        }
    }

    fn geometry(
        &mut self,
        role: Use,
        rings: Vec<Vec<Position>>,
        name: Option<String>,
        byte: usize,
    ) -> Result<(), PlanError> {
        let rings: Vec<Vec<[f64; 2]>> =
            rings.into_iter().map(|ring| ring.into_iter().map(|Position(point)| point).collect()).collect();
        for ring in &rings {
            self.builder.count_points(ring.len(), byte)?;
            if ring.iter().flatten().any(|coordinate| coordinate.is_nan() || coordinate.abs() > FARTHEST) {
                return Err(self.builder.error(byte, Fault::TooFar));
            }
            if let (false, [first, .., last]) = (matches!(role, Use::Line), &ring[..])
                && first != last
            {
                return Err(self.builder.error(byte, Fault::NotClosed { first: *first, last: *last }));
            }
        }
        if rings.is_empty() {
            return Ok(());
        }
        self.geometries.push(Geometry { role, rings, name, byte });
        Ok(())
    }
}

fn points(geometries: &[Geometry]) -> impl Iterator<Item = &[f64; 2]> {
    geometries.iter().flat_map(|geometry| geometry.rings.iter().flatten())
}

/// Whether coordinates are longitude and latitude: unless the file names another system, or some are beyond the globe.
fn are_degrees(geometries: &[Geometry], crs: Option<&str>) -> bool {
    let is_geographic = |name: &str| name.contains("CRS84") || name.ends_with("4326");
    crs.is_none_or(is_geographic) && points(geometries).all(|[x, y]| x.abs() <= 180.0 && y.abs() <= 90.0)
}

/// Turns longitude and latitude into metres east and north of the lower left corner, with the lengths of a degree at the
/// middle of the plan on the ellipsoid of WGS 84.
fn project(builder: &mut Builder<'_>, geometries: &mut [Geometry]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in points(geometries) {
        for axis in 0..2 {
            low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
            high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
        }
    }
    if low[0] > high[0] {
        low = [0.0; 2];
        high = low;
    }
    let latitude = (0.5 * (low[1] + high[1])).to_radians();
    let cosine = |times: f64| (times * latitude).cos();
    let east = 111_412.84 * cosine(1.0) - 93.5 * cosine(3.0) + 0.118 * cosine(5.0);
    let north = 111_132.92 - 559.82 * cosine(2.0) + 1.175 * cosine(4.0) - 0.0023 * cosine(6.0);
    for point in geometries.iter_mut().flat_map(|geometry| geometry.rings.iter_mut().flatten()) {
        *point = [(point[0] - low[0]) * east, (point[1] - low[1]) * north];
    }
    builder.set_projected(Anchor::Degrees(low));
}
