//! The agents of a scenario in words: those at the start, and those that its sources bring.

use throng_scenario::{ExpectedArrivals, Scenario};

use crate::output::grouped;

/// All agents at the start and those that enter, in a few words: `50 000`, `500 enter`, `60 + 500 enter`.
pub(crate) fn brief(scenario: &Scenario) -> String {
    let (start, entering) = (grouped(scenario.agents()), number(scenario.arrivals(), "~"));
    match (scenario.agents(), entering) {
        (_, None) => start,
        (0, Some(number)) => format!("{number} enter"),
        (_, Some(number)) => format!("{start} + {number} enter"),
    }
}

/// The agents of each species at the start, and those that enter: `240 prey, 6 hunter`, `500 enter from 2 sources`.
pub(crate) fn described(scenario: &Scenario) -> String {
    let ExpectedArrivals { sources, .. } = scenario.arrivals();
    let present = scenario.species().filter(|(_, count)| *count > 0 || sources == 0);
    let mut parts: Vec<String> = present.map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    if let Some(number) = number(scenario.arrivals(), "about ") {
        parts.push(format!("{number} enter from {sources} {}", if sources == 1 { "source" } else { "sources" }));
    }
    parts.join(", ")
}

/// The number of agents that enter, if there are sources. `about` is before a number that is drawn.
fn number(ExpectedArrivals { sources, agents, exact }: ExpectedArrivals, about: &str) -> Option<String> {
    let number = match (agents, exact) {
        (0, false) => "others".to_owned(),
        (_, false) => format!("{about}{}", grouped(agents)),
        _ => grouped(agents),
    };
    (sources > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_of_sources_are_counted() {
        let world = "format = 1\nregion = [{ name = \"in\", centre = [5, 5], radius = 2 }]\n\
                     world = { dimensions = 2, size = [50, 50], edge = \"bounce\", tick = 0.1, ticks = 100 }\n\
                     [species.walker]\ncount = 3\n";
        let source = |name: &str, when: &str| {
            format!("[[source]]\nname = \"{name}\"\nspecies = \"walker\"\nregion = \"in\"\n{when}\n")
        };
        let of = |text: &str| {
            let scenario = Scenario::parse(text, "x").unwrap_or_else(|problems| panic!("{problems}"));
            [brief(&scenario), described(&scenario)]
        };
        assert_eq!(of(world), ["3", "3 walker"]);
        // Agents that a schedule adds after the last tick, of ten seconds, never come; a limit holds.
        let scheduled = source("a", "schedule = [[0.0, 4], [9.0, 5], [11.0, 100]]");
        let limited = source("b", "rate = 2.0\nlimit = 7");
        let both = format!("{}{scheduled}{limited}", world.replace("count = 3", "count = 0"));
        assert_eq!(of(&both), ["16 enter", "16 enter from 2 sources"]);
        let drawn = format!("{world}{}", source("a", "poisson = 2.0"));
        assert_eq!(of(&drawn), ["3 + ~20 enter", "3 walker, about 20 enter from 1 source"]);
    }
}
