//! GeoJSON (RFC 7946), as QGIS, PostGIS and geopandas write it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::plans::builder::{Builder, Shape};
use crate::plans::crs::{self, System};
use crate::plans::error::{Fault, PlanError};
use crate::plans::indoor::{Door, FLOORS, Properties, Role, opened};
use crate::plans::limits::FARTHEST;
use crate::plans::plan::{Anchor, AreaKind, Warning};
use crate::plans::units::Units;
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
    feature_type: Option<&'t RawValue>,
    #[serde(borrow, default)]
    crs: Option<&'t RawValue>,
}

/// The largest number of values of a property in a message.
const SHOWN: usize = 20;
/// The largest number of values of a property that are kept.
const MOST_VALUES: usize = 10_000;
/// Stands for a feature that was selected, among the values of a property.
const MATCH: &str = "\n";

/// The coordinate system of a file before RFC 7946.
#[derive(Deserialize)]
struct Crs<'t> {
    #[serde(borrow)]
    properties: CrsName<'t>,
}

#[derive(Deserialize)]
struct CrsName<'t> {
    #[serde(borrow, default)]
    name: Option<Cow<'t, str>>,
    #[serde(default)]
    code: Option<u32>,
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

/// A line, or a polygon with its holes.
struct Geometry {
    role: Role,
    is_line: bool,
    rings: Vec<Vec<[f64; 2]>>,
    name: Option<String>,
    byte: usize,
}

struct Reader<'b, 't> {
    builder: &'b mut Builder<'t>,
    geometries: Vec<Geometry>,
    /// The name of the coordinate system, if the file has one.
    crs: Option<String>,
    doors: Vec<Door>,
    /// The values of the property of each selection, and [`MATCH`] if a feature has the wanted one.
    found: BTreeMap<String, BTreeSet<String>>,
    /// The values of the properties with the floors of features.
    floors: BTreeMap<&'static str, BTreeSet<String>>,
}

