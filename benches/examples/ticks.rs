//! Runs ticks of a flock in two or three dimensions, or of two crowds that cross, on one thread, for an external
//! instruction counter: `ticks 2|3|people AGENTS TICKS`. The difference of two runs gives the instructions per tick (`scripts/check.sh instructions`).

use throng::motions::Pedvo;
use throng::{Error, Execution, World};
use throng_bench::{Crowd, Flock, execution};

fn run<const D: usize>(world: Result<World<D>, Error>, ticks: usize) -> Result<u64, Error> {
    let mut world = world?;
    (0..ticks).for_each(|_| world.step());
    Ok(world.state_hash())
}

fn hash(what: &str, agents: usize, ticks: usize, execution: Execution) -> Result<u64, Error> {
    match what {
        "people" => {
            let crowd = Crowd { agents, density: 2.0, directions: Crowd::TWO };
            run(crowd.world(Pedvo::default(), execution), ticks)
        }
        "3" => run(Flock::<3>::new(agents).world(execution), ticks),
        _ => run(Flock::<2>::new(agents).world(execution), ticks),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, agents, ticks] = &arguments[..] else {
        return Err("ticks 2|3|people AGENTS TICKS".into());
    };
    let (agents, ticks) = (agents.parse()?, ticks.parse()?);
    // The main thread is the pool, so no other thread spins and adds to the count.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let execution = execution()?;
    let hash = pool.install(|| hash(what, agents, ticks, execution))?;
    println!("{hash:016x}");
    Ok(())
}
