//! Kinds of people: their shares, and bodies, speeds and times that belong to one person.

use throng::columns::ColumnSlice;
use throng::{
    Arrivals, Distribution, Goal, Navigation, PersonKind, Quantity, Region, Settings, Sex, Shape, Source, Species,
    Vector, World,
};

use crate::distributions::{DRAWS, check, moments, rimea};

/// What a person has: its kind, its mass, its radius, its largest speed, and the time until it sets off.
type Person = (u32, [f64; 4]);

fn wheelchair(share: f32) -> PersonKind {
    PersonKind {
        radius: Some(0.4.into()),
        mass: Some(120.0.into()),
        max_speed: Some(Distribution::Uniform(0.3, 1.2)),
        pre_movement: Some(Distribution::Uniform(60.0, 90.0)),
        ..PersonKind::new("wheelchair", share)
    }
}

fn visitor() -> Species<2> {
    Species::people("visitor").with_pre_movement(5.0)
}

fn world(species: Species<2>) -> World<2> {
    let mut world = World::new(Settings { seed: 9, ..Settings::default() }).unwrap();
    world.add_species(species).unwrap();
    world
}

fn column<'w>(world: &'w World<2>, name: &str) -> ColumnSlice<'w> {
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    agents.columns().find(|column| column.name == name).unwrap_or_else(|| panic!("no column {name}")).numbers
}

fn persons(world: &World<2>) -> Vec<Person> {
    let agents = world.agents(world.find_species("visitor").unwrap()).unwrap();
    let (ColumnSlice::U32(kinds), ColumnSlice::F32(waits)) = (column(world, "kind"), column(world, "pre_movement"))
    else {
        panic!("other columns");
    };
    let person = |row: usize| {
        let quantities = [agents.mass(row), agents.radius(row), agents.max_speed(row), waits[row]];
        (kinds[row], quantities.map(f64::from))
    };
    (0..agents.len()).map(person).collect()
}

/// The people that a species draws.
fn draws(species: Species<2>) -> Vec<Person> {
    let mut world = world(species);
    let species = world.find_species("visitor").unwrap();
    for _ in 0..DRAWS {
        world.spawn(species, [1.0, 1.0], [0.0, 0.0]).unwrap();
    }
    persons(&world)
}

/// Whether a number of agents is a share of all, within four standard deviations.
fn is_share(count: usize, of: usize, share: f64) -> bool {
    (count as f64 / of as f64 - share).abs() < 4.0 * (share * (1.0 - share) / of as f64).sqrt()
}

#[test]
fn a_person_is_of_one_kind_in_all_that_it_has() {
    let pram = PersonKind { radius: Some(0.35.into()), ..PersonKind::new("pram", 0.1) };
    let people = draws(visitor().with_kinds([wheelchair(0.05), pram]));
    for (kind, share) in [(0, 0.85), (1, 0.05), (2, 0.1)] {
        let count = people.iter().filter(|person| person.0 == kind).count();
        assert!(is_share(count, DRAWS, share), "{count} of kind {kind}");
    }
    for (kind, [mass, radius, speed, waits]) in people {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        let fits = match kind {
            1 => near(mass, 120.0) && near(radius, f64::from(0.4_f32)) && (0.3..1.2).contains(&speed) && waits >= 60.0,
            2 => near(mass, 80.0) && near(radius, f64::from(0.35_f32)) && near(waits, 5.0),
            _ => {
                near(mass, 80.0)
                    && near(radius, f64::from(0.2_f32))
                    && near(speed, f64::from(1.34_f32))
                    && near(waits, 5.0)
            }
        };
        assert!(fits, "kind {kind}: {mass} kg, {radius} m, {speed} m/s, {waits} s");
    }
}

/// The speeds of all are the speeds of the guideline; bodies have the percentiles of DIN 33402-2, and the old are slow.
#[test]
fn residents_have_bodies_and_speeds_by_age_and_sex() {
    let kinds = PersonKind::residents(1.0);
    let people = draws(visitor().with_kinds(kinds.clone()));
    let mut speeds: Vec<f64> = people.iter().map(|person| person.1[2]).collect();
    speeds.sort_by(f64::total_cmp);
    check("residents", &speeds.iter().copied().step_by(40).collect::<Vec<_>>(), rimea);
    let of = |name: &str, quantity: usize| -> Vec<f64> {
        let kind = kinds.iter().position(|kind| kind.name == name).unwrap() as u32 + 1;
        people.iter().filter(|person| person.0 == kind).map(|person| person.1[quantity]).collect()
    };
    for (name, mass, breadths) in [("man", 85.8, [0.440, 0.480, 0.525]), ("woman", 69.2, [0.395, 0.435, 0.485])] {
        let mut radii = of(name, 1);
        radii.sort_by(f64::total_cmp);
        for (percentile, breadth) in [0.05, 0.5, 0.95].into_iter().zip(breadths) {
            let found = 2.0 * radii[(percentile * radii.len() as f64) as usize];
            // The breadths of the standard are skewed, and the draws are normal.
            assert!((found - breadth).abs() < 0.008, "{name}: {found} m at {percentile}");
        }
        let (found, _) = moments(&of(name, 0));
        assert!((found - mass).abs() < 0.5, "{name}: {found} kg");
    }
    // The mean speed of the guideline's diagram at 35 years, near the middle of these ages, and at 74.
    for (name, sex, low, high) in [
        ("woman", Sex::Female, 1.30, 1.45),
        ("man", Sex::Male, 1.45, 1.60),
        ("old_woman", Sex::Female, 0.85, 0.98),
        ("old_man", Sex::Male, 0.95, 1.08),
    ] {
        let (mean, _) = moments(&of(name, 2));
        assert!((low..high).contains(&mean), "{name}, {sex:?}: {mean} m/s");
    }
    // The widest are the heaviest.
    let (masses, radii) = (of("man", 0), of("man", 1));
    let ((mass, mass_sd), (radius, radius_sd)) = (moments(&masses), moments(&radii));
    let products = masses.iter().zip(&radii).map(|(one, other)| (one - mass) * (other - radius)).sum::<f64>();
    assert!(products / (masses.len() as f64 * mass_sd * radius_sd) > 0.99);
}

