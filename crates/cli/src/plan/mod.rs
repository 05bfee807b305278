//! The command `throng plan`: the contents of a floor plan.

mod picture;

use std::fmt::Write;

use serde_json::{Value, json};
use throng_formats::{Area, AreaKind, FloorPlan, Path, ReadOptions, Units};
use throng_scenario::{printable, shown};

use crate::arguments::PlanOptions;
use crate::failure::Failure;
use crate::figure_file::FigureKind;
use crate::files::existing;
use crate::output::{fixed, grouped, json_text};
use crate::paths::Paths;
use picture::picture;

/// Runs the command `throng plan`.
pub(crate) fn plan(plan: &PlanOptions) -> Result<(), Failure> {
    let kind = match &plan.output {
        Some(file) => Some((FigureKind::of(file, plan.force)?, file)),
        None => None,
    };
    let mut paths = Paths::default();
    paths.reads("the floor plan", &plan.file);
    plan.output.iter().for_each(|file| paths.writes("the file of --output", file));
    paths.check()?;
    let options = ReadOptions { scale: plan.scale, select: plan.select.clone(), ..ReadOptions::default() };
    let read = FloorPlan::load(existing(&plan.file)?, &options).map_err(|error| Failure::Input(error.to_string()))?;
    let file = plan.file.to_string_lossy().into_owned();
    if let Some((kind, output)) = kind {
        kind.write(output, &picture(&read, &file))?;
    }
    let wrote = plan.output.as_ref().map(|output| format!("\nwrote {}\n", shown(&output)));
    let shown = || text(&read, &file) + wrote.as_deref().unwrap_or_default();
    plan.output_options.print(|| json_text(&object(&read, &file)), shown)
}

/// The length of a wall.
fn length(wall: &Path) -> f64 {
    let next = wall.points.iter().skip(1).chain(wall.points.first().filter(|_| wall.closed));
    let sides = wall.points.iter().zip(next).map(|(from, to)| {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        (x * x + y * y).sqrt()
    });
    // bits: only this command shows this number
    sides.sum()
}

/// The area of a ring.
fn ring_area(points: &[[f64; 2]]) -> f64 {
    let next = points.iter().cycle().skip(1);
    // bits: only this command shows this number
    points.iter().zip(next).map(|(from, to)| from[0] * to[1] - to[0] * from[1]).sum::<f64>().abs() * 0.5
}

fn kind_name(kind: AreaKind) -> &'static str {
    match kind {
        AreaKind::Walkable => "walkable",
        AreaKind::Zone => "zone",
    }
}

/// The content of an area: its outline without its holes.
fn content(area: &Area) -> f64 {
    // bits: only this command shows this number
    ring_area(&area.outline) - area.holes.iter().map(|hole| ring_area(hole)).sum::<f64>()
}

/// The length of all walls.
fn total_length(plan: &FloorPlan) -> f64 {
    // bits: only this command shows this number
    plan.walls.iter().map(length).sum()
}

fn object(plan: &FloorPlan, file: &str) -> Value {
    let areas: Vec<Value> = plan
        .areas
        .iter()
        .map(|area| {
            json!({
                "name": area.name,
                "kind": kind_name(area.kind),
                "corners": area.outline.len(),
                "holes": area.holes.len(),
                "content": content(area),
                "region": area.name.is_some() && area.rectangle().is_some(),
            })
        })
        .collect();
    let names: Vec<&str> = plan.walls.iter().filter_map(|wall| wall.name.as_deref()).collect();
    let warnings: Vec<String> = plan.warnings().iter().map(ToString::to_string).collect();
    json!({
        "file": file,
        "file_unit": plan.units.name(),
        "scale": plan.scale,
        "unit": plan.unit().name(),
        "bounds": plan.bounds().map(|bounds| json!({ "low": bounds.low, "high": bounds.high })),
        "size": plan.bounds().map(|bounds| bounds.size()),
        "walls": plan.walls.len(),
        "wall_segments": plan.segments(),
        "wall_length": total_length(plan),
        "wall_names": names,
        "areas": areas,
        "warnings": warnings,
    })
}

fn text(plan: &FloorPlan, file: &str) -> String {
    /// The number of areas listed.
    const LISTED: usize = 20;
    let unit = plan.unit().name();
    let mut text = format!("\x1b[1m{}\x1b[0m\n\n", printable(file));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  \x1b[2m{name:<12}\x1b[0m {}", printable(&value));
    };
    match plan.scale {
        Some(_) if plan.units == Units::Degrees => line("unit", "degrees, turned into m".to_owned()),
        Some(scale) => {
            line("unit", format!("{}, of {scale} m", if plan.scale_given { "of the file" } else { plan.units.name() }))
        }
        None => line("unit", format!("{unit}, without a length in m")),
    }
    if let Some(bounds) = plan.bounds() {
        let [width, height] = bounds.size().map(|extent| (extent * 1e4).round() / 1e4);
        line("bounds", format!("{bounds} {unit}"));
        line("size", format!("{width} {unit} x {height} {unit}"));
    }
    let segments = grouped(plan.segments() as u64);
    line(
        "walls",
        format!(
            "{}, of {segments} segments, {} {unit}",
            grouped(plan.walls.len() as u64),
            fixed(total_length(plan), 1)
        ),
    );
    line("areas", grouped(plan.areas.len() as u64));
    for area in plan.areas.iter().take(LISTED) {
        let name = area.name.as_deref().unwrap_or("-");
        let (corners, holes) = (area.outline.len(), area.holes.len());
        let holes = if holes == 0 { String::new() } else { format!(", {holes} holes") };
        let region = match (&area.name, area.rectangle()) {
            (Some(_), Some(_)) => "; a region of a scenario",
            (Some(_), None) => "; a region for `place` alone: not a rectangle along the axes",
            (None, _) => "",
        };
        let (kind, content) = (kind_name(area.kind), content(area));
        line("", format!("{name}: {kind}, {corners} corners{holes}, {} {unit}²{region}", fixed(content, 1)));
    }
    if plan.areas.len() > LISTED {
        line("", format!("and {} more", plan.areas.len() - LISTED));
    }
    for warning in plan.warnings() {
        let _ = writeln!(text, "\n\x1b[1;33mwarning\x1b[0m: {}", printable(&warning.to_string()));
    }
    text
}
