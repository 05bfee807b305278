//! The choice of species to mix, those that perceive each other and are alike enough.

use std::collections::BTreeMap;

use crate::agents::Agents;
use crate::base::settings::Settings;
use crate::neighbour_lists::plan::{is_listed, view};
use crate::species::Quantity;
use crate::state::State;

/// The largest ratio of radii among species that share perceptions: all of them search the surroundings of the one with
/// the largest radius.
const RADII: f32 = 1.5;

/// The same for maximum speeds: the fastest species makes the lists and the order of all of them stale.
const SPEEDS: f32 = 4.0;

/// The width, like [`WIDTHS`], from which a mix takes species of all speeds. It is then sorted as often as the fastest one
/// needs, which costs less than separate searches.
const WIDTHS_OF_ALL_SPEEDS: f32 = 2.5;

/// The share of agents that are alike in speed from which the others, though mixing would pay for them, stay apart.
const MOST: f32 = 0.75;

/// Speeds below this share of the radius per tick count as alike.
const SLOW: f32 = 0.01;

/// The least ratio of the width of the species' own clusters to the width of the mix's clusters, on average over
/// agents, from which mixing pays. With fewer species, or where one dominates, separate searches are as fast as mixing.
const WIDTHS: f32 = 1.6;

/// A species that perceives the members of a mix, with its radius and its speed relative to that.
#[derive(Clone, Copy, Debug)]
struct Member {
    species: usize,
    agents: usize,
    radius: f32,
    /// The share of the radius that the fastest agents cover in a tick.
    speed: f32,
}

/// Returns the species to mix, and the largest radius of their shared passes. Among the sets that perceive the same
/// species, themselves included, it takes the one with the most agents. The result is a function of definitions,
/// settings and numbers of agents.
pub(crate) fn choose<const D: usize>(state: &State<D>) -> (Vec<bool>, f32) {
    let mut members = vec![false; state.species.len()];
    let sets = if members.len() < 2 { BTreeMap::new() } else { perceivers_by_set(state) };
    let agents = |perceivers: &[Member]| perceivers.iter().map(|member| member.agents).sum::<usize>();
    let Some(mut perceivers) = sets.into_values().rev().max_by_key(|perceivers| (agents(perceivers), perceivers.len()))
    else {
        return (members, 0.0);
    };
    keep_alike(&mut perceivers, RADII, |member| member.radius);
    let of_all_speeds = perceivers.clone();
    keep_alike(&mut perceivers, SPEEDS, |member| if member.speed > SLOW { member.speed } else { SLOW });
    let share = agents(&perceivers) as f32 / agents(&of_all_speeds).max(1) as f32;
    if share < MOST && widths(&of_all_speeds) >= WIDTHS_OF_ALL_SPEEDS {
        perceivers = of_all_speeds;
    }
    if widths(&perceivers) < WIDTHS {
        perceivers.clear();
    }
    let mut most = 0.0;
    for member in &perceivers {
        members[member.species] = true;
        most = if member.radius > most { member.radius } else { most };
    }
    (members, most)
}

/// Returns the ratio of the width of the species' own clusters to the width of clusters in a mix of them, on average
/// over agents.
fn widths(perceivers: &[Member]) -> f32 {
    let all = perceivers.iter().map(|member| member.agents).sum::<usize>().max(1) as f32;
    perceivers.iter().map(|member| (member.agents as f32 / all).sqrt()).fold(0.0, |sum, width| sum + width)
}

/// Returns, for each set of species that some species perceive for a sum, the perceiving species and their radii.
fn perceivers_by_set<const D: usize>(state: &State<D>) -> BTreeMap<Vec<usize>, Vec<Member>> {
    let mut sets = BTreeMap::<Vec<usize>, Vec<Member>>::new();
    let Settings { tick_seconds, .. } = state.settings;
    for ((species, definition), own) in state.species.iter().enumerate().zip(&state.agents) {
        for inputs in &state.inputs[species] {
            for (_, perception) in inputs.sums.iter().filter(|(_, seen)| !is_listed(own.species, &state.agents, seen)) {
                let perceives = |(_, other): &(usize, &Agents<D>)| perception.filter.perceives(own.species, other);
                let perceived = state.agents.iter().enumerate().filter(perceives).map(|(number, _)| number);
                let (perceived, (radius, _)) = (perceived.collect::<Vec<_>>(), view(perception));
                if perceived.len() < 2 || !perceived.contains(&species) || radius <= 0.0 {
                    continue;
                }
                let perceivers = sets.entry(perceived).or_default();
                if perceivers.last().is_none_or(|last| last.species != species) {
                    perceivers.push(Member { species, agents: own.len(), radius: 0.0, speed: 0.0 });
                }
                if let Some(last) = perceivers.last_mut().filter(|last| last.radius < radius) {
                    let speed = definition.largest(Quantity::MaxSpeed) * tick_seconds / radius;
                    (last.radius, last.speed) = (radius, speed);
                }
            }
        }
    }
    sets
}

