//! Forms of optional values in a snapshot that differ from the form of their type.

use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer};

/// A field that another section contains, or that follows from others.
pub(super) struct Elsewhere;

impl Elsewhere {
    pub(super) fn save<T>(_: &T, _: &mut Writer<'_>) {}

    pub(super) fn load<T: Default>(_: &mut Reader<'_>) -> Result<T, SnapshotError> {
        Ok(T::default())
    }
}

/// A value that is written even if there is none: a default then.
pub(super) struct Always;

impl Always {
    pub(super) fn save<T: Saved + Clone + Default>(value: &Option<T>, to: &mut Writer<'_>) {
        value.is_some().save(to);
        match value {
            Some(value) => value.save(to),
            None => T::default().save(to),
        }
    }

    pub(super) fn load<T: Saved>(from: &mut Reader<'_>) -> Result<Option<T>, SnapshotError> {
        let (is_some, value) = Saved::load(from)?;
        Ok(Some(value).filter(|_| is_some))
    }
}

/// A number, or `NONE` if there is none.
pub(super) struct NoneIs<const NONE: u64>;

impl<const NONE: u64> NoneIs<NONE> {
    pub(super) fn save<T: Saved + TryFrom<u64>>(value: &Option<T>, to: &mut Writer<'_>) {
        match value {
            Some(value) => value.save(to),
            None => T::try_from(NONE).iter().for_each(|none| none.save(to)),
        }
    }

    pub(super) fn load<T: Saved + TryFrom<u64> + PartialEq>(from: &mut Reader<'_>) -> Result<Option<T>, SnapshotError> {
        let value = T::load(from)?;
        Ok(Some(value).filter(|value| !T::try_from(NONE).is_ok_and(|none| none == *value)))
    }
}

/// A list of one value or of none.
pub(super) struct AtMostOne;

impl AtMostOne {
    pub(super) fn save<T: Saved>(value: &Option<T>, to: &mut Writer<'_>) {
        to.list(value.iter(), |to, value| value.save(to));
    }

    pub(super) fn load<T: Saved>(from: &mut Reader<'_>) -> Result<Option<T>, SnapshotError> {
        let mut values: Vec<T> = Vec::load(from)?;
        if values.len() > 1 {
            return Err(from.unknown("a list of at most one", values.len()));
        }
        Ok(values.pop())
    }
}
