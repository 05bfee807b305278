//! Tests that a tick allocates only the nodes of its tree, and reuses all other memory, and that saving and hashing a
//! world hold little of it.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement; this one only counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{InstructionSet, Noise, Region, Settings, Shape, Species, Vector, World, Zone};

const AGENTS: usize = 20_000;

/// The limit of allocations in a tick that builds an index, with or without an arrangement of rows: the groups of
/// chunks and the nodes of their trees. In debug builds the validator allocates one more list.
const MOST: usize = 85 + cfg!(debug_assertions) as usize;

/// How many more there are without AVX-512, with lists for half clusters.
const MORE: usize = 6;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The bytes that are allocated now, and the most since [`peak`] started.
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn hold(more: usize, fewer: usize) {
    let held = HELD.fetch_add(more.wrapping_sub(fewer), Ordering::Relaxed).wrapping_add(more.wrapping_sub(fewer));
    PEAK.fetch_max(held, Ordering::Relaxed);
}

/// The most bytes that a function has allocated at a time.
fn peak(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        hold(layout.size(), 0);
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(0, layout.size());
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        hold(size, layout.size());
        // SAFETY: the caller upholds this method's contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A flock, with or without columns of the host.
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

/// Counts the allocations of each of 64 ticks.
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

/// A single test: a second one would add its allocations to the count.
#[test]
fn memory_is_reused_and_no_copy_is_held() {
    a_tick_allocates_only_its_tree();
    saving_and_hashing_hold_little();
}

fn a_tick_allocates_only_its_tree() {
    // The buffers of all threads have their final size after the second arrangement of rows.
    let [without, with] = [false, true].map(|columns| {
        let counts = count(&mut flock(columns));
        counts[33..].iter().copied().max().unwrap()
    });
    assert!(with <= without, "{with} allocations of a tick with columns, {without} without");
    let has_avx512 = InstructionSet::available().any(|set| set == InstructionSet::Avx512);
    let most = if has_avx512 { MOST } else { MOST + MORE };
    assert!(without <= most, "{without} allocations of a tick, at most {most}");
}

/// Counts bytes and drops them.
struct Sink(usize);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Saves and hashes a world whose columns agree with its regions and zones, and one in which they do not.
fn saving_and_hashing_hold_little() {
    let mut world = flock(true);
    world.step();
    for settled in [true, false] {
        if !settled {
            let shape = Shape::Ball { centre: Vector::splat(250.0), radius: 50.0 };
            world.environment_mut().regions.add(Region { name: "hall".to_owned(), shape }).unwrap();
            world.environment_mut().zones.add(Zone::new("hall", 0.5)).unwrap();
        }
        let mut sink = Sink(0);
        let saving = peak(|| world.save(&mut sink).unwrap());
        let hashing = peak(|| _ = world.state_hash());
        // The state takes about the bytes of its snapshot.
        assert!(sink.0 > 1_000_000, "{}", sink.0);
        let most = sink.0 / 10;
        assert!(saving < most && hashing < most, "{saving} and {hashing} bytes for {}: {settled}", sink.0);
    }
}