/// The agents of a source are of the kinds, and know the goals, of the shares; a snapshot has both, and a change of the
/// kinds draws the bodies again.
#[test]
fn sources_bring_kinds_that_know_their_goals() {
    let lift = PersonKind { familiar: vec![throng::Familiar::new("stairs", 0.0)], ..wheelchair(0.2) };
    let mut world = world(visitor().with_kinds([lift]).with_familiar("side", 0.25));
    let region = |at: f32| Shape::Box { centre: Vector([at, 50.0]), half: Vector([3.0, 45.0]) };
    for (name, at) in [("hall", 50.0), ("main", 5.0), ("side", 95.0), ("stairs", 80.0)] {
        world.environment_mut().regions.add(Region { name: name.to_owned(), shape: region(at) }).unwrap();
        if name != "hall" {
            let navigation = Navigation::new(name, vec![Goal::Region(name.to_owned())]);
            world.environment_mut().navigations.add(navigation).unwrap();
        }
    }
    let source = Source::new("gate", "visitor", "hall", Arrivals::at_once(400));
    world.environment_mut().sources.add(source).unwrap();
    world.step();
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    let loaded = World::<2>::load(&saved[..]).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    let people = persons(&loaded);
    assert_eq!(people.len(), 400);
    let wheelchairs = people.iter().filter(|person| person.0 == 1);
    assert!(is_share(wheelchairs.clone().count(), 400, 0.2));
    assert!(wheelchairs.clone().all(|person| person.1[1] > 0.39 && person.1[3] > 59.0));
    let ColumnSlice::U32(known) = column(&loaded, "familiar") else { panic!("another column") };
    let bits = |goal: usize| known.iter().filter(|known| *known >> goal & 1 == 1).count();
    assert_eq!(bits(0), 400, "all know the main exit");
    assert!(is_share(bits(1), 400, 0.25), "{} know the side exit", bits(1));
    for (person, known) in people.iter().zip(known) {
        assert_eq!(person.0 != 1, known >> 2 & 1 == 1, "wheelchairs do not take the stairs");
    }
    let species = world.find_species("visitor").unwrap();
    world.edit_species(species, |visitor| visitor.kinds.clear()).unwrap();
    let agents = world.agents(species).unwrap();
    assert!((0..agents.len()).all(|row| agents.radius(row) == 0.2 && agents.mass(row) == 80.0));
}

#[test]
fn kinds_that_contradict_each_other_are_refused() {
    let fits = |kinds: Vec<PersonKind>| visitor().with_kinds(kinds).check().is_ok();
    let of_ages = |from, to| PersonKind { ages: Some([from, to]), ..PersonKind::new("old", 0.5) };
    assert!(fits(vec![wheelchair(0.5), of_ages(65.0, 85.0)]));
    assert!(!fits(vec![wheelchair(0.6), of_ages(65.0, 85.0)]), "more than all");
    assert!(!fits(vec![wheelchair(0.1), wheelchair(0.1)]), "one name");
    assert!(
        !fits(vec![of_ages(5.0, 85.0)]) && !fits(vec![of_ages(80.0, 65.0)]) && !fits(vec![of_ages(f32::NAN, 70.0)])
    );
    assert!(!fits(vec![PersonKind::new("ghost", -0.1)]) && !fits(vec![PersonKind::new("ghost", f32::NAN)]));
    assert!(!fits(vec![PersonKind { radius: Some((-1.0).into()), ..PersonKind::new("ghost", 0.1) }]));
    assert!(Species::<2>::people("visitor").with_kinds([wheelchair(0.1)]).check().is_err(), "no time of the species");
    assert!(visitor().with_familiar("out", 1.5).check().is_err());
    let species = visitor().with_kinds([wheelchair(0.1)]);
    assert_eq!((species.largest(Quantity::Radius), species.largest(Quantity::MaxSpeed)), (0.4, 1.34));
}
