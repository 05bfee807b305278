//! Values of a snapshot. One description of a type writes it and reads it.

use std::collections::BTreeMap;

use crate::agents::seen::Seen;
use crate::base::definition::Definition;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::values::Value;
use crate::environment::WallId;
use crate::maths::Vector;
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

/// A value of a snapshot.
pub(crate) trait Saved: Sized {
    /// Writes the value.
    fn save(&self, to: &mut Writer<'_>);

    /// Reads a value.
    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError>;
}

/// Describes a type: the fields of a struct in the order in which they are written, or the variants of an enum with
/// their codes. The compiler refuses a description that lacks a field or a variant.
///
/// A field has the form of its type, unless another form follows its name: a type with the functions `save` and `load`.
/// Several fields can share one, as a tuple. The other fields of a definition that ends with `..blank` came later:
/// they are written before the fields, where they do not have their defaults. The values are refused if the block after `check` is an error.
macro_rules! saved {
    ($([$($generics:tt)*])? struct $name:ty { $($($field:ident)+ $(: $form:ty)?),+, ..blank }) => {
        saved!(@struct [$($($generics)*)?] $name, [..] [..$crate::base::definition::Definition::blank()]
            [$crate::state::snapshot::saved::save_added] [$crate::state::snapshot::saved::load_added]
            $($($field)+ $(: $form)?),+);
    };
    ($([$($generics:tt)*])? struct $name:ty { $($($field:ident)+ $(: $form:ty)?),+ $(,)? }
        $(check($value:ident, $from:ident) $check:block)?
    ) => {
        saved!(@struct [$($($generics)*)?] $name, [] [] [] [] $($($field)+ $(: $form)?),+ $(; check($value, $from) $check)?);
    };
    (@struct [$($generics:tt)*] $name:ty, [$($others:tt)*] [$($blank:tt)*] [$($save:path)?] [$($load:path)?] $($($field:ident)+ $(: $form:ty)?),+
        $(; check($value:ident, $from:ident) $check:block)?
    ) => {
        impl<$($generics)*> $crate::state::snapshot::Saved for $name {
            fn save(&self, to: &mut $crate::state::snapshot::Writer<'_>) {
                let Self { $($($field,)+)+ $($others)* } = self;
                $($save(self, to);)?
                $(saved!(@save to, $($field)+ $(: $form)?);)+
            }

            fn load(
                from: &mut $crate::state::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::state::snapshot::SnapshotError> {
                $(let added = $load(from)?;)?
                $(saved!(@load from, $($field)+ $(: $form)?);)+
                #[allow(clippy::needless_update, reason = "a definition may have keys that came later")]
                let value = Self { $($($field,)+)+ $($blank)* };
                $(let _ = $load; let value = $crate::state::snapshot::saved::with_added(value, &added)?;)?
                $(
                    let ($value, $from) = (&value, &*from);
                    let checked: Result<(), $crate::state::snapshot::SnapshotError> = $check;
                    checked?;
                )?
                Ok(value)
            }
        }
    };
    ($([$($generics:tt)*])? enum $name:ty as $what:literal {
        $($code:literal => $variant:ident $(($($item:ident),+))? $({ $($field:ident),+ })?),+ $(,)?
    }) => {
        impl $(<$($generics)*>)? $crate::state::snapshot::Saved for $name {
            fn save(&self, to: &mut $crate::state::snapshot::Writer<'_>) {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        to.number::<u8>($code);
                        $($($crate::state::snapshot::Saved::save($item, to);)+)?
                        $($($crate::state::snapshot::Saved::save($field, to);)+)?
                    })+
                }
            }

            fn load(
                from: &mut $crate::state::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::state::snapshot::SnapshotError> {
                Ok(match from.number::<u8>()? {
                    $($code => {
                        $($(let $item = $crate::state::snapshot::Saved::load(from)?;)+)?
                        $($(let $field = $crate::state::snapshot::Saved::load(from)?;)+)?
                        Self::$variant $(($($item),+))? $({ $($field),+ })?
                    })+
                    other => return Err(from.unknown($what, other)),
                })
            }
        }
    };
    (@save $to:ident, $field:ident) => { $crate::state::snapshot::Saved::save($field, $to) };
    (@save $to:ident, $field:ident: $form:ty) => { <$form>::save($field, $to) };
    (@save $to:ident, $($field:ident)+: $form:ty) => { <$form>::save(($($field),+), $to) };
    (@load $from:ident, $field:ident) => { let $field = $crate::state::snapshot::Saved::load($from)?; };
    (@load $from:ident, $field:ident: $form:ty) => { let $field = <$form>::load($from)?; };
    (@load $from:ident, $($field:ident)+: $form:ty) => { let ($($field),+) = <$form>::load($from)?; };
}

