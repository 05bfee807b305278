//! Definitions: types whose keys are declared once, with units, kinds, defaults and help.

use crate::base::error::Error;
use crate::base::values::{Allowed, Field, Kind, Parameter, Preset, Value};

/// A type that a user defines by its keys, such as [`Navigation`](crate::Navigation). Scenario files, the formats of
/// serde, the bindings, the JSON schema and the documents read its table.
///
/// ```
/// use throng::Navigation;
/// use throng::parameters::{Definition, Value};
///
/// let given = [("name", "exits".into()), ("goals", Value::Words(vec!["region:door".to_owned()]))];
/// let mut exits = Navigation::<2>::from_keys(&given)?;
/// assert_eq!(exits.clearance, 0.25);
/// exits.set("clearance", &0.4.into())?;
/// assert_eq!(exits.get("clearance"), Some(0.4.into()));
/// let error = exits.set("clearance", &(-1.0).into()).unwrap_err();
/// assert_eq!(error.to_string(), "clearance = -1: must be a number in [0, 1e6] m");
/// # Ok::<(), throng::Error>(())
/// ```
pub trait Definition: Sized {
    /// Its keys, in the order of its fields.
    const KEYS: &'static [Parameter];

    /// Keys that exclude each other, each with the further keys that it needs: exactly one is given. May be empty.
    const ALTERNATIVES: &'static [Alternative] = &[];

    /// The present value of a key, with the shortest decimal numbers; `None` if it has none.
    fn get(&self, key: &str) -> Option<Value>;

    /// Every key at its default. Required keys are empty, which a world may refuse.
    fn blank() -> Self;

    /// Reads the keys that the type has; others may be given too.
    ///
    /// # Errors
    ///
    /// As for [`from_keys`](Self::from_keys).
    fn read(given: &[(&str, Value)]) -> Result<Self, Error>;

    /// Checks that every key has a value that the table allows. Code can give a struct other values.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] for the first key with another value.
    fn check_keys(&self) -> Result<(), Error>;

    /// The key of this name in the table, which has it.
    #[doc(hidden)]
    fn key(name: &str) -> &'static Parameter {
        Self::KEYS.iter().find(|key| key.name == name).unwrap_or(&NO_KEY)
    }

    /// The definition with these values of its keys, and with the defaults of the others.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if it has no key of this name, if the table does not allow a value, or if a required key is
    /// missing.
    fn from_keys(given: &[(&str, Value)]) -> Result<Self, Error> {
        for (number, (key, _)) in given.iter().enumerate() {
            if Self::KEYS.iter().all(|known| known.name != *key) {
                return Err(unknown(Self::KEYS, key));
            }
            if given[..number].iter().any(|(other, _)| other == key) {
                return Err(Error::bad("key", *key, Allowed::NewName));
            }
        }
        check_alternatives(Self::ALTERNATIVES, given)?;
        let read = Self::read(given)?;
        read.check_keys()?;
        Ok(read)
    }

    /// The keys that are newer than their definition and do not have their defaults, for snapshots.
    #[doc(hidden)]
    fn added(&self) -> Vec<(&'static str, Value)> {
        let mut added = Self::KEYS.iter().filter(|key| key.added).peekable();
        if added.peek().is_none() {
            return Vec::new();
        }
        let usual = Self::blank();
        let values = added.filter_map(|key| Some((key.name, self.get(key.name)?)));
        values.filter(|(name, value)| usual.get(name).as_ref() != Some(value)).collect()
    }

    /// Sets the value of a key.
    ///
    /// # Errors
    ///
    /// As for [`from_keys`](Self::from_keys). An error leaves the definition unchanged.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), Error> {
        let others = Self::KEYS.iter().filter(|known| known.name != key);
        let mut given: Vec<_> = others.filter_map(|known| Some((known.name, self.get(known.name)?))).collect();
        given.push((key, value.clone()));
        *self = Self::from_keys(&given)?;
        Ok(())
    }
}

/// The error for a key that a table does not have.
pub(crate) fn unknown(keys: &[Parameter], key: &str) -> Error {
    Error::bad("key", key, Allowed::one_of(keys.iter().map(|known| known.name)))
}

