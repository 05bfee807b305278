//! A flock in thirty lines: five hundred starlings that find a common heading.

use throng::measures;
use throng::prelude::*;

fn main() -> Result<(), Error> {
    let size = Vector([100.0, 100.0]);
    let mut world = World::<2>::new(Settings { size, tick_seconds: 0.1, seed: 7, ..Settings::default() })?;
    let mut flock = Species::new("starling")
        .with(0.5, Separation { radius: 2.5, ..Separation::default() })
        .with(1.0, Alignment::default())
        .with(0.2, Cohesion::default());
    flock.min_speed = 5.0;
    let starling = world.add_species(flock)?;
    for number in 0..500 {
        let mut noise = Noise::new(7, number, 0, Noise::USER);
        let position = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
        world.spawn(starling, position, noise.direction() * 5.0)?;
    }

    println!("polarisation after {:3} ticks: {:.3}", world.tick(), measures::polarisation(&world));
    for _ in 0..100 {
        world.step();
    }
    println!("polarisation after {:3} ticks: {:.3}", world.tick(), measures::polarisation(&world));

    let [x, y] = world.agents(starling)?.positions();
    println!("the first five of {} are at x = {:.1?}, y = {:.1?}", x.len(), &x[..5], &y[..5]);
    Ok(())
}
