//! Tests of the formats: their contents, the places of errors, and that no text makes a reader panic or run for
//! long.

#[cfg(feature = "dxf")]
mod dxf;
mod geojson;
mod hostile;
mod svg;
mod tables;
mod wkt;

use throng_formats::{FloorPlan, Format, PlanError, ReadOptions};

/// The path of one of the project's plans.
fn path(name: &str) -> String {
    format!("{}/../../scenarios/plans/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn read(text: &str, format: Format) -> Result<FloorPlan, PlanError> {
    FloorPlan::parse(text, format, &ReadOptions::default())
}

/// The error of a text, as text.
fn refused(text: &str, format: Format) -> String {
    read(text, format).expect_err(text).to_string()
}

/// The length of all walls.
fn length(plan: &FloorPlan) -> f64 {
    let mut length = 0.0;
    for wall in &plan.walls {
        let next = wall.points.iter().skip(1).chain(wall.points.first().filter(|_| wall.closed));
        for (from, to) in wall.points.iter().zip(next) {
            length += ((to[0] - from[0]).powi(2) + (to[1] - from[1]).powi(2)).sqrt();
        }
    }
    length
}
