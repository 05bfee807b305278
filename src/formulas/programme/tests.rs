//! Tests: the linear programme.

use super::*;
use crate::maths::Noise;

fn at<const D: usize>(vector: Vector<D>) -> [f64; D] {
    vector.0.map(f64::from)
}

fn along<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

/// Solves the equations `normal . x = bound` by Cramer's rule, for as many as there are dimensions.
fn vertex<const D: usize>(planes: &[([f64; D], f64)]) -> Option<[f64; D]> {
    let determinant = |columns: &dyn Fn(usize, usize) -> f64| {
        let m = |i, j| columns(i, j);
        if D == 2 {
            m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)
        } else {
            m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
                + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
        }
    };
    let whole = determinant(&|i, j| planes[i].0[j]);
    (whole.abs() > 1e-9).then(|| {
        std::array::from_fn(|axis| determinant(&|i, j| if j == axis { planes[i].1 } else { planes[i].0[j] }) / whole)
    })
}

/// The candidates for the optimum on the boundaries `planes`: the nearest point of their intersection to `to`, and
/// the points of it at full speed that are nearest to and farthest from `to`.
fn candidates<const D: usize>(planes: &[([f64; D], f64)], to: [f64; D], speed: f64) -> Vec<[f64; D]> {
    // An orthonormal basis of the normals, by Gram and Schmidt, with the bounds along it.
    let mut basis: Vec<([f64; D], f64)> = Vec::new();
    for &(mut normal, mut bound) in planes {
        for (known, its) in &basis {
            let share = along(known, &normal);
            (0..D).for_each(|axis| normal[axis] -= share * known[axis]);
            bound -= share * its;
        }
        let length = along(&normal, &normal).sqrt();
        if length < 1e-4 {
            return Vec::new();
        }
        basis.push((normal.map(|component| component / length), bound / length));
    }
    let (mut foot, mut inside) = ([0.0; D], to);
    for (normal, bound) in &basis {
        let share = along(normal, &to);
        (0..D).for_each(|axis| {
            foot[axis] += normal[axis] * bound;
            inside[axis] -= normal[axis] * share;
        });
    }
    let (length, left) = (along(&inside, &inside).sqrt(), speed * speed - along(&foot, &foot));
    let mut found = vec![std::array::from_fn(|axis| foot[axis] + inside[axis])];
    if left >= 0.0 && length > 0.0 {
        for sign in [1.0, -1.0] {
            found.push(std::array::from_fn(|axis| foot[axis] + sign * inside[axis] / length * left.sqrt()));
        }
    }
    found
}

/// The distance from `to` to the nearest permitted velocity, over all vertices, edges and faces.
fn brute_force<const D: usize>(half_spaces: &[HalfSpace<D>], speed: f64, to: [f64; D]) -> Option<f64> {
    let planes: Vec<_> = half_spaces.iter().map(|one| (at(one.normal), f64::from(one.bound))).collect();
    let mut all = candidates(&[], to, speed);
    for i in 0..planes.len() {
        all.extend(candidates(&[planes[i]], to, speed));
        for j in 0..i {
            if D == 2 {
                all.extend(vertex(&[planes[i], planes[j]]));
                continue;
            }
            all.extend(candidates(&[planes[i], planes[j]], to, speed));
            all.extend((0..j).filter_map(|k| vertex(&[planes[i], planes[j], planes[k]])));
        }
    }
    let permitted = |at: &[f64; D]| {
        along(at, at) <= speed * speed + 1e-6 && planes.iter().all(|(normal, bound)| along(normal, at) >= bound - 1e-6)
    };
    let distance = |at: &[f64; D]| (0..D).map(|axis| (at[axis] - to[axis]).powi(2)).sum::<f64>().sqrt(); // bits: a test
    all.iter().filter(|at| permitted(at)).map(distance).min_by(f64::total_cmp)
}

