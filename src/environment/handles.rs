//! Handles of the items in an environment, and the collections that issue them: one mechanism for every kind of item.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::base::error::Error;
use crate::base::values::Allowed;

/// Declares a handle type.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// The handle as a number. It is never reused in its environment, not even after a removal.
            #[must_use]
            pub const fn to_bits(self) -> u64 {
                self.0
            }

            /// The handle with a number from [`to_bits`](Self::to_bits).
            #[must_use]
            pub const fn from_bits(bits: u64) -> Self {
                Self(bits)
            }
        }

        impl Handle for $name {
            fn number(self) -> u64 {
                self.0
            }

            fn from_number(number: u64) -> Self {
                Self(number)
            }
        }
    };
}

handle! {
    /// Identifies an obstacle of an [`Environment`](crate::Environment) until it is removed.
    ObstacleId
}
handle! {
    /// Identifies a mark of an [`Environment`](crate::Environment) until it is removed.
    MarkId
}
handle! {
    /// Identifies a region of an [`Environment`](crate::Environment) until it is removed.
    RegionId
}
handle! {
    /// Identifies a wall of an [`Environment`](crate::Environment) until it is removed.
    WallId
}
handle! {
    /// Identifies a flow field of an [`Environment`](crate::Environment) until it is removed.
    FieldId
}
handle! {
    /// Identifies the places of an [`Environment`](crate::Environment) until they are removed.
    PlacesId
}
handle! {
    /// Identifies a navigation of an [`Environment`](crate::Environment) until it is removed.
    NavigationId
}

handle! {
    /// Identifies a source of an [`Environment`](crate::Environment) until it is removed.
    SourceId
}
handle! {
    /// Identifies a sink of an [`Environment`](crate::Environment) until it is removed.
    SinkId
}
handle! {
    /// Identifies a zone of an [`Environment`](crate::Environment) until it is removed.
    ZoneId
}

/// A handle: a number that increases with every item that is added.
pub(crate) trait Handle: Copy {
    fn number(self) -> u64;
    fn from_number(number: u64) -> Self;
}

/// An item of an environment.
pub(crate) trait Item {
    /// The data that the engine stores with an item, as a part of the state.
    type Record: Clone + Debug + Default + PartialEq;

    /// Checks the item's values.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if one of them is out of its range.
    fn check(&self) -> Result<(), Error>;

    /// The name, if the names of items of this kind are unique; otherwise `None`.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Updates the record of an item that replaces `old`.
    fn replaces(&self, _old: &Self, _record: &mut Self::Record) {}
}

/// Items and their handles, in the order in which they were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Collection<I, T: Item> {
    /// The handle of the next item.
    next: u64,
    /// Ascending, for binary search.
    ids: Vec<I>,
    items: Vec<T>,
    records: Vec<T::Record>,
}

impl<I, T: Item> Default for Collection<I, T> {
    fn default() -> Self {
        Self { next: 0, ids: Vec::new(), items: Vec::new(), records: Vec::new() }
    }
}

impl<I: Handle, T: Item> Collection<I, T> {
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The items and the data stored with each, mutably, for the engine.
    pub(crate) fn items_mut(&mut self) -> impl Iterator<Item = (&mut T, &mut T::Record)> {
        self.items.iter_mut().zip(&mut self.records)
    }

    /// The item with this number and the data stored with it, mutably, for the engine.
    pub(crate) fn item_mut(&mut self, number: usize) -> (&mut T, &mut T::Record) {
        (&mut self.items[number], &mut self.records[number])
    }

    /// The handles, the items and the data stored with each, mutably, for the engine.
    pub(crate) fn records_mut(&mut self) -> impl Iterator<Item = (I, &T, &mut T::Record)> {
        self.ids.iter().zip(&self.items).zip(&mut self.records).map(|((&id, item), record)| (id, item, record))
    }

