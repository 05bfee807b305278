//! Encoding and decoding of marks, obstacles, regions and flow fields with their handles.

use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Range};
use crate::environment::flow_field::FlowField;
use crate::environment::handles::{Collection, Handle, Item};
use crate::environment::region::{Region, Shape};
use crate::environment::{Environment, Mark, NamedField, Obstacle};
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, environment: &Environment<D>) {
    let Environment { marks, obstacles, regions, fields, .. } = environment;
    write_all(to, marks, |to, mark, ()| {
        to.text(&mark.name);
        to.vector(mark.position);
    });
    write_all(to, obstacles, |to, obstacle, residual| {
        to.vector(obstacle.centre);
        to.vector(*residual);
        to.f32(obstacle.radius);
        to.vector(obstacle.velocity);
    });
    write_all(to, regions, |to, region, ()| {
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
    write_all(to, fields, |to, NamedField { name, field }, ()| {
        to.text(name);
        field.cells().into_iter().for_each(|cells| to.u64(cells as u64));
        for vector in field.vectors() {
            to.vector(*vector);
        }
    });
}

pub(crate) fn read<const D: usize>(from: &mut Reader<'_>) -> Result<Environment<D>, SnapshotError> {
    let marks = read_all(from, |from| Ok((Mark { name: from.text()?, position: from.vector()? }, ())))?;
    let obstacles = read_all(from, |from| {
        let (centre, residual) = (from.vector()?, from.vector()?);
        let obstacle = Obstacle { centre, radius: from.f32()?, velocity: from.vector()? };
        let range = Range::from(-4.0 * f64::from(f32::EPSILON * LIMIT), 4.0 * f64::from(f32::EPSILON * LIMIT));
        match residual.0.iter().find(|lost| !range.contains(f64::from(**lost))) {
            Some(&lost) => Err(Error::bad("residual of an obstacle", lost, Allowed::number(range, "m")).into()),
            None => Ok((obstacle, residual)),
        }
    })?;
    let regions = read_all(from, |from| {
        let name = from.text()?;
        let shape = match from.u8()? {
            0 => Shape::Ball { centre: from.vector()?, radius: from.f32()? },
            1 => Shape::Box { centre: from.vector()?, half: from.vector()? },
            other => return Err(from.unknown("a shape", other)),
        };
        Ok((Region { name, shape }, ()))
    })?;
    let fields = read_all(from, |from| {
        let name = from.text()?;
        let mut cells = [0; D];
        for cells in &mut cells {
            *cells = from.u64()? as usize;
        }
        let count = cells.iter().try_fold(D, |count, &cells| count.checked_mul(cells)).unwrap_or(usize::MAX);
        let vectors = from.column::<f32>(count)?.as_chunks().0.iter().map(|&vector| vector.into()).collect();
        Ok((NamedField { name, field: FlowField::new(cells, vectors)? }, ()))
    })?;
    Ok(Environment { marks, obstacles, regions, fields, ..Environment::default() })
}

/// Writes the number of the next handle, then handles, items and the data stored with them.
pub(super) fn write_all<I: Handle, T: Item>(
    to: &mut Writer<'_>,
    all: &Collection<I, T>,
    mut write: impl FnMut(&mut Writer<'_>, &T, &T::Kept),
) {
    let (next, items) = all.parts();
    to.u64(next);
    to.list(items, |to, (id, item, kept)| {
        to.u64(id.number());
        write(to, item, kept);
    });
}

pub(super) fn read_all<I: Handle, T: Item>(
    from: &mut Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>) -> Result<(T, T::Kept), SnapshotError>,
) -> Result<Collection<I, T>, SnapshotError> {
    let next = from.u64()?;
    let items = from.list(|from| {
        let id = I::from_number(from.u64()?);
        read(from).map(|(item, kept)| (id, item, kept))
    })?;
    let all = Collection::from_parts(next, items).ok_or_else(|| from.invalid(SnapshotFault::Handles))?;
    all.check()?;
    Ok(all)
}
