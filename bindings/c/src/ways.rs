//! Ways around walls, of the navigations of a scenario.

use std::ffi::c_char;

use engine::{LIMIT, NavigationField, Vector, with_world};

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, text};
use crate::table::{self, Entry, WorldHandle};

/// The ways of a navigation, which the caller named.
unsafe fn ways(entry: &mut Entry, name: *const c_char) -> Result<&NavigationField, Fault> {
    // SAFETY: the caller's promise.
    let name = unsafe { text("navigation", name) }?;
    let missing = |what: &str| Fault::new(Status::NotFound, format_args!("navigation {name:?} {what}"));
    with_world!(&mut entry.world, world => {
        world.prepare();
        let environment = world.environment();
        let id = environment.navigations.find(name).ok_or_else(|| missing("does not exist"))?;
        environment.navigation_field(id).ok_or_else(|| missing("has no ways before the next step"))
    })
}

/// A point of the caller on the ground.
unsafe fn place(what: &str, from: *const f32) -> Result<Vector<2>, Fault> {
    // SAFETY: the caller's promise.
    let at = unsafe { pointers::point::<2>(what, from) }?;
    let is_near = at.0.iter().all(|coordinate| coordinate.abs() <= LIMIT);
    is_near.then_some(at).ok_or_else(|| Fault::bad(format_args!("{what} = {at}: each number must be in [-1e6, 1e6] m")))
}

/// Computes the ways of navigations, which the first step does otherwise. It changes no bit.
#[unsafe(no_mangle)]
pub extern "C" fn throng_prepare(world: WorldHandle) -> Status {
    call(|| {
        table::with(world, |entry| {
            with_world!(&mut entry.world, world => world.prepare());
            Ok(())
        })
    })
}

/// Copies the points at which the shortest way from one point to another turns on the ground of a navigation, without the
/// first and with the last one: two numbers each. `points` has room for `capacity` points; `count` gets the number of all,
/// zero where no way leads there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_route(
    world: WorldHandle,
    navigation: *const c_char,
    from: *const f32,
    to: *const f32,
    points: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            // SAFETY: the pointers are valid, as the header demands.
            let route = unsafe { ways(entry, navigation)?.route(place("from", from)?, place("to", to)?) };
            let numbers: Vec<f32> = route.into_iter().flatten().flat_map(|Vector(point)| point).collect();
            // SAFETY: the same.
            unsafe { pointers::copy("points", &numbers, 2, points, capacity, count) }
        })
    })
}

/// The point nearest to another one to which ways of a navigation lead: this point itself where the ground is free. `found`
/// has room for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_nearest_free(
    world: WorldHandle,
    navigation: *const c_char,
    point: *const f32,
    found: *mut f32,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            // SAFETY: the pointers are valid, as the header demands.
            let nearest = unsafe { ways(entry, navigation)?.nearest_free(place("point", point)?) };
            let none = || Fault::new(Status::NotFound, "no ground is free");
            let Vector(nearest) = nearest.ok_or_else(none)?;
            // SAFETY: the room is valid for writing, as the header demands.
            unsafe { pointers::room("found", found, 2) }?.copy_from_slice(&nearest);
            Ok(())
        })
    })
}
