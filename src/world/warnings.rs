//! Warnings of a world: values that it allows and its author hardly means, and faults of its ticks.

use std::any::Any;

use crate::base::distribution::Distribution;
use crate::base::values::three_digits;
use crate::base::warning::{Warning, WarningKind};
use crate::environment::navigation::flat;
use crate::environment::{Link, Substance};
use crate::rules::behaviours::Expression;
use crate::rules::interface::Inputs;
use crate::rules::parameters::Reflect;
use crate::rules::stability::{Stability, TickOfSpecies};
use crate::species::tables::QUANTITIES;
use crate::species::{Combine, Quantity, Rule, Species};
use crate::state::State;
use crate::world::World;
use crate::world::compiled::Compiled;

/// The part of the difference to a desired velocity from which a tick ends farther from it than it began.
const UNSTABLE: f32 = 2.0;

/// The number of perception radii in a step from which agents pass by each other unseen.
const LONG: f32 = 3.0;

/// The pairs per tick of agents that perceive all others, from which a tick takes a second or more.
const COSTLY: f64 = 1e8;

/// The part of the largest speed by which the largest force changes a velocity in a tick, and the turn in degrees: with
/// narrower limits an overshoot is small.
const SMALL: (f32, f32) = (0.1, 30.0);

impl<const D: usize> World<D> {
    /// Settings that the definitions of the world allow and that their author probably does not intend, and faults in
    /// its ticks ([`faults`](Self::faults)). A world without warnings may still be wrong.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let agents: Vec<u64> = self.state.agents.iter().map(|agents| agents.len() as u64).collect();
        let mut warnings = self.warnings_for(&agents);
        warnings.extend(self.faults().warnings());
        warnings
    }

    /// The warnings of the definitions, for these numbers of agents of each species, in the order of the species; a
    /// host asks for them before it spawns the agents. A species without a number counts as having no agents.
    #[must_use]
    pub fn warnings_for(&self, agents: &[u64]) -> Vec<Warning> {
        let number_of = |species: usize| agents.get(species).copied().unwrap_or(0);
        let agents: Vec<u64> = (0..self.state.species.len()).map(number_of).collect();
        (Compiled::functions().warnings_for)(self, &agents)
    }

    /// The same for a number of agents of each species.
    pub(super) fn warnings_of(&self, agents: &[u64]) -> Vec<Warning> {
        let settings = &self.state.settings;
        let of = |(number, species): (usize, &Species<D>)| {
            let tick = TickOfSpecies {
                tick_seconds: settings.tick_seconds,
                mass: usual(species.mass),
                max_speed: usual(species.max_speed),
                response: species.response,
                agents: agents[number],
                diameter: settings.diameter(),
            };
            let mut warnings = angles(species);
            warnings.extend(self.cut(species));
            warnings.extend(overshoot(species, &tick));
            warnings.extend(stiff(species, &tick));
            warnings.extend(long_step(&self.state, number));
            warnings.extend(too_fast(species));
            warnings.extend(self.cost(number, agents));
            warnings
        };
        self.state.species.iter().enumerate().flat_map(of).chain(self.spread()).chain(self.unused_links()).collect()
    }

    /// Warns of substances whose cells are longer, or whose diffusion is less, than their definitions say.
    fn spread(&self) -> Vec<Warning> {
        let settings = &self.state.settings;
        let of = |substance: &Substance| {
            let length = settings.size[0] / substance.cells(settings)[0] as f32;
            let rates = substance.rates(settings).iter().sum::<f32>();
            let cell = (length > 2.0 * substance.cell && length < settings.size[0]).then(|| {
                ("cell", format!("the world has cells of {} m: it would have too many", three_digits(length)))
            });
            let diffusion = (rates > Substance::MOST_SPREAD).then(|| {
                let most = substance.diffusion * Substance::MOST_SPREAD / rates;
                ("diffusion", format!("with this tick, cells spread {} m²/s at most", three_digits(most)))
            });
            let warning = |(key, text)| Warning::new(WarningKind::Cut, format!("{}.{key}", substance.name), text);
            [cell, diffusion].into_iter().flatten().map(warning).collect::<Vec<_>>()
        };
        self.state.environment.substances.items().iter().flat_map(of).collect()
    }

    /// Warns of links over which no ways lead: none of those that are ready.
    fn unused_links(&self) -> impl Iterator<Item = Warning> {
        let environment = &self.state.environment;
        let fields = || (0..environment.navigations.len()).filter_map(|index| environment.navigation_field_at(index));
        let is_unused = move |link: &&Link<D>| {
            let ends = link.shapes(&environment.regions).map(|ends| ends.map(|end| flat(end.bounds().0)));
            fields().next().is_some() && !ends.is_some_and(|ends| fields().any(|field| field.has_ride(ends)))
        };
        environment.links.items().iter().filter(is_unused).map(|link| {
            let message = "no way leads over this link: one of its regions has no free cell, or is smaller than a cell";
            Warning::new(WarningKind::Narrow, format!("link {}", link.name), message)
        })
    }

    /// Warns of expressions that always want more than a limit of the species.
    fn cut(&self, species: &Species<D>) -> Vec<Warning> {
        let of = |rule: &Rule<D>| {
            let expression = (&*rule.behaviour as &dyn Any).downcast_ref::<Expression>()?;
            let (wanted, is_velocity) = expression.set.constant::<D>(self.level)?;
            let (what, limit, unit, most) = match is_velocity {
                true => ("velocity", "max_speed", "m/s", species.max_speed),
                false => ("force", "max_force", "N", species.max_force),
            };
            let most = most.largest();
            let message =
                format!("a {what} of {} {unit} is cut at {limit} = {}", three_digits(wanted), three_digits(most));
            let is_cut = wanted > most && (is_velocity || species.motion.is_none());
            is_cut.then(|| warning(WarningKind::Cut, species, "expression.set", message))
        };
        species.rules.iter().filter_map(of).collect()
    }

    /// Warns of many agents that all perceive all others.
    fn cost(&self, number: usize, agents: &[u64]) -> Option<Warning> {
        let State { species, agents: columns, settings, .. } = &self.state;
        let all = inputs(&self.state, number).flat_map(|(_, inputs)| {
            let whole = inputs.perceptions().filter(|seen| seen.nearest == 0 && settings.is_all(seen.radius));
            whole.map(|seen| seen.filter.species(columns[number].species, columns)).collect::<Vec<_>>()
        });
        let most = all
            .map(|seen| seen.numbers.iter().fold(0_u64, |sum, &seen| sum.saturating_add(agents[seen as usize])))
            .max()?;
        let pairs = agents[number] as f64 * most as f64;
        let reason = format!("each of {} agents perceives all {most}: {pairs:.1e} pairs in each tick", agents[number]);
        (pairs >= COSTLY).then(|| warning(WarningKind::Cost, &species[number], "", reason))
    }
}