/// Reads an object. Polygons are walkable areas, or by their properties rooms, zones or walls; lines are walls or doors;
/// points are ignored unless they are doors. Degrees become metres.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    let text = builder.text;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, 0, text, &error))?;
    let found = builder.options.select.iter().map(|one| (one.clone(), BTreeSet::new())).collect();
    let (geometries, doors, floors) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut reader = Reader { builder, geometries, crs: None, doors, found, floors };
    reader.object(raw, None, &Properties::default(), 0)?;
    let Reader { builder, mut geometries, crs, doors, found, floors } = reader;
    if let Some((wanted, values)) = found.into_iter().find(|(_, values)| !values.contains(MATCH)) {
        return Err(PlanError::whole(Fault::NoFeature { wanted, values: values.into_iter().take(SHOWN).collect() }));
    }
    for (property, values) in floors {
        let is_selected = builder.options.select.iter().any(|one| one.split('=').next() == Some(property));
        if values.len() > 1 && !is_selected && builder.options.element.is_none() {
            let (property, values) = (property.to_owned(), values.into_iter().collect());
            builder.doubt(Warning::Floors { property, values });
        }
    }
    if let Some(element) = builder.options.element {
        let count = geometries.len();
        if element >= count {
            return Err(PlanError::whole(Fault::NoElement { element, count }));
        }
        geometries = geometries.drain(element..=element).collect();
    }
    let mut doors = doors;
    let mut lists: Vec<&mut [[f64; 2]]> = doors.iter_mut().map(|door| &mut door.jambs[..]).collect();
    lists.extend(geometries.iter_mut().flat_map(|geometry| geometry.rings.iter_mut().map(|ring| &mut ring[..])));
    locate(builder, &mut lists, crs.as_deref());
    let mut polygons = Vec::new();
    for Geometry { role, is_line, rings, name, byte } in geometries {
        let name = name.as_deref();
        match role {
            _ if is_line => {
                let points = &rings[0];
                let is_ring = points.len() > 3 && points.first() == points.last();
                builder.wall(points, if is_ring { Shape::Ring } else { Shape::Line }, name, byte)?;
            }
            Role::Walls => {
                for ring in &rings {
                    builder.wall(ring, Shape::Ring, name, byte)?;
                }
            }
            Role::Floor | Role::Room | Role::Zone | Role::Door | Role::Nothing => {
                let metre = 1.0 / builder.scale();
                if role == Role::Room {
                    for ring in &rings {
                        let opened = opened(ring, &doors, metre).map_err(|fault| builder.error(byte, fault))?;
                        let (walls, shape) =
                            opened.map_or((vec![ring.clone()], Shape::Ring), |walls| (walls, Shape::Line));
                        for wall in walls {
                            builder.wall(&wall, shape, name, byte)?;
                        }
                    }
                }
                let rings: Vec<_> = rings.into_iter().map(|ring| (ring, byte)).collect();
                // A room loses its name where its floor is united with another.
                if role == Role::Zone || (role == Role::Room && name.is_some()) {
                    builder.area(AreaKind::Zone, &rings, name)?;
                }
                if role != Role::Zone {
                    polygons.push(byte);
                    builder.area(AreaKind::Walkable, &rings, name)?;
                }
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
            let code = crs.properties.code.map(|code| format!("EPSG:{code}"));
            self.crs = crs.properties.name.map(Cow::into_owned).or(code).or_else(|| self.crs.take());
        }
        match &object.kind[..] {
            "FeatureCollection" => {
                object.features.into_iter().try_for_each(|feature| self.object(feature, None, properties, depth + 1))
            }
            "Feature" => {
                let mut own: Properties<'t> = match object.properties.filter(|own| own.get().starts_with('{')) {
                    Some(own) => self.parse(own)?,
                    None => Properties::default(),
                };
                let name = own.text("name").or_else(|| word(object.id));
                for (key, member) in [("feature_type", object.feature_type), ("id", object.id)] {
                    member.map(|member| own.0.entry(Cow::Borrowed(key)).or_insert(member));
                }
                if !self.selects(&own) {
                    return Ok(());
                }
                match object.geometry.filter(|geometry| geometry.get() != "null") {
                    Some(geometry) => self.object(geometry, name, &own, depth + 1),
                    None => Ok(()),
                }
            }
            "GeometryCollection" => object
                .geometries
                .into_iter()
                .try_for_each(|geometry| self.object(geometry, name.clone(), properties, depth + 1)),
            kind @ ("Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon") => {
                let Some(coordinates) = object.coordinates else {
                    let found = kind.to_owned();
                    return Err(self.builder.error(byte, Fault::Expected { expected: "coordinates", found }));
                };
                let shapes: Vec<Vec<Vec<Position>>> = match kind {
                    "Point" if coordinates.get().trim() == "[]" => Vec::new(),
                    "Point" => vec![vec![vec![self.parse(coordinates)?]]],
                    "MultiPoint" => vec![vec![self.parse(coordinates)?]],
                    "LineString" => vec![vec![self.parse(coordinates)?]],
                    "MultiLineString" => {
                        self.parse::<Vec<_>>(coordinates)?.into_iter().map(|line| vec![line]).collect()
                    }
                    "Polygon" => vec![self.parse(coordinates)?],
                    _ => self.parse(coordinates)?,
                };
                let byte = self.byte(coordinates);
                shapes.into_iter().try_for_each(|rings| {
                    let geometry = Geometry {
                        role: properties.role(),
                        is_line: !kind.ends_with("Polygon"),
                        rings: rings.into_iter().map(|ring| ring.into_iter().map(|at| at.0).collect()).collect(),
                        name: name.clone(),
                        byte,
                    };
                    self.geometry(kind, geometry, properties)
                })
            }
            other => {
                let name = other.chars().take(40).collect();
                Err(self.builder.error(byte, Fault::Unsupported(name)))
            }
        }
    }

    /// Whether a feature with these properties is read.
    fn selects(&mut self, properties: &Properties<'_>) -> bool {
        // Of several values of one property, any is enough.
        let mut keys: BTreeMap<&str, bool> = BTreeMap::new();
        for (wanted, found) in &mut self.found {
            let (key, value) = wanted.split_once('=').unwrap_or((wanted, ""));
            let values = properties.values(key);
            let matches = values.iter().any(|one| one == value) || properties.text(key).is_some_and(|one| one == value);
            if matches {
                found.insert(MATCH.to_owned());
            } else if found.len() < MOST_VALUES {
                found.extend(values);
            }
            *keys.entry(key).or_default() |= matches;
        }
        let selects = keys.into_values().all(|matches| matches);
        for key in FLOORS.iter().filter(|_| selects) {
            let values = properties.values(key);
            if !values.is_empty() && self.floors.get(key).is_none_or(|known| known.len() < MOST_VALUES) {
                self.floors.entry(key).or_default().extend(values);
            }
        }
        selects
    }

    /// Adds a geometry of this type.
    fn geometry(&mut self, kind: &str, geometry: Geometry, properties: &Properties<'_>) -> Result<(), PlanError> {
        let Geometry { role, is_line, rings, byte, .. } = &geometry;
        for ring in rings {
            self.builder.count_points(ring.len(), *byte)?;
            if ring.iter().flatten().any(|coordinate| coordinate.is_nan() || coordinate.abs() > FARTHEST) {
                return Err(self.builder.error(*byte, Fault::TooFar));
            }
            if let (false, [first, .., last]) = (is_line, &ring[..])
                && first != last
            {
                return Err(self.builder.error(*byte, Fault::NotClosed { first: *first, last: *last }));
            }
        }
        match role {
            Role::Door => {
                // Of a line or a polygon, the longest edge leads from jamb to jamb.
                let width = Door::width(properties);
                let length = |[a, b]: &[[f64; 2]; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
                let edges = rings.iter().flat_map(|ring| ring.windows(2)).map(|ends| [ends[0], ends[1]]);
                let longest = edges.max_by(|one, other| length(one).total_cmp(&length(other)));
                if kind.ends_with("Point") {
                    self.doors.extend(rings.iter().flatten().map(|&at| Door { jambs: [at; 2], width }));
                } else {
                    self.doors.extend(longest.map(|jambs| Door { jambs, width }));
                }
            }
            _ if kind.ends_with("Point") => self.builder.ignore(kind),
            Role::Nothing => self.builder.ignore("other feature"),
            _ if !rings.is_empty() => self.geometries.push(geometry),
            _ => {}
        }
        Ok(())
    }
}

/// Sets the unit of the file by its coordinate system, and turns degrees into metres.
fn locate(builder: &mut Builder<'_>, lists: &mut [&mut [[f64; 2]]], crs: Option<&str>) {
    let is_on_globe = || lists.iter().flat_map(|list| list.iter()).all(|[x, y]| x.abs() <= 180.0 && y.abs() <= 90.0);
    let system = match crs.map(crs::of) {
        _ if builder.options.scale.is_some() => System::Metres,
        None | Some(System::Degrees) if is_on_globe() => System::Degrees,
        None | Some(System::Degrees) => System::Metres,
        Some(system) => system,
    };
    match system {
        System::Degrees => project(builder, lists, Units::Degrees),
        System::Mercator => {
            lists.iter_mut().flat_map(|list| list.iter_mut()).for_each(|point| *point = crs::unprojected(*point));
            project(builder, lists, Units::Metres);
        }
        System::Feet => builder.set_units(Units::Feet),
        System::Metres => builder.set_units(Units::Metres),
        System::Unknown => {
            builder.set_units(Units::Metres);
            builder.doubt(Warning::Crs(crs.unwrap_or_default().chars().take(60).collect()));
        }
    }
}

/// Turns longitude and latitude into metres east and north of the lower left corner, with the lengths of a degree at the
/// middle of the plan on the ellipsoid of WGS 84.
fn project(builder: &mut Builder<'_>, lists: &mut [&mut [[f64; 2]]], units: Units) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in lists.iter().flat_map(|list| list.iter()) {
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
    for point in lists.iter_mut().flat_map(|list| list.iter_mut()) {
        *point = [(point[0] - low[0]) * east, (point[1] - low[1]) * north];
    }
    builder.set_projected(Anchor::Degrees(low), units);
}