/// Keeps members with values within a factor of each other: the selection with the most agents.
fn keep_alike(perceivers: &mut Vec<Member>, factor: f32, value: impl Fn(&Member) -> f32) {
    let alike = |low: &Member, other: &Member| (value(low)..=value(low) * factor).contains(&value(other));
    let agents = |low: &&Member| {
        let alike = perceivers.iter().filter(|other| alike(low, other));
        alike.fold((0, 0), |(agents, species), other| (agents + other.agents, species + 1))
    };
    if let Some(&low) = perceivers.iter().max_by_key(agents) {
        perceivers.retain(|other| alike(&low, other));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::{Alignment, Separation};
    use crate::{Species, SpeciesFilter, Vector};

    /// Returns the species that are mixed. Each is given by its number of agents, maximum speed, radius and filter.
    fn mixed(kinds: &[(usize, f32, f32, SpeciesFilter)]) -> Vec<usize> {
        let mut state = State::<2>::new(Settings { tick_seconds: 0.1, ..Settings::default() });
        for (number, (count, speed, radius, from)) in kinds.iter().enumerate() {
            let species = Species::new(format!("{number}"))
                .with(1.0, Separation { radius: 0.5 * radius, from: from.clone(), ..Separation::default() })
                .with(1.0, Alignment { radius: *radius, from: from.clone(), ..Alignment::default() })
                .with_max_speed(*speed);
            state.add_species(species).unwrap();
            for _ in 0..*count {
                state.spawn(number, Vector::ZERO, Vector::ZERO).unwrap();
            }
        }
        let (members, radius) = choose(&state);
        let radii = (0..kinds.len()).filter(|&number| members[number]).map(|number| kinds[number].2);
        assert_eq!(radius, radii.fold(0.0, |most, radius| if radius > most { radius } else { most }));
        (0..kinds.len()).filter(|&number| members[number]).collect()
    }

    fn named(names: &[&str]) -> SpeciesFilter {
        SpeciesFilter::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn species_that_perceive_each_other_and_themselves_are_mixed() {
        let all = |count| (count, 1.0, 5.0, SpeciesFilter::All);
        assert_eq!(mixed(&[all(10), all(20), all(30)]), [0, 1, 2]);
        assert_eq!(mixed(&[all(10), all(10)]), [0; 0]);
        assert_eq!(mixed(&[all(0), all(0)]), [0; 0]);
        assert_eq!(mixed(&[all(10)]), [0; 0]);
        assert_eq!(mixed(&[(10, 1.0, 5.0, SpeciesFilter::Own), (10, 1.0, 5.0, SpeciesFilter::Own)]), [0; 0]);
        // Hunters and prey perceive each other, but not their own species.
        assert_eq!(mixed(&[(10, 1.0, 5.0, named(&["1"])), (10, 1.0, 5.0, named(&["0"]))]), [0; 0]);
        // The larger of two sets is mixed.
        let of = |count, names: &[&str]| (count, 1.0, 5.0, named(names));
        let (first, second) = (|count| of(count, &["0", "1", "2"]), |count| of(count, &["3", "4", "5"]));
        assert_eq!(mixed(&[first(5), first(5), first(5), second(6), second(6), second(6)]), [3, 4, 5]);
        assert_eq!(mixed(&[first(6), first(6), first(6), second(6), second(6), second(6)]), [0, 1, 2]);
    }

    #[test]
    fn species_that_are_alike_are_mixed() {
        let kind = |count, speed, radius| (count, speed, radius, SpeciesFilter::All);
        assert_eq!(
            mixed(&[kind(50, 1.0, 5.0), kind(50, 1.0, 7.5), kind(50, 1.0, 6.0), kind(20, 1.0, 50.0)]),
            [0, 1, 2]
        );
        assert_eq!(
            mixed(&[kind(20, 1.0, 5.0), kind(50, 1.0, 8.0), kind(50, 1.0, 11.0), kind(50, 1.0, 9.0)]),
            [1, 2, 3]
        );
        assert_eq!(
            mixed(&[kind(50, 1.0, 5.0), kind(50, 3.0, 5.0), kind(50, 2.0, 5.0), kind(20, 30.0, 5.0)]),
            [0, 1, 2]
        );
        // Enough species of all speeds.
        let speeds = [1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 90.0, 90.0];
        assert_eq!(mixed(&speeds.map(|speed| kind(50, speed, 5.0))), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(mixed(&speeds[2..].iter().map(|&speed| kind(50, speed, 5.0)).collect::<Vec<_>>()), [1, 2, 3]);
        assert_eq!(
            mixed(
                &speeds[..7]
                    .iter()
                    .map(|&speed| kind(if speed == 1.0 { 300 } else { 50 }, speed, 5.0))
                    .collect::<Vec<_>>()
            ),
            [0, 1, 2]
        );
        // All of them slow.
        assert_eq!(mixed(&[kind(50, 0.0, 5.0), kind(50, 0.001, 5.0), kind(50, 0.4, 5.0)]), [0, 1, 2]);
        // One species has most agents; the largest of several, each half the one before, has half of them.
        assert_eq!(mixed(&[kind(300, 1.0, 5.0), kind(10, 1.0, 5.0), kind(10, 1.0, 5.0)]), [0; 0]);
        let halved: Vec<_> = (0..6).map(|number| kind(320 >> number, 1.0, 5.0)).collect();
        assert_eq!(mixed(&halved), [0, 1, 2, 3, 4, 5]);
    }
}
