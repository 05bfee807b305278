//! Areas whose holes touch, overlap or reach out of the outline.

use crate::plans::error::Fault;
use crate::plans::overlap::{first_meeting, first_overlap, is_inside, rings};
use crate::plans::plan::Area;
use crate::plans::union::without;

/// The parts of an area outside of its holes: the area itself if its holes lie apart within the outline.
pub(crate) fn parted(area: Area) -> Result<Vec<Area>, Fault> {
    if area.holes.is_empty() {
        return Ok(vec![area]);
    }
    let alone = |ring: &Vec<[f64; 2]>| Area { outline: ring.clone(), holes: Vec::new(), ..area.clone() };
    let rings: Vec<Area> = rings(&area).map(alone).collect();
    let holes = &rings[1..];
    let too_many = |most| Fault::TooMany { what: "pairs of edges near each other", most };
    let meet = first_meeting(&rings).map_err(too_many)?.is_some() || first_overlap(holes).map_err(too_many)?.is_some();
    if !meet && holes.iter().all(|hole| is_inside(hole.outline[0], &rings[0])) {
        return Ok(vec![area]);
    }
    let parts = without(&rings).ok_or(Fault::Holes)?;
    Ok(parts.into_iter().map(|part| Area { name: area.name.clone(), kind: area.kind, ..part }).collect())
}
