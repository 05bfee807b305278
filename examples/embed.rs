//! A game that owns the time and the data; throng moves its pigeons.
//!
//! Pigeons cross a square from west to east; a cat runs among them. The frames of the game have uneven lengths, the
//! ticks of the world last 50 ms: an accumulator decides the number of ticks per frame, and pigeons are drawn between
//! their last two positions. The game keeps its own data of a pigeon under the pigeon's id, because rows change from
//! tick to tick.

use std::collections::HashMap;

use throng::behaviours::{Alignment, Seek, Separation};
use throng::{AgentId, Edge, Error, Event, Neighbour, Noise, Settings, Species, SpeciesId, Vector, World};

const SIZE: Vector<2> = Vector([90.0, 30.0]);
const TICK: f32 = 0.05;

/// Ticks from one pigeon to the next: one every fifth of a second.
const TICKS_PER_PIGEON: u64 = 4;

/// The longest frame in seconds. The excess of a longer one (a pause, a debugger) is dropped.
const LONGEST_FRAME: f32 = 0.25;

/// The game's data of one pigeon.
struct Pigeon {
    entered: f32,
    /// The position before the last tick.
    previous: Vector<2>,
}

#[derive(Default)]
struct Tally {
    entered: u64,
    crossed: u64,
    turned_back: u64,
    caught: u64,
    seconds_to_cross: f32,
}

struct Game {
    world: World<2>,
    species: SpeciesId,
    pigeons: HashMap<AgentId, Pigeon>,
    cat: Vector<2>,
    /// The accumulator: seconds of frames that no tick has covered yet.
    owed: f32,
    tally: Tally,
    near: Vec<Neighbour<2>>,
}

fn main() -> Result<(), Error> {
    let mut game = Game::new()?;
    let mut noise = Noise::new(1, 0, 0, Noise::USER);
    let (mut time, mut next_picture) = (0.0, 15.0);
    while time <= 30.0 {
        // A game would read its clock.
        let frame = noise.between(0.004, 0.03);
        time += frame;
        let between = game.advance(frame)?;
        if time >= next_picture {
            next_picture += 15.0;
            game.draw(between)?;
        }
    }
    Ok(())
}

impl Game {
    fn new() -> Result<Self, Error> {
        let settings =
            Settings { size: SIZE, edge: [Edge::Remove; 2], tick_seconds: TICK, seed: 1, ..Settings::default() };
        let mut world = World::new(settings)?;
        let mut pigeon = Species::new("pigeon")
            .with(1.0, Seek::default())
            .with(1.5, Separation { radius: 3.0, ..Separation::default() })
            .with(0.5, Alignment { radius: 5.0, ..Alignment::default() });
        pigeon.max_speed = 8.0.into();
        let species = world.add_species(pigeon)?;
        let (cat, near) = (SIZE * 0.5, Vec::new());
        Ok(Self { world, species, pigeons: HashMap::new(), cat, owed: 0.0, tally: Tally::default(), near })
    }

    /// Steps the world through a frame of `seconds`. Returns the position of the frame between the last two ticks, in
    /// [0, 1).
    fn advance(&mut self, seconds: f32) -> Result<f32, Error> {
        self.owed += if seconds < LONGEST_FRAME { seconds } else { LONGEST_FRAME };
        while self.owed >= TICK {
            self.owed -= TICK;
            self.tick()?;
        }
        Ok(self.owed / TICK)
    }

    fn tick(&mut self) -> Result<(), Error> {
        let now = self.world.tick() as f32 * TICK;
        if self.world.tick().is_multiple_of(TICKS_PER_PIGEON) {
            self.enter(now)?;
        }
        self.move_cat(now)?;

        for (id, pigeon) in &mut self.pigeons {
            pigeon.previous = self.world.position(*id)?;
        }
        self.world.step();

        // A pigeon that has left stays at the edge until the next step removes it; the game drops its data now.
        for event in self.world.events() {
            if let Event::Left { agent, .. } = event
                && let Some(pigeon) = self.pigeons.remove(agent)
            {
                if self.world.position(*agent)?[0] == SIZE[0] {
                    self.tally.crossed += 1;
                    self.tally.seconds_to_cross += now - pigeon.entered;
                } else {
                    self.tally.turned_back += 1;
                }
            }
        }
        Ok(())
    }

    /// Spawns a pigeon in the west, with a goal beyond the eastern edge.
    fn enter(&mut self, now: f32) -> Result<(), Error> {
        let mut noise = Noise::new(1, self.tally.entered, 0, Noise::USER);
        let position = Vector([1.0, noise.between(0.1, 0.9) * SIZE[1]]);
        let goal = Vector([SIZE[0] + 5.0, noise.between(0.1, 0.9) * SIZE[1]]);
        let id = self.world.spawn(self.species, position, [4.0, 0.0])?;
        self.world.set_goal(id, Some(goal))?;
        self.pigeons.insert(id, Pigeon { entered: now, previous: position });
        self.tally.entered += 1;
        Ok(())
    }

    /// Moves the cat up and down; it scares the pigeons that it sees and catches those that it touches.
    fn move_cat(&mut self, now: f32) -> Result<(), Error> {
        let phase = (now / 5.0).fract();
        self.cat[1] = SIZE[1] * if phase < 0.5 { 2.0 * phase } else { 2.0 - 2.0 * phase };
        self.world.query().within(self.cat, 1.5, &mut self.near)?;
        for pigeon in &self.near {
            if self.pigeons.remove(&pigeon.id).is_some() {
                self.tally.caught += 1;
                self.world.despawn(pigeon.id)?;
            }
        }
        self.world.query().within(self.cat, 3.0, &mut self.near)?;
        for pigeon in &self.near {
            self.world.set_velocity(pigeon.id, pigeon.offset.direction() * 8.0)?;
        }
        Ok(())
    }

    /// Prints the square as it is `between` the last two ticks.
    fn draw(&self, between: f32) -> Result<(), Error> {
        let (columns, lines) = (SIZE[0] as usize, SIZE[1] as usize / 2);
        let mut picture = vec![vec![b' '; columns]; lines];
        let mut put = |x: f32, y: f32, mark: u8| {
            let (column, line) = (x as usize, y as usize / 2);
            if column < columns && line < lines {
                picture[line][column] = mark;
            }
        };
        for (id, Pigeon { previous, .. }) in &self.pigeons {
            let at = *previous + (self.world.position(*id)? - *previous) * between;
            put(at[0], at[1], b'v');
        }
        put(self.cat[0], self.cat[1], b'C');

        let Tally { entered, crossed, turned_back, caught, seconds_to_cross } = self.tally;
        let tick = self.world.tick();
        println!("{:.0} % of the way from tick {} to tick {tick}:", 100.0 * between, tick - 1);
        for line in picture {
            println!("|{}|", String::from_utf8_lossy(&line));
        }
        println!("{entered} pigeons entered, {turned_back} turned back, the cat got {caught},");
        println!("{crossed} crossed, in {:.1} s on average\n", seconds_to_cross / crossed.max(1) as f32);
        Ok(())
    }
}
