//! Draws the film of the README: starlings and two falcons, a stadium that empties, and one hash for three platforms.
//!
//! `cargo run --release -p throng-draw --features scenario --example hero FOLDER` writes `hero.gif` and `hero-still.png`
//! to the folder. Start it in the root of the repository: it reads scenarios. `scripts/hero.sh` does both.

use std::error::Error;
use std::fs::File;
use std::path::PathBuf;

use throng::{AnyWorld, Vector};
use throng_draw::{Colour, Gif, Options, Painter, Picture, View, text_width};
use throng_scenario::Scenario;

const WIDTH: u32 = 640;
const HEIGHT: u32 = 360;
/// Frames a second; a frame of the first part is a tick.
const FPS: u32 = 10;

/// The ticks of the starlings that are shown.
const STARLINGS: [u64; 2] = [80, 112];
/// The ticks of the stadium that are shown, and those from frame to frame.
const STADIUM: [u64; 2] = [40, 660];
const STADIUM_STEP: u64 = 20;

const INK: [f32; 3] = [248.0, 240.0, 228.0];
const GROUND: [f32; 3] = [9.0, 13.0, 24.0];
const GREEN: [f32; 3] = [70.0, 205.0, 125.0];

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).unwrap_or_else(|| ".".into()).into();
    let size = Options { width: Some(WIDTH), height: Some(HEIGHT), ..Options::default() };

    let mut starlings = world("docs/pictures/hero.toml")?;
    let view = |tick: u64| {
        // The camera drifts.
        let azimuth = 50.0 + 0.22 * (tick - STARLINGS[0]) as f32;
        let view = View { zoom: 1.35, azimuth, elevation: 14.0, ..View::default() };
        Options { colour: Some(Colour::Heading), view, ..size.clone() }
    };
    let mut film =
        Gif::new(File::create(folder.join("hero.gif"))?, &Painter::new(&starlings, &view(STARLINGS[0]))?, FPS)?;
    let mut last = None;
    while starlings.tick() < STARLINGS[1] {
        starlings.step();
        if starlings.tick() >= STARLINGS[0] {
            let drawn = throng_draw::picture(&starlings, &view(starlings.tick()))?;
            let titled = titled(&drawn, "4000 starlings and two falcons, in three dimensions");
            film.add(&titled)?;
            if starlings.tick() == (STARLINGS[0] + STARLINGS[1]) / 2 {
                titled.save_png(folder.join("hero-still.png"))?;
            }
            last = Some(drawn);
        }
    }
    let last = last.ok_or("no frames")?;

    let mut stadium = world("scenarios/stadium.toml")?;
    // A quarter of the stadium, with its gates.
    let view = View { centre: Some(Vector([205.0, 225.0, 0.0])), zoom: 2.6, ..View::default() };
    let mut painter = Painter::new(&stadium, &Options { density: true, view, ..size.clone() })?;
    film.change_painter(&painter);
    while stadium.tick() < STADIUM[1] {
        stadium.step();
        if stadium.tick() >= STADIUM[0] && (stadium.tick() - STADIUM[0]).is_multiple_of(STADIUM_STEP) {
            painter.paint(&stadium);
            let seconds = stadium.seconds() as f32;
            let still_in = thousands(stadium.population());
            let text = format!("a stadium empties: {seconds:.0} s, {still_in} people, density from 0 to 6 per m²");
            film.add(&titled(painter.picture(), &text))?;
        }
    }

    let cards = cards(&last)?;
    for _ in 0..3 * FPS {
        film.add(&cards)?;
    }
    film.finish()?;
    Ok(())
}

fn world(file: &str) -> Result<AnyWorld, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    Ok(Scenario::parse(&text, file)?.build_any()?)
}

fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{} {:03}", number / 1000, number % 1000) }
}

/// The picture with a line of text in its lower left corner.
fn titled(picture: &Picture, text: &str) -> Picture {
    let mut titled = picture.clone();
    let capital = 11.0;
    let low = HEIGHT as f32 - 14.0;
    titled.fill([8.0, low - capital - 8.0], [text_width(text, capital) + 16.0, capital + 16.0], GROUND, 0.75);
    titled.write(text, [16.0, low], capital, INK);
    titled
}

/// A world whose hash is compared on all platforms, and its ticks: `scripts/determinism.sh` does so.
const COMPARED: &str = "shoal 10000 ";

/// The hash of that world on three platforms, over a picture.
fn cards(behind: &Picture) -> Result<Picture, Box<dyn Error>> {
    let recorded = std::fs::read_to_string("tools/determinism/golden.txt")?;
    let hash = recorded.lines().find_map(|line| line.strip_prefix(COMPARED)).ok_or("no recorded hash")?;
    let mut cards = behind.clone();
    let (width, height) = (WIDTH as f32, HEIGHT as f32);
    cards.fill([0.0, 0.0], [width, height], GROUND, 0.8);
    let centred = |cards: &mut Picture, text: &str, [x, y]: [f32; 2], capital: f32, colour: [f32; 3]| {
        cards.write(text, [x - 0.5 * text_width(text, capital), y], capital, colour);
    };
    centred(&mut cards, "The same crowd, bit for bit, on every platform compared", [0.5 * width, 78.0], 15.0, INK);
    for (number, platform) in ["x86-64", "ARM (emulated)", "WebAssembly"].into_iter().enumerate() {
        let (wide, high) = (188.0, 140.0);
        let left = 0.5 * width + (number as f32 - 1.5) * (wide + 16.0) + 8.0;
        let middle = left + 0.5 * wide;
        cards.fill([left, 112.0], [wide, high], [35.0, 44.0, 68.0], 1.0);
        cards.fill([left, 112.0], [wide, 4.0], GREEN, 1.0);
        centred(&mut cards, platform, [middle, 158.0], 13.0, INK);
        centred(&mut cards, hash, [middle, 198.0], 10.0, GREEN);
        centred(&mut cards, "with any number of threads", [middle, 230.0], 7.0, INK);
    }
    centred(&mut cards, "a shoal and its hunters after 10 000 ticks", [0.5 * width, 276.0], 9.0, INK);
    centred(&mut cards, "throng", [0.5 * width, 326.0], 24.0, INK);
    Ok(cards)
}
