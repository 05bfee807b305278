//! Large flocks: time per tick, peak memory and hash of one world on all cores, as one JSON object.
//! `sizes DIMENSIONS AGENTS TICKS`; the ticks follow 16 that are not timed.
//!
//! The world is the only copy of the agents. The peak is the process' largest resident size, read from the operating
//! system; where it cannot be read it is null.

use std::time::Instant;

use throng_bench::{Flock, execution};

/// Ticks before the timed ones, in which the rows are arranged for the first time.
const WARM: usize = 16;

fn run<const D: usize>(agents: usize, ticks: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut world = Flock::<D>::world_of(agents, execution()?)?;
    (0..WARM).for_each(|_| world.step());
    let start = Instant::now();
    (0..ticks).for_each(|_| world.step());
    let milliseconds = 1000.0 * start.elapsed().as_secs_f64() / ticks as f64;
    println!(
        "{{\"dimensions\": {D}, \"agents\": {agents}, \"ticks\": {ticks}, \"threads\": {}, \"isa\": \"{}\", \
         \"ms_per_tick\": {milliseconds:.2}, \"peak_bytes\": {}, \"hash\": \"{:016x}\"}}",
        rayon::current_num_threads(),
        world.instruction_set().name(),
        peak().map_or_else(|| "null".to_owned(), |bytes| bytes.to_string()),
        world.state_hash(),
    );
    Ok(())
}

/// Returns the largest resident size of this process so far, in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    match numbers[..] {
        [2, agents, ticks] if ticks > 0 => run::<2>(agents, ticks)?,
        [3, agents, ticks] if ticks > 0 => run::<3>(agents, ticks)?,
        _ => return Err("sizes DIMENSIONS AGENTS TICKS".into()),
    }
    Ok(())
}
