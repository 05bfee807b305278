//! Runs krABMaga's model `flockers` once, as MASON's model of this name has it, and prints one line of JSON:
//! `throng-peer-krabmaga AGENTS SIDE STEPS`. Cells are 6.67 wide.

mod model;

use std::error::Error;
use std::time::Instant;

use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::{self, Rng};
use throng_bench::processor_seconds;

use model::{Bird, Flockers};

const NEIGHBOURHOOD: f32 = 10.0;
const JUMP: f32 = 0.7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agents, side, steps] = &arguments[..] else { return Err("throng-peer-krabmaga AGENTS SIDE STEPS".into()) };
    let (agents, side, steps): (u32, f32, u32) = (agents.parse()?, side.parse()?, steps.parse()?);
    let mut noise = rand::rng();
    let mut bird = |id| {
        let pos = Real2D { x: side * noise.random::<f32>(), y: side * noise.random::<f32>() };
        Bird { id, pos, last_d: Real2D { x: 0.0, y: 0.0 } }
    };
    let mut flockers = Flockers::new((0..agents).map(&mut bird).collect(), side, NEIGHBOURHOOD, JUMP);
    let mut schedule = Schedule::new();
    flockers.init(&mut schedule);
    let (start, used) = (Instant::now(), processor_seconds());
    for _ in 0..steps {
        schedule.step(&mut flockers);
    }
    let (seconds, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - used);
    println!(r#"{{"agents":{agents},"threads":1,"ticks":{steps},"seconds":[{seconds}],"processor_seconds":{processor}}}"#);
    Ok(())
}
