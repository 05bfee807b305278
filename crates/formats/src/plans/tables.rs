//! Floor plans in TOML: walls as polylines, and named zones.
//!
//! ```toml
//! units = "m"                                     # or cm, mm, ft, in; m by default
//! walls = [[[0, 0], [10, 0]], [[0, 6], [10, 6]]]  # polylines without names
//!
//! [[wall]]
//! name = "pillar"
//! points = [[4, 2], [5, 2], [5, 3], [4, 3]]
//! closed = true                                   # false by default
//!
//! [[zone]]
//! name = "exit"
//! points = [[9, 0], [10, 0], [10, 6], [9, 6]]
//! holes = [[[9.2, 1], [9.4, 1], [9.4, 2]]]        # none by default
//! ```

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::plans::builder::{Builder, Shape};
use crate::plans::error::{Fault, PlanError};
use crate::plans::limits::FARTHEST;
use crate::plans::plan::AreaKind;
use crate::plans::units::Units;

/// The largest depth of arrays and tables in each other.
pub const DEEPEST_TABLE: usize = 64;

const UNITS: &str = "one of \"m\", \"cm\", \"mm\", \"ft\" and \"in\"";

type Value<'t> = Spanned<DeValue<'t>>;

/// Reads a plan in TOML.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    check_depth(builder)?;
    let (table, errors) = DeTable::parse_recoverable(builder.text);
    if let Some(error) = errors.first() {
        let message = error.message().trim().replace('\n', ", ");
        let byte = error.span().map_or(0, |span| span.start);
        return Err(builder.error(byte, Fault::Syntax(format!("not TOML: {message}"))));
    }
    let table = table.into_inner();
    check_keys(builder, &table, &["units", "walls", "wall", "zone"])?;
    let units = match table.get("units") {
        Some(value) => {
            let named =
                value.get_ref().as_str().and_then(|name| Units::ALL.into_iter().find(|unit| unit.name() == name));
            named.filter(|unit| *unit != Units::Pixels).ok_or_else(|| expected(builder, value, UNITS))?
        }
        None => Units::Metres,
    };
    builder.set_units(units);
    if let Some(walls) = table.get("walls") {
        for wall in array(builder, walls, "an array of polylines")? {
            add_wall(builder, wall, None, false)?;
        }
    }
    for (wall, at) in tables(builder, &table, "wall", &["name", "points", "closed"])? {
        let name = name(builder, wall)?;
        let closed = match wall.get("closed") {
            Some(value) => value.get_ref().as_bool().ok_or_else(|| expected(builder, value, "true or false"))?,
            None => false,
        };
        add_wall(builder, need(builder, wall, at, "points")?, name, closed)?;
    }
    for (zone, at) in tables(builder, &table, "zone", &["name", "points", "holes"])? {
        let name = name(builder, zone)?;
        let points = need(builder, zone, at, "points")?;
        let mut rings = vec![(corners(builder, points)?, points.span().start)];
        if let Some(holes) = zone.get("holes") {
            for hole in array(builder, holes, "an array of rings")? {
                rings.push((corners(builder, hole)?, hole.span().start));
            }
        }
        builder.area(AreaKind::Zone, &rings, name)?;
    }
    Ok(())
}

/// Refuses deep nesting before the text is parsed, by counting brackets outside of strings and comments.
fn check_depth(builder: &Builder<'_>) -> Result<(), PlanError> {
    let (mut depth, mut quote, mut comment) = (0_usize, None, false);
    for (at, byte) in builder.text.bytes().enumerate() {
        match (byte, quote) {
            (b'\n', _) => (quote, comment) = (None, false),
            _ if comment => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'#', None) => comment = true,
            (b'[' | b'{', None) => depth += 1,
            (b']' | b'}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST_TABLE {
            return Err(builder.error(at, Fault::TooDeep(DEEPEST_TABLE)));
        }
    }
    Ok(())
}

fn add_wall(builder: &mut Builder<'_>, value: &Value<'_>, name: Option<&str>, closed: bool) -> Result<(), PlanError> {
    let points = corners(builder, value)?;
    builder.wall(&points, if closed { Shape::Ring } else { Shape::Line }, name, value.span().start)
}

/// The tables of an array of tables, and the bytes at which they start.
fn tables<'v, 't>(
    builder: &Builder<'_>,
    table: &'v DeTable<'t>,
    key: &'static str,
    keys: &[&'static str],
) -> Result<Vec<(&'v DeTable<'t>, usize)>, PlanError> {
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    let mut tables = Vec::new();
    for item in array(builder, value, "an array of tables")? {
        let inner = item.get_ref().as_table().ok_or_else(|| expected(builder, item, "a table"))?;
        check_keys(builder, inner, keys)?;
        tables.push((inner, item.span().start));
    }
    Ok(tables)
}

fn check_keys(builder: &Builder<'_>, table: &DeTable<'_>, known: &[&'static str]) -> Result<(), PlanError> {
    for key in table.keys() {
        if !known.contains(&&key.get_ref()[..]) {
            let shown: String = key.get_ref().chars().take(40).collect();
            let fault = Fault::Syntax(format!("unknown key `{shown}`: known are {}", known.join(", ")));
            return Err(builder.error(key.span().start, fault));
        }
    }
    Ok(())
}

fn need<'v, 't>(
    builder: &Builder<'_>,
    table: &'v DeTable<'t>,
    at: usize,
    key: &'static str,
) -> Result<&'v Value<'t>, PlanError> {
    table.get(key).ok_or_else(|| builder.error(at, Fault::Syntax(format!("the key `{key}` is missing"))))
}

fn name<'v>(builder: &Builder<'_>, table: &'v DeTable<'_>) -> Result<Option<&'v str>, PlanError> {
    let text = |value: &'v Value<'_>| value.get_ref().as_str().ok_or_else(|| expected(builder, value, "a text"));
    table.get("name").map(text).transpose()
}

fn array<'v, 't>(
    builder: &Builder<'_>,
    value: &'v Value<'t>,
    wanted: &'static str,
) -> Result<&'v [Value<'t>], PlanError> {
    match value.get_ref().as_array() {
        Some(array) => Ok(array),
        None => Err(expected(builder, value, wanted)),
    }
}

/// The points of an array of `[x, y]`.
fn corners(builder: &mut Builder<'_>, value: &Value<'_>) -> Result<Vec<[f64; 2]>, PlanError> {
    let mut points = Vec::new();
    for item in array(builder, value, "an array of points [x, y]")? {
        builder.count_points(1, item.span().start)?;
        let [x, y] = array(builder, item, "a point [x, y]")? else {
            return Err(expected(builder, item, "a point [x, y]"));
        };
        points.push([number(builder, x)?, number(builder, y)?]);
    }
    Ok(points)
}

fn number(builder: &Builder<'_>, value: &Value<'_>) -> Result<f64, PlanError> {
    let number = match value.get_ref() {
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|whole| whole as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => return Err(expected(builder, value, "a number")),
    };
    let near = number.filter(|number: &f64| number.abs() <= FARTHEST);
    near.ok_or_else(|| builder.error(value.span().start, Fault::TooFar))
}

/// The error that a value is not the wanted one.
fn expected(builder: &Builder<'_>, value: &Value<'_>, expected: &'static str) -> PlanError {
    let text = builder.text.get(value.span()).unwrap_or_default();
    let found = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).collect();
    builder.error(value.span().start, Fault::Expected { expected, found })
}
