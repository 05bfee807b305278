//! Drawings in SVG. The crate `usvg` resolves shapes, styles and transforms.

use usvg::roxmltree::{self, Document, ParsingOptions};
use usvg::tiny_skia_path::{PathSegment, Point, Transform};
use usvg::{Group, ImageHrefResolver, Node, Options, Paint, Tree};

use crate::plans::builder::{Builder, Shape};
use crate::plans::error::{Fault, Place, PlanError};
use crate::plans::flatten;
use crate::plans::plan::{AreaKind, Units};

/// The largest number of elements, texts and comments of a drawing.
const MOST_NODES: usize = 200_000;
/// The largest depth of elements.
const DEEPEST: usize = 128;
/// The largest number of characters in style sheets: their rules are compared with every element.
const MOST_STYLE: usize = 16 << 10;
/// The stack of the thread that reads a drawing: `usvg` descends through up to a thousand nested elements.
const STACK: usize = 64 << 20;

/// Removes elements that do not belong to a plan: markers repeat at every corner, so a small file could have billions,
/// and references in circles would never end.
const WITHOUT: &str = "* { marker-start: none !important; marker-mid: none !important; marker-end: none !important; \
                       filter: none !important; mask: none !important; clip-path: none !important } \
                       pattern, pattern * { fill: black !important; stroke: none !important }";

/// A path of straight segments.
struct Polyline {
    points: Vec<[f64; 2]>,
    closed: bool,
}

/// Reads a drawing: strokes are walls, and so are the filled shapes that the reader was given; other filled shapes with
/// an id are zones. Coordinates are pixels, with the y axis up.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    builder.set_units(Units::Pixels);
    let text = builder.text;
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK);
        let reader = reader.spawn_scoped(scope, || read_drawing(builder));
        let reader = reader.map_err(|error| PlanError::whole(Fault::Syntax(format!("no thread: {error}"))))?;
        // A panic of a crate on a hostile file is an error of the file.
        let broken = |_| PlanError::at(text, 0, Fault::Syntax("the drawing cannot be read".to_owned()));
        reader.join().map_err(broken)?
    })
}

fn read_drawing(builder: &mut Builder<'_>) -> Result<(), PlanError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES as u32, ..ParsingOptions::default() };
    let document = Document::parse_with_options(builder.text, options).map_err(|error| bad_xml(&error))?;
    check(builder, &document)?;
    let options = Options {
        // Images do not belong to a plan, and a drawing must not open other files.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        style_sheet: Some(WITHOUT.to_owned()),
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| match error {
        usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => builder.error(0, Fault::Repeats),
        usvg::Error::ParsingFailed(error) => bad_xml(&error),
        other => builder.error(0, Fault::Syntax(other.to_string())),
    })?;
    let height = f64::from(tree.size().height());
    add_group(builder, tree.root(), &mut Vec::new(), height)
}

/// The error of a text that is not XML.
fn bad_xml(error: &roxmltree::Error) -> PlanError {
    let position = error.pos();
    let message = error.to_string();
    // The message ends with the position, which the error has already.
    let message = message.rsplit_once(" at ").map_or(&message[..], |(message, _)| message);
    let place = Place { line: position.row as usize, column: position.col as usize };
    let fault = match error {
        roxmltree::Error::NodesLimitReached => Fault::TooMany { what: "elements", most: MOST_NODES },
        _ => Fault::Syntax(message.to_owned()),
    };
    PlanError { file: String::new(), place: Some(place), fault }
}

/// Refuses drawings whose reading could take very long.
fn check(builder: &Builder<'_>, document: &Document<'_>) -> Result<(), PlanError> {
    let mut depths: Vec<usize> = Vec::new();
    let mut style = 0;
    for node in document.descendants() {
        // Nodes are numbered in the order of the document, parents first.
        let depth = node.parent().and_then(|parent| depths.get(parent.id().get_usize())).map_or(0, |depth| depth + 1);
        depths.push(depth);
        if depth > DEEPEST {
            return Err(builder.error(node.range().start, Fault::TooDeep(DEEPEST)));
        }
        if node.is_text() && node.parent().is_some_and(|parent| parent.has_tag_name((SVG, "style"))) {
            style += node.text().map_or(0, str::len);
            if style > MOST_STYLE {
                let fault = Fault::TooMany { what: "characters of style sheets", most: MOST_STYLE };
                return Err(builder.error(node.range().start, fault));
            }
        }
    }
    Ok(())
}

/// The name space of SVG.
const SVG: &str = "http://www.w3.org/2000/svg";

/// Adds the shapes of a group. A shape without an id has the name of the nearest group around it.
fn add_group(builder: &mut Builder<'_>, group: &Group, groups: &mut Vec<String>, height: f64) -> Result<(), PlanError> {
    if !group.id().is_empty() {
        groups.push(group.id().to_owned());
    }
    for node in group.children() {
        match node {
            Node::Group(group) => add_group(builder, group, groups, height)?,
            Node::Path(path) => {
                let own = if path.id().is_empty() { groups.last().map(|name| &name[..]) } else { Some(path.id()) };
                let polylines = straighten(builder, path, height)?;
                if path.stroke().is_some() || is_wall(builder, path, groups) {
                    add_walls(builder, &polylines, own)?;
                } else if !path.id().is_empty() {
                    builder.note_filled(path.id());
                    add_zone(builder, polylines, path.id())?;
                } else {
                    builder.ignore();
                }
            }
            _ => builder.ignore(),
        }
    }
    if !group.id().is_empty() {
        groups.pop();
    }
    Ok(())
}

