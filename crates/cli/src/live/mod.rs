//! `throng run --live`: the world in the terminal, in dots, while it runs.

mod dots;
mod pace;
mod screen;

use std::time::{Duration, Instant};

use throng::AnyWorld;
use throng_scenario::printable;

use crate::failure::Failure;
use crate::origin::seconds;
use crate::output::{fixed, grouped, short};
use crate::signals::Signals;
use dots::Dots;
use pace::Pace;
use screen::{Key, Screen};

/// The time between two frames: enough to look smooth, and little to send over a network.
const FRAME: Duration = Duration::from_millis(66);
/// The longest sleep, which bounds the time to the answer to a key.
const NAP: Duration = Duration::from_millis(15);

/// The world in the terminal, until this is dropped.
#[derive(Debug)]
pub(crate) struct Live {
    screen: Screen,
    signals: Signals,
    dots: Dots,
    name: String,
    pace: Pace,
    next_frame: Instant,
    /// The time and the tick at the last count of ticks per second, and their number then.
    counted: (Instant, u64),
    rate: f64,
}

impl Live {
    /// Takes over the terminal of the standard output.
    pub(crate) fn start(name: &str, world: &AnyWorld, signals: &Signals) -> Result<Self, Failure> {
        let now = Instant::now();
        Ok(Self {
            screen: Screen::open(signals)?,
            signals: signals.clone(),
            dots: Dots::of(world),
            name: printable(name).to_string(),
            pace: Pace::new(f64::from(world.settings().tick_seconds), now),
            next_frame: now,
            counted: (now, world.tick()),
            rate: 0.0,
        })
    }

    /// Draws the world when a frame is due, and returns when its next tick is. Returns whether the run continues.
    pub(crate) fn wait(&mut self, world: &AnyWorld) -> Result<bool, Failure> {
        loop {
            if self.signals.received().is_some() {
                return Ok(false);
            }
            while let Some(key) = self.screen.key() {
                match key {
                    Key::Quit => return Ok(false),
                    Key::Pause => self.pace.toggle(Instant::now()),
                    Key::Faster => self.pace.scale(2.0, Instant::now()),
                    Key::Slower => self.pace.scale(0.5, Instant::now()),
                }
                self.next_frame = Instant::now();
            }
            let now = Instant::now();
            if now >= self.next_frame {
                self.draw(world, now)?;
                self.next_frame = now + FRAME;
            }
            match self.pace.until_tick(now) {
                Some(wait) if wait.is_zero() => {
                    self.pace.passed(now);
                    return Ok(true);
                }
                wait => std::thread::sleep(wait.unwrap_or(NAP).min(NAP)),
            }
        }
    }

    fn draw(&mut self, world: &AnyWorld, now: Instant) -> Result<(), Failure> {
        let (counted, tick) = self.counted;
        let passed = now.duration_since(counted).as_secs_f64();
        if passed >= 0.5 {
            self.rate = (world.tick() - tick) as f64 / passed;
            self.counted = (now, world.tick());
        }
        let (columns, rows) = screen::size();
        let picture = self.dots.draw(world, columns, rows.saturating_sub(1), self.screen.colours());
        let status = self.status(world);
        self.screen.show(&picture, &status, columns)
    }

    /// The status line.
    fn status(&self, world: &AnyWorld) -> String {
        let times = self.rate * f64::from(world.settings().tick_seconds);
        let agents = grouped(world.population() as u64);
        let pace = if self.pace.is_paused() { "paused".to_owned() } else { format!("{} ticks/s", short(self.rate)) };
        let keys = if self.screen.has_keys() { "space + - q" } else { "Ctrl-C ends" };
        let time = fixed(seconds(world), 1);
        format!(" {}  {time} s  {agents} agents  {pace}  {} x real time  {keys}", self.name, short(times))
    }
}
