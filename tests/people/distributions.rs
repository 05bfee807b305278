//! Distributions: means, deviations and Kolmogorov-Smirnov distances of drawn numbers from their closed forms.

use throng::{Distribution, Population, Settings, Species, World};

pub(crate) const DRAWS: usize = 40_000;

/// The largest speeds that agents draw, ascending.
fn draws(distribution: impl Into<Distribution>) -> Vec<f64> {
    let mut world = World::<2>::new(Settings { seed: 9, ..Settings::default() }).unwrap();
    let species = world.add_species(Species::new("walker").with_max_speed(distribution)).unwrap();
    for _ in 0..DRAWS {
        world.spawn(species, [1.0, 1.0], [0.0, 0.0]).unwrap();
    }
    let agents = world.agents(species).unwrap();
    let mut speeds: Vec<f64> = (0..agents.len()).map(|row| f64::from(agents.max_speed(row))).collect();
    speeds.sort_by(f64::total_cmp);
    speeds
}

/// The integral of a function over an interval, by Simpson's rule.
fn integral(from: f64, to: f64, of: impl Fn(f64) -> f64) -> f64 {
    let (steps, mut sum) = (400, of(from) + of(to));
    let width = (to - from) / f64::from(steps);
    for step in 1..steps {
        sum += of(from + width * f64::from(step)) * if step % 2 == 1 { 4.0 } else { 2.0 };
    }
    sum * width / 3.0
}

fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The distribution function of a normal number cut to an interval, in standard deviations.
fn normal(x: f64, low: f64, high: f64) -> f64 {
    let (low, high) = (low.max(-9.0), high.min(9.0));
    integral(low, x.clamp(low, high), density) / integral(low, high, density)
}

/// Checks draws against a distribution function: the Kolmogorov-Smirnov distance at a level of one in a thousand.
pub(crate) fn check(name: &str, draws: &[f64], function: impl Fn(f64) -> f64) {
    let count = draws.len() as f64;
    let distance = draws.iter().enumerate().step_by(7).fold(0.0f64, |most, (place, &draw)| {
        let expected = function(draw);
        most.max((expected - place as f64 / count).abs()).max(((place + 1) as f64 / count - expected).abs())
    });
    assert!(distance < 1.95 / count.sqrt(), "{name}: {distance}");
}

pub(crate) fn moments(draws: &[f64]) -> (f64, f64) {
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    (mean, (draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64).sqrt())
}

#[test]
fn normal_numbers_have_their_distribution() {
    for (mean, sd, low, high) in [
        (1.34, 0.26, 0.0, 1e6),
        (1.34, 0.26, 0.5, 2.0),
        (1.0, 0.5, 1.0, 1.2),
        (2.0, 1.0, 0.0, 2.0),
        (5.0, 100.0, 4.0, 9.0),
    ] {
        let draws = draws(Distribution::Normal { mean, sd, low, high });
        assert!(draws[0] >= f64::from(low) && draws[DRAWS - 1] <= f64::from(high));
        let [mean, sd, low, high] = [mean, sd, low, high].map(f64::from);
        let (a, b) = ((low - mean) / sd, (high - mean) / sd);
        check("normal", &draws, |x| normal((x - mean) / sd, a, b));
        let (a, b) = (a.max(-9.0), b.min(9.0));
        let mass = integral(a, b, density);
        let moment = |power: i32| integral(a, b, |x| x.powi(power) * density(x)) / mass;
        let (expected, deviation) = (mean + sd * moment(1), sd * (moment(2) - moment(1).powi(2)).sqrt());
        let (found, spread) = moments(&draws);
        assert!((found - expected).abs() < 4.0 * deviation / 200.0, "{found} {expected}");
        assert!((spread / deviation - 1.0).abs() < 0.02, "{spread} {deviation}");
    }
}

