//! Texts that no plan has: random changes of good files, deep nesting, and small files with huge contents.

use std::fmt::Write;
use std::time::Instant;

use proptest::prelude::*;
use throng_formats::{Fault, FloorPlan, Format, LARGEST_FILE, MOST_POINTS, ReadOptions};

use crate::path;

/// A time that only endless work exceeds.
const SECONDS: u64 = 60;

/// Reads a text, which may fail but must end. A plan must have finite corners.
fn try_read(text: &str, format: Format) {
    let start = Instant::now();
    if let Ok(plan) = FloorPlan::parse(text, format, &ReadOptions::default()) {
        let corners = plan.walls.iter().flat_map(|wall| &wall.points).flatten();
        assert!(corners.chain(plan.areas.iter().flat_map(|area| &area.outline).flatten()).all(|x| x.is_finite()));
        assert!(plan.walls.iter().all(|wall| wall.points.len() >= if wall.closed { 3 } else { 2 }));
        let _ = (plan.bounds(), plan.warnings());
    }
    assert!(start.elapsed().as_secs() < SECONDS, "{format:?}: {}", text.chars().take(200).collect::<String>());
}

fn fault(text: &str, format: Format) -> Fault {
    FloorPlan::parse(text, format, &ReadOptions::default()).unwrap_err().fault
}

fn good() -> Vec<(Format, String)> {
    ["rooms.wkt", "hall.svg", "corridor.toml", "square.geojson"]
        .map(|name| (Format::of(name.as_ref()).unwrap(), std::fs::read_to_string(path(name)).unwrap()))
        .to_vec()
}

