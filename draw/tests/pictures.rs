//! Tests of pictures and films through the public interface.

use std::io::Cursor;

use throng::behaviours::Wander;
use throng::{AnyWorld, Noise, Settings, Species, Vector, World};
use throng_draw::{
    Agent, Bounds, Colour, Drawable, Error, Gif, Mp4, Options, Painter, Picture, Subject, View, picture,
};

/// A square of 100 by 100 metres with two wanderers.
fn world() -> World<2> {
    let mut world = World::new(Settings { size: Vector([100.0, 100.0]), ..Settings::default() }).unwrap();
    let ant = world.add_species(Species::new("ant").with(1.0, Wander::default())).unwrap();
    world.spawn_many(ant, &[[25.0, 75.0], [60.0, 20.0]], &[[1.0, 0.0]; 2]).unwrap();
    world
}

fn options(width: u32) -> Options {
    Options { width: Some(width), ..Options::default() }
}

/// A crowd that does not move, in a part of the world.
struct Still(Bounds, Vec<Vector<3>>);

impl Drawable for Still {
    fn subject(&self) -> Subject {
        Subject { agents: self.1.len(), ..Subject::new(2, self.0) }
    }

    fn tick(&self) -> u64 {
        0
    }

    fn crowd(&self, each: &mut dyn FnMut(&[Agent])) {
        let agents: Vec<Agent> = self.1.iter().map(|&position| Agent::at(position)).collect();
        each(&agents);
    }
}

/// The pixels that differ, as columns and rows.
fn changed(one: &Picture, other: &Picture) -> Vec<[usize; 2]> {
    let pixels = one.pixels().chunks(3).zip(other.pixels().chunks(3)).enumerate();
    pixels.filter(|(_, (a, b))| a != b).map(|(at, _)| [at % one.width(), at / one.width()]).collect()
}

#[test]
fn agents_are_drawn_at_their_positions() {
    let world = world();
    let empty = World::<2>::new(world.settings().clone()).unwrap();
    let drawn = picture(&world, &options(200)).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (200, 200));
    let pixels = changed(&drawn, &picture(&empty, &options(200)).unwrap());
    // Two pixels per metre, the origin at the lower left.
    let agents = [[50, 50], [120, 160]];
    assert!(agents.iter().all(|agent| pixels.contains(agent)), "{pixels:?}");
    let near =
        |pixel: &[usize; 2]| agents.iter().any(|agent| (0..2).all(|axis| pixel[axis].abs_diff(agent[axis]) < 12));
    assert!(pixels.iter().all(near), "{pixels:?}");
}

#[test]
fn worlds_of_any_dimension_are_drawn() {
    let world = world();
    let drawn = picture(&world, &options(160)).unwrap();
    assert_eq!(picture(&AnyWorld::from(world), &options(160)).unwrap(), drawn);
    let mut space = World::<3>::new(Settings::default()).unwrap();
    let bird = space.add_species(Species::new("bird")).unwrap();
    let empty = picture(&space, &options(160)).unwrap();
    space.spawn(bird, space.settings().size * 0.5, [1.0, 0.0, 0.0]).unwrap();
    assert_eq!((empty.width(), empty.height()), (160, 90));
    assert!(!changed(&picture(&space, &options(160)).unwrap(), &empty).is_empty());
}

#[test]
fn a_png_holds_the_pixels() {
    let drawn = picture(&world(), &options(64)).unwrap();
    let mut file = Vec::new();
    drawn.write_png(&mut file).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, drawn.pixels());
}

#[test]
fn trails_show_the_ticks_that_were_observed() {
    let mut world = world();
    let options = Options { trails: 200, ..options(200) };
    let mut painter = Painter::new(&world, &options).unwrap();
    for _ in 0..100 {
        world.step();
        painter.observe(&world);
    }
    painter.paint(&world);
    let trails = changed(painter.picture(), &picture(&world, &options).unwrap()).len();
    assert!(trails > 20, "{trails} pixels");
}