    /// Whether no item was ever added.
    pub(crate) fn is_new(&self) -> bool {
        self.next == 0
    }

    /// The data stored with each item.
    pub(crate) fn records(&self) -> &[T::Record] {
        &self.records
    }

    /// Replaces the data stored with each item.
    pub(crate) fn put_records(&mut self, records: Vec<T::Record>) {
        debug_assert_eq!(records.len(), self.items.len());
        self.records = records;
    }

    pub(crate) fn ids(&self) -> &[I] {
        &self.ids
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.ids.iter().copied().zip(&self.items)
    }

    /// The index of an item.
    pub(crate) fn index_of(&self, id: I) -> Option<usize> {
        self.ids.binary_search_by_key(&id.number(), |id| id.number()).ok()
    }

    pub(crate) fn get(&self, id: I) -> Option<&T> {
        Some(&self.items[self.index_of(id)?])
    }

    /// The data stored with an item.
    pub(crate) fn record(&self, id: I) -> Option<&T::Record> {
        Some(&self.records[self.index_of(id)?])
    }

    /// The data stored with the item at an index, mutably, for the engine.
    pub(crate) fn record_of(&mut self, index: usize) -> Option<&mut T::Record> {
        self.records.get_mut(index)
    }

    /// The item with this name and its handle.
    pub(crate) fn find(&self, name: &str) -> Option<(I, &T)> {
        self.iter().find(|(_, item)| item.name() == Some(name))
    }

    /// Adds an item.
    ///
    /// # Errors
    ///
    /// The errors of [`Item::check`], or [`Error::NameTaken`].
    pub(crate) fn add(&mut self, item: T) -> Result<I, Error> {
        item.check()?;
        self.check_name(&item, None)?;
        Ok(self.push(item))
    }

    /// Checks that no item has the name of this one, except the one that it replaces.
    fn check_name(&self, item: &T, replaced: Option<usize>) -> Result<(), Error> {
        let Some(name) = item.name() else { return Ok(()) };
        let taken = |(index, other): (usize, &T)| Some(index) != replaced && other.name() == Some(name);
        if self.items.iter().enumerate().any(taken) { Err(Error::NameTaken(name.to_owned())) } else { Ok(()) }
    }

    fn push(&mut self, item: T) -> I {
        let id = I::from_number(self.next);
        self.next += 1;
        self.ids.push(id);
        self.items.push(item);
        self.records.push(T::Record::default());
        id
    }

    /// Replaces an item, which keeps its handle and its index. Returns whether it exists.
    ///
    /// # Errors
    ///
    /// The errors of [`Item::check`], or [`Error::NameTaken`]. On an error the item is unchanged.
    pub(crate) fn set(&mut self, id: I, item: T) -> Result<bool, Error> {
        item.check()?;
        let Some(index) = self.index_of(id) else { return Ok(false) };
        self.check_name(&item, Some(index))?;
        self.replace(index, item);
        Ok(true)
    }

    fn replace(&mut self, index: usize, item: T) {
        item.replaces(&self.items[index], &mut self.records[index]);
        self.items[index] = item;
    }

    /// Replaces the item of the same name, or adds one if the name is new.
    pub(crate) fn put(&mut self, item: T) -> I {
        let same = |other: &T| item.name().is_some() && item.name() == other.name();
        match self.items.iter().position(same) {
            Some(index) => {
                self.replace(index, item);
                self.ids[index]
            }
            None => self.push(item),
        }
    }

    /// Removes an item; the indices of later ones decrease by one.
    pub(crate) fn remove(&mut self, id: I) -> Option<T> {
        let index = self.index_of(id)?;
        self.ids.remove(index);
        self.records.remove(index);
        Some(self.items.remove(index))
    }

