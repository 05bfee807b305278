//! Rollback by GGRS, measured: `cargo run --release --manifest-path bindings/ggrs/Cargo.toml`.

use std::time::Instant;

use ggrs::SessionBuilder;
use throng::{Noise, Vector};

mod game;

use game::{Game, Input, Rollback};

/// The ticks that every frame goes back.
const ROLLBACK: usize = 8;
const BIRDS: u64 = 5000;
const FRAMES: usize = 600;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut game = Game::new(BIRDS)?;
    let mut times = play(&mut game, FRAMES)?;
    times.sort_by(f64::total_cmp);
    println!("{BIRDS} birds, {FRAMES} frames, each goes back {ROLLBACK} ticks: all hashes are equal");
    println!("state hash {:016x} after tick {}", game.world.state_hash(), game.world.tick());
    for (name, share) in [("least", 0.0), ("median", 0.5), ("of a hundred, 95", 0.95)] {
        let place = (share * times.len() as f64) as usize;
        println!("{name:>16}: {:.2} ms a frame", times[place]);
    }
    Ok(())
}

/// Plays frames that each load the world of eight ticks ago, compute the ticks again and compare hashes, as GGRS does
/// it in tests. Returns the milliseconds of each frame with its whole rollback.
fn play(game: &mut Game, frames: usize) -> Result<Vec<f64>, Failure> {
    let mut session = SessionBuilder::<Rollback>::new()
        .with_num_players(2)?
        .with_max_prediction_window(ROLLBACK + 1)
        .with_check_distance(ROLLBACK)
        .start_synctest_session()?;
    let mut times = Vec::new();
    for frame in 0..frames {
        for player in 0..2 {
            session.add_local_input(player, input(frame, player))?;
        }
        let began = Instant::now();
        game.handle(session.advance_frame()?)?;
        // The first frames have nothing to go back to.
        if frame > ROLLBACK {
            times.push(1e3 * began.elapsed().as_secs_f64());
        }
    }
    Ok(times)
}

/// The keys of a player, which change three times a second.
fn input(frame: usize, player: usize) -> Input {
    let Vector([x, y]) = Noise::new(player as u64, frame as u64 / 20, 0, Noise::USER).direction();
    u8::from(x < -0.4) | u8::from(x > 0.4) << 1 | u8::from(y < -0.4) << 2 | u8::from(y > 0.4) << 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::{AgentRef, Behaviour, Rule};

    #[test]
    fn a_world_that_goes_back_has_the_bits_of_one_that_does_not() {
        let (mut here, mut straight) = (Game::new(300).unwrap(), Game::new(300).unwrap());
        play(&mut here, 60).unwrap();
        let mut session = SessionBuilder::<Rollback>::new()
            .with_num_players(2)
            .unwrap()
            .with_check_distance(0)
            .start_synctest_session();
        let session = session.as_mut().unwrap();
        for frame in 0..60 {
            (0..2).for_each(|player| session.add_local_input(player, input(frame, player)).unwrap());
            straight.handle(session.advance_frame().unwrap()).unwrap();
        }
        assert_eq!((here.world.tick(), here.world.state_hash()), (60, straight.world.state_hash()));
    }

    /// A rule with a state that is not in the world.
    #[derive(Debug, Default)]
    struct Counts(std::sync::atomic::AtomicU32);

    impl Behaviour<2> for Counts {
        fn steer(&self, _: &AgentRef<'_, 2>) -> Vector<2> {
            Vector([self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as f32 * 1e-3, 0.0])
        }
    }

    #[test]
    fn a_state_outside_of_the_world_is_found() {
        let mut game = Game::new(10).unwrap();
        let bird = game.world.find_species("bird").unwrap();
        game.world.add_rule(bird, Rule::new(1.0, Counts::default())).unwrap();
        let error = play(&mut game, 30).unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
    }
}
