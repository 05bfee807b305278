//! The naive engine: every agent tests every other, one after the other, in `f64`. Short enough to be obviously
//! correct.
//!
//! Two things are not in `f64`. The offset of a pair is computed in `f32` as it is defined, `to - from` and then the
//! image nearest to zero, because the offset defines which agents are neighbours. Where rounding may decide (a distance
//! within 4 units in the last place of the radius, a bearing within 1e-6 of the edge of the field of view) the answer
//! is `None`, which allows either.

use std::array::from_fn;

use throng::{AgentId, Edge, Settings, SpeciesFilter, World};

/// Half a unit in the last place of one, in `f32`: the largest relative error of one operation.
pub(crate) const EPSILON: f64 = 0.5 * f32::EPSILON as f64;

/// One agent.
#[derive(Clone, Debug)]
pub(crate) struct Agent<const D: usize> {
    pub(crate) id: AgentId,
    pub(crate) species: usize,
    pub(crate) position: [f32; D],
    pub(crate) velocity: [f32; D],
    /// A vector in the direction in which it looks.
    pub(crate) heading: [f32; D],
    pub(crate) goal: Option<[f32; D]>,
    pub(crate) mass: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
}

/// Returns all agents of a world in their present state, species by species, row by row.
pub(crate) fn agents<const D: usize>(world: &World<D>) -> Vec<Agent<D>> {
    let mut agents = Vec::new();
    for species in world.species_ids() {
        let rows = world.agents(species).unwrap();
        agents.extend(rows.ids().iter().enumerate().map(|(row, &id)| Agent {
            id,
            species: species.number(),
            position: rows.position(row).0,
            velocity: rows.velocity(row).0,
            heading: std::array::from_fn(|axis| rows.headings()[axis][row]),
            goal: rows.goal(row).map(|goal| goal.0),
            mass: rows.mass(row),
            max_speed: rows.max_speed(row),
            max_force: rows.max_force(row),
        }));
    }
    agents
}

/// The formula of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Formula {
    Separation,
    Alignment,
    Cohesion,
    /// Towards a point: the same coordinate on every axis.
    Seek(f32),
}

/// A rule of a species.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) kind: Formula,
    pub(crate) weight: f32,
    pub(crate) radius: f32,
    pub(crate) fov: f32,
    pub(crate) filter: SpeciesFilter,
}

/// Returns whether a species perceives another.
pub(crate) fn perceives_species(filter: &SpeciesFilter, own: usize, other: usize, names: &[&str]) -> bool {
    match filter {
        SpeciesFilter::Own => own == other,
        SpeciesFilter::All => true,
        SpeciesFilter::Named(perceived) => perceived.iter().any(|name| name == names[other]),
        _ => false,
    }
}

/// Returns the offset from one point to another: on a periodic axis, to its nearest image.
pub(crate) fn offset<const D: usize>(settings: &Settings<D>, from: [f32; D], to: [f32; D]) -> [f64; D] {
    from_fn(|axis| {
        let (direct, size) = (to[axis] - from[axis], settings.size[axis]);
        f64::from(match settings.edge[axis] {
            Edge::Wrap if direct > 0.5 * size => direct - size,
            Edge::Wrap if direct < -0.5 * size => direct + size,
            _ => direct,
        })
    })
}

/// Returns whether `me` sees `other`, whose species it perceives, or `None` where rounding may decide.
pub(crate) fn sees<const D: usize>(
    settings: &Settings<D>,
    me: &Agent<D>,
    other: &Agent<D>,
    radius: f32,
    fov: f32,
) -> Option<bool> {
    if me.id == other.id {
        return Some(false);
    }
    let offset = offset(settings, me.position, other.position);
    let (squared, radius_squared) = (dot(offset, offset), f64::from(radius) * f64::from(radius));
    if squared > 0.0 && (squared - radius_squared).abs() <= 4.0 * f64::from(f32::EPSILON) * radius_squared {
        return None;
    }
    if squared > radius_squared || fov >= 360.0 {
        return Some(squared <= radius_squared);
    }
    let heading = me.heading.map(f64::from);
    let product = length(heading) * length(offset);
    if product == 0.0 {
        return Some(true);
    }
    let ahead = dot(heading, offset) / product - (f64::from(fov) / 2.0).to_radians().cos();
    if ahead.abs() > 1e-6 { Some(ahead > 0.0) } else { None }
}

/// A vector, and the error bound of the same vector computed in `f32`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate<const D: usize> {
    pub(crate) value: [f64; D],
    pub(crate) error: f64,
}

