//! Drawings in SVG. The crate `usvg` resolves shapes, styles and transforms.

mod bounds;
mod labels;

use usvg::roxmltree::{self, Document, ParsingOptions};
use usvg::tiny_skia_path::{PathSegment, Point, Transform};
use usvg::{Fill, Group, ImageHrefResolver, Node, Options, Paint, Tree};

use crate::plans::builder::Builder;
use crate::plans::error::{Fault, Place, PlanError};
use crate::plans::plan::AreaKind;
use crate::plans::units::Units;
use crate::plans::{flatten, names};
use labels::{Label, Labels};

/// The stack of the thread that reads a drawing: `usvg` descends through up to a thousand nested elements.
const STACK: usize = 64 << 20;

/// Removes everything that a plan does not use. Markers repeat at every corner, so a small file could have billions; every
/// shape has its own list of the dashes that it inherits; and references in circles would never end.
const WITHOUT: &str = "* { marker-start: none !important; marker-mid: none !important; marker-end: none !important; \
                       stroke-dasharray: none !important; \
                       filter: none !important; mask: none !important; clip-path: none !important } \
                       pattern, pattern * { fill: black !important; stroke: none !important }";

/// The kind of shapes that cannot be seen.
const INVISIBLE: &str = "invisible shape";

/// A path of straight segments.
struct Polyline {
    points: Vec<[f64; 2]>,
    closed: bool,
}

/// Reads a drawing: strokes are walls, and so are the filled shapes that the reader was given; other filled shapes with
/// a name are zones. Coordinates are units of the view box, with the y axis up.
pub(crate) fn read(builder: &mut Builder<'_>) -> Result<(), PlanError> {
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
    bounds::check_text(builder)?;
    let parse = |text| {
        let options =
            ParsingOptions { allow_dtd: true, nodes_limit: bounds::MOST_NODES as u32, ..ParsingOptions::default() };
        Document::parse_with_options(text, options).map_err(|error| bad_xml(&error))
    };
    let document = parse(builder.text)?;
    bounds::check(builder, &document)?;
    let (labels, labelled) = Labels::new(&document);
    let root = document.root_element();
    let page = root.attribute("viewBox").and_then(view_box);
    let fill = root.attribute("preserveAspectRatio").is_some_and(|kind| kind.contains("slice"));
    drop(document);
    let document = parse(&labelled)?;
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
        usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => builder.error(None, Fault::Repeats),
        usvg::Error::ParsingFailed(error) => bad_xml(&error),
        other => builder.error(None, Fault::Syntax(other.to_string())),
    })?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(f64::from);
    let pixels = page.map_or(1.0, |page| {
        let [x, y] = [width / page[0], height / page[1]];
        if (x < y) == fill { y } else { x }
    });
    // A unit of a page that is given in millimetres is a pixel for some programs and a millimetre for others.
    builder.set_units(if (pixels - 1.0).abs() < 1e-6 { Units::Pixels } else { Units::Unitless });
    Reader { builder, labels, pixels, height }.group(tree.root(), &mut Vec::new())
}

/// The width and the height of a view box.
fn view_box(text: &str) -> Option<[f64; 2]> {
    let words = text.split(|character: char| character == ',' || character.is_ascii_whitespace());
    let numbers: Vec<f64> = words.filter(|word| !word.is_empty()).map_while(|word| word.parse().ok()).collect();
    let [_, _, width, height] = numbers[..] else { return None };
    (width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()).then_some([width, height])
}

/// The error of a text that is not XML.
fn bad_xml(error: &roxmltree::Error) -> PlanError {
    let position = error.pos();
    let message = error.to_string();
    // The message ends with the position, which the error has already.
    let message = message.rsplit_once(" at ").map_or(&message[..], |(message, _)| message);
    let place = Place { line: position.row as usize, column: position.col as usize };
    let fault = match error {
        roxmltree::Error::NodesLimitReached => Fault::TooMany { what: "elements", most: bounds::MOST_NODES },
        _ => Fault::Syntax(message.to_owned()),
    };
    PlanError { file: String::new(), place: Some(place), fault }
}