fn warning<const D: usize>(kind: WarningKind, species: &Species<D>, key: &str, message: String) -> Warning {
    let point = if key.is_empty() { "" } else { "." };
    Warning::new(kind, format!("species.{}{point}{key}", species.name), message)
}

/// The inputs of the rules and of the motion of a species, with their names.
fn inputs<const D: usize>(state: &State<D>, number: usize) -> impl Iterator<Item = (&str, &Inputs)> {
    let names = state.species[number].rules.iter().map(|rule| rule.behaviour.name()).chain(["motion"]);
    names.zip(&state.inputs[number])
}

/// A value that most agents have about.
fn usual(distribution: Distribution) -> f32 {
    match distribution {
        Distribution::Uniform(low, high) => 0.5 * (low + high),
        Distribution::Normal { mean, .. } => mean,
        Distribution::LogNormal { median, .. } => median,
        Distribution::Gamma { shape, scale, .. } => shape * scale,
        Distribution::Weibull { scale, .. } => scale,
        other => other.largest(),
    }
}

/// Warns of a smallest speed that `max_speed` prevents.
fn too_fast<const D: usize>(species: &Species<D>) -> Option<Warning> {
    let (least, most) = (species.min_speed, usual(species.max_speed));
    let message = format!("{least} m/s has no effect above the largest speed, max_speed = {most} m/s");
    (least > most).then(|| warning(WarningKind::Unused, species, "min_speed", message))
}

/// Warns of rules that carry an agent past the velocity that they desire.
fn overshoot<const D: usize>(species: &Species<D>, tick: &TickOfSpecies) -> Option<Warning> {
    let (sum, state) = largest_weights(species);
    let reaction = |tick: &TickOfSpecies| match &species.motion {
        Some(motion) => motion.stability(tick).reaction,
        None => tick.reaction(),
    };
    let part = sum * reaction(tick);
    let is_small = species.motion.is_none() && {
        let push = usual(species.max_force) * tick.tick_seconds / tick.mass;
        push <= SMALL.0 * usual(species.max_speed) || species.max_turn_rate * tick.tick_seconds <= SMALL.1
    };
    if is_small || part.is_nan() || part <= UNSTABLE {
        return None;
    }
    let halves = |changed: TickOfSpecies| (reaction(&changed) - 0.5 * reaction(tick)).abs() < 1e-3 * reaction(tick);
    let mut facts =
        vec![format!("tick {} s", three_digits(tick.tick_seconds)), format!("sum of weights {}", three_digits(sum))];
    let mut advice = Vec::new();
    if halves(TickOfSpecies { tick_seconds: 0.5 * tick.tick_seconds, ..*tick }) {
        advice.push(format!("a tick of at most {} s", three_digits(tick.tick_seconds / (2.0 * part))));
    }
    if halves(TickOfSpecies { response: 2.0 * tick.response, ..*tick }) {
        facts.insert(0, format!("response {} s", three_digits(tick.response)));
        advice.push(format!("a response of at least {} s", three_digits(tick.response * 2.0 * part)));
    }
    if advice.len() < 2 {
        advice.push(format!("weights with a sum of at most {}", three_digits(sum / part)));
    }
    if tick.mass != 1.0 && species.motion.is_none() {
        facts.push(format!("mass {} kg", three_digits(tick.mass)));
    }
    let state = state.map_or(String::new(), |state| format!(" in the state `{state}`"));
    let message = format!("rules overshoot{state}: {}: use {}", facts.join(", "), advice.join(" or "));
    Some(warning(WarningKind::Overshoot, species, "response", message))
}

