//! Tests of extreme and missing values, and of a behaviour that writes no forces.

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{AgentRef, Behaviour, Error, Forces, Rows, Settings, Species, SpeciesFilter, Vector, World};

/// Returns a constant force.
#[derive(Debug)]
struct Push<const D: usize>(Vector<D>);

impl<const D: usize> Behaviour<D> for Push<D> {
    fn steer(&self, _: &AgentRef<'_, D>) -> Vector<D> {
        self.0
    }
}

/// Writes no force for any row.
#[derive(Debug)]
struct Silent;

impl Behaviour<2> for Silent {
    fn steer(&self, _: &AgentRef<'_, 2>) -> Vector<2> {
        Vector::ZERO
    }

    fn steer_rows(&self, _: &Rows<'_, 2>, _: &mut Forces<'_, 2>) {}
}

/// Returns the velocity of one agent of a species after a tick of one second.
fn velocity_after<const D: usize>(species: Species<D>, velocity: Vector<D>) -> Vector<D> {
    let mut world = World::new(Settings { tick_seconds: 1.0, ..Settings::default() }).unwrap();
    let species = world.add_species(species).unwrap();
    world.spawn(species, Vector::splat(1.0), velocity).unwrap();
    world.step();
    world.agents(species).unwrap().velocity(0)
}

#[test]
fn a_huge_force_is_truncated_like_any_other() {
    for force in [100.0, 1e18, 1e20, f32::MAX] {
        let species = Species::new("pushed").with(1.0, Push(Vector([force, 0.0])));
        assert_eq!(velocity_after(species, Vector::ZERO), Vector([10.0, 0.0]), "{force} N");
    }
}

#[test]
fn masses_that_are_too_small_are_refused() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    for mass in [0.0, 1e-39, 1e-7, -1.0, f32::NAN] {
        let species = Species { mass: mass.into(), ..Species::new("feather") };
        assert!(matches!(world.add_species(species), Err(Error::BadValue(bad)) if bad.what == "mass"), "{mass}");
    }
    let lightest = Species { mass: 1e-6.into(), max_force: 1e9.into(), ..Species::new("feather") };
    assert_eq!(velocity_after(lightest.with(1.0, Push(Vector([0.0, 1e9]))), Vector::ZERO), Vector([0.0, 10.0]));
}

#[test]
fn the_turn_rate_is_limited_along_every_axis() {
    for axis in 0..3 {
        let forwards = Vector::<3>::from_fn(|other| if other == axis { 1.0 } else { 0.0 });
        let species = Species { max_turn_rate: 45.0, ..Species::new("slow").with(1.0, Push(forwards * -30.0)) };
        let after = velocity_after(species, forwards).direction();
        assert!((after.dot(forwards) - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-5, "axis {axis}: {after:?}");
    }
}

#[test]
fn invalid_radii_and_fields_of_view_are_refused() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    for (radius, fov) in [(-5.0, 360.0), (f32::NAN, 360.0), (2e6, 360.0), (5.0, -1.0), (5.0, f32::NAN)] {
        let rule = Separation { radius, fov, ..Separation::default() };
        assert!(world.add_species(Species::new("a").with(1.0, rule)).is_err(), "{radius} m, {fov} degrees");
    }
}

#[test]
fn agents_without_a_written_force_are_not_steered() {
    // The same thread steers the other species first, so its forces could remain in a buffer.
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        let mut world = World::<2>::new(Settings::default()).unwrap();
        let pushed = world.add_species(Species::new("pushed").with(1.0, Push(Vector::splat(3.0)))).unwrap();
        let free = world.add_species(Species::new("free").with(1.0, Silent)).unwrap();
        world.spawn(pushed, [1.0, 1.0], [1.0, 0.0]).unwrap();
        world.spawn(free, [2.0, 1.0], [1.0, 0.0]).unwrap();
        world.step();
        assert_eq!(world.steering(free).unwrap(), [&[0.0][..], &[0.0]], "one force per agent, all zero");
    });
}

#[test]
fn a_point_many_periods_away_has_a_nearest_image() {
    let settings = Settings::<2> { size: Vector([10.0, 10.0]), ..Settings::default() };
    for (to, offset) in [(23.0, 2.0), (-19.0, 0.0), (6.5, -4.5), (-13.5, -4.5), (1_004.0, 3.0)] {
        assert_eq!(settings.offset([1.0, 5.0], [to, 5.0]), Vector([offset, 0.0]), "to {to}");
    }
}

/// Returns the number of neighbours that a tick counts for an agent beside one of the same or of another species.
fn counted(rules: Species<2>, beside: &str) -> u64 {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let own = world.add_species(rules).unwrap();
    let other = world.add_species(Species::new("b")).unwrap();
    world.spawn(own, [1.0, 1.0], [1.0, 0.0]).unwrap();
    world.spawn(if beside == "b" { other } else { own }, [2.0, 1.0], [1.0, 0.0]).unwrap();
    world.step();
    world.profile().neighbours
}

#[test]
fn a_neighbour_is_counted_once_and_in_the_widest_view() {
    let of_two_passes = Species::new("a")
        .with(1.0, Cohesion { radius: 5.0, from: SpeciesFilter::All, ..Cohesion::default() })
        .with(1.0, Alignment { radius: 10.0, from: SpeciesFilter::named("b"), ..Alignment::default() });
    assert_eq!(counted(of_two_passes, "b"), 1);
    let narrow_and_wide = Species::new("a")
        .with(1.0, Alignment { radius: 5.0, fov: 90.0, ..Alignment::default() })
        .with(1.0, Separation { radius: 5.0, ..Separation::default() });
    assert_eq!(counted(narrow_and_wide, "a"), 2);
}
