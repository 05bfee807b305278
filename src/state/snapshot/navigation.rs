//! Encoding and decoding of navigations with their handles and the grounds of their fields.

use std::sync::Arc;

use crate::environment::handles::Collection;
use crate::environment::navigation::{Fields, Ground, LazyField};
use crate::environment::region::Shape;
use crate::environment::{Goal, Navigation, NavigationId};
use crate::maths::Vector;
use crate::state::snapshot::environment::{read_all, write_all};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

pub(crate) fn write<const D: usize>(to: &mut Writer<'_>, navigations: &Collection<NavigationId, Navigation<D>>) {
    write_all(to, navigations, |to, navigation, Fields { current, pending }| {
        to.text(&navigation.name);
        to.list(navigation.goals.iter(), |to, goal| match goal {
            Goal::Point(point) => {
                to.u8(0);
                to.vector(*point);
            }
            Goal::Mark(name) => {
                to.u8(1);
                to.text(name);
            }
            Goal::Region(name) => {
                to.u8(2);
                to.text(name);
            }
        });
        to.f32(navigation.clearance);
        to.flag(navigation.cell.is_some());
        to.f32(navigation.cell.unwrap_or_default());
        to.f32(navigation.capacity);
        to.list(current.iter(), |to, field| write_ground(to, &field.ground));
        to.list(pending.iter(), |to, (due, field)| {
            to.u64(*due);
            write_ground(to, &field.ground);
        });
    });
}

pub(crate) fn read<const D: usize>(
    from: &mut Reader<'_>,
) -> Result<Collection<NavigationId, Navigation<D>>, SnapshotError> {
    read_all(from, |from| {
        let name = from.text()?;
        let goals = from.list(|from| {
            Ok(match from.u8()? {
                0 => Goal::Point(from.vector()?),
                1 => Goal::Mark(from.text()?),
                2 => Goal::Region(from.text()?),
                other => return Err(from.unknown("a goal", other)),
            })
        })?;
        let clearance = from.f32()?;
        let (own, cell) = (from.flag()?, from.f32()?);
        let navigation = Navigation { name, goals, clearance, cell: own.then_some(cell), capacity: from.f32()? };
        let current = from.list(read_ground)?.pop();
        let pending = from.list(|from| Ok((from.u64()?, read_ground(from)?)))?.pop();
        Ok((navigation, Fields { current, pending }))
    })
}

fn write_ground(to: &mut Writer<'_>, ground: &Ground) {
    let (numbers, walls, solids) = ground.parts();
    let ([x, y], [periodic_x, periodic_y], [columns, rows], clearance, goals) = numbers;
    to.f32(x);
    to.f32(y);
    to.flag(periodic_x);
    to.flag(periodic_y);
    to.u64(columns as u64);
    to.u64(rows as u64);
    to.f32(clearance);
    to.list(goals.iter(), |to, goal| {
        let (centre, half) = goal.bounds();
        to.flag(matches!(goal, Shape::Ball { .. }));
        to.vector(centre);
        to.vector(half);
    });
    to.list(walls, |to, wall| wall.into_iter().for_each(|number| to.f64(number)));
    to.list(solids, |to, solid| solid.into_iter().for_each(|number| to.f64(number)));
}

fn read_ground(from: &mut Reader<'_>) -> Result<Arc<LazyField>, SnapshotError> {
    let size = [from.f32()?, from.f32()?];
    let wraps = [from.flag()?, from.flag()?];
    let cells = [from.u64()? as usize, from.u64()? as usize];
    let clearance = from.f32()?;
    let goals = from.list(|from| {
        let (is_ball, centre, half) = (from.flag()?, from.vector()?, from.vector()?);
        let half: Vector<2> = half;
        Ok(if is_ball { Shape::Ball { centre, radius: half[0] } } else { Shape::Box { centre, half } })
    })?;
    let walls = from.list(|from| Ok([from.f64()?, from.f64()?, from.f64()?, from.f64()?, from.f64()?]))?;
    let solids = from.list(|from| Ok([from.f64()?, from.f64()?, from.f64()?, from.f64()?]))?;
    let ground = Ground::from_parts((size, wraps, cells, clearance, &goals), &walls, &solids)?;
    Ok(Arc::new(LazyField::new(ground)))
}