#[test]
fn the_number_of_threads_changes_no_pixel() {
    let mut noise = Noise::new(5, 0, 0, Noise::USER);
    let points = (0..3000).map(|_| Vector([noise.between(0.0, 60.0), noise.between(0.0, 40.0), 0.0])).collect();
    let crowd = Still(Bounds { low: Vector::ZERO, high: Vector([60.0, 40.0, 0.0]) }, points);
    for options in [
        Options { colour: Some(Colour::Neighbours), trails: 5, ..options(240) },
        Options { density: true, light: true, ..options(240) },
    ] {
        let drawn = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| picture(&crowd, &options)).unwrap()
        });
        assert!(drawn[1] == drawn[0] && drawn[2] == drawn[0], "{options:?}");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let world = world();
    let view = |view: View| Options { view, ..Options::default() };
    for (options, message) in [
        (options(15), "width = 15: must be a number from 16 to 16384"),
        (Options { height: Some(16_385), ..Options::default() }, "height = 16385: must be a number from 16 to 16384"),
        (view(View { zoom: f32::NAN, ..View::default() }), "view.zoom = NaN: must be a number from 0.01 to 10000"),
        (view(View { zoom: 0.0, ..View::default() }), "view.zoom = 0: must be a number from 0.01 to 10000"),
        (view(View { azimuth: 400.0, ..View::default() }), "view.azimuth = 400: must be a number from -360 to 360"),
        (view(View { elevation: -91.0, ..View::default() }), "view.elevation = -91: must be a number from -90 to 90"),
        (
            view(View { centre: Some(Vector([0.0, f32::INFINITY, 0.0])), ..View::default() }),
            "view.centre = inf: must be a number from -1000000000 to 1000000000",
        ),
    ] {
        let error = picture(&world, &options).unwrap_err();
        assert!(matches!(error, Error::Option { .. }), "{error:?}");
        assert_eq!(error.to_string(), message);
    }
    let corners = [
        [[0.0, 0.0], [10.0, 0.0]],
        [[5.0, 5.0], [1.0, 9.0]],
        [[0.0, 0.0], [f32::INFINITY, 1.0]],
        [[f32::NAN, 0.0], [1.0, 1.0]],
    ];
    for [low, high] in corners.map(|corners| corners.map(|[x, y]| Vector([x, y, 0.0]))) {
        let crowd = Still(Bounds { low, high }, vec![Vector::ZERO]);
        assert!(matches!(picture(&crowd, &Options::default()), Err(Error::Bounds)), "{low} {high}");
    }
}

#[test]
fn invalid_and_distant_positions_are_ignored() {
    let far = [f32::NAN, f32::INFINITY, -1e30, 1e30].map(|x| Vector([x, 5.0, f32::NAN]));
    let crowd = Still(Bounds { low: Vector::ZERO, high: Vector([60.0, 40.0, 0.0]) }, far.to_vec());
    for colour in [Colour::Species, Colour::Heading, Colour::Speed, Colour::Neighbours, Colour::State] {
        picture(&crowd, &Options { colour: Some(colour), trails: 3, ..options(64) }).unwrap();
    }
    picture(&crowd, &Options { density: true, ..options(64) }).unwrap();
}

#[test]
fn films_refuse_invalid_sizes_and_rates() {
    let world = world();
    let painter = Painter::new(&world, &options(64)).unwrap();
    for fps in [0, 51] {
        assert!(matches!(Gif::new(Vec::new(), &painter, fps), Err(Error::Option { name: "fps", .. })));
    }
    let mut film = Gif::new(Vec::new(), &painter, 25).unwrap();
    film.add(painter.picture()).unwrap();
    let other = picture(&world, &options(66)).unwrap();
    assert!(matches!(film.add(&other), Err(Error::Size { size: (66, 66), .. })));
    assert!(film.finish().unwrap().starts_with(b"GIF89a"));
    let odd = Painter::new(&world, &options(65)).unwrap();
    assert!(matches!(Mp4::new("none.mp4", &odd, 25), Err(Error::Size { size: (65, _), .. })));
}
