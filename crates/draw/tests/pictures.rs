//! Tests of pictures and films through the public interface.

use std::io::Cursor;

use throng::behaviours::Wander;
use throng::{
    AnyWorld, Arrivals, Distribution, Edge, Noise, Region, Settings, Shape, Source, Species, Variable, Vector, Wall,
    World,
};
use throng_draw::{
    Bounds, Colour, Drawable, DrawnAgent, Error, Fit, Gif, Mp4, Options, Painter, Picture, Subject, View, picture,
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

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        let agents: Vec<DrawnAgent> = self.1.iter().map(|&position| DrawnAgent::at(position)).collect();
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
fn colours_show_variables() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    for (name, age) in [("young", Some(0.0)), ("old", Some(4.0)), ("stone", None)] {
        let variable = |age| Variable { name: "age".into(), start: Distribution::Same(age), low: 0.0, high: 4.0 };
        let variables = age.into_iter().map(variable).collect();
        let species = world.add_species(Species { variables, ..Species::new(name) }).unwrap();
        world.spawn(species, [50.0, 50.0], [1.0, 0.0]).unwrap();
    }
    let options = |name: &str| Options { colour: Some(Colour::Variable(name.to_owned())), ..options(64) };
    let mut painter = Painter::new(&world, &options("age")).unwrap();
    let rounded = |colour: [f32; 3]| colour.map(|channel| (channel + 0.5) as u8);
    let theme = painter.legend().theme;
    let colours = [theme.amount(0.0), theme.amount(1.0), theme.ink(0.3)].map(rounded);
    assert_eq!(painter.colours_of(&world), colours);
    assert_eq!(painter.legend().range, Some([0.0, 4.0]));
    assert!(matches!(Painter::new(&world, &options("wage")), Err(Error::Variable(name)) if name == "wage"));
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

/// A room of 20 by 20 metres in a world of 40 by 40, with a door of two metres on its right, and a source that brings
/// people to its left half in the first tick.
fn room(people: u64) -> World<2> {
    let mut world = World::new(Settings { size: Vector([40.0, 40.0]), ..Settings::default() }).unwrap();
    world.add_species(Species::new("person").with_radius(0.25)).unwrap();
    let environment = world.environment_mut();
    let corners = [[30.0, 21.0], [30.0, 30.0], [10.0, 30.0], [10.0, 10.0], [30.0, 10.0], [30.0, 19.0]];
    for pair in corners.windows(2) {
        environment.walls.add(Wall::segment(pair[0], pair[1])).unwrap();
    }
    let shape = Shape::Box { centre: Vector([14.0, 20.0]), half: Vector([3.7, 9.7]) };
    environment.regions.add(Region { name: "left".to_owned(), shape }).unwrap();
    let source = Source { speed: Some(0.0.into()), ..Source::new("all", "person", "left", Arrivals::at_once(people)) };
    environment.sources.add(source).unwrap();
    world
}

fn pixel(picture: &Picture, x: usize, y: usize) -> [u8; 3] {
    let at = (y * picture.width() + x) * 3;
    std::array::from_fn(|channel| picture.pixels()[at + channel])
}

#[test]
fn the_density_of_people_has_one_scale_and_stays_behind_walls() {
    let options = Options { density: true, ..options(400) };
    for people in [120, 240] {
        let mut world = room(people);
        let mut early = Painter::new(&world, &options).unwrap();
        early.paint(&world);
        let empty = early.picture().clone();
        world.step();
        assert_eq!(world.population() as u64, people);
        early.paint(&world);
        assert_eq!(early.legend().range, Some([0.0, 6.0]));
        // The number of agents at the start decides nothing.
        assert!(*early.picture() == picture(&world, &options).unwrap(), "{people}");
        let changed = changed(early.picture(), &empty);
        assert!(changed.len() > 4000, "{}", changed.len());
        // Ten pixels per metre, the walls at 100 and 300; lines and cells have pixels on both sides.
        assert!(changed.iter().all(|&[x, y]| x >= 98 && (98..=302).contains(&y)), "{people}");
    }
}

#[test]
fn people_are_discs_and_flocks_are_darts() {
    // Two pixels per metre: a person is smaller than a pixel, and drawn with three.
    for (radius, least, most) in [(0.25, 7, 12), (0.0, 13, 100)] {
        let mut world = World::<2>::new(Settings { size: Vector([100.0, 100.0]), ..Settings::default() }).unwrap();
        let empty = picture(&world, &options(200)).unwrap();
        let species = world.add_species(Species::new("one").with_radius(radius)).unwrap();
        world.spawn(species, [50.25, 50.25], [1.0, 0.0]).unwrap();
        let drawn = picture(&world, &Options { fit: Some(Fit::World), ..options(200) }).unwrap();
        let count = changed(&drawn, &empty).len();
        assert!((least..=most).contains(&count), "{count} pixels for {radius}");
    }
}

#[test]
fn the_floor_of_a_building_is_lighter_than_what_is_outside() {
    let light = |picture: &Picture, x, y| pixel(picture, x, y).into_iter().map(i32::from).sum::<i32>();
    for is_light in [false, true] {
        let drawn = picture(&room(10), &Options { light: is_light, ..options(400) }).unwrap();
        let (inside, near_door, outside) = (light(&drawn, 250, 150), light(&drawn, 292, 200), light(&drawn, 340, 200));
        assert!(inside > outside + 40 && near_door > outside + 40, "{inside}, {near_door}, {outside}");
    }
    // Without walls that enclose, nothing is outside.
    let (mut plain, mut open) = (world(), world());
    open.environment_mut().walls.add(Wall::segment([20.0, 50.0], [60.0, 50.0])).unwrap();
    let differ = changed(&picture(&open, &options(200)).unwrap(), &picture(&plain, &options(200)).unwrap());
    assert!(differ.iter().all(|&[_, y]| (96..104).contains(&y)), "{differ:?}");
    plain.step();
}

#[test]
fn a_small_crowd_fills_the_picture_of_a_large_world() {
    let mut world = World::<2>::new(Settings { size: Vector([1000.0, 1000.0]), ..Settings::default() }).unwrap();
    let bird = world.add_species(Species::new("bird")).unwrap();
    let places: Vec<[f32; 2]> = (0..100).map(|at| [700.0 + (at % 10) as f32, 200.0 + (at / 10) as f32]).collect();
    world.spawn_many(bird, &places, &[[1.0, 0.0]; 100]).unwrap();
    let extent = |world: &World<2>, options: &Options| {
        let drawn = picture(world, options).unwrap();
        let ground = World::<2>::new(Settings { size: Vector([1.0, 1.0]), ..Settings::default() }).unwrap();
        let size =
            Options { width: Some(drawn.width() as u32), height: Some(drawn.height() as u32), ..options.clone() };
        let pixels = changed(&drawn, &picture(&ground, &size).unwrap());
        let columns = pixels.iter().map(|pixel| pixel[0]);
        (columns.clone().max().unwrap() - columns.min().unwrap()) as f32 / drawn.width() as f32
    };
    assert!(extent(&world, &options(400)) > 0.6);
    assert!(extent(&world, &Options { fit: Some(Fit::World), ..options(400) }) < 0.1);
    // Zoom goes to the middle of the crowd.
    let zoom = Options { view: View { zoom: 2.0, ..View::default() }, ..options(400) };
    assert!(extent(&world, &zoom) > 0.9);
    // A crowd that fills its world is drawn with it.
    let mut settings = world.settings().clone();
    settings.size = Vector([1000.0, 1000.0]);
    let mut spread = World::<2>::new(settings).unwrap();
    let bird = spread.add_species(Species::new("bird")).unwrap();
    spread.spawn_many(bird, &[[100.0, 100.0], [900.0, 900.0]], &[[1.0, 0.0]; 2]).unwrap();
    let whole = Options { fit: Some(Fit::World), ..options(100) };
    assert!(picture(&spread, &options(100)).unwrap() == picture(&spread, &whole).unwrap());
    // Neither has an open world an edge to be drawn with.
    let open = Settings { size: Vector([1000.0, 1000.0]), edge: [Edge::Open; 2], ..Settings::default() };
    let mut open = World::<2>::new(open).unwrap();
    let bird = open.add_species(Species::new("bird")).unwrap();
    open.spawn_many(bird, &places, &[[1.0, 0.0]; 100]).unwrap();
    assert!(extent(&open, &options(400)) > 0.6);
}

#[test]
fn a_camera_that_moves_takes_trails_along() {
    let bounds = Bounds { low: Vector::ZERO, high: Vector([40.0, 40.0, 0.0]) };
    let line = |x: f32| Moving(bounds, x);
    let options = Options { trails: 50, ..options(200) };
    let mut painter = Painter::new(&line(10.0), &options).unwrap();
    painter.look_at(Vector([10.0, 20.0, 0.0]));
    painter.paint(&line(10.0));
    for step in 11..=20 {
        painter.look_at(Vector([step as f32, 20.0, 0.0]));
        painter.paint(&line(step as f32));
    }
    // The agent is in the middle, and its trail of ten metres behind it, at five pixels per metre.
    let empty = Painter::new(&line(10.0), &Options { trails: 0, ..options }).unwrap();
    let pixels = changed(painter.picture(), empty.picture());
    let left = pixels.iter().map(|pixel| pixel[0]).min().unwrap();
    assert!((44..=52).contains(&left), "{left}");
    assert!(pixels.contains(&[100, 100]));
}

/// One agent that moves along a line, one metre a tick.
struct Moving(Bounds, f32);

impl Drawable for Moving {
    fn subject(&self) -> Subject {
        Subject { agents: 1, ..Subject::new(2, self.0) }
    }

    fn tick(&self) -> u64 {
        self.1 as u64
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        let at = |x: f32| Vector([x, 20.0, 0.0]);
        each(&[DrawnAgent {
            before: at(self.1 - 1.0),
            velocity: Vector([1.0, 0.0, 0.0]),
            ..DrawnAgent::at(at(self.1))
        }]);
    }
}
