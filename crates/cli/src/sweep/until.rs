//! Seeds until the mean egress curve of a combination of values has converged.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use throng::measures::{Convergence, Persons};

use crate::output::grouped;

/// The most seeds of a combination.
pub(super) const MOST_SEEDS: u64 = 100;

/// The exits of a run: the times at which agents left, ascending, and the number of agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Egress {
    agents: usize,
    exits: Vec<f64>,
}

impl From<&Persons> for Egress {
    fn from(persons: &Persons) -> Self {
        Self { agents: persons.all().len(), exits: persons.exit_times() }
    }
}

/// One word, from which the same bits are read back.
impl fmt::Display for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.agents)?;
        self.exits.iter().try_for_each(|exit| write!(f, ",{exit}"))
    }
}

impl Egress {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(',');
        let agents = words.next()?.parse().ok()?;
        Some(Self { agents, exits: words.map(|word| word.parse().ok()).collect::<Option<_>>()? })
    }
}

/// The seeds of one combination of values.
#[derive(Debug)]
struct Combination {
    convergence: Convergence,
    /// Finished runs after one that is not, by their seeds counted from zero.
    waiting: BTreeMap<u64, Egress>,
}

/// Which runs of a sweep are needed. Runs count in the order of their seeds, in whatever order they finish.
#[derive(Debug)]
pub(super) struct Until {
    tolerance: f64,
    combinations: Vec<Combination>,
}

impl Until {
    pub(super) fn new(tolerance: f64, combinations: u64) -> Self {
        let start = || Combination { convergence: Convergence::new(Some(tolerance)), waiting: BTreeMap::new() };
        Self { tolerance, combinations: (0..combinations).map(|_| start()).collect() }
    }

    /// Adds a finished run.
    pub(super) fn add(&mut self, run: u64, egress: Egress) {
        let Some(Combination { convergence, waiting }) = self.combinations.get_mut((run / MOST_SEEDS) as usize) else {
            return;
        };
        waiting.insert(run % MOST_SEEDS, egress);
        while !convergence.is_reached()
            && let Some(Egress { agents, exits }) = waiting.remove(&convergence.runs())
        {
            convergence.add(&exits, agents);
        }
    }

    /// Whether a run belongs to the sweep: false if the runs before it have converged.
    pub(super) fn needs(&self, run: u64) -> bool {
        let combination = self.combinations.get((run / MOST_SEEDS) as usize);
        combination.is_none_or(|Combination { convergence, .. }| {
            !convergence.is_reached() || run % MOST_SEEDS < convergence.runs()
        })
    }

    /// The number of runs of each combination, and whether they have converged.
    pub(super) fn json(&self) -> Value {
        let of = |Combination { convergence, .. }: &Combination| json!({ "runs": convergence.runs(), "converged": convergence.is_reached() });
        Value::Array(self.combinations.iter().map(of).collect())
    }

    /// How many runs the convergence took, as a sentence.
    pub(super) fn text(&self) -> String {
        let all = self.combinations.len();
        let reached = self.combinations.iter().filter(|combination| combination.convergence.is_reached());
        let runs: Vec<u64> = reached.map(|combination| combination.convergence.runs()).collect();
        let tolerance = self.tolerance;
        let (Some(least), Some(most)) = (runs.iter().min(), runs.iter().max()) else {
            return format!("not converged to {tolerance} after {MOST_SEEDS} seeds");
        };
        let number = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let of = match all {
            1 => String::new(),
            _ => format!(" in {} of {} combinations", grouped(runs.len() as u64), grouped(all as u64)),
        };
        format!("converged to {tolerance} after {number} seeds{of}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs that finish out of order, one of them late, need the same seeds as in order.
    #[test]
    fn seeds_count_in_their_order() {
        let egress = |run: u64| Egress { agents: 2, exits: vec![1.0, 2.0 + 1e-4 * (run % 3) as f64] };
        let (mut ordered, mut mixed) = (Until::new(0.2, 2), Until::new(0.2, 2));
        let needed = |until: &Until| (0..2 * MOST_SEEDS).filter(|run| until.needs(*run)).collect::<Vec<_>>();
        (0..30).for_each(|run| ordered.add(run, egress(run)));
        let order = [3, 2, 1, 4, 5, 6, 7, 8, 9, 12, 11, 10, 13, 14, 15, 16, 17, 18, 19, 20];
        order.into_iter().for_each(|run| mixed.add(run, egress(run)));
        assert!(mixed.needs(MOST_SEEDS - 1));
        mixed.add(0, egress(0));
        assert_eq!(needed(&mixed), needed(&ordered));
        assert!(mixed.needs(11) && !mixed.needs(13) && mixed.needs(MOST_SEEDS));
        let text = egress(2).to_string();
        assert_eq!((&text[..], Egress::parse(&text)), ("2,1,2.0002", Some(egress(2))));
        assert_eq!(Egress::parse("x"), None);
    }
}