/// The largest sum of the weights of rules that desire velocities and act together, and the state in which they do.
fn largest_weights<const D: usize>(species: &Species<D>) -> (f32, Option<&str>) {
    let sum = |state: Option<&str>| {
        let acts = |during: &[String]| during.is_empty() || during.iter().any(|during| Some(&during[..]) == state);
        let rules = species.rules.iter().filter(|rule| acts(&rule.during) && rule.behaviour.desires_velocity());
        let weights = rules.map(|rule| if rule.weight > 0.0 { rule.weight } else { 0.0 });
        match species.combine {
            Combine::Priority(_) => weights.fold(0.0, |most, weight| if weight > most { weight } else { most }),
            _ => weights.sum(),
        }
    };
    let states = species.states.iter().map(|state| Some(&state.name[..]));
    let sums = std::iter::once(None).chain(states).map(|state| (sum(state), state));
    sums.fold((0.0, None), |most, sum| if sum.0 > most.0 { sum } else { most })
}

/// Warns of a model whose forces are too stiff for the tick.
fn stiff<const D: usize>(species: &Species<D>, tick: &TickOfSpecies) -> Option<Warning> {
    let motion = species.motion.as_ref()?;
    let Stability { longest_tick, .. } = motion.stability(tick);
    let (model, now, longest) = (species.model()?, three_digits(tick.tick_seconds), three_digits(longest_tick));
    let message = format!("the forces of {model} are too stiff for a tick of {now} s: use one of at most {longest} s");
    (tick.tick_seconds > longest_tick).then(|| warning(WarningKind::Stiff, species, "motion", message))
}

/// Warns of agents that move by several perception radii in a tick.
fn long_step<const D: usize>(state: &State<D>, number: usize) -> Option<Warning> {
    let species = &state.species[number];
    let quantities = species.motion.as_ref().map(|motion| motion.quantities(!species.rules.is_empty()));
    if quantities.is_some_and(|quantities| !quantities.is_some_and(|names| names.contains(&"max_speed"))) {
        return None;
    }
    let tick = state.settings.tick_seconds;
    let step = species.largest(Quantity::MaxSpeed) * tick;
    let seen =
        inputs(state, number).flat_map(|(name, inputs)| inputs.perceptions().map(move |seen| (name, seen.radius)));
    let (name, radius) = seen.filter(|(_, radius)| *radius > 0.0).min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (way, shorter) = (three_digits(step), three_digits(tick * radius / step));
    let message = format!(
        "an agent moves up to {way} m in a tick and perceives others within {} m: use a tick of at most {shorter} s",
        three_digits(radius)
    );
    (step > LONG * radius).then(|| warning(WarningKind::LongStep, species, name, message))
}

/// Warns of angles that look as if they were in another unit, and of noises that leave no order.
fn angles<const D: usize>(species: &Species<D>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let turn = QUANTITIES.iter().zip(species.quantities()).filter_map(|(quantity, value)| {
        let Distribution::Same(value) = value else { return None };
        Some(warning(WarningKind::Unit, species, quantity.name, quantity.doubt(value)?))
    });
    warnings.extend(turn);
    let mut add = |name: &str, table: &dyn Reflect| {
        for parameter in table.parameters() {
            let value = table.get(parameter.name).and_then(|value| value.number()).unwrap_or_default();
            if let Some(message) = parameter.doubt(value as f32) {
                warnings.push(warning(WarningKind::Unit, species, &format!("{name}.{}", parameter.name), message));
            }
        }
    };
    for rule in &species.rules {
        if let Some(table) = rule.behaviour.table() {
            add(table.rule(), table);
        }
    }
    if let Some(motion) = &species.motion {
        if let Some(table) = motion.table() {
            add("motion", table);
        }
        if let Some((parameter, message)) = motion.doubt() {
            warnings.push(warning(WarningKind::Noise, species, &format!("motion.{parameter}"), message));
        }
    }
    warnings
}
