//! Runs ticks of a flock on one thread, for an external instruction counter: `ticks DIMENSIONS AGENTS TICKS`. The
//! difference of two runs gives the instructions per tick (`scripts/check.sh instructions`).

use throng::{Error, Execution};
use throng_bench::{Flock, execution};

fn run<const D: usize>(agents: usize, ticks: usize, execution: Execution) -> Result<u64, Error> {
    let mut world = Flock::<D>::new(agents).world(execution)?;
    (0..ticks).for_each(|_| world.step());
    Ok(world.state_hash())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let &[dimensions, agents, ticks] = &numbers[..] else {
        return Err("ticks DIMENSIONS AGENTS TICKS".into());
    };
    // The main thread is the pool, so no other thread spins and adds to the count.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let run = if dimensions == 3 { run::<3> } else { run::<2> };
    let execution = execution()?;
    let hash = pool.install(|| run(agents, ticks, execution))?;
    println!("{hash:016x}");
    Ok(())
}