fn drawn<const D: usize>(noise: &mut Noise, count: usize, low: f32) -> Vec<HalfSpace<D>> {
    (0..count).map(|_| HalfSpace { normal: noise.direction(), bound: noise.between(low, 0.8) }).collect()
}

fn optimum_is_that_of_brute_force<const D: usize>() {
    let mut noise = Noise::new(3, 0, 0, 0);
    let (mut solved, mut unsolved) = (0, 0);
    for round in 0..3000 {
        let half_spaces = drawn::<D>(&mut noise, round % 9, -1.5);
        let preferred = noise.in_ball::<D>() * 3.0;
        let velocity = nearest_permitted(&half_spaces, 2.0, preferred);
        match brute_force(&half_spaces, 2.0, at(preferred)) {
            Some(best) => {
                let Ok(velocity) = velocity else { continue };
                solved += 1;
                assert!(velocity.length() < 2.0 + 1e-4, "{velocity:?}");
                assert!(half_spaces.iter().all(|one| one.missing(velocity) < 1e-3), "{half_spaces:?}");
                let distance = f64::from(velocity.distance(preferred));
                assert!((distance - best).abs() < 2e-3, "{distance} {best}: {half_spaces:?}");
            }
            None => {
                unsolved += 1;
                assert!(velocity.is_err(), "{half_spaces:?}");
            }
        }
    }
    assert!(solved > 1000 && unsolved > 50, "{solved} {unsolved}");
}

#[test]
fn the_optimum_is_that_of_all_vertices() {
    optimum_is_that_of_brute_force::<2>();
    optimum_is_that_of_brute_force::<3>();
}

/// The worst violation, and the least worst violation over a grid of velocities.
fn worst_and_least<const D: usize>(half_spaces: &[HalfSpace<D>], velocity: Vector<D>) -> (f32, f32) {
    let worst = |velocity: Vector<D>| {
        let missing = half_spaces.iter().map(|one| one.missing(velocity));
        missing.fold(f32::NEG_INFINITY, |worst, missing| if missing > worst { missing } else { worst })
    };
    let steps: usize = if D == 2 { 80 } else { 26 };
    let mut least = f32::INFINITY;
    for mut number in 0..steps.pow(D as u32) {
        let at = Vector::from_fn(|_| {
            let step = number % steps;
            number /= steps;
            (step as f32 / (steps - 1) as f32 - 0.5) * 4.0
        });
        let here = worst(at);
        least = if at.length() <= 2.0 && here < least { here } else { least };
    }
    (worst(velocity), least)
}

fn violation_is_least<const D: usize>() {
    let mut noise = Noise::new(4, 0, 0, 0);
    let mut unsolved = 0;
    for _ in 0..60 {
        let half_spaces = drawn::<D>(&mut noise, 12, 0.2);
        let velocity = nearest_velocity(&half_spaces, 0, 2.0, Vector::ZERO);
        unsolved += i32::from(nearest_permitted(&half_spaces, 2.0, Vector::ZERO).is_err());
        let (worst, least) = worst_and_least(&half_spaces, velocity);
        assert!(worst < least + 2e-3 && velocity.length() < 2.0 + 1e-4, "{worst} {least} {half_spaces:?}");
    }
    assert!(unsolved > 40);
}

#[test]
fn without_a_permitted_velocity_the_worst_violation_is_least() {
    violation_is_least::<2>();
    violation_is_least::<3>();
}

#[test]
fn walls_hold_where_neighbours_cannot() {
    // A wall forbids to go down. Two neighbours demand to go down, and to the right.
    let wall = HalfSpace { normal: Vector([0.0, 1.0]), bound: 0.0 };
    let down = HalfSpace { normal: Vector([0.0, -1.0]), bound: 1.0 };
    let velocity = nearest_velocity(&[wall, down], 1, 2.0, [1.0, 0.0]);
    assert!(velocity[1] >= 0.0, "{velocity:?}");
    assert!(nearest_velocity(&[wall, down], 0, 2.0, [1.0, 0.0])[1] < -0.4);
}