pub(crate) use saved;

/// Stands before keys that came later. No definition begins with this number.
const ADDED: u32 = u32::MAX;

/// Writes the keys that came after the snapshots of a definition, where they do not have their defaults.
pub(crate) fn save_added<T: Definition>(definition: &T, to: &mut Writer<'_>) {
    let added = definition.added();
    if !added.is_empty() {
        to.number(ADDED);
        to.list(added.iter(), |to, (key, value)| {
            to.text(key);
            value.save(to);
        });
    }
}

/// Reads such keys.
pub(crate) fn load_added(from: &mut Reader<'_>) -> Result<Vec<(String, Value)>, SnapshotError> {
    if from.peek::<u32>()? != ADDED {
        return Ok(Vec::new());
    }
    from.number::<u32>()?;
    from.list(Saved::load)
}

/// The definition with such keys.
pub(crate) fn with_added<T: Definition>(mut definition: T, added: &[(String, Value)]) -> Result<T, SnapshotError> {
    added.iter().try_for_each(|(key, value)| definition.set(key, value))?;
    Ok(definition)
}

/// Describes a section by its fields of the state, in the order in which they are written: a function that writes them
/// and one that reads them.
macro_rules! section {
    ($save:ident, $load:ident { $($($field:ident).+),+ }) => {
        fn $save<const D: usize>(state: &State<D>, to: &mut Writer<'_>) {
            $(state.$($field).+.save(to);)+
        }

        fn $load<const D: usize>(state: &mut State<D>, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
            $(state.$($field).+ = Saved::load(from)?;)+
            Ok(())
        }
    };
}

pub(super) use section;

/// Saves numbers as they are.
macro_rules! number {
    ($($number:ident),+) => {
        $(impl Saved for $number {
            fn save(&self, to: &mut Writer<'_>) {
                to.number(*self);
            }

            fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                from.number()
            }
        })+
    };
}

number!(u8, u32, u64, i32, i64, f32, f64, AgentId);

/// Saves types as others: by a function to the other and one from it.
macro_rules! saved_as {
    ($($([$($generics:tt)*])? type $name:ty as $other:ty: $to:expr, $from:expr;)+) => {
        $(impl $(<$($generics)*>)? Saved for $name {
            fn save(&self, to: &mut Writer<'_>) {
                let other: fn(&Self) -> $other = $to;
                other(self).save(to);
            }

            fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                <$other>::load(from).map($from)
            }
        })+
    };
}

saved_as! {
    type usize as u64: |&number| number as u64, |number| number as Self;
    type SpeciesId as u32: |species| species.0, Self;
    type Seen as [f32; 3]: |seen| seen.place(), Self::at;
    type WallId as u64: |wall| wall.to_bits(), Self::from_bits;
    [const D: usize] type Vector<D> as [f32; D]: |vector| vector.0, Self;
}

impl Saved for () {
    fn save(&self, _: &mut Writer<'_>) {}

    fn load(_: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(())
    }
}

impl Saved for bool {
    fn save(&self, to: &mut Writer<'_>) {
        to.number(u8::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        match from.number::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(from.unknown("yes or no", other)),
        }
    }
}

impl Saved for String {
    fn save(&self, to: &mut Writer<'_>) {
        to.text(self);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.text()
    }
}

impl<T: Saved + Copy, const N: usize> Saved for [T; N] {
    fn save(&self, to: &mut Writer<'_>) {
        self.iter().for_each(|value| value.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut values = [T::load(from)?; N];
        for value in &mut values[1..] {
            *value = T::load(from)?;
        }
        Ok(values)
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, to: &mut Writer<'_>) {
        self.is_some().save(to);
        if let Some(value) = self {
            value.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        if bool::load(from)? { T::load(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn save(&self, to: &mut Writer<'_>) {
        to.list(self.iter(), |to, value| value.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.list(T::load)
    }
}

impl<K: Saved + Ord, V: Saved> Saved for BTreeMap<K, V> {
    fn save(&self, to: &mut Writer<'_>) {
        to.list(self.iter(), |to, (key, value)| {
            key.save(to);
            value.save(to);
        });
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Vec::load(from).map(Self::from_iter)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, to: &mut Writer<'_>) {
        self.0.save(to);
        self.1.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok((A::load(from)?, B::load(from)?))
    }
}