/// Returns the force of one rule, or `None` where rounding or a random direction decides.
///
/// The error is the usual bound of a sum of `n` terms in `f32`: `n` times half a unit in the last place, times the sum
/// of the terms' lengths. Each term has an error of a few such halves itself, and the kernel adds and subtracts the
/// agent's own velocity, which makes two terms more. The error of a direction is the error of the sum divided by the
/// sum's length, so terms that cancel leave the direction nearly undetermined.
pub(crate) fn rule_force<const D: usize>(
    settings: &Settings<D>,
    agents: &[Agent<D>],
    names: &[&str],
    me: &Agent<D>,
    rule: &Rule,
    response: f32,
) -> Option<Estimate<D>> {
    let (mut sum, mut lengths, mut count) = ([0.0; D], 0.0, 0.0);
    for other in agents.iter().filter(|other| perceives_species(&rule.filter, me.species, other.species, names)) {
        let (Formula::Separation | Formula::Alignment | Formula::Cohesion) = rule.kind else { break };
        if !sees(settings, me, other, rule.radius, rule.fov)? {
            continue;
        }
        let offset = offset(settings, me.position, other.position);
        let term = match rule.kind {
            Formula::Separation if length(offset) == 0.0 => return None,
            Formula::Separation => scale(offset, -1.0 / dot(offset, offset)),
            Formula::Alignment => other.velocity.map(f64::from),
            _ => offset,
        };
        sum = add(sum, term);
        lengths += length(term);
        count += 1.0;
    }
    let velocity = me.velocity.map(f64::from);
    let speed = f64::from(me.max_speed);
    if let Formula::Seek(target) = rule.kind {
        sum = offset(settings, me.position, me.goal.unwrap_or([target; D]));
        lengths = length(sum);
    }
    let (desired, error) = match rule.kind {
        Formula::Alignment if count == 0.0 => return Some(Estimate { value: [0.0; D], error: 0.0 }),
        Formula::Alignment => (scale(sum, 1.0 / count), (count + 8.0) * EPSILON * (lengths + length(velocity)) / count),
        _ if lengths == 0.0 => return Some(Estimate { value: [0.0; D], error: 0.0 }),
        _ => {
            let relative = 2.0 * (count + 8.0) * EPSILON * lengths / length(sum);
            let error = if relative < 0.5 { relative * speed } else { 2.0 * speed + length(velocity) };
            (scale(direction(sum), speed), error)
        }
    };
    let value = scale(sub(desired, velocity), 1.0 / f64::from(response));
    let rounding = 4.0 * EPSILON * (length(desired) + length(velocity));
    Some(Estimate { value, error: (error + rounding) / f64::from(response) })
}

/// Returns the steering force of an agent before truncation: the weighted sum of its rules' forces.
pub(crate) fn steering<const D: usize>(
    settings: &Settings<D>,
    agents: &[Agent<D>],
    names: &[&str],
    me: &Agent<D>,
    rules: &[Rule],
    response: f32,
) -> Option<Estimate<D>> {
    let mut total = Estimate { value: [0.0; D], error: 0.0 };
    for rule in rules {
        let force = rule_force(settings, agents, names, me, rule, response)?;
        let weight = f64::from(rule.weight);
        total.value = add(total.value, scale(force.value, weight));
        let rounding = (rules.len() + 2) as f64 * EPSILON * length(force.value);
        total.error += weight.abs() * (force.error + rounding);
    }
    Some(total)
}

/// Returns velocity and position after a tick under a force, before the edge of the world is applied.
pub(crate) fn advance<const D: usize>(me: &Agent<D>, force: [f64; D], dt: f32, min_speed: f32) -> ([f64; D], [f64; D]) {
    let (dt, mass) = (f64::from(dt), f64::from(me.mass));
    let force = truncate(force, f64::from(me.max_force));
    let mut velocity = add(me.velocity.map(f64::from), scale(force, dt / mass));
    if length(velocity) > 0.0 && length(velocity) < f64::from(min_speed) {
        velocity = scale(direction(velocity), f64::from(min_speed));
    }
    velocity = truncate(velocity, f64::from(me.max_speed));
    (velocity, add(me.position.map(f64::from), scale(velocity, dt)))
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

pub(crate) fn length<const D: usize>(a: [f64; D]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn add<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    from_fn(|axis| a[axis] + b[axis])
}

pub(crate) fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn scale<const D: usize>(a: [f64; D], factor: f64) -> [f64; D] {
    a.map(|component| component * factor)
}

fn direction<const D: usize>(a: [f64; D]) -> [f64; D] {
    if length(a) > 0.0 { scale(a, 1.0 / length(a)) } else { a }
}

fn truncate<const D: usize>(a: [f64; D], longest: f64) -> [f64; D] {
    if length(a) > longest { scale(direction(a), longest) } else { a }
}
