//! Warnings of a scenario: those of its world, and keys without effect.

use crate::base::warning::{Warning, WarningKind};
use crate::scenario::build::BuildError;
use crate::scenario::definition::{Group, Scenario};
use crate::scenario::document::Node;
use crate::scenario::fields::Fields;
use crate::species::{Combine, QUANTITIES};
use crate::world::warnings::doubtful_angle;

/// The quantities that have an effect with every motion: a body has its size, and `max_speed` is the default of the initial
/// speed.
const ALWAYS: [&str; 2] = ["radius", "max_speed"];

impl Scenario {
    /// What the file allows and its author hardly means: the warnings of its world
    /// ([`World::warnings`](crate::World::warnings)) with the initial numbers of agents, and keys without effect. The keys
    /// are those of the file.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let warnings = match self.dimensions {
            3 => self.warnings_in::<3>(),
            _ => self.warnings_in::<2>(),
        };
        // A world that cannot be built has an error to say so.
        warnings.unwrap_or_default()
    }

    fn warnings_in<const D: usize>(&self) -> Result<Vec<Warning>, BuildError> {
        let agents: Vec<u64> = self.groups.iter().map(|group| group.count).collect();
        let mut warnings = self.build_without_agents::<D>()?.warnings_for(&agents);
        for group in &self.groups {
            warnings.extend(group.doubts.iter().cloned());
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
    /// Records what of the species' table only warnings need.
    pub(super) fn note(&mut self, fields: &Fields<'_>, place: Option<&Fields<'_>>) {
        let names = QUANTITIES.iter().map(|quantity| quantity.name);
        self.written = names.filter(|name| fields.entry(name).is_some()).collect();
        if let Some(place) = place
            && let Some((entry, key)) = place.find("heading")
            && let Node::Number(degrees, _) = entry.item.node
            && let Some(message) = doubtful_angle(key, degrees as f32)
        {
            self.doubts.push(Warning::new(WarningKind::Unit, place.path_of("heading"), message));
        }
    }
}