/// A key that excludes others, and the further keys that it needs.
pub type Alternative = (&'static str, &'static [&'static str]);

/// A key that does not fit with the others that are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// Not exactly one of the alternatives is given.
    NotOne,
    /// A key is missing that the given alternative, the second name, needs.
    Missing(&'static str, &'static str),
    /// A key is given that only other alternatives than the given one, the second name, need.
    Unused(&'static str, &'static str),
}

/// The faults of some given keys: exactly one alternative is given, with the further keys that it needs and without those
/// that only others need.
#[must_use]
pub fn misfits(all: &[Alternative], is_given: impl Fn(&str) -> bool) -> Vec<Misfit> {
    let mut found = all.iter().filter(|(key, _)| is_given(key));
    let (Some(&(by, needed)), None) = (found.next(), found.next()) else {
        return if all.is_empty() { Vec::new() } else { vec![Misfit::NotOne] };
    };
    let mut others: Vec<&'static str> = all.iter().flat_map(|(_, others)| *others).copied().collect();
    others.dedup();
    let misfit = |key| match (is_given(key), needed.contains(&key)) {
        (true, false) => Some(Misfit::Unused(key, by)),
        (false, true) => Some(Misfit::Missing(key, by)),
        _ => None,
    };
    others.into_iter().filter_map(misfit).collect()
}

/// Checks alternatives: see [`misfits`].
fn check_alternatives(all: &[Alternative], given: &[(&str, Value)]) -> Result<(), Error> {
    let is_given = |key: &str| given.iter().any(|(known, _)| *known == key);
    match misfits(all, is_given).first() {
        None => Ok(()),
        Some(Misfit::NotOne) => {
            let names = || all.iter().map(|(key, _)| *key);
            let keys = names().filter(|key| is_given(key)).map(str::to_owned).collect();
            Err(Error::bad("keys", Value::Words(keys), Allowed::one_of(names())))
        }
        Some(Misfit::Missing(key, by)) => Err(Error::MissingKey { key, by: Some(by) }),
        Some(Misfit::Unused(key, by)) => {
            let needed = all.iter().filter(|(alternative, _)| alternative == by).flat_map(|(_, needed)| *needed);
            Err(Error::bad("key", *key, Allowed::one_of(needed.copied())))
        }
    }
}

/// The keys of an optional group: all absent, or as the group needs them.
impl<T: Definition> Definition for Option<T> {
    const KEYS: &'static [Parameter] = T::KEYS;

    fn get(&self, key: &str) -> Option<Value> {
        self.as_ref()?.get(key)
    }

    fn blank() -> Self {
        None
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        let is_given = T::KEYS.iter().any(|key| given.iter().any(|(known, _)| *known == key.name));
        is_given.then(|| T::read(given)).transpose()
    }

    fn check_keys(&self) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), T::check_keys)
    }
}

/// The type of a key: a [`Field`], or an optional one, which may be absent.
pub trait Key: Sized {
    /// The present value; `None` if it is absent.
    fn present(&self) -> Option<Value>;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// [`Parameter::refuse`] if the key cannot have the value.
    fn of(value: &Value, key: &Parameter) -> Result<Self, Error>;

    /// Checks that the present value is allowed.
    ///
    /// # Errors
    ///
    /// As for [`of`](Self::of).
    fn check(&self, key: &Parameter) -> Result<(), Error>;
}

impl<T: Field> Key for T {
    fn present(&self) -> Option<Value> {
        Some(self.value())
    }

    fn of(value: &Value, key: &Parameter) -> Result<Self, Error> {
        T::read(value, key)
    }

    fn check(&self, key: &Parameter) -> Result<(), Error> {
        Field::check(self, key)
    }
}

impl<T: Field> Key for Option<T> {
    fn present(&self) -> Option<Value> {
        self.as_ref().map(Field::value)
    }

    fn of(value: &Value, key: &Parameter) -> Result<Self, Error> {
        match key.default {
            // Such as `random`, unless it only describes the default.
            Preset::Word(word) if value.word() == Some(word) && key.kind.takes(value, 0) => Ok(None),
            _ => T::read(value, key).map(Some),
        }
    }

    fn check(&self, key: &Parameter) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), |value| Field::check(value, key))
    }
}

/// Stands for a key that no table has.
const NO_KEY: Parameter = Parameter::new("", "", Kind::Text, "");

/// The given value of a key.
pub(crate) fn given<'v>(given: &'v [(&str, Value)], name: &str) -> Option<&'v Value> {
    given.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Reads a required key.
pub(crate) fn required<T: Key>(all: &[(&str, Value)], key: &Parameter) -> Result<T, Error> {
    needed(all, key, None)
}

