//! The messages of a window into a world of another program.

use std::cell::Cell;
use std::time::Duration;

use throng::{AnyWorld, Settings, Species, World};
use throng_view::command::parse;
use throng_view::{Message, Window};

thread_local! {
    static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn later() {
    CLOCK.set(CLOCK.get() + Duration::from_millis(120));
}

/// The messages of a look, a moment later, as one text, and the number of frames.
fn look(window: &mut Window, world: &AnyWorld) -> (String, usize) {
    later();
    window.look(world);
    let (mut texts, mut frames) = (String::new(), 0);
    while let Some(message) = window.take() {
        match message {
            Message::Text(text) => texts += &text,
            Message::Bytes(_) => frames += 1,
        }
    }
    (texts, frames)
}

#[test]
fn the_page_gets_what_has_changed_and_asks_for_ticks() {
    let mut flat = World::<2>::new(Settings::default()).unwrap();
    let species = flat.add_species(Species::new("starling")).unwrap();
    flat.spawn(species, [1.0, 1.0], [1.0, 0.0]).unwrap();
    let mut world = AnyWorld::from(flat);
    let mut window = Window::new(|| CLOCK.get());
    let command = |window: &mut Window, text: &str| window.receive(parse(text).unwrap());
    command(&mut window, r#"{"do":"hello"}"#);
    let (texts, frames) = look(&mut window, &world);
    assert!(texts.contains("starling") && texts.contains("hosted") && frames == 1, "{texts}");
    assert_eq!(look(&mut window, &world), (String::new(), 0));

    // A page that has drawn nothing gets no third frame.
    for frames in [1, 0] {
        world.step();
        window.moved();
        assert_eq!(look(&mut window, &world).1, frames);
    }
    command(&mut window, r#"{"do":"drawn"}"#);
    let (texts, frames) = look(&mut window, &world);
    assert!(texts.contains(&format!("{:016x}", world.state_hash())) && frames == 1, "{texts}");

    assert!(!window.is_due());
    command(&mut window, r#"{"do":"play"}"#);
    assert!(window.is_due());
    window.passed();
    assert!(!window.is_due());
    later();
    window.pause();
    assert!(!window.is_due());
    command(&mut window, r#"{"do":"seek","tick":0}"#);
    assert!(look(&mut window, &world).0.contains("belongs to a program"));
}

#[test]
fn a_page_that_draws_nothing_has_left_unless_the_program_was_busy() {
    let world = AnyWorld::from(World::<2>::new(Settings::default()).unwrap());
    let mut window = Window::new(|| CLOCK.get());
    for _ in 0..3 {
        window.changed();
        look(&mut window, &world);
    }
    CLOCK.set(CLOCK.get() + Duration::from_secs(100));
    look(&mut window, &world);
    assert!(!window.is_left());
    (0..200).for_each(|_| _ = look(&mut window, &world));
    assert!(window.is_left());
}
