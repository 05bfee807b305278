//! Well-known text, as JuPedSim and PedPy write it.

use crate::plans::builder::{Builder, Shape};
use crate::plans::crs::{self, System};
use crate::plans::error::{Fault, PlanError};
use crate::plans::limits::FARTHEST;
use crate::plans::overlap::first_overlap;
use crate::plans::plan::{Area, AreaKind, Warning};
use crate::plans::union::united;
use crate::plans::units::Units;

/// The largest depth of collections in collections.
pub const DEEPEST_COLLECTION: usize = 32;

/// Points of a list, and the byte at which the list starts.
type Points = (Vec<[f64; 2]>, usize);

/// Reads one or more geometries, separated by spaces or semicolons. Coordinates are metres.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    builder.set_units(Units::Metres);
    let mut reader = Reader { builder, at: 0, polygons: Vec::new(), geometries: 0 };
    loop {
        reader.system()?;
        reader.geometry(0)?;
        while reader.take(b';') {}
        if reader.peek().is_none() {
            break;
        }
    }
    if let Some(element) = reader.builder.options.element.filter(|element| *element >= reader.geometries) {
        return Err(PlanError::whole(Fault::NoElement { element, count: reader.geometries }));
    }
    let Reader { builder, polygons, .. } = reader;
    unite(builder, &polygons)
}

/// Unites walkable areas that overlap or share an edge; `starts` are the bytes at which they start.
pub(crate) fn unite(builder: &mut Builder<'_>, starts: &[usize]) -> Result<(), PlanError> {
    let (walkable, others): (Vec<Area>, Vec<Area>) =
        builder.areas().iter().cloned().partition(|area| area.kind == AreaKind::Walkable);
    match first_overlap(&walkable) {
        Ok(None) => Ok(()),
        Ok(Some(number)) => match united(&walkable) {
            Some(areas) => {
                builder.replace_areas(areas.into_iter().chain(others).collect());
                Ok(())
            }
            None => Err(builder.error(starts[number], Fault::Overlap)),
        },
        Err(most) => Err(PlanError::whole(Fault::TooMany { what: "pairs of edges near each other", most })),
    }
}

struct Reader<'b, 't> {
    builder: &'b mut Builder<'t>,
    /// The next byte.
    at: usize,
    /// Where each polygon starts.
    polygons: Vec<usize>,
    /// The number of polygons and lines so far.
    geometries: usize,
}

