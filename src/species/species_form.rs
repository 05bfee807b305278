//! Species in serde formats. A text leaves out defaults.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::rules::interface::Sight;
use crate::species::registry::Registry;
use crate::species::rule_form::{MotionForm, MotionTable, RuleForm};
use crate::species::states::{Catch, State, Variable};
use crate::species::{Combine, Contacts, Familiar, PersonKind, Species, tables};

/// Reads a [`Species`] with the rules and motions of a registry: see [`Registry::species_seed`].
#[derive(Clone, Copy, Debug)]
pub struct SpeciesSeed<'a, const D: usize>(&'a Registry);

impl Registry {
    /// Reads a species with the rules and motions of this registry, from any format of serde. `Species` by itself is
    /// read with the built-in ones.
    ///
    /// ```
    /// use serde::de::DeserializeSeed;
    /// use throng::{AgentRef, Behaviour, Registry, Vector};
    ///
    /// throng::rule! {
    ///     /// The agent stands.
    ///     "halt": "Stands."
    ///     struct Halt {}
    /// }
    ///
    /// impl<const D: usize> Behaviour<D> for Halt {
    ///     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
    ///         me.towards(Vector::ZERO)
    ///     }
    ///
    ///     throng::reflect!();
    /// }
    ///
    /// let text = r#"{ "name": "guard", "rules": [{ "rule": "halt" }] }"#;
    /// let registry = Registry::new().with(Halt {})?;
    /// let guard = registry.species_seed::<2>().deserialize(&mut serde_json::Deserializer::from_str(text))?;
    /// assert!(guard.rules[0].get::<Halt>().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn species_seed<const D: usize>(&self) -> SpeciesSeed<'_, D> {
        SpeciesSeed(self)
    }
}

impl<'de, const D: usize> DeserializeSeed<'de> for SpeciesSeed<'_, D> {
    type Value = Species<D>;

    fn deserialize<F: Deserializer<'de>>(self, from: F) -> Result<Species<D>, F::Error> {
        let species = Form::deserialize(from)?.species(self.0).map_err(F::Error::custom)?;
        species.check().map_err(F::Error::custom)?;
        Ok(species)
    }
}

/// Reads a species with the built-in rules and motions, and checks its values.
impl<'de, const D: usize> Deserialize<'de> for Species<D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        Registry::new().species_seed().deserialize(from)
    }
}

impl<const D: usize> Serialize for Species<D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let presets = Self::new("");
        let is_text = to.is_human_readable();
        let motion = self.motion.as_deref().map(MotionTable);
        // In the order of the form, which binary formats keep.
        let mut fields = to.serialize_struct("Species", 21)?;
        fields.serialize_field("name", &self.name)?;
        macro_rules! each {
            ($($field:ident: $value:expr, $is_preset:expr;)*) => {
                $(if is_text && $is_preset {
                    fields.skip_field(stringify!($field))?;
                } else {
                    fields.serialize_field(stringify!($field), $value)?;
                })*
            };
        }
        each! {
            mass: &self.mass, self.mass == presets.mass;
            radius: &self.radius, self.radius == presets.radius;
            max_speed: &self.max_speed, self.max_speed == presets.max_speed;
            max_force: &self.max_force, self.max_force == presets.max_force;
            min_speed: &self.min_speed, self.min_speed == presets.min_speed;
            max_turn_rate: &self.max_turn_rate, self.max_turn_rate == presets.max_turn_rate;
            response: &self.response, self.response == presets.response;
            moved_by_host: &self.moved_by_host, !self.moved_by_host;
            pre_movement: &self.pre_movement, self.pre_movement.is_none();
            lifetime: &self.lifetime, self.lifetime.is_none();
            combine: &self.combine, self.combine == presets.combine;
            variables: &self.variables, self.variables.is_empty();
            catch: &self.catch, self.catch.is_none();
            contacts: &self.contacts, self.contacts.is_none();
            motion: &motion, motion.is_none();
            rules: &self.rules, self.rules.is_empty();
            states: &self.states, self.states.is_empty();
            kinds: &self.kinds, self.kinds.is_empty();
            familiar: &self.familiar, self.familiar.is_empty();
            sight: &self.sight, self.sight == presets.sight;
        }
        fields.end()
    }
}

/// A species as it is read, before its rules and its motion are looked up.
#[derive(serde::Deserialize)]
#[serde(rename = "Species", deny_unknown_fields)]
struct Form {
    name: String,
    #[serde(default = "preset::<0, _>")]
    mass: Distribution,
    #[serde(default = "preset::<1, _>")]
    radius: Distribution,
    #[serde(default = "preset::<2, _>")]
    max_speed: Distribution,
    #[serde(default = "preset::<3, _>")]
    max_force: Distribution,
    #[serde(default = "preset::<4, _>")]
    min_speed: f32,
    #[serde(default = "preset::<5, _>")]
    max_turn_rate: f32,
    #[serde(default = "preset::<6, _>")]
    response: f32,
    #[serde(default)]
    moved_by_host: bool,
    #[serde(default)]
    pre_movement: Option<Distribution>,
    #[serde(default)]
    lifetime: Option<Distribution>,
    #[serde(default)]
    combine: Combine,
    #[serde(default)]
    variables: Vec<Variable>,
    #[serde(default)]
    catch: Option<Catch>,
    #[serde(default)]
    contacts: Option<Contacts>,
    #[serde(default)]
    motion: Option<MotionForm>,
    #[serde(default)]
    rules: Vec<RuleForm>,
    #[serde(default)]
    states: Vec<State>,
    #[serde(default)]
    kinds: Vec<PersonKind>,
    #[serde(default)]
    familiar: Vec<Familiar>,
    #[serde(default)]
    sight: Sight,
}

/// The default of the quantity with this number in [`QUANTITIES`](tables::QUANTITIES).
fn preset<const NUMBER: usize, T: From<f32>>() -> T {
    tables::defaults()[NUMBER].into()
}

impl Form {
    fn species<const D: usize>(self, registry: &Registry) -> Result<Species<D>, Error> {
        Ok(Species {
            name: self.name,
            mass: self.mass,
            radius: self.radius,
            max_speed: self.max_speed,
            max_force: self.max_force,
            min_speed: self.min_speed,
            max_turn_rate: self.max_turn_rate,
            response: self.response,
            moved_by_host: self.moved_by_host,
            motion: self.motion.map(|motion| motion.motion(registry)).transpose()?,
            rules: self.rules.into_iter().map(|rule| rule.rule(registry)).collect::<Result<_, _>>()?,
            combine: self.combine,
            states: self.states,
            variables: self.variables,
            catch: self.catch,
            contacts: self.contacts,
            pre_movement: self.pre_movement,
            lifetime: self.lifetime,
            kinds: self.kinds,
            familiar: self.familiar,
            sight: self.sight,
        })
    }
}
