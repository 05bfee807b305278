//! Reading of the motion of a species, with values checked against the parameter table of its model.

use std::sync::Arc;

use throng::parameters::{Allowed, Kind, Value};
use throng::species::tables::MODEL_OF_PEOPLE;
use throng::{Error, Motion, Registry};

use crate::document::{Entry, Node};
use crate::fields::Reader;
use crate::reason::Reason;
use crate::rules::{KnownNames, read_values};

/// A motion in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MotionSpec {
    model: String,
    walks: bool,
    values: Vec<(&'static str, Value)>,
}

impl MotionSpec {
    /// The motion of people.
    pub(crate) fn people() -> Self {
        Self { model: MODEL_OF_PEOPLE.to_owned(), walks: true, values: Vec::new() }
    }

    /// The name of the model.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// Whether it is a model of people who walk.
    pub(crate) fn walks(&self) -> bool {
        self.walks
    }

    /// The numbers of the model: `motion.PARAMETER`.
    pub(crate) fn sliders(&self, registry: &Registry) -> Vec<String> {
        let own = registry.motion_named::<2>(&self.model);
        let parameters = own.iter().flat_map(|motion| motion.parameters());
        parameters.filter(|row| matches!(row.kind, Kind::Number(_))).map(|row| format!("motion.{}", row.name)).collect()
    }

    pub(crate) fn build<const D: usize>(&self, registry: &Registry) -> Result<Arc<dyn Motion<D>>, Error> {
        let unknown = || Error::UnknownRule(self.model.clone());
        let mut motion = registry.motion_named::<D>(&self.model).ok_or_else(unknown)?;
        for (name, value) in &self.values {
            motion.set(name, value)?;
        }
        Ok(Arc::from(motion as Box<dyn Motion<D>>))
    }
}

/// Reads the motion of a species; for people, the model may be left out.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    path: &str,
    of: (&Entry, bool),
    names: &KnownNames<'_>,
) -> Option<MotionSpec> {
    match names.dimensions {
        3 => read_one::<3>(reader, path, of, names),
        _ => read_one::<2>(reader, path, of, names),
    }
}

fn read_one<const D: usize>(
    reader: &mut Reader<'_>,
    path: &str,
    (entry, people): (&Entry, bool),
    names: &KnownNames<'_>,
) -> Option<MotionSpec> {
    let Node::Table(table) = &entry.item.node else {
        reader.refuse(path.to_owned(), &entry.item, Reason::MustBe(Allowed::Kind { kind: Kind::Motion, unit: "" }));
        return None;
    };
    let named = table.iter().find(|entry| entry.key == "model");
    let word = match named {
        Some(named) => named.item.node.text().unwrap_or_default(),
        None if people => MODEL_OF_PEOPLE,
        None => "",
    };
    let Some(mut motion) = names.registry.motion_named::<D>(word) else {
        let Some(named) = named else {
            let reason = Reason::Missing(Allowed::Kind { kind: Kind::Reference("model"), unit: "" });
            reader.note(entry.item.at, format!("{path}.model"), None, reason);
            return None;
        };
        let models: Vec<&str> = names.registry.motions::<D>().map(|motion| motion.rule()).collect();
        reader.refuse(format!("{path}.model"), &named.item, Reason::unknown("model", word, &models));
        return None;
    };
    let values = read_values(reader, path, table, &["model"], &mut *motion, names);
    Some(MotionSpec { model: motion.rule().to_owned(), walks: motion.walks(), values })
}