/// Whether a filled shape without a stroke is a wall, by its id, the ids of the groups around it or its colour. If no one
/// has said which are, those with `wall` in one of these ids are.
fn is_wall(builder: &Builder<'_>, path: &usvg::Path, groups: &[String]) -> bool {
    if builder.options.walls.is_none() {
        let mut ids = groups.iter().map(|group| &group[..]).chain([path.id()]);
        return path.fill().is_some() && ids.any(|id| id.to_lowercase().contains("wall"));
    }
    let colour = path.fill().map(|fill| match fill.paint() {
        Paint::Color(colour) => format!("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue),
        _ => String::new(),
    });
    let Some(colour) = colour else { return false };
    let short = |wanted: &str| match wanted.strip_prefix('#') {
        // #abc is #aabbcc.
        Some(digits) if digits.len() == 3 => {
            format!("#{}", digits.chars().flat_map(|digit| [digit; 2]).collect::<String>())
        }
        _ => wanted.to_owned(),
    };
    builder
        .options
        .walls
        .iter()
        .flatten()
        .any(|wanted| path.id() == wanted || groups.contains(wanted) || short(wanted).eq_ignore_ascii_case(&colour))
}

/// Adds the strokes of a path; those without length are ignored.
fn add_walls(builder: &mut Builder<'_>, polylines: &[Polyline], name: Option<&str>) -> Result<(), PlanError> {
    for Polyline { points, closed } in polylines {
        let shape = if *closed && points.len() > 3 { Shape::Ring } else { Shape::Line };
        match builder.wall(points, shape, name, 0) {
            Err(PlanError { fault: Fault::NoLength | Fault::NoRing, .. }) => builder.ignore(),
            added => added?,
        }
    }
    Ok(())
}

/// Adds a filled path as a zone; further parts of the path are its holes.
fn add_zone(builder: &mut Builder<'_>, polylines: Vec<Polyline>, name: &str) -> Result<(), PlanError> {
    let rings: Vec<_> = polylines.into_iter().map(|polyline| (polyline.points, 0)).collect();
    match builder.area(AreaKind::Zone, &rings, Some(name)) {
        Err(PlanError { fault: Fault::NoRing, .. }) => builder.ignore(),
        added => added?,
    }
    Ok(())
}

/// The parts of a path as straight segments, with the y axis up.
fn straighten(builder: &mut Builder<'_>, path: &usvg::Path, height: f64) -> Result<Vec<Polyline>, PlanError> {
    let transform = path.abs_transform();
    let place = |point: Point| -> [f64; 2] { transformed(transform, point, height) };
    let tolerance = builder.tolerance();
    let mut polylines: Vec<Polyline> = Vec::new();
    let mut start = [0.0; 2];
    let mut last = [0.0; 2];
    for segment in path.data().segments() {
        let to = match segment {
            PathSegment::MoveTo(to) | PathSegment::LineTo(to) => place(to),
            PathSegment::QuadTo(_, to) | PathSegment::CubicTo(_, _, to) => place(to),
            PathSegment::Close => start,
        };
        // After a path is closed, it may continue from its start without a new first point.
        let closed = polylines.last().is_none_or(|polyline| polyline.closed);
        if matches!(segment, PathSegment::MoveTo(_)) || closed {
            let first = if matches!(segment, PathSegment::MoveTo(_)) { to } else { start };
            polylines.push(Polyline { points: vec![first], closed: false });
            start = first;
        }
        let Some(polyline) = polylines.last_mut() else { continue };
        let before = polyline.points.len();
        match segment {
            PathSegment::MoveTo(_) => {}
            PathSegment::LineTo(_) => polyline.points.push(to),
            PathSegment::QuadTo(control, _) => curve(polyline, &[last, place(control), to], tolerance),
            PathSegment::CubicTo(one, two, _) => curve(polyline, &[last, place(one), place(two), to], tolerance),
            PathSegment::Close => {
                polyline.points.push(to);
                polyline.closed = true;
            }
        }
        last = to;
        let added = polyline.points.len() - before;
        builder.count_points(added, 0)?;
    }
    Ok(polylines)
}

/// Adds the segments of a curve.
fn curve<const N: usize>(polyline: &mut Polyline, control: &[[f64; 2]; N], tolerance: f64) {
    let count = flatten::segments(control, tolerance);
    let points = (1..count).map(|step| flatten::point(control, step as f64 / count as f64));
    polyline.points.extend(points.chain([control[N - 1]]));
}

/// The point in pixels of the page, with the y axis up.
fn transformed(transform: Transform, point: Point, height: f64) -> [f64; 2] {
    let [sx, kx, tx, ky, sy, ty] =
        [transform.sx, transform.kx, transform.tx, transform.ky, transform.sy, transform.ty].map(f64::from);
    let [x, y] = [point.x, point.y].map(f64::from);
    [sx * x + kx * y + tx, height - (ky * x + sy * y + ty)]
}
