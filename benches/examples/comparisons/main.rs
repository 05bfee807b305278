//! The models of published comparisons as a host of throng writes them, and runs of them, for `scripts/comparisons.sh`.
//!
//! ```text
//! comparisons list                    names of the cases, and their ticks
//! comparisons CASE THREADS [TICKS]    runs a case once and prints a line of JSON
//! comparisons kernels                 pairs per microsecond with each instruction set
//! ```

mod birds;
mod cases;
mod circles;
mod flockers;
mod flocking;
mod kernel;
mod measure;
mod model;
#[cfg(test)]
mod tests;
mod vicsek;

use std::error::Error;

use throng::InstructionSet;

const USAGE: &str = "comparisons list | comparisons CASE THREADS [TICKS] | comparisons kernels";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => {
            for case in cases::all() {
                println!("{} {}", case.name, case.ticks);
            }
            Ok(())
        }
        ["kernels"] => {
            println!("{}", rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(kernels)?);
            Ok(())
        }
        [name, threads] => run(name, threads.parse()?, None),
        [name, threads, ticks] => run(name, threads.parse()?, Some(ticks.parse()?)),
        _ => Err(USAGE.into()),
    }
}

/// Runs a case with all its seeds. The neighbours and the hash belong to the first.
fn run(name: &str, threads: usize, ticks: Option<u32>) -> Result<(), Box<dyn Error>> {
    let case = cases::all().into_iter().find(|case| case.name == name);
    let case = case.ok_or_else(|| format!("no case {name}: see `comparisons list`"))?;
    let ticks = ticks.unwrap_or(case.ticks);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let samples = pool.install(|| (0..case.seeds).map(|seed| case.run(seed, ticks)).collect::<Result<Vec<_>, _>>())?;
    let seconds: Vec<String> = samples.iter().map(|sample| format!("{:.6}", sample.seconds)).collect();
    let processor: f64 = samples.iter().map(|sample| sample.processor_seconds).sum();
    let first = samples.first().ok_or("a case has a seed")?;
    println!(
        "{{\"agents\": {}, \"threads\": {threads}, \"isa\": \"{}\", \"ticks\": {ticks}, \"seconds\": [{}], \
         \"processor_seconds\": {processor:.6}, \"neighbours\": [{:.2}, {:.2}], \"hash\": \"{:016x}\"}}",
        first.agents,
        InstructionSet::widest().name(),
        seconds.join(", "),
        first.neighbours[0],
        first.neighbours[1],
        first.hash,
    );
    Ok(())
}

/// Measures the kernel with each instruction set of this machine, on one thread.
fn kernels() -> Result<String, throng::Error> {
    let row = |set: InstructionSet| {
        let kernel::Pairs { tested, found, candidates } = kernel::measure(set)?;
        let isa = set.name();
        Ok(format!(r#"{{"isa": "{isa}", "tested": {tested:.1}, "found": {found:.1}, "candidates": {candidates:.2}}}"#))
    };
    let rows = InstructionSet::available().map(row).collect::<Result<Vec<String>, throng::Error>>()?;
    Ok(format!("[{}]", rows.join(", ")))
}
