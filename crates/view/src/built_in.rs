//! The scenarios inside the program, in groups, the best of each group first.

/// A group of scenarios: its name, and the names and texts of its scenarios.
pub type Group = (&'static str, &'static [BuiltIn]);

/// The name and the text of a scenario.
pub type BuiltIn = (&'static str, &'static str);

macro_rules! groups {
    ($($group:literal: $($name:literal)*;)*) => {
        &[$(($group, &[$(($name, include_str!(concat!(env!("THRONG_SCENARIOS"), "/", $name, ".toml")))),*])),*]
    };
}

/// All groups.
pub const GROUPS: &[Group] = groups! {
    "Flocks": "murmuration" "flock" "shoal" "reynolds_1987" "nature_of_code" "netlogo_flocking"
        "mason_flockers" "unity_boids" "offset_pursuit";
    "Hunters": "hunt" "pursue" "evade" "flee" "hide";
    "People": "hall" "bottleneck" "circle" "stadium" "office" "tower" "counterflow" "crossing" "platform" "walk_to" "arrivals"
        "take_place" "stay_in_group" "stand" "walls" "avoid_neighbours" "queue" "stay_on_path";
    "Papers": "vicsek" "couzin" "mill" "olfati_saber" "gregoire_chate" "cucker_smale" "topological" "active_brownian"
        "physarum" "ants" "kuramoto" "swarmalators" "infection" "voter" "repulsion";
    "Single rules": "follow_flow_field" "wander" "separation" "alignment" "cohesion" "seek" "arrive" "avoid" "interpose"
        "match_velocity" "containment" "path" "tether" "wander_to_targets";
};

/// The name of the scenario that is shown first: small enough for any machine.
pub const START: &str = "flock";

/// All scenarios.
pub fn all() -> impl Iterator<Item = BuiltIn> {
    GROUPS.iter().flat_map(|(_, scenarios)| scenarios.iter().copied())
}

/// The text of the scenario with this name.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    all().find(|(other, _)| *other == name).map(|(_, text)| text)
}

/// The name of the scenario with this text.
#[must_use]
pub fn name_of(text: &str) -> Option<&'static str> {
    all().find(|(_, other)| *other == text).map(|(name, _)| name)
}

/// The number and the name of the group of the scenario with this text.
#[must_use]
pub fn group_of(text: &str) -> Option<(usize, &'static str)> {
    let is_in = |scenarios: &[BuiltIn]| scenarios.iter().any(|(_, other)| *other == text);
    GROUPS.iter().enumerate().find(|(_, (_, scenarios))| is_in(scenarios)).map(|(number, (name, _))| (number, *name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng_scenario::Scenario;

    use super::*;
    use crate::files::scenarios;

    #[test]
    fn every_scenario_of_the_repository_is_in_the_program_once() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios"));
        let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
        let files: Vec<String> = scenarios(folder).unwrap().iter().map(|path| stem(path)).collect();
        let mut names: Vec<&str> = all().map(|(name, _)| name).collect();
        names.sort_unstable();
        assert_eq!(names, files);
    }

    #[test]
    fn a_scenario_has_a_group_until_it_is_changed() {
        let hall = text("hall").unwrap();
        assert_eq!(group_of(hall), Some((2, "People")));
        assert_eq!(group_of(&hall.replace("500 people", "600 people")), None);
    }

    #[test]
    fn every_scenario_needs_no_other_file() {
        for (name, text) in all() {
            // Nothing lies beside it: a file that it named would be missing.
            let scenario = Scenario::parse(text, "no-such-folder/x").unwrap_or_else(|problems| panic!("{problems}"));
            assert!(!scenario.name().is_empty(), "{name}");
        }
    }
}