/// Reads a required key, which may be one that another key needs.
pub(crate) fn needed<T: Key>(all: &[(&str, Value)], key: &Parameter, by: Option<&'static str>) -> Result<T, Error> {
    let value = given(all, key.name).ok_or(Error::MissingKey { key: key.name, by })?;
    T::of(value, key)
}

/// Reads a key with a default.
pub(crate) fn or<T: Key>(all: &[(&str, Value)], key: &Parameter, default: T) -> Result<T, Error> {
    match given(all, key.name) {
        None => Ok(default),
        Some(value) => T::of(value, key),
    }
}

/// The tables one after another; `COUNT` is the number of their keys together: see [`count`].
#[must_use]
pub const fn joined<const COUNT: usize>(tables: &[&[Parameter]]) -> [Parameter; COUNT] {
    let mut all = [NO_KEY; COUNT];
    let (mut table, mut place) = (0, 0);
    while table < tables.len() {
        let mut number = 0;
        while number < tables[table].len() {
            all[place] = tables[table][number];
            (number, place) = (number + 1, place + 1);
        }
        table += 1;
    }
    all
}

/// The number of keys of some tables.
#[must_use]
pub const fn count(tables: &[&[Parameter]]) -> usize {
    let (mut table, mut count) = (0, 0);
    while table < tables.len() {
        count += tables[table].len();
        table += 1;
    }
    count
}

