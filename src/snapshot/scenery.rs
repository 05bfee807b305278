//! Marks, obstacles, regions and flow fields as bytes.

use super::SnapshotError;
use super::bytes::{Reader, Writer};
use crate::flow_field::FlowField;
use crate::region::{Region, Shape};
use crate::scenery::{Obstacle, Scenery};

pub(super) fn write<const D: usize>(to: &mut Writer, scenery: &Scenery<D>) {
    to.list(scenery.marks().iter(), |to, mark| {
        to.text(&mark.name);
        to.vector(mark.position);
    });
    to.list(scenery.obstacles().iter(), |to, obstacle| {
        to.vector(obstacle.centre);
        to.f32(obstacle.radius);
        to.vector(obstacle.velocity);
    });
    to.list(scenery.regions().iter(), |to, region| {
        to.text(&region.name);
        match region.shape {
            Shape::Ball { centre, radius } => {
                to.u8(0);
                to.vector(centre);
                to.f32(radius);
            }
            Shape::Box { centre, half } => {
                to.u8(1);
                to.vector(centre);
                to.vector(half);
            }
        }
    });
    let fields: Vec<_> = scenery.fields().collect();
    to.list(fields.into_iter(), |to, (name, field)| {
        to.text(name);
        field.cells().into_iter().for_each(|cells| to.u64(cells as u64));
        for vector in field.vectors() {
            to.vector(*vector);
        }
    });
}

pub(super) fn read<const D: usize>(from: &mut Reader<'_>) -> Result<Scenery<D>, SnapshotError> {
    let mut scenery = Scenery::default();
    for (name, position) in from.list(|from| Ok((from.text()?, from.vector()?)))? {
        scenery.set_mark(&name, position)?;
    }
    let obstacles =
        from.list(|from| Ok(Obstacle { centre: from.vector()?, radius: from.f32()?, velocity: from.vector()? }))?;
    for obstacle in obstacles {
        scenery.add_obstacle(obstacle)?;
    }
    let regions = from.list(|from| {
        let name = from.text()?;
        let shape = match from.u8()? {
            0 => Shape::Ball { centre: from.vector()?, radius: from.f32()? },
            1 => Shape::Box { centre: from.vector()?, half: from.vector()? },
            other => return Err(SnapshotError::Invalid(format!("{other} is not a shape"))),
        };
        Ok(Region { name, shape })
    })?;
    for region in regions {
        scenery.add_region(region)?;
    }
    let fields = from.list(|from| {
        let name = from.text()?;
        let mut cells = [0; D];
        for cells in &mut cells {
            *cells = from.u64()? as usize;
        }
        let count = cells.iter().try_fold(D, |count, &cells| count.checked_mul(cells)).unwrap_or(usize::MAX);
        let vectors = from.f32s(count)?.as_chunks().0.iter().map(|&vector| vector.into()).collect();
        Ok((name, FlowField::new(cells, vectors)?))
    })?;
    for (name, field) in fields {
        scenery.set_field(&name, field);
    }
    Ok(scenery)
}
