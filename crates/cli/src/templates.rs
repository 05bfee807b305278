//! Starters of scenarios, which work in any folder.

/// A starter: its name, its description, and its text with `NAME` in place of the scenario's name.
pub(crate) type Template = (&'static str, &'static str, &'static str);

/// All starters.
pub(crate) const TEMPLATES: [Template; 4] = [
    ("flock", "a flock in a periodic plane", include_str!("../templates/flock.toml")),
    ("shoal", "a shoal in three dimensions", include_str!("../templates/shoal.toml")),
    ("hunt", "hunters and prey, with states", include_str!("../templates/hunt.toml")),
    ("crowd", "people who leave a room through a door", include_str!("../templates/crowd.toml")),
];

/// The names of the starters.
pub(crate) fn names() -> [&'static str; TEMPLATES.len()] {
    TEMPLATES.map(|(name, ..)| name)
}
