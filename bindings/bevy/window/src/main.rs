//! A flock of five thousand entities in a window: `cargo run --release --manifest-path bindings/bevy/window/Cargo.toml`.

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy_throng::throng::behaviours::{Alignment, Cohesion, Separation};
use bevy_throng::throng::{self, Settings, Species, Vector};
use bevy_throng::{Agent, Body, Throng, ThrongPlugin};

const BIRDS: usize = 5000;
/// The length of a side of the world in metres.
const SIDE: f32 = 250.0;
/// The simulated time of a tick in seconds.
const TICK: f32 = 1.0 / 60.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, ThrongPlugin::<2>::default().with_tick(TICK)))
        .insert_resource(ClearColor(Color::srgb(0.035, 0.05, 0.095)))
        .add_systems(Startup, start)
        .run();
}

/// Fills the world with birds, each an entity with a mesh. The plugin moves their transforms.
fn start(
    mut commands: Commands<'_, '_>,
    mut meshes: ResMut<'_, Assets<Mesh>>,
    mut materials: ResMut<'_, Assets<ColorMaterial>>,
) -> Result {
    let scaling_mode = ScalingMode::AutoMin { min_width: SIDE, min_height: SIDE };
    let projection = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection), Transform::from_xyz(0.5 * SIDE, 0.5 * SIDE, 0.0)));

    let size = Vector([SIDE, SIDE]);
    let mut world = throng::World::<2>::new(Settings { size, tick_seconds: TICK, ..Settings::default() })?;
    let bird = Species::new("bird").with(1.5, Separation::default()).with(1.0, Alignment::default());
    let bird = world.add_species(bird.with(1.0, Cohesion::default()))?;
    let world = commands.spawn(Throng::new(world)).id();

    let dart = meshes.add(Triangle2d::new(Vec2::new(1.2, 0.0), Vec2::new(-0.8, 0.6), Vec2::new(-0.8, -0.6)));
    let blue = materials.add(Color::srgb(0.34, 0.71, 0.91));
    let birds = (0..BIRDS).map(move |number| {
        // The points of a sequence that fills a square evenly (Roberts 2018), each with a direction of its own.
        let share = |step: f32| (0.5 + number as f32 * step).fract();
        let direction = Vec2::from_angle(number as f32);
        let body = Body {
            position: Vector([SIDE * share(0.754_877_7), SIDE * share(0.569_840_3)]),
            velocity: Vector([5.0 * direction.x, 5.0 * direction.y]),
        };
        (Agent::<2>::new(world, bird), body, Mesh2d(dart.clone()), MeshMaterial2d(blue.clone()))
    });
    commands.spawn_batch(birds.collect::<Vec<_>>());
    Ok(())
}
