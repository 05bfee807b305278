//! Warnings of a scenario: the warnings of its world, and keys without effect.

use throng::species::tables::QUANTITIES;
use throng::{Combine, Warning, WarningKind};

use crate::build::BuildError;
use crate::definition::{Group, RADIUS, Scenario};
use crate::document::Node;
use crate::fields::Fields;
use crate::items::ItemSpec;
use crate::navigation::clearance;
use crate::rules::RuleSpec;
use crate::wide::usual_radius;

/// The quantities that have an effect with every motion: a body has its size, and `max_speed` is the default of the initial
/// speed.
const ALWAYS: [&str; 2] = ["radius", "max_speed"];

impl Scenario {
    /// The warnings of the file: the warnings of its world ([`World::warnings`](throng::World::warnings)) with the
    /// initial numbers of agents, and keys without effect. The keys are the keys of the file.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let warnings = match self.dimensions {
            3 => self.warnings_in::<3>(),
            _ => self.warnings_in::<2>(),
        };
        // A world that cannot be built has an error to say so.
        warnings.unwrap_or_default()
    }

    /// Warns of obstacles that no rule and no way sees.
    fn unseen(&self) -> Option<Warning> {
        let is_seen = |group: &Group| {
            let mut navigations = self.environment.navigations.iter();
            group.own.word("sight") == "walls"
                || group.rules.iter().any(RuleSpec::sees_obstacles)
                || navigations.any(|way| group.follows(way.name()))
        };
        let message = "no rule sees obstacles: use the rule avoid_obstacles, or walls, which all agents keep off";
        let is_unseen = !self.environment.obstacles.is_empty() && !self.groups.iter().any(is_seen);
        is_unseen.then(|| Warning::new(WarningKind::Unused, "obstacle", message))
    }

    fn warnings_in<const D: usize>(&self) -> Result<Vec<Warning>, BuildError> {
        let agents: Vec<u64> = self.groups.iter().map(|group| group.count).collect();
        let mut warnings = self.build_without_agents::<D>()?.warnings_for(&agents);
        warnings.extend(self.doubts.iter().cloned());
        warnings.extend(self.unseen());
        for group in &self.groups {
            warnings.extend(group.doubts.iter().cloned());
            warnings.extend(group.collapse());
            warnings.extend(self.environment.navigations.iter().filter_map(|navigation| group.narrow(navigation)));
            let Some(motion) = &group.motion else { continue };
            let motion_of = motion.build::<D>(&self.registry)?;
            let Some(used) = motion_of.quantities(!group.rules.is_empty()) else { continue };
            // The forces of rules are truncated one by one.
            let truncates = |name: &str| name == "max_force" && group.combine == Combine::Truncated;
            let unused = |name: &&str| !used.contains(name) && !ALWAYS.contains(name) && !truncates(name);
            for name in group.written.iter().filter(|name| unused(name)) {
                let key = format!("species.{}.{name}", group.name);
                let message = format!("has no effect with the motion {}", motion.model());
                warnings.push(Warning::new(WarningKind::Unused, key, message));
            }
        }
        Ok(warnings)
    }
}

impl Group {
    /// Warns of bodies that are wider than the ways of a navigation.
    fn narrow(&self, navigation: &ItemSpec) -> Option<Warning> {
        let clearance = clearance(navigation);
        let own = usual_radius(self.quantities[RADIUS]);
        // Kinds that walk to goals take ways of their own.
        let of_kinds = if self.is_led_by_field(navigation.name()) { self.widest_of_kinds() } else { 0.0 };
        let radius = if of_kinds > own { of_kinds } else { own };
        if radius <= clearance * (1.0 + f32::EPSILON) || !self.follows(navigation.name()) {
            return None;
        }
        let key = format!("species.{}.radius", self.name);
        let message = format!(
            "bodies of radius {radius} m are wider than the clearance of {clearance} m of the navigation `{name}`, which \
             may lead them into passages that are too narrow: set navigation.{name}.clearance = {radius}",
            name = navigation.name()
        );
        Some(Warning::new(WarningKind::Narrow, key, message))
    }

    /// Warns of cohesion that is as strong as separation: both desire full speed however near the neighbours are.
    fn collapse(&self) -> Option<Warning> {
        let of = |rule: &'static str| self.rules.iter().filter_map(move |own| own.full(rule));
        let are_together = |one: Option<&str>, other: Option<&str>| one == other || one.is_none() || other.is_none();
        let pairs = of("cohesion").flat_map(|(pull, state)| of("separation").map(move |push| (pull, state, push)));
        let (pull, _, (push, _)) =
            pairs.filter(|(_, state, (_, other))| are_together(*state, *other)).find(|(pull, _, (push, _))| {
                self.motion.is_none() && self.combine == Combine::Weighted && pull >= push && *push > 0.0
            })?;
        let message = format!(
            "cohesion of weight {pull} outweighs separation of weight {push}: agents collapse into balls and slow down; at \
             most half the weight of separation keeps a flock"
        );
        Some(Warning::new(WarningKind::Collapse, format!("species.{}.cohesion.weight", self.name), message))
    }

    /// Records the keys of the species' table that only warnings need.
    pub(super) fn note(&mut self, fields: &Fields<'_>, place: Option<&Fields<'_>>) {
        let names = QUANTITIES.iter().map(|quantity| quantity.name);
        self.written = names.filter(|name| fields.entry(name).is_some()).collect();
        if let Some(place) = place
            && let Some((entry, key)) = place.find("heading")
            && let Node::Number(degrees, _) = entry.item.node
            && let Some(message) = key.doubt(degrees as f32)
        {
            self.doubts.push(Warning::new(WarningKind::Unit, place.path_of("heading"), message));
        }
    }
}