/// Declares a definition: its struct, its table of keys, and the functions that read and check them.
///
/// After the documentation of a field, which is the help of its key, come its type and, unless the key is required, its
/// default: one token, such as a number or `None`, or an expression in parentheses. The word `or` precedes a default in
/// words, for tables. Then come the unit, the [`Kind`], and in brackets how the value grows in a larger world of the same
/// density ([`Scaled`](crate::base::values::Scaled)) and whether the key is newer than the snapshots (`added`). A group
/// of keys in one field has its type after `as`, without dimensions or with two. A field without a unit has no key.
macro_rules! definition {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident $(<$dimensions:ident>)? {
            $(
                $(#[doc = $help:literal])+
                $field_visibility:vis $field:ident: $type:ty $(as $group:ty)? $(= $default:tt $(or $words:literal)?)?
                $(, $unit:literal, $kind:expr $(, [$($option:ident)*])?)?;
            )*
        }
    ) => {
        $(#[$meta])*
        $visibility struct $name $(<const $dimensions: usize>)? {
            $(
                $(#[doc = $help])+
                $(#[doc = concat!("\n\nUnit: ", $unit, ".")])?
                $field_visibility $field: $type,
            )*
        }

        impl $(<const $dimensions: usize>)? $crate::base::definition::Definition for $name $(<$dimensions>)? {
            const KEYS: &'static [$crate::base::values::Parameter] = {
                const PARTS: &[&[$crate::base::values::Parameter]] = &[$(
                    definition!(@table $field [$($help)+] $(as $group,)? [$($default $($words)?)?]
                        $($unit, $kind, [$($($option)*)?])?)
                ),*];
                const ALL: [$crate::base::values::Parameter; $crate::base::definition::count(PARTS)] =
                    $crate::base::definition::joined(PARTS);
                &ALL
            };

            const ALTERNATIVES: &'static [$crate::base::definition::Alternative] =
                definition!(@alternatives $($($group,)?)*);

            fn get(&self, name: &str) -> Option<$crate::base::values::Value> {
                $(definition!(@get self, $field, name, $(as $group,)? [$($unit)?]);)*
                None
            }

            fn blank() -> Self {
                Self { $($field: definition!(@blank $(as $group,)? [$($default)?])),* }
            }

            fn read(given: &[(&str, $crate::base::values::Value)]) -> Result<Self, $crate::Error> {
                Ok(Self { $($field: definition!(@read $field, given, $(as $group,)? [$($unit)?] [$($default)?])),* })
            }

            fn set(&mut self, name: &str, value: &$crate::base::values::Value) -> Result<(), $crate::Error> {
                $(definition!(@set self, $field, name, value, $(as $group,)? [$($unit)?]);)*
                Err($crate::base::definition::unknown(Self::KEYS, name))
            }

            fn check_keys(&self) -> Result<(), $crate::Error> {
                $(definition!(@check self, $field, $(as $group,)? [$($unit)?])?;)*
                Ok(())
            }
        }

        definition!(@forms $name $($dimensions)?);
    };
    (@forms Species $dimensions:ident) => {};
    (@forms $name:ident $($dimensions:ident)?) => {
        #[cfg(feature = "serde")]
        impl $(<const $dimensions: usize>)? serde::Serialize for $name $(<$dimensions>)? {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::base::definition_form::serialize(self, to)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de $(, const $dimensions: usize)?> serde::Deserialize<'de> for $name $(<$dimensions>)? {
            fn deserialize<F: serde::Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
                $crate::base::definition_form::deserialize(from)
            }
        }
    };

    (@table $field:ident [$($help:literal)+] [$($default:tt)*]) => { &[] };
    (@table $field:ident [$($help:literal)+] as $group:ty, []) => {
        <$group as $crate::base::definition::Definition>::KEYS
    };
    (@table $field:ident [$($help:literal)+] [$($default:tt)*] $unit:literal, $kind:expr, [$($option:ident)*]) => {
        &[$crate::base::values::Parameter {
            default: definition!(@preset $($default)*),
            scaled: $crate::rule!(@scaled $($option)*),
            added: $crate::rule!(@added $($option)*),
            ..$crate::base::values::Parameter::new(
                stringify!($field), $unit, $kind, concat!($($help),+).trim_ascii(),
            )
        }]
    };
    (@preset) => { $crate::base::values::Preset::Required };
    (@preset None) => { $crate::base::values::Preset::Absent };
    (@preset false) => { $crate::base::values::Preset::Word("false") };
    (@preset $default:literal) => { $crate::base::values::Preset::Number($default) };
    (@preset $default:tt) => { $crate::base::values::Preset::Absent };
    (@preset $default:tt $words:literal) => { $crate::base::values::Preset::Word($words) };
    (@alternatives) => { &[] };
    (@alternatives $group:ty, $($groups:ty,)*) => { <$group as $crate::base::definition::Definition>::ALTERNATIVES };
    (@get $self:ident, $field:ident, $name:ident, []) => {};
    (@get $self:ident, $field:ident, $name:ident, [$unit:literal]) => {
        if $name == stringify!($field) {
            return $crate::base::definition::Key::present(&$self.$field).map($crate::base::values::Value::shortened);
        }
    };
    (@get $self:ident, $field:ident, $name:ident, as $group:ty, []) => {
        if let Some(value) = $crate::base::definition::Definition::get(&$self.$field, $name) {
            return Some(value);
        }
    };
    (@set $self:ident, $field:ident, $name:ident, $value:ident, []) => {};
    (@set $self:ident, $field:ident, $name:ident, $value:ident, [$unit:literal]) => {
        if $name == stringify!($field) {
            $self.$field = $crate::base::definition::Key::of($value, Self::key($name))?;
            return Ok(());
        }
    };
    (@set $self:ident, $field:ident, $name:ident, $value:ident, as $group:ty, []) => {
        if <$group as $crate::base::definition::Definition>::KEYS.iter().any(|key| key.name == $name) {
            return $crate::base::definition::Definition::set(&mut $self.$field, $name, $value);
        }
    };
    (@blank as $group:ty, []) => { $crate::base::definition::Definition::blank() };
    (@blank []) => { Default::default() };
    (@blank [($default:expr)]) => { $default };
    (@blank [$default:tt]) => { $default };
    (@read $field:ident, $given:ident, as $group:ty, [] []) => {
        $crate::base::definition::Definition::read($given)?
    };
    (@read $field:ident, $given:ident, [] [$($default:tt)?]) => { definition!(@blank [$($default)?]) };
    (@read $field:ident, $given:ident, [$unit:literal] []) => {
        $crate::base::definition::required($given, Self::key(stringify!($field)))?
    };
    (@read $field:ident, $given:ident, [$unit:literal] [($default:expr)]) => {
        $crate::base::definition::or($given, Self::key(stringify!($field)), $default)?
    };
    (@read $field:ident, $given:ident, [$unit:literal] [$default:tt]) => {
        $crate::base::definition::or($given, Self::key(stringify!($field)), $default)?
    };
    (@check $self:ident, $field:ident, []) => { Ok::<(), $crate::Error>(()) };
    (@check $self:ident, $field:ident, as $group:ty, []) => {
        $crate::base::definition::Definition::check_keys(&$self.$field)
    };
    (@check $self:ident, $field:ident, [$unit:literal]) => {
        $crate::base::definition::Key::check(&$self.$field, Self::key(stringify!($field)))
    };
}

pub(crate) use definition;
