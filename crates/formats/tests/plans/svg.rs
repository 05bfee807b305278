//! Drawings in SVG.

use throng_formats::{AreaKind, FloorPlan, Format, Path, ReadOptions, Units, Warning};

use crate::{length, path, read, refused};

const OPEN: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">"#;

fn svg(body: &str) -> FloorPlan {
    read(&format!("{OPEN}{body}</svg>"), Format::Svg).unwrap_or_else(|error| panic!("{body}: {error}"))
}

fn wall<'p>(plan: &'p FloorPlan, name: &str) -> &'p Path {
    plan.walls.iter().find(|wall| wall.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("{name} in {plan:?}"))
}

#[test]
fn strokes_are_walls_and_filled_shapes_with_ids_are_zones() {
    let options = ReadOptions { scale: Some(0.01), ..ReadOptions::default() };
    let plan = FloorPlan::load(path("hall.svg"), &options).unwrap();
    assert_eq!(plan.warnings(), [Warning::Filled(vec!["exit".to_owned(), "entrance".to_owned()])]);
    let names: Vec<&str> = plan.walls.iter().map(|wall| wall.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["west", "east", "column", "desk", "bay"]);
    // The y axis points up, and the group's translation is applied: the corner (0, 1800) is at (1 m, 20 - 19 m).
    assert_eq!(wall(&plan, "west").points[1], [1.0, 1.0]);
    assert!(!wall(&plan, "west").closed && wall(&plan, "column").closed);
    let areas: Vec<_> = plan.areas.iter().map(|area| (area.name.as_deref().unwrap(), area.kind)).collect();
    assert_eq!(areas, [("exit", AreaKind::Zone), ("entrance", AreaKind::Zone)]);
    assert_eq!(plan.areas[0].outline.len(), 4);
    // The desk is turned by 30 degrees around (5 m, 16.5 m).
    let desk = wall(&plan, "desk");
    assert!((length(&FloorPlan { walls: vec![desk.clone()], ..plan.clone() }) - 6.0).abs() < 1e-5);
    let (sine, cosine) = (30_f64).to_radians().sin_cos();
    // The corner (-1, 0.5) in metres from its middle, in a drawing that turns clockwise.
    let corner = [5.0 - cosine + 0.5 * sine, 16.5 + sine + 0.5 * cosine];
    let near = |point: &[f64; 2]| (point[0] - corner[0]).abs() < 1e-5 && (point[1] - corner[1]).abs() < 1e-5;
    assert!(desk.points.iter().any(near), "{corner:?} in {desk:?}");
}

#[test]
fn filled_shapes_that_are_called_walls_are_walls() {
    let text = r#"<g id="outer-Walls"><path d="M0 0h40v4h-40z"/></g><rect id="exit" width="4" height="4"/>"#;
    let plan = svg(text);
    assert_eq!((plan.walls.len(), plan.areas.len(), plan.filled), (1, 1, vec!["exit".to_owned()]));
    // The reader says that none is.
    let none = ReadOptions { walls: Some(Vec::new()), ..ReadOptions::default() };
    let drawing = format!("{OPEN}{text}</svg>");
    assert_eq!(FloorPlan::parse(&drawing, Format::Svg, &none).unwrap().walls.len(), 0);
}

#[test]
fn curves_keep_to_the_tolerance() {
    for tolerance in [0.1, 0.01, 0.001] {
        let options = ReadOptions { scale: Some(0.01), tolerance, ..ReadOptions::default() };
        let plan = FloorPlan::load(path("hall.svg"), &options).unwrap();
        let column = &wall(&plan, "column").points;
        // A circle of 1.2 m around (15 m, 10 m). Four cubic curves are within 3e-4 of a circle.
        for (from, to) in column.iter().zip(column.iter().cycle().skip(1)) {
            let distance = |point: [f64; 2]| ((point[0] - 15.0).powi(2) + (point[1] - 10.0).powi(2)).sqrt();
            let middle = [0, 1].map(|axis| 0.5 * (from[axis] + to[axis]));
            assert!((distance(*from) - 1.2).abs() < 5e-4, "{from:?}");
            assert!(1.2 - distance(middle) < tolerance + 5e-4, "{middle:?} at {tolerance}");
        }
        assert!(column.len() < 12 + (4.0 / tolerance.sqrt()) as usize * 2, "{} at {tolerance}", column.len());
    }
}