/// The shapes of the drawing, by their ids in the tree.
struct Reader<'b, 't> {
    builder: &'b mut Builder<'t>,
    labels: Labels,
    /// Pixels in a unit of the file.
    pixels: f64,
    /// The height of the page, in pixels.
    height: f64,
}

impl Reader<'_, '_> {
    /// Adds the shapes of a group. A shape without a name has the name of the nearest group around it.
    fn group(&mut self, group: &Group, groups: &mut Vec<Label>) -> Result<(), PlanError> {
        if group.opacity().get() <= 0.0 {
            self.builder.ignore(INVISIBLE);
            return Ok(());
        }
        let label = self.labels.of(group.id());
        groups.extend(label.clone());
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, groups)?,
                Node::Path(path) => self.path(path, groups)?,
                _ => self.builder.ignore("image or text"),
            }
        }
        groups.truncate(groups.len() - usize::from(label.is_some()));
        Ok(())
    }

    fn path(&mut self, path: &usvg::Path, groups: &[Label]) -> Result<(), PlanError> {
        let own = self.labels.of(path.id());
        let around = || own.iter().chain(groups.iter().rev());
        let at = around().map(|label| label.byte).next();
        let stroked = path.stroke().is_some_and(|stroke| stroke.opacity().get() > 0.0);
        let fill = path.fill().filter(|fill| fill.opacity().get() > 0.0);
        if !path.is_visible() || (!stroked && fill.is_none()) {
            self.builder.ignore(INVISIBLE);
        } else if stroked || fill.is_some_and(|fill| is_wall(self.builder, fill, around())) {
            let name = around().find_map(Label::name);
            for Polyline { points, closed } in self.straight(path, at)? {
                self.builder.stroke(&points, closed && points.len() > 3, name, at)?;
            }
        } else if let Some(name) = own.as_ref().and_then(Label::name) {
            self.builder.note_filled(name);
            // Further parts of the path are holes.
            let rings: Vec<_> =
                self.straight(path, at)?.into_iter().map(|part| (part.points, at.unwrap_or(0))).collect();
            match self.builder.area(AreaKind::Zone, &rings, Some(name)) {
                Err(PlanError { fault: Fault::NoRing, .. }) => self.builder.ignore("filled shape without content"),
                added => added?,
            }
        } else {
            self.builder.ignore("filled shape without a name");
        }
        Ok(())
    }
    /// The parts of a path as straight segments in units of the file, with the y axis up.
    fn straight(&mut self, path: &usvg::Path, at: Option<usize>) -> Result<Vec<Polyline>, PlanError> {
        let transform = path.abs_transform();
        let (height, pixels) = (self.height, self.pixels);
        let place = |point: Point| transformed(transform, point, height).map(|at| at / pixels);
        let tolerance = self.builder.tolerance();
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
            self.builder.count_points(added, at)?;
        }
        Ok(polylines)
    }
}

/// Whether a filled shape without a stroke is a wall, by the names of it and of the groups around it or its colour. If no
/// one has said which are, those with a word for a wall in one of these names are.
fn is_wall<'l>(builder: &Builder<'_>, fill: &Fill, mut around: impl Iterator<Item = &'l Label>) -> bool {
    let Some(wanted) = &builder.options.walls else {
        return around.any(|label| label.names().any(names::is_wall));
    };
    let colour = match fill.paint() {
        Paint::Color(colour) => format!("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue),
        _ => String::new(),
    };
    let short = |wanted: &str| match wanted.strip_prefix('#') {
        // #abc is #aabbcc.
        Some(digits) if digits.len() == 3 => {
            format!("#{}", digits.chars().flat_map(|digit| [digit; 2]).collect::<String>())
        }
        _ => wanted.to_owned(),
    };
    wanted.iter().any(|wanted| short(wanted).eq_ignore_ascii_case(&colour))
        || around.any(|label| label.names().any(|name| wanted.iter().any(|wanted| wanted == name)))
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
