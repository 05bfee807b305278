//! Prints the milliseconds of each measure, of a flock and of an observed tick: `measures [AGENTS]`.
//!
//! Each figure is the least of five, so that other load on the machine affects it little. A sample includes the copy of
//! positions and its index, which the measures of a tick share.

use std::hint::black_box;
use std::time::Instant;

use throng::measures::{
    Area, Displacement, ExitTimes, FlowLine, Overlaps, Sample, Stuck, measures, nearest_distance, pair_correlation,
};
use throng::{Error, Execution, World};
use throng_bench::Flock;

/// The distance in metres that connects agents, and that bodies keep.
const RADIUS: f32 = 1.0;

fn print<T>(name: &str, mut work: impl FnMut() -> T) {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    let least = (0..5).map(time).fold(f64::INFINITY, f64::min);
    println!("| {name} | {:.2} |", 1e3 * least);
}

fn run<const D: usize>(agents: usize) -> Result<(), Error> {
    let mut world: World<D> = Flock::<D>::new(agents).world(Execution::default())?;
    (0..50).for_each(|_| world.step());
    println!("\n| {agents} agents, {D}D, {} threads | ms |\n|---|---|", rayon::current_num_threads());
    print("tick", || world.clone().step());
    print("sample and index", || nearest_distance(&Sample::of(&world)));
    let radii: Vec<f32> = vec![0.25; world.population()];
    let sample = Sample::of(&world).with_radii(&radii)?;
    let density = throng::measures::density(&sample);
    let spacing = density.powf(-1.0 / D as f64) as f32;
    println!("| (density {density:.3}, radius {:.2} m) | |", RADIUS * spacing);
    for measure in measures().iter().filter(|measure| !measure.follows_agents()) {
        print(&measure.name, || measure.compute(&sample, Some(RADIUS * spacing)));
    }
    print("pair correlation to 3 spacings", || pair_correlation(&sample, 3.0 * spacing, 50));
    let side = world.settings().size[0];
    let area = Area::new([0.5 * side; 2], [0.1 * side; 2])?;
    print("area of a hundredth, classic", || area.classic(&sample));
    print("area of a hundredth, Voronoi", || area.voronoi(&sample, 2.0 * spacing));
    let (mut line, mut displacement) = (FlowLine::new([0.5 * side, 0.0], [0.5 * side, side]), Displacement::new());
    let (mut exits, mut stuck, mut overlaps) = (ExitTimes::new(), Stuck::default(), Overlaps::new());
    print("observer: line", || line.observe(&world));
    print("observer: displacement", || displacement.observe(&world));
    print("observer: exit times", || exits.observe(&world));
    print("observer: stuck", || stuck.observe(&world));
    print("observer: overlaps", || overlaps.observe(&sample));
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agents = std::env::args().nth(1).map_or(Ok(100_000), |agents| agents.parse())?;
    run::<2>(agents)?;
    run::<3>(agents)?;
    Ok(())
}