#[test]
fn lognormal_numbers_have_their_distribution() {
    for (median, log_sd, low, high) in [(1.5, 0.4, 0.0, 1e6), (1.5, 0.8, 1.0, 4.0)] {
        let draws = draws(Distribution::LogNormal { median, log_sd, low, high });
        let [median, log_sd, low, high] = [median, log_sd, low, high].map(f64::from);
        let standard = |x: f64| (x / median).ln() / log_sd;
        check("lognormal", &draws, |x| normal(standard(x), standard(low), standard(high)));
    }
    let (mean, _) = moments(&draws(Distribution::LogNormal { median: 1.5, log_sd: 0.4, low: 0.0, high: 1e6 }));
    // exp(mu + sigma^2 / 2)
    assert!((mean - 1.5 * 0.08f64.exp()).abs() < 0.01, "{mean}");
}

/// The distribution function of a gamma number of scale 1 cut to an interval, over the logarithm of the number.
fn gamma(shape: f64, x: f64, low: f64, high: f64) -> f64 {
    let mode = shape.ln();
    let density = |y: f64| (shape * (y - mode) - y.exp() + shape).exp();
    let ends = [low, high].map(|end: f64| end.ln().clamp(mode - 1.0 - 40.0 / shape, mode + 6.0));
    let part = |to: f64| {
        let at = |step: i32| ends[0] + (to - ends[0]) * f64::from(step) / 20.0;
        (0..20).map(|step| integral(at(step), at(step + 1), density)).sum::<f64>()
    };
    part(x.ln().clamp(ends[0], ends[1])) / part(ends[1])
}

#[test]
fn gamma_numbers_have_their_distribution() {
    for (shape, scale, low, high) in
        [(2.0, 1.5, 0.0, 1e6), (0.4, 3.0, 0.0, 1e6), (150.0, 0.01, 0.0, 1e6), (2.0, 1.0, 1.5, 2.5)]
    {
        let draws = draws(Distribution::Gamma { shape, scale, low, high });
        assert!(draws[0] >= f64::from(low) && draws[DRAWS - 1] <= f64::from(high));
        let [shape, scale, low, high] = [shape, scale, low, high].map(f64::from);
        let of: Vec<f64> = draws.iter().copied().step_by(40).collect();
        check("gamma", &of, |x| gamma(shape, x / scale, low / scale, high / scale));
        if high > 1e5 {
            let (mean, sd) = moments(&draws);
            assert!((mean / (shape * scale) - 1.0).abs() < 0.03, "{mean}");
            assert!((sd / (shape.sqrt() * scale) - 1.0).abs() < 0.05, "{sd}");
        }
    }
}

#[test]
fn weibull_numbers_have_their_distribution() {
    for (shape, scale, low, high) in [(1.5, 2.0, 0.0, 1e6), (0.6, 2.0, 0.0, 1e6), (3.0, 2.0, 1.0, 2.5)] {
        let draws = draws(Distribution::Weibull { shape, scale, low, high });
        assert!(draws[0] >= f64::from(low) && draws[DRAWS - 1] <= f64::from(high));
        let [shape, scale, low, high] = [shape, scale, low, high].map(f64::from);
        let above = |x: f64| (-(x / scale).powf(shape)).exp();
        check("weibull", &draws, |x| (above(low) - above(x)) / (above(low) - above(high)));
    }
}

/// The distribution function of walking speeds of RiMEA: an integral over ages, for both sexes.
pub(crate) fn rimea(speed: f64) -> f64 {
    let knots = [(10.0, 1.17), (20.0, 1.61), (50.0, 1.41), (85.0, 0.68)];
    let mean = |age: f64| {
        let pair = knots.windows(2).find(|pair| age <= pair[1].0).unwrap_or(&knots[2..]);
        pair[0].1 + (pair[1].1 - pair[0].1) * (age - pair[0].0) / (pair[1].0 - pair[0].0)
    };
    let of_age = |age: f64| density((age - 50.0) / 20.0);
    let below = |age: f64| {
        let of_sex = |factor: f64| normal((speed / (mean(age) * factor) - 1.0) / 0.193, -3.0, 3.0);
        0.5 * (of_sex(2.0 * 1.109 / 2.109) + of_sex(2.0 / 2.109)) * of_age(age)
    };
    integral(10.0, 85.0, below) / integral(10.0, 85.0, of_age)
}

