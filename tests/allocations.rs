//! A tick allocates nothing but the nodes of its tree: everything else is kept from one tick to the next.
#![allow(unsafe_code, reason = "a global allocator is unsafe to write, and counting is all that this one adds")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{Noise, Settings, Species, Vector, World};

const AGENTS: usize = 20_000;

/// Allocations of a tick that makes an index, whether it arranges rows or not: the leaves' copy and the tree's nodes. In
/// debug builds the validator has a list of its own.
const MOST: usize = 62 + cfg!(debug_assertions) as usize;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A flock, whose agents have columns of the host's own or none.
fn flock(columns: bool) -> World<2> {
    let settings = Settings { size: Vector::splat(500.0), seed: 1, ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let flock = Species::new("starling")
        .with(1.5, Separation::default())
        .with(1.0, Alignment::default())
        .with(1.0, Cohesion::default());
    let id = world.add_species(flock).unwrap();
    if columns {
        world.add_column(id, "energy", 1.0f32).unwrap();
        world.add_column(id, "colour", [0u32; 3]).unwrap();
        world.add_column(id, "key", 7u64).unwrap();
    }
    for number in 0..AGENTS {
        let mut noise = Noise::new(1, number as u64, 0, Noise::USER);
        let place = Vector::<2>::from_fn(|_| noise.between(0.0, 500.0));
        world.spawn(id, place, noise.direction() * 5.0).unwrap();
    }
    world
}

/// The allocations of each of 64 ticks.
fn count(world: &mut World<2>) -> Vec<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        let mut counts = Vec::with_capacity(64);
        for _ in 0..64 {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            world.step();
            counts.push(ALLOCATIONS.load(Ordering::Relaxed) - before);
        }
        counts
    })
}

/// One test: allocations of another one at the same time would count too.
#[test]
fn a_tick_allocates_its_tree_alone() {
    // Buffers have their size after the second arrangement of rows, those of every thread too.
    let [without, with] = [false, true].map(|columns| {
        let counts = count(&mut flock(columns));
        counts[33..].iter().copied().max().unwrap()
    });
    assert!(with <= without, "{with} allocations of a tick with columns, {without} without");
    assert!(without <= MOST, "const MOST: usize = {without};");
}