    /// Removes all items. Their handles are never reused.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.items.clear();
        self.records.clear();
    }

    /// The number of the next handle, and all handles, items and the data stored with each, for
    /// [`from_parts`](Self::from_parts).
    pub(crate) fn parts(&self) -> (u64, impl ExactSizeIterator<Item = (I, &T, &T::Record)>) {
        (self.next, self.iter().zip(&self.records).map(|((id, item), record)| (id, item, record)))
    }

    /// Rebuilds a collection from its parts; `None` unless the handles ascend.
    pub(crate) fn from_parts(next: u64, parts: Vec<(I, T, T::Record)>) -> Option<Self> {
        let mut all = Self { next, ..Self::default() };
        for (id, item, record) in parts {
            all.ids.push(id);
            all.items.push(item);
            all.records.push(record);
        }
        let ascending = all.ids.windows(2).all(|pair| pair[0].number() < pair[1].number());
        let used = all.ids.last().is_none_or(|last| last.number() < next);
        // Leaves room for further handles.
        let room = next <= u64::MAX / 2;
        (ascending && used && room).then_some(all)
    }

    /// Checks that every item could have been added.
    ///
    /// # Errors
    ///
    /// The errors of [`Item::check`], or [`Error::BadValue`] if two items share a name.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut names = BTreeSet::new();
        for item in &self.items {
            item.check()?;
            if let Some(name) = item.name().filter(|name| !names.insert(*name)) {
                return Err(Error::bad("name", name, Allowed::NewName));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Item for char {
        type Record = u32;

        fn check(&self) -> Result<(), Error> {
            if *self == '!' { Err(Error::bad("letter", "!", Allowed::NewName)) } else { Ok(()) }
        }

        fn replaces(&self, old: &Self, record: &mut u32) {
            *record += u32::from(self != old);
        }
    }

    fn letters<const N: usize>(letters: [char; N]) -> (Collection<MarkId, char>, [MarkId; N]) {
        let mut all = Collection::default();
        let ids = letters.map(|letter| all.add(letter).unwrap());
        (all, ids)
    }

    fn parts(all: &Collection<MarkId, char>) -> (u64, Vec<(MarkId, char, u32)>) {
        let (next, parts) = all.parts();
        (next, parts.map(|(id, letter, record)| (id, *letter, *record)).collect())
    }

    #[test]
    fn a_handle_names_one_item_for_ever() {
        let (mut all, [a, b, c]) = letters(['a', 'b', 'c']);
        assert_eq!(all.remove(b), Some('b'));
        assert_eq!((all.get(a), all.get(b), all.get(c)), (Some(&'a'), None, Some(&'c')));
        assert_eq!((all.remove(b), all.index_of(c)), (None, Some(1)));
        all.clear();
        let d = all.add('d').unwrap();
        assert!(![a, b, c].contains(&d));
        assert_eq!(all.iter().collect::<Vec<_>>(), [(d, &'d')]);
    }

    #[test]
    fn records_stay_with_their_items() {
        let (mut all, [a, b, c]) = letters(['a', 'b', 'c']);
        assert_eq!(all.set(c, 'd').unwrap(), all.set(b, 'b').unwrap());
        assert!(all.set(b, '!').is_err() && all.add('!').is_err());
        all.remove(a);
        assert!(!all.set(a, 'a').unwrap());
        assert_eq!(parts(&all), (3, vec![(b, 'b', 0), (c, 'd', 1)]));
    }

    #[test]
    fn from_parts_restores_a_collection_and_refuses_bad_parts() {
        let (mut all, [a, _]) = letters(['a', 'b']);
        all.remove(a);
        let (next, restored) = parts(&all);
        assert_eq!(Collection::from_parts(next, restored), Some(all));
        let id = MarkId::from_bits;
        let refused = |next, parts| Collection::<MarkId, char>::from_parts(next, parts).is_none();
        assert!(refused(1, vec![(id(1), 'a', 0)]));
        assert!(refused(3, vec![(id(1), 'a', 0), (id(1), 'b', 0)]));
        assert!(refused(u64::MAX, Vec::new()));
    }
}
