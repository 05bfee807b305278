//! Own measures beside the same numbers computed here in double precision.

use throng::measures::{Measure, MeasureOf, Recorder, RecorderSettings, Series};
use throng::{AnyWorld, Distribution, Edge, Noise, Species, SpeciesId, Variable, World};

use crate::settings;

/// Two hundred flies with phases, and a hundred stones without, in a periodic world of 20 m.
fn world<const D: usize>() -> (World<D>, [SpeciesId; 2]) {
    let mut world = World::<D>::new(settings([20.0; D], Edge::Wrap)).unwrap();
    let mut fly = Species::new("fly");
    fly.variables =
        vec![Variable { name: "phase".into(), start: Distribution::Uniform(0.0, 7.0), low: -1e6, high: 1e6 }];
    let ids = [fly, Species::new("stone")].map(|species| world.add_species(species).unwrap());
    for number in 0..300 {
        let mut noise = Noise::new(4, number, 0, Noise::USER);
        let place: [f32; D] = std::array::from_fn(|_| noise.between(0.0, 20.0));
        let velocity: [f32; D] = std::array::from_fn(|_| noise.between(-1.0, 1.0));
        world.spawn(ids[usize::from(number >= 200)], place, velocity).unwrap();
    }
    (world, ids)
}

fn value<const D: usize>(world: &World<D>, text: &str) -> f64 {
    Measure::parse(text).unwrap().compute(world, None)
}

fn phases(world: &World<2>, fly: SpeciesId) -> Vec<f64> {
    world.agents(fly).unwrap().column::<f32>("phase").unwrap().iter().map(|phase| f64::from(*phase)).collect()
}

#[test]
fn the_order_of_phases_is_that_of_kuramoto() {
    let (world, [fly, _]) = world::<2>();
    let phases = phases(&world, fly);
    let sum = phases.iter().fold([0.0, 0.0], |[x, y], phase| [x + phase.cos(), y + phase.sin()]);
    let order = sum[0].hypot(sum[1]) / phases.len() as f64;
    let found = value(&world, "length(mean(vector(cos(phase), sin(phase))))");
    assert!((found - order).abs() < 1e-6, "{found}, expected {order}");
}

#[test]
fn functions_over_agents_agree_with_double_precision() {
    let (world, [fly, _]) = world::<2>();
    let mut phases = phases(&world, fly);
    let count = phases.len() as f64;
    let mean = phases.iter().sum::<f64>() / count;
    let deviation = (phases.iter().map(|phase| (phase - mean).powi(2)).sum::<f64>() / count).sqrt();
    let late = phases.iter().filter(|phase| **phase > 3.0).count() as f64;
    phases.sort_by(f64::total_cmp);
    let speeds: f64 =
        world.all_agents().iter().flat_map(|all| all.iter()).map(|one| f64::from(one.velocity.length())).sum();
    for (text, expected) in [
        ("mean(phase)", mean),
        ("sd(phase)", deviation),
        ("sqrt(mean((phase - mean(phase)) ^ 2))", deviation),
        ("count(phase > 3)", late),
        ("mean(phase > 3) * 100", 100.0 * late / count),
        ("quantile(phase, 0.95)", phases[189]),
        ("median(phase)", phases[99]),
        ("max(phase) - min(phase)", phases[199] - phases[0]),
        // Stones have no phase, and do not count beside it.
        ("count()", 300.0),
        ("count(phase == phase)", 200.0),
        ("sum(speed)", speeds),
        ("max(min(2, 3), count() / 600)", 2.0),
    ] {
        let found = value(&world, text);
        assert!((found - expected).abs() < 2e-6 * expected.abs().max(1.0), "{text}: {found}, expected {expected}");
    }
}

fn pairs<const D: usize>() {
    let (world, _) = world::<D>();
    let all: Vec<_> = world.all_agents().iter().flat_map(|all| all.iter()).collect();
    let (mut near, mut dots) = (0.0_f64, 0.0_f64);
    for one in &all {
        for other in all.iter().filter(|other| other.id != one.id) {
            let gap = (0..D).map(|axis| {
                let gap = (other.position[axis] - one.position[axis]).abs();
                if gap > 10.0 { 20.0 - gap } else { gap }
            });
            if gap.map(|gap| gap * gap).sum::<f32>() <= 9.0 {
                near += 1.0;
                dots += f64::from(one.velocity.dot(other.velocity));
            }
        }
    }
    let found = value(&world, "pairs(dot(velocity_i, velocity_j), 3)");
    assert!((found - dots / near).abs() < 1e-5, "{D}D: {found}, expected {}", dots / near);
    assert!((value(&world, "pairs(distance <= 3.0001, 3)") - 1.0).abs() < 1e-6);
}

#[test]
fn pairs_are_those_within_the_radius() {
    pairs::<2>();
    pairs::<3>();
}

#[test]
fn a_species_has_measures_of_its_own() {
    let (world, [_, stone]) = world::<2>();
    let stones = world.agents(stone).unwrap();
    let mean = stones.velocities()[0].iter().map(|x| f64::from(*x)).sum::<f64>() / 100.0;
    let world = AnyWorld::from(world);
    let of = MeasureOf::parse("drift.stone [m/s] = mean(velocity).x").unwrap();
    assert_eq!((of.to_string(), &*of.measure.unit), ("drift.stone".to_owned(), "m/s"));
    let mut series = Series::new(&[of, MeasureOf::parse("mean(phase)").unwrap()], None);
    series.observe(&world);
    series.measure(&world);
    let values: Vec<f64> = series.values().map(|values| values[0]).collect();
    assert!((values[0] - mean).abs() < 1e-6 && values[1].is_finite(), "{values:?}, expected {mean}");
}

#[test]
fn a_recorder_has_a_column_for_all_agents_and_for_each_species() {
    let (mut world, _) = world::<2>();
    let measures = vec![Measure::parse("phases = count(phase >= 0)").unwrap()];
    let mut recorder = Recorder::new(RecorderSettings { measures, ..RecorderSettings::default() });
    recorder.observe(&world);
    world.step();
    recorder.observe(&world);
    let columns: Vec<(&str, f64)> = recorder.columns().map(|column| (&column.name[..], column.value())).collect();
    assert_eq!(columns, [("phases", 200.0), ("phases.fly", 200.0), ("phases.stone", 0.0)]);
}

#[test]
fn mistakes_have_their_places() {
    for (text, expected) in [
        ("mean(phase", "at character 11, expected `)` before the end"),
        ("order = velocity.x", "at character 9, `velocity` is of an agent"),
        ("mean(velocity)", "at character 1, a measure is a number, and this is a vector"),
        ("mean(speed, mass)", "at character 1, `mean` takes 1 value, not 2"),
        ("mode(speed)", "at character 1, unknown function `mode`"),
        ("order = means(speed)", "did you mean `mean`?"),
        ("speeed", "unknown"),
        ("mean(speed_j)", "`speed_j`"),
    ] {
        let read = Measure::parse(text).and_then(|measure| measure.check(2, &["phase"]));
        let message = read.unwrap_err().to_string();
        assert!(message.contains(expected) || text == "speeed" && message.contains("one of"), "{text}: {message}");
    }
    let measure = Measure::parse("mean(phse)").unwrap();
    assert!(measure.check(2, &["phase"]).unwrap_err().to_string().contains("did you mean `phase`?"));
    // A third axis is checked where the number of dimensions is known.
    assert!(Measure::parse("mean(position).z").unwrap().check(2, &[]).is_err());
    assert!(Measure::parse("mean(position).z").unwrap().check(3, &[]).is_ok());
}