#[test]
fn transforms_styles_and_reuse_are_resolved() {
    let plan = svg(r#"<g transform="scale(2) translate(5 5)"><line id="a" x2="10" stroke="red"/></g>"#);
    assert_eq!(wall(&plan, "a").points, [[10.0, 40.0], [30.0, 40.0]]);
    let plan = svg(r#"<defs><path id="p" d="M0 0h4v4z" stroke="red"/></defs><use href='#p' x="10"/><use href='#p'/>"#);
    assert_eq!((plan.walls.len(), plan.segments()), (2, 6));
    let plan = svg(r#"<style>.w { stroke: black } #hidden { display: none }</style>
        <line id="a" class="w" x2="10"/><line id="hidden" class="w" x2="10" y2="1"/>"#);
    assert_eq!(plan.walls.len(), 1);
    // A name is the name of the nearest group if the shape has none.
    let plan = svg(r#"<g id="north"><line x2="10" stroke="red"/></g>"#);
    assert_eq!(plan.walls[0].name.as_deref(), Some("north"));
    // A path continues from its start after it is closed; each part is a wall.
    let plan = svg(r#"<path d="M0 0h4v4z l5 5 M20 0 q5 5 10 0 t10 0" fill="none" stroke="red"/>"#);
    let shapes: Vec<_> = plan.walls.iter().map(|wall| (wall.closed, wall.points[0])).collect();
    assert_eq!(shapes, [(true, [0.0, 50.0]), (false, [0.0, 50.0]), (false, [20.0, 50.0])]);
    // A zone with a hole.
    let plan = svg(r#"<path id="ring" d="M0 0h40v40h-40z M10 10h20v20h-20z" fill-rule="evenodd"/>"#);
    assert_eq!((plan.areas[0].outline.len(), plan.areas[0].holes.len(), plan.walls.len()), (4, 1, 0));
    // The view box has the unit of the file.
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 40 20">
        <line x1="1" y1="1" x2="2" y2="1" stroke="red"/></svg>"#;
    assert_eq!(read(text, Format::Svg).unwrap().walls[0].points, [[1.0, 19.0], [2.0, 19.0]]);
}

#[test]
fn pixels_need_a_scale() {
    let plan = svg(r#"<line x2="10" stroke="red"/>"#);
    assert_eq!((plan.units, plan.scale, plan.unit()), (Units::Pixels, None, Units::Pixels));
    let [warning] = &plan.warnings()[..] else { panic!() };
    let text = warning.to_string();
    assert!(text.contains("(0, 50) to (10, 50) in px") && text.contains("set scale"), "{text}");
}

#[test]
fn other_shapes_are_counted_and_no_file_is_opened() {
    let image = r#"<image href="/etc/passwd" width="9" height="9"/><image href="a.png" width="9" height="9"/>"#;
    let plan = svg(&format!(r#"{image}<rect width="5" height="5"/><text>hello</text><line x2="9" stroke="red"/>"#));
    assert_eq!(plan.walls.len(), 1);
    assert!(plan.warnings().contains(&Warning::Ignored(1, vec!["filled shape without a name".to_owned()])), "{plan:?}");
    // Corners have no arrows: they are decoration.
    let arrows = r#"<marker id="m" markerWidth="9" markerHeight="9"><path d="M0 0l9 9" stroke="red"/></marker>
        <path d="M0 0l9 9l9 0" fill="none" stroke="red" marker-mid="url(#m)" style="marker-end: url(#m)"/>"#;
    assert_eq!(svg(arrows).walls.len(), 1);
}

#[test]
fn errors_have_places_and_reasons() {
    for (text, error) in [
        ("", "1:1: "),
        ("<svg", "1:1: "),
        ("<svg xmlns='http://www.w3.org/2000/svg'>\n  <g>\n</svg>", "3:"),
        ("<html/>", "1:1: "),
    ] {
        let found = refused(text, Format::Svg);
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

#[test]
fn shapes_that_cannot_be_seen_are_no_walls() {
    let shown = r#"<rect x="1" y="1" width="20" height="9" fill="none" stroke="red"/>"#;
    for hidden in [
        r#"<rect width="9" height="9" stroke="red" visibility="hidden"/>"#,
        r#"<g style="visibility: collapse"><rect id="a" width="9" height="9" stroke="red"/></g>"#,
        r#"<line x2="9" stroke="red" opacity="0"/>"#,
        r#"<g opacity="0%"><g><line x2="9" stroke="red"/><rect id="wall" width="9" height="9"/></g></g>"#,
        r#"<line x2="9" stroke="red" stroke-opacity="0"/>"#,
        r#"<line x2="9" stroke="rgba(255, 0, 0, 0)"/>"#,
        r#"<line x2="9" stroke="transparent"/>"#,
        r#"<line x2="9" stroke="red" stroke-width="0"/>"#,
        r#"<style>.off { opacity: 0 }</style><line class="off" x2="9" stroke="red"/>"#,
        r#"<rect id="wall" width="9" height="9" fill-opacity="0" stroke="red" stroke-opacity="0"/>"#,
        r#"<rect id="exit" width="9" height="9" fill="none"/>"#,
        r#"<rect id="exit" width="9" height="9" fill-opacity="0"/>"#,
        r#"<defs><g id="d" opacity="0"><line x2="9" stroke="red"/></g></defs><use href='#d'/>"#,
    ] {
        let plan = svg(&format!("{hidden}{shown}"));
        assert_eq!((plan.walls.len(), plan.areas.len(), plan.segments()), (1, 0, 4), "{hidden}: {plan:?}");
    }
    // A visible shape within a hidden group, and a fill without a visible stroke.
    assert_eq!(svg(r#"<g visibility="hidden"><line x2="9" stroke="red" visibility="visible"/></g>"#).walls.len(), 1);
    let plan = svg(r#"<rect id="exit" width="9" height="9" stroke="red" stroke-opacity="0"/>"#);
    assert_eq!((plan.walls.len(), plan.areas.len()), (0, 1));
}

#[test]
fn strokes_that_cross_themselves_are_cut_with_their_line() {
    let plan =
        svg("\n<g id='valves' fill='none' stroke='red'>\n<path d='M5 5 H95 V45 H5 Z'/>\n<path d='M20 10 L60 10 Z'/>\n
        <path d='M70 10 L90 30 V10 L70 30 Z'/></g>");
    assert_eq!((plan.walls.len(), plan.segments()), (3, 4 + 1 + 6));
    assert!((length(&plan) - (260.0 + 40.0 + 40.0 + 2.0 * 800_f64.sqrt())).abs() < 1e-9, "{}", length(&plan));
    let warnings: Vec<String> = plan.warnings().iter().map(ToString::to_string).collect();
    let cut = "2 strokes cross themselves or return along themselves, and were cut there: the first one, in line 4 at (60, 40) px";
    assert!(warnings.iter().any(|warning| warning == cut), "{warnings:?}");
    // A filled area may cross itself.
    assert_eq!(svg("<path id='valve' d='M70 10 L90 30 V10 L70 30 Z'/>").areas.len(), 1);
}

#[test]
fn groups_may_be_nested_deeply() {
    let deep = |depth: usize| {
        let groups = "<g transform='translate(1 0)'>".repeat(depth);
        format!("{OPEN}{groups}<line x2='1' stroke='red'/>{}</svg>", "</g>".repeat(depth))
    };
    assert_eq!(read(&deep(500), Format::Svg).unwrap().bounds().unwrap().low[0], 500.0);
    assert!(refused(&deep(600), Format::Svg).contains("nested more than 512 levels deep"));
}

/// A page of A4 in millimetres with a plan of one to a hundred.
#[test]
fn drawings_of_inkscape_have_the_units_and_the_layers_of_inkscape() {
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
        width="210mm" height="297mm" viewBox="0 0 210 297">
        <g inkscape:groupmode="layer" id="layer1" inkscape:label="Walls"><rect id="rect1" x="10" y="10" width="80" height="30"/></g>
        <g inkscape:groupmode="layer" id="layer2" inkscape:label="Lines"><path d="M10 7h5" stroke="red"/></g>
        <rect id="rect7" inkscape:label="exit" x="20" y="20" width="10" height="10"/></svg>"#;
    let options = ReadOptions { scale: Some(0.1), ..ReadOptions::default() };
    let plan = FloorPlan::parse(text, Format::Svg, &options).unwrap();
    let names: Vec<_> = plan.walls.iter().map(|wall| wall.name.as_deref().unwrap()).collect();
    assert_eq!((names, plan.areas[0].name.as_deref()), (vec!["rect1", "Lines"], Some("exit")));
    let [width, height] = plan.bounds().unwrap().size();
    assert!((width - 8.0).abs() < 1e-5 && (height - 3.3).abs() < 1e-5, "{width} {height}");
    assert!((plan.bounds().unwrap().low[1] - 25.7).abs() < 1e-4);
    let walls = ReadOptions { walls: Some(vec!["Walls".to_owned(), "layer9".to_owned()]), ..options.clone() };
    assert_eq!(FloorPlan::parse(text, Format::Svg, &walls).unwrap().walls.len(), 2);
    assert!(matches!(read(text, Format::Svg).unwrap().warnings()[0], Warning::NoScale(Units::Unitless, _)));
}