/// Pieces that have a meaning in one of the formats.
const PIECES: [&str; 28] = [
    "(",
    ")",
    ",",
    "((",
    "1e308",
    "-1e-308",
    "nan",
    "EMPTY",
    "GEOMETRYCOLLECTION(",
    "POLYGON",
    "[",
    "]",
    "[[wall]]",
    "points",
    "=",
    "<g>",
    "</g>",
    "<use href='#walls'/>",
    "d=\"M0 0A1 1e9 0 0 0 5 5z\"",
    "transform=\"scale(1e38)\"",
    "é",
    "\0",
    "\"",
    "#",
    "{\"type\": \"Polygon\", \"coordinates\": [[",
    "null",
    "\"features\": [",
    "]}",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_files_are_read_or_refused(
        which in 0..4_usize,
        changes in prop::collection::vec((0.0..1.0_f64, 0..40_usize, 0..PIECES.len() + 2), 1..12),
    ) {
        let (format, mut text) = good().swap_remove(which);
        for (place, length, piece) in changes {
            let boundary = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let start = boundary((place * text.len() as f64) as usize);
            let end = boundary((start + length).min(text.len()));
            let end = if end < start { start } else { end };
            match PIECES.get(piece) {
                Some(piece) => text.replace_range(start..end, piece),
                // A part of the text twice, or without a part.
                None if piece == PIECES.len() => text.insert_str(start, &text.clone()[start..end]),
                None => text.replace_range(start..end, ""),
            }
        }
        try_read(&text, format);
    }

    #[test]
    fn arbitrary_texts_are_read_or_refused(text in "\\PC{0,200}", words in "[ (),.eE+\\-0-9POLYGNLIESTR]{0,200}") {
        for format in [Format::Wkt, Format::Svg, Format::Toml, Format::GeoJson] {
            try_read(&text, format);
        }
        try_read(&format!("POLYGON (({words}"), Format::Wkt);
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    let collections = "GEOMETRYCOLLECTION(".repeat(deep);
    assert!(matches!(fault(&collections, Format::Wkt), Fault::TooDeep(_)));
    assert!(matches!(fault(&format!("a = {}", "[".repeat(deep)), Format::Toml), Fault::TooDeep(_)));
    assert!(matches!(fault(&format!("a = {}", "{a = ".repeat(deep)), Format::Toml), Fault::TooDeep(_)));
    let collections = "{\"type\": \"GeometryCollection\", \"geometries\": [".repeat(deep);
    assert!(matches!(fault(&collections, Format::GeoJson), Fault::Syntax(_)));
    let closed = format!("{}{}", &collections[..46 * 100], "]}".repeat(100));
    assert!(matches!(fault(&closed, Format::GeoJson), Fault::TooDeep(_)));
    let groups = format!("<svg xmlns='http://www.w3.org/2000/svg'>{}{}</svg>", "<g>".repeat(deep), "</g>".repeat(deep));
    assert!(matches!(fault(&groups, Format::Svg), Fault::TooDeep(_)));
    // A chain of elements, each of which uses the one before.
    let mut chain = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='u0'/>".to_owned();
    for number in 1..5000 {
        let _ = write!(chain, "<use id='u{number}' href='#u{}'/>", number - 1);
    }
    try_read(&(chain + "</svg>"), Format::Svg);
}

/// A drawing with these elements.
fn drawing(body: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{body}</svg>")
}

#[test]
fn small_files_with_huge_contents_are_refused() {
    // Elements, each of which uses the one before ten times.
    let mut text = "<line id='u0' x2='9' stroke='red'/>".to_owned();
    for number in 1..10 {
        let uses = format!("<use href='#u{}'/>", number - 1).repeat(10);
        let _ = write!(text, "<g id='u{number}'>{uses}</g>");
    }
    assert_eq!(fault(&drawing(&text), Format::Svg), Fault::Repeats);
    // A long path that is used a hundred thousand times.
    let path = format!("<path id='u0' d='M0 0{}' stroke='red'/>", "L1 1L2 5".repeat(1500));
    let groups =
        (1..6).map(|number| format!("<g id='u{number}'>{}</g>", format!("<use href='#u{}'/>", number - 1).repeat(10)));
    let text = format!("<defs>{path}{}</defs><use href='#u5'/>", groups.collect::<String>());
    assert_eq!(fault(&drawing(&text), Format::Svg), Fault::Repeats);
    // A long entity in many attributes, and lists of name spaces in many elements.
    let entity = format!("<!DOCTYPE svg [<!ENTITY e '{}'>]>", "L1 1".repeat(25_000));
    let paths = "<path d='M0 0&e;' stroke='red'/>".repeat(1000);
    assert_eq!(fault(&format!("{entity}{}", drawing(&paths)), Format::Svg), Fault::Repeats);
    let spaces: String = (0..6000).map(|number| format!(" xmlns:n{number}='http://{number}'")).collect();
    let elements = format!("<g{spaces}>{}</g>", "<g xmlns:m='http://m'/>".repeat(20_000));
    assert!(matches!(fault(&drawing(&elements), Format::Svg), Fault::TooMany { what: "name spaces", .. }));
    // A selector that matches in many ways, and elements whose styles are inherited from far.
    let style = format!("<style>{} x {{ fill: red }}</style>", "g ".repeat(12));
    let deep = format!("{style}{}<line x2='9'/>{}", "<g>".repeat(400), "</g>".repeat(400));
    assert!(matches!(
        fault(&drawing(&deep), Format::Svg),
        Fault::TooMany { what: "comparisons with style sheets", .. }
    ));
    // Selectors that read long attributes.
    let (classes, line) = ("x ".repeat(1_000_000), "<line x2='9' class");
    for selector in [".b{fill:red}", "[class~=b]{r:1}"] {
        let long = format!("<style>{}</style>{line}='{classes}'/>", selector.repeat(1000));
        assert!(matches!(
            fault(&drawing(&long), Format::Svg),
            Fault::TooMany { what: "comparisons with style sheets", .. }
        ));
    }
    let deep = format!("{}{}{}", "<g>".repeat(400), "<line x2='9'/>".repeat(100_000), "</g>".repeat(400));
    assert_eq!(fault(&drawing(&deep), Format::Svg), Fault::Repeats);
    // Many strokes in one line of text: none of them looks for its place from the start of the text.
    try_read(
        &drawing(&"<path d='M0 0h5' stroke='red'/><path d='M0 0h5h-5z' stroke='red'/>".repeat(95_000)),
        Format::Svg,
    );
    // Entities that contain each other.
    let mut text = "<!DOCTYPE svg [<!ENTITY e0 '<g/>'>".to_owned();
    for number in 1..10 {
        let _ = write!(text, "<!ENTITY e{number} '{}'>", format!("&e{};", number - 1).repeat(10));
    }
    assert!(matches!(fault(&format!("{text}]>{}", drawing("&e9;")), Format::Svg), Fault::Syntax(_)));
    // Markers at the corners of markers.
    let path = format!("M0 0{}", "l1 1".repeat(3000));
    let mut text = String::new();
    for number in 0..5 {
        let marker = format!("<path d='{path}' stroke='red' marker-mid='url(#m{})'/>", number + 1);
        let _ = write!(text, "<marker id='m{number}'>{marker}</marker>");
    }
    try_read(&drawing(&format!("{text}<path d='{path}' stroke='red' marker-mid='url(#m0)'/>")), Format::Svg);
}

/// What each of many elements inherits, or fills itself with, has a size too.
#[test]
fn small_files_whose_elements_copy_much_are_refused() {
    let lines = "<path d='M0 0L5 5z'/>".repeat(5000);
    // Patterns without elements of their own: they take the elements from another.
    let elements = "<rect width='1' height='1'/>".repeat(5000);
    let patterns = format!("<pattern id='p' width='1' height='1'>{elements}</pattern><pattern id='q' href='#p'/>");
    for (style, fill) in [("", "fill='url(#q)'"), ("", "style='fill:url(#q)'"), ("<style>g{fill:url(#q)}</style>", "")]
    {
        let fault = fault(&drawing(&format!("{style}{patterns}<g {fill}>{lines}</g>")), Format::Svg);
        assert!(matches!(fault, Fault::TooMany { what: "elements in copies of patterns", .. }), "{fault:?}");
    }
    let dots = "<pattern id='p' width='1' height='1'><rect width='1' height='1'/></pattern>";
    assert!(
        FloorPlan::parse(
            &drawing(&format!("{dots}<g id='room' fill='url(#p)'>{lines}</g>")),
            Format::Svg,
            &ReadOptions::default()
        )
        .is_ok()
    );
    // A style with many declarations around many elements.
    let style = "stroke:red;".repeat(100_000);
    assert_eq!(fault(&drawing(&format!("<g style='{style}'>{lines}</g>")), Format::Svg), Fault::Repeats);
    // Dashes do not belong to a plan.
    let dashes = "1 ".repeat(1_000_000);
    let text = drawing(&format!("<g stroke='red' stroke-dasharray='{dashes}'>{lines}</g>"));
    let plan = FloorPlan::parse(&text, Format::Svg, &ReadOptions::default()).unwrap();
    assert_eq!(plan.walls.len(), 5000);
    // More corners than a plan may have.
    let path = "h1v1".repeat(MOST_POINTS / 2 + 1);
    let fault = fault(&drawing(&format!("<path stroke='red' d='M0 0{path}'/>")), Format::Svg);
    assert_eq!(fault, Fault::TooMany { what: "points", most: MOST_POINTS });
}

/// The parser of paths descends for each end of a path after another one, and an arc takes much more than its text.
#[test]
fn paths_of_many_ends_and_arcs_are_refused() {
    let path = |data: &str| drawing(&format!("<path stroke='red' d='M0 0h5v5{data}'/>"));
    for end in ["z", "Z ", "z,\n"] {
        let fault = fault(&path(&end.repeat(2_000_000)), Format::Svg);
        assert!(matches!(fault, Fault::TooMany { what: "ends of a path in a row", .. }), "{fault:?}");
        assert!(FloorPlan::parse(&path(&end.repeat(500)), Format::Svg, &ReadOptions::default()).is_ok());
    }
    let fault = fault(&path(&format!("a{}", "9 9 0 114 4 ".repeat(500_000))), Format::Svg);
    assert!(matches!(fault, Fault::TooMany { what: "characters of curves", .. }), "{fault:?}");
}

#[test]
fn references_in_circles_end() {
    for group in ["g", "symbol"] {
        let uses = |from: &str, to: &str| format!("<{group} id='{from}'><use href='#{to}'/></{group}>");
        let text = uses("a", "b") + &uses("b", "c") + &uses("c", "a") + "<use href='#a'/>";
        assert_eq!(fault(&drawing(&text), Format::Svg), Fault::Repeats);
    }
    let line = "<path d='M0 0l1 1l1 2' stroke='red'/>";
    for (element, key) in [
        ("marker", "marker"),
        ("marker", "marker-mid"),
        ("mask", "mask"),
        ("clipPath", "clip-path"),
        ("filter", "filter"),
        ("pattern", "fill"),
        ("pattern", "stroke"),
    ] {
        for written in ["KEY='url(#m0)'", "style='KEY:url(#m0)'", "style='KEY:url(#m0) !important'"] {
            let first = written.replace("KEY", key);
            let circle: String = (0..3)
                .map(|number| {
                    let next = first.replace("m0", &format!("m{}", (number + 1) % 3));
                    let inside = format!("<path d='M0 0l1 1l1 2z' {next}/><g {next}>{line}</g>");
                    format!("<{element} id='m{number}' width='1' height='1' {next}>{inside}</{element}>")
                })
                .collect();
            let style = format!("<style>path {{ {key}: url(#m0) !important }} pattern * {{ fill: url(#m1) }}</style>");
            for style in ["", &style] {
                try_read(&drawing(&format!("{style}{circle}<path d='M0 0l1 1l1 2' {first}/>{line}")), Format::Svg);
            }
        }
    }
    for element in ["linearGradient", "radialGradient", "pattern"] {
        let circle: String =
            (0..3).map(|number| format!("<{element} id='m{number}' href='#m{}'/>", (number + 1) % 3)).collect();
        try_read(&drawing(&format!("{circle}<path d='M0 0l1 1l1 2' fill='url(#m0)'/>")), Format::Svg);
    }
}

#[test]
fn sizes_have_limits() {
    let points = "1 1,2 2,".repeat(MOST_POINTS / 2 + 1);
    let text = format!("LINESTRING({points}3 3)");
    assert_eq!(fault(&text, Format::Wkt), Fault::TooMany { what: "points", most: MOST_POINTS });
    let spaces = " ".repeat(LARGEST_FILE as usize + 1);
    assert_eq!(fault(&spaces, Format::Wkt), Fault::TooLarge(LARGEST_FILE));
    let elements = format!("<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>", "<g/>".repeat(300_000));
    assert!(matches!(fault(&elements, Format::Svg), Fault::TooMany { what: "elements", .. }));
    let style = "a{b:c}".repeat(20_000);
    let style = format!("<svg xmlns='http://www.w3.org/2000/svg'><style>{style}</style></svg>");
    assert!(matches!(fault(&style, Format::Svg), Fault::TooMany { what: "characters of style sheets", .. }));
}

#[test]
fn files_that_are_no_plans_are_refused() {
    let refused = |name: &str| FloorPlan::load(name, &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(
        refused("plan.pdf"),
        "plan.pdf: is not a floor plan: its extension must be .wkt, .geojson, .svg, .dxf or .toml"
    );
    assert_eq!(refused("plan.DWG"), "plan.DWG: is a DWG, which is not read: save it as a DXF in text (ASCII)");
    assert!(refused("missing.wkt").starts_with("missing.wkt: cannot be read: "));
    let file = std::env::temp_dir().join(format!("throng-formats-{}.wkt", std::process::id()));
    std::fs::write(&file, b"LINESTRING (0 0, 1 \xff)").unwrap();
    assert!(refused(&file.to_string_lossy()).ends_with(": is not UTF-8 at byte 19"));
    std::fs::remove_file(&file).unwrap();
}