#[test]
fn populations_have_the_speeds_of_their_guidelines() {
    let speeds = draws(Population::Rimea);
    check("rimea", &speeds.iter().copied().step_by(40).collect::<Vec<_>>(), rimea);
    let (mean, _) = moments(&speeds);
    // The mean over the ages of the guideline; Weidmann's mean of all people is 1.34.
    assert!((mean - 1.34).abs() < 0.05, "{mean}");

    let speeds = draws(Population::Weidmann);
    check("weidmann", &speeds, |x| normal((x - 1.34) / 0.26, -3.0, 3.0));
    let (mean, sd) = moments(&speeds);
    assert!((mean - 1.34).abs() < 0.005 && (sd / 0.26 - 1.0).abs() < 0.03, "{mean} {sd}");

    let uniform = |x: f64, low: f64, high: f64| ((x - low) / (high - low)).clamp(0.0, 1.0);
    let crew = |x: f64| 0.5 * uniform(x, 0.93, 1.55) + 0.5 * uniform(x, 1.11, 1.85);
    check("crew", &draws(Population::ImoCrew), crew);
    let groups = [
        (7.0, 0.93, 1.55),
        (7.0, 0.71, 1.19),
        (16.0, 0.56, 0.94),
        (10.0, 0.43, 0.71),
        (10.0, 0.37, 0.61),
        (7.0, 1.11, 1.85),
        (7.0, 0.97, 1.62),
        (16.0, 0.84, 1.40),
        (10.0, 0.64, 1.06),
        (10.0, 0.55, 0.91),
    ];
    let passengers = |x: f64| groups.iter().map(|&(share, low, high)| share / 100.0 * uniform(x, low, high)).sum();
    check("passengers", &draws(Population::ImoPassengers), passengers);
}

#[test]
fn bad_distributions_are_refused() {
    let fits = |speed: Distribution| Species::<2>::new("walker").with_max_speed(speed).check().is_ok();
    let normal = |mean, sd, low, high| Distribution::Normal { mean, sd, low, high };
    assert!(fits(normal(1.0, 0.1, 0.0, 2.0)));
    for (mean, sd, low, high) in [
        (3.0, 0.1, 0.0, 2.0),
        (1.0, 0.0, 0.0, 2.0),
        (1.0, -0.1, 0.0, 2.0),
        (1.0, 0.1, -1.0, 2.0),
        (1.0, 0.1, 2.0, 0.0),
        (f32::NAN, 0.1, 0.0, 2.0),
        (1.0, f32::INFINITY, 0.0, 2.0),
        (1.0, 0.1, 0.0, f32::INFINITY),
    ] {
        assert!(!fits(normal(mean, sd, low, high)), "{mean} {sd} {low} {high}");
    }
    assert!(!fits(Distribution::LogNormal { median: 0.0, log_sd: 1.0, low: 0.0, high: 2.0 }));
    let gamma = |shape, scale, low, high| Distribution::Gamma { shape, scale, low, high };
    let weibull = |shape, scale, low, high| Distribution::Weibull { shape, scale, low, high };
    assert!(fits(gamma(2.0, 1.0, 0.0, 9.0)) && fits(weibull(2.0, 1.0, 0.0, 9.0)));
    for (shape, scale, low, high) in [
        (0.0, 1.0, 0.0, 9.0),
        (2.0, 0.0, 0.0, 9.0),
        (2.0, 1.0, 3.0, 9.0),
        (2.0, 1.0, -1.0, 9.0),
        (2.0, f32::NAN, 0.0, 9.0),
    ] {
        assert!(
            !fits(gamma(shape, scale, low, high)) && !fits(weibull(shape, scale, low, high)),
            "{shape} {scale} {low}"
        );
    }
    assert!(fits(Population::Rimea.into()));
    assert!(Species::<2>::new("walker").with_mass(Population::Rimea).check().is_err());
}