impl<'t> Reader<'_, 't> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.builder.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Skips this byte if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Skips this byte, which must be next.
    fn need(&mut self, byte: u8, expected: &'static str) -> Result<(), PlanError> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// The word of letters that is next; it may be empty.
    fn word(&mut self) -> &'t str {
        self.peek();
        let rest = &self.builder.text[self.at..];
        let end = rest.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The error that something else is next.
    fn expected(&mut self, expected: &'static str) -> PlanError {
        self.peek();
        let found: String = self.builder.text[self.at..].chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        self.builder.error(self.at, Fault::Expected { expected, found })
    }

    /// Reads `SRID=CODE;` of PostGIS if it is next. Another unit than metres needs a scale.
    fn system(&mut self) -> Result<(), PlanError> {
        self.peek();
        let rest = &self.builder.text[self.at..];
        if !rest.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("SRID=")) {
            return Ok(());
        }
        let (start, digits) = (self.at, rest[5..].bytes().take_while(u8::is_ascii_digit).count());
        let code = &rest[5..5 + digits];
        self.at += 5 + digits;
        self.need(b';', "`;` after SRID=CODE")?;
        match crs::of(code) {
            _ if self.builder.options.scale.is_some() => {}
            System::Metres => {}
            // A geometry without a system has the code 0.
            System::Unknown if code.trim_start_matches('0').is_empty() => {}
            System::Unknown => self.builder.doubt(Warning::Crs(format!("EPSG:{code}"))),
            System::Feet if self.geometries == 0 => self.builder.set_units(Units::Feet),
            System::Degrees | System::Mercator | System::Feet => {
                return Err(self.builder.error(start, Fault::System(format!("EPSG:{code}"))));
            }
        }
        Ok(())
    }

    /// Reads a geometry inside this number of collections.
    fn geometry(&mut self, depth: usize) -> Result<(), PlanError> {
        const NAMES: &str = "POLYGON, MULTIPOLYGON, LINESTRING, MULTILINESTRING or GEOMETRYCOLLECTION";
        self.peek();
        let start = self.at;
        let word = self.word().to_ascii_uppercase();
        // A height and a measure, also in one word with the name.
        let dimensions = |word: &str| matches!(word, "Z" | "M" | "ZM");
        let name = ["ZM", "Z", "M"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(&word);
        let read: fn(&mut Self, usize) -> Result<(), PlanError> = match name {
            "POINT" => |reader, _| reader.point("POINT"),
            "MULTIPOINT" => |reader, _| reader.point("MULTIPOINT"),
            "POLYGON" => |reader, _| reader.polygon(),
            "MULTIPOLYGON" => |reader, _| reader.each(Self::polygon),
            "LINESTRING" => |reader, _| reader.line(),
            "MULTILINESTRING" => |reader, _| reader.each(Self::line),
            "GEOMETRYCOLLECTION" => |reader, depth| reader.each(|reader| reader.geometry(depth + 1)),
            "" => return Err(self.expected(NAMES)),
            _ => {
                let name = word.chars().take(40).collect();
                return Err(self.builder.error(start, Fault::Unsupported(name)));
            }
        };
        if depth > DEEPEST_COLLECTION {
            return Err(self.builder.error(start, Fault::TooDeep(DEEPEST_COLLECTION)));
        }
        self.peek();
        let mut place = self.at;
        let mut next = self.word().to_ascii_uppercase();
        if dimensions(&next) {
            self.peek();
            place = self.at;
            next = self.word().to_ascii_uppercase();
        }
        match &next[..] {
            "" => read(self, depth),
            "EMPTY" => Ok(()),
            _ => {
                self.at = place;
                Err(self.expected("`(`, Z, M, ZM or EMPTY"))
            }
        }
    }

    /// Skips points, whose lists may have parentheses of their own.
    fn point(&mut self, kind: &'static str) -> Result<(), PlanError> {
        self.builder.ignore(kind);
        self.each(|reader| {
            if reader.empty() {
                return Ok(());
            }
            match reader.peek() {
                Some(b'(') => reader.points().map(|_| ()),
                _ => reader.position().map(|_| ()),
            }
        })
    }

    /// Reads a list in parentheses, whose elements may be `EMPTY`.
    fn each(&mut self, mut read: impl FnMut(&mut Self) -> Result<(), PlanError>) -> Result<(), PlanError> {
        self.need(b'(', "`(`")?;
        loop {
            read(self)?;
            if !self.take(b',') {
                return self.need(b')', "`,` or `)`");
            }
        }
    }

    /// Reads a polygon: a walkable area with walls around it and its holes.
    fn polygon(&mut self) -> Result<(), PlanError> {
        if self.empty() {
            return Ok(());
        }
        let mut rings: Vec<Points> = Vec::new();
        self.each(|reader| {
            if reader.empty() {
                return Ok(());
            }
            let (points, start) = reader.points()?;
            let ([first, ..], Some(last)) = (&points[..], points.last()) else {
                return Err(reader.builder.error(start, Fault::NoRing));
            };
            if first != last {
                return Err(reader.builder.error(start, Fault::NotClosed { first: *first, last: *last }));
            }
            rings.push((points, start));
            Ok(())
        })?;
        if !self.is_wanted() {
            return Ok(());
        }
        self.polygons.extend(rings.first().map(|(_, start)| *start));
        self.builder.area(AreaKind::Walkable, &rings, None)
    }

    /// Reads a line: a wall, closed if it ends where it starts.
    fn line(&mut self) -> Result<(), PlanError> {
        if self.empty() {
            return Ok(());
        }
        let (points, start) = self.points()?;
        if !self.is_wanted() {
            return Ok(());
        }
        let ring = points.len() > 3 && points.first() == points.last();
        self.builder.wall(&points, if ring { Shape::Ring } else { Shape::Line }, None, start)
    }

    /// Counts a polygon or a line, and returns whether the plan has it.
    fn is_wanted(&mut self) -> bool {
        self.geometries += 1;
        self.builder.options.element.is_none_or(|element| element + 1 == self.geometries)
    }

    /// Skips the word EMPTY if it is next.
    fn empty(&mut self) -> bool {
        self.peek();
        let start = self.at;
        let found = self.word().eq_ignore_ascii_case("EMPTY");
        if !found {
            self.at = start;
        }
        found
    }

    /// Reads a list of points in parentheses.
    fn points(&mut self) -> Result<Points, PlanError> {
        self.peek();
        let (start, mut points) = (self.at, Vec::new());
        self.each(|reader| {
            let at = reader.at;
            points.push(reader.position()?);
            reader.builder.count_points(1, at)
        })?;
        Ok((points, start))
    }

    /// Reads two coordinates; a height and a measure after them are dropped.
    fn position(&mut self) -> Result<[f64; 2], PlanError> {
        let point = [self.number()?, self.number()?];
        for _ in 0..2 {
            if !matches!(self.peek(), Some(b',' | b')')) {
                self.number_of("`,`, `)` or a number")?;
            }
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, PlanError> {
        self.number_of("a number")
    }

    fn number_of(&mut self, expected: &'static str) -> Result<f64, PlanError> {
        let numeric = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        self.peek();
        let rest = &self.builder.text[self.at..];
        let length = rest.bytes().take_while(numeric).count();
        let Ok(number) = rest[..length].parse::<f64>() else {
            return Err(self.expected(expected));
        };
        if number.is_nan() || number.abs() > FARTHEST {
            return Err(self.builder.error(self.at, Fault::TooFar));
        }
        self.at += length;
        // A letter after the digits would otherwise be reported as a missing comma.
        match rest[length..].chars().next() {
            Some(next) if next.is_alphanumeric() || next == '_' => {
                self.at -= length;
                Err(self.expected("a number"))
            }
            _ => Ok(number),
        }
    }
}
