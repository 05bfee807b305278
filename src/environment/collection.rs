//! The items of an environment in collections that issue their handles: one grammar for every kind of item.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::agents::positions::Stamp;
use crate::base::error::Error;
use crate::base::handles::Handle;
use crate::base::values::Allowed;

/// A kind of item that an [`Environment`](crate::Environment) contains, such as [`Wall`](crate::Wall). The library
/// alone implements it.
#[expect(private_bounds, reason = "the library alone implements it")]
pub trait Item: Clone + Debug + PartialEq + Data {
    /// The handle by which the host reads, changes and removes an item of this kind.
    type Id: Handle;

    /// The name by which rules and other items refer to it, if it has one.
    fn name(&self) -> Option<&str> {
        None
    }
}

/// What the engine stores with an item, and how it checks one.
pub(crate) trait Data {
    /// The data that the engine stores with an item, as a part of the state.
    type Record: Clone + Debug + Default + PartialEq;

    /// Whether no two items have the same name.
    const HAS_OWN_NAME: bool = true;

    /// Checks the item's values.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if one of them is out of its range.
    fn check(&self) -> Result<(), Error>;

    /// Updates the record of an item that replaces `old`.
    fn replaces(&self, _old: &Self, _record: &mut Self::Record) {}
}

/// The items of one kind in an [`Environment`](crate::Environment), with their handles, in the order in which they were
/// added. All kinds have these methods.
///
/// ```
/// use throng::{Environment, Wall};
///
/// let mut environment = Environment::<2>::default();
/// let gate = Wall { name: Some("gate".to_owned()), ..Wall::segment([4.0, 0.0], [4.0, 9.0]) };
/// let id = environment.walls.add(gate)?;
/// assert_eq!(environment.walls.find("gate"), Some(id));
/// environment.walls.edit(id, |gate| gate.open = vec![[10.0, 20.0]])?;
/// assert!(environment.walls.edit(id, |gate| gate.velocity = [f32::NAN, 0.0].into()).is_err());
/// for (id, wall) in environment.walls.iter() {
///     println!("{id:?}: {:?}", wall.shape);
/// }
/// assert_eq!(environment.walls.remove(id)?.open, [[10.0, 20.0]]);
/// assert!(environment.walls.get(id).is_none() && environment.walls.remove(id).is_err());
/// # Ok::<(), throng::Error>(())
/// ```
///
/// [`set`](Self::set) and [`edit`](Self::edit) check the new item before it replaces the old one. A mutable reference
/// would let a value that is out of its range into the world.
#[derive(Clone, Debug)]
pub struct Collection<T: Item> {
    /// The handle of the next item.
    next: u64,
    /// Ascending, for binary search.
    ids: Vec<T::Id>,
    items: Vec<T>,
    records: Vec<T::Record>,
    /// The stamp of all this, if it was asked for since the last change.
    stamp: Option<Stamp>,
}

/// Stamps are not compared.
impl<T: Item> PartialEq for Collection<T> {
    fn eq(&self, other: &Self) -> bool {
        let Self { next, ids, items, records, stamp: _ } = self;
        (*next, ids, items, records) == (other.next, &other.ids, &other.items, &other.records)
    }
}

impl<T: Item> Default for Collection<T> {
    fn default() -> Self {
        Self { next: 0, ids: Vec::new(), items: Vec::new(), records: Vec::new(), stamp: None }
    }
}

/// Reading and editing.
impl<T: Item> Collection<T> {
    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the collection is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items, in the order in which they were added.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The handles of the [items](Self::items), in the same order.
    #[must_use]
    pub fn ids(&self) -> &[T::Id] {
        &self.ids
    }

    /// The handles and the items, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (T::Id, &T)> {
        self.ids.iter().copied().zip(&self.items)
    }

    /// The item with this handle; `None` if it was removed.
    #[must_use]
    pub fn get(&self, id: T::Id) -> Option<&T> {
        Some(&self.items[self.index_of(id)?])
    }

    /// The handle of the first item with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<T::Id> {
        self.position(name).map(|index| self.ids[index])
    }

    /// The first item with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&T> {
        self.position(name).map(|index| &self.items[index])
    }

    /// The index of an item in [`items`](Self::items); `None` if it was removed. It decreases by one when an earlier
    /// item is removed.
    #[must_use]
    pub fn index_of(&self, id: T::Id) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Adds an item. Returns its handle.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a number is not within [`LIMIT`](crate::LIMIT) of zero, or if a length or a shape is not
    /// allowed; [`Error::NameTaken`] if another item has its name. Names of regions may be shared.
    pub fn add(&mut self, item: T) -> Result<T::Id, Error> {
        item.check()?;
        self.check_name(&item, None)?;
        Ok(self.push(item))
    }

    /// Replaces an item, which keeps its handle and its index.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchItem`] if it was removed; as for [`add`](Self::add). On an error nothing changes.
    pub fn set(&mut self, id: T::Id, item: T) -> Result<(), Error> {
        item.check()?;
        let index = self.existing(id)?;
        self.check_name(&item, Some(index))?;
        self.replace(index, item);
        Ok(())
    }

    /// Changes an item.
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set). On an error nothing changes.
    pub fn edit(&mut self, id: T::Id, edit: impl FnOnce(&mut T)) -> Result<(), Error> {
        let mut item = self.items[self.existing(id)?].clone();
        edit(&mut item);
        self.set(id, item)
    }

    /// Replaces the first item with the name of this one, which keeps its handle, or adds this one if there is none.
    /// Returns the handle.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`], as for [`add`](Self::add). On an error nothing changes.
    pub fn put(&mut self, item: T) -> Result<T::Id, Error> {
        item.check()?;
        let Some(index) = item.name().and_then(|name| self.position(name)) else { return Ok(self.push(item)) };
        self.replace(index, item);
        Ok(self.ids[index])
    }

    /// Removes and returns an item.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchItem`] if it was removed before.
    pub fn remove(&mut self, id: T::Id) -> Result<T, Error> {
        let index = self.existing(id)?;
        self.stamp = None;
        self.ids.remove(index);
        self.records.remove(index);
        Ok(self.items.remove(index))
    }

    /// Removes all items. Their handles are never reused.
    pub fn clear(&mut self) {
        self.stamp = None;
        self.ids.clear();
        self.items.clear();
        self.records.clear();
    }

    /// The index of an item that shall be changed.
    fn existing(&self, id: T::Id) -> Result<usize, Error> {
        self.index_of(id).ok_or_else(|| Error::no_item(id))
    }

    /// The index of the first item with this name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name() == Some(name))
    }

    /// Checks that no item has the name of this one, except the one that it replaces.
    fn check_name(&self, item: &T, replaced: Option<usize>) -> Result<(), Error> {
        let Some(name) = item.name().filter(|_| T::HAS_OWN_NAME) else { return Ok(()) };
        let taken = |(index, other): (usize, &T)| Some(index) != replaced && other.name() == Some(name);
        if self.items.iter().enumerate().any(taken) { Err(Error::NameTaken(name.to_owned())) } else { Ok(()) }
    }

    fn push(&mut self, item: T) -> T::Id {
        let id = T::Id::from_bits(self.next);
        self.stamp = None;
        self.next += 1;
        self.ids.push(id);
        self.items.push(item);
        self.records.push(T::Record::default());
        id
    }

    fn replace(&mut self, index: usize, item: T) {
        self.stamp = None;
        item.replaces(&self.items[index], &mut self.records[index]);
        self.items[index] = item;
    }
}

/// What the engine stores with items.
impl<T: Item> Collection<T> {
    /// The items and the data stored with each, mutably.
    pub(crate) fn items_mut(&mut self) -> impl Iterator<Item = (&mut T, &mut T::Record)> {
        self.stamp = None;
        self.items.iter_mut().zip(&mut self.records)
    }

    /// The item with this number and the data stored with it, mutably.
    pub(crate) fn item_mut(&mut self, number: usize) -> (&mut T, &mut T::Record) {
        self.stamp = None;
        (&mut self.items[number], &mut self.records[number])
    }

    /// The handles, the items and the data stored with each, mutably.
    pub(crate) fn records_mut(&mut self) -> impl Iterator<Item = (T::Id, &T, &mut T::Record)> {
        self.stamp = None;
        self.ids.iter().zip(&self.items).zip(&mut self.records).map(|((&id, item), record)| (id, item, record))
    }

    /// The stamp of the items, their handles and the data stored with them: copies that have not changed have it too.
    pub(crate) fn stamp(&mut self) -> Stamp {
        *self.stamp.get_or_insert_with(Stamp::new)
    }

    /// Whether all is as it was when it had this stamp.
    pub(crate) fn has(&self, stamp: Stamp) -> bool {
        self.stamp == Some(stamp)
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
        self.stamp = None;
        self.records = records;
    }

    /// The data stored with an item.
    pub(crate) fn record(&self, id: T::Id) -> Option<&T::Record> {
        Some(&self.records[self.index_of(id)?])
    }

    /// The data stored with the item at an index, mutably.
    pub(crate) fn record_of(&mut self, index: usize) -> Option<&mut T::Record> {
        self.stamp = None;
        self.records.get_mut(index)
    }

    /// The number of the next handle, and all handles, items and the data stored with each, for
    /// [`from_parts`](Self::from_parts).
    pub(crate) fn parts(&self) -> (u64, impl ExactSizeIterator<Item = (T::Id, &T, &T::Record)>) {
        (self.next, self.iter().zip(&self.records).map(|((id, item), record)| (id, item, record)))
    }

    /// Rebuilds a collection from its parts; `None` unless the handles ascend.
    pub(crate) fn from_parts(next: u64, parts: Vec<(T::Id, T, T::Record)>) -> Option<Self> {
        let mut all = Self { next, ..Self::default() };
        for (id, item, record) in parts {
            all.ids.push(id);
            all.items.push(item);
            all.records.push(record);
        }
        let ascending = all.ids.windows(2).all(|pair| pair[0] < pair[1]);
        let used = all.ids.last().is_none_or(|last| last.to_bits() < next);
        // Leaves room for further handles.
        let room = next <= u64::MAX / 2;
        (ascending && used && room).then_some(all)
    }

    /// Checks that every item could have been added.
    ///
    /// # Errors
    ///
    /// The errors of [`Data::check`], or [`Error::BadValue`] if two items share a name.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut names = BTreeSet::new();
        for item in &self.items {
            item.check()?;
            let name = item.name().filter(|_| T::HAS_OWN_NAME);
            if let Some(name) = name.filter(|name| !names.insert(*name)) {
                return Err(Error::bad("name", name, Allowed::NewName));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::handles::MarkId;

    impl Item for char {
        type Id = MarkId;
    }

    impl Data for char {
        type Record = u32;

        fn check(&self) -> Result<(), Error> {
            if *self == '!' { Err(Error::bad("letter", "!", Allowed::NewName)) } else { Ok(()) }
        }

        fn replaces(&self, old: &Self, record: &mut u32) {
            *record += u32::from(self != old);
        }
    }

    fn letters<const N: usize>(letters: [char; N]) -> (Collection<char>, [MarkId; N]) {
        let mut all = Collection::default();
        let ids = letters.map(|letter| all.add(letter).unwrap());
        (all, ids)
    }

    fn parts(all: &Collection<char>) -> (u64, Vec<(MarkId, char, u32)>) {
        let (next, parts) = all.parts();
        (next, parts.map(|(id, letter, record)| (id, *letter, *record)).collect())
    }

    #[test]
    fn a_handle_names_one_item_for_ever() {
        let (mut all, [a, b, c]) = letters(['a', 'b', 'c']);
        assert_eq!(all.remove(b), Ok('b'));
        assert_eq!((all.get(a), all.get(b), all.get(c)), (Some(&'a'), None, Some(&'c')));
        assert_eq!((all.remove(b), all.index_of(c)), (Err(Error::no_item(b)), Some(1)));
        all.clear();
        let d = all.add('d').unwrap();
        assert!(![a, b, c].contains(&d));
        assert_eq!(all.iter().collect::<Vec<_>>(), [(d, &'d')]);
    }

    #[test]
    fn records_stay_with_their_items() {
        let (mut all, [a, b, c]) = letters(['a', 'b', 'c']);
        assert_eq!((all.set(c, 'd'), all.set(b, 'b')), (Ok(()), Ok(())));
        assert!(all.set(b, '!').is_err() && all.add('!').is_err());
        all.remove(a).unwrap();
        let gone = Error::NoSuchItem { kind: "mark", handle: a.to_bits() };
        assert_eq!((all.set(a, 'a'), all.edit(a, |_| {})), (Err(gone.clone()), Err(gone.clone())));
        assert_eq!(gone.to_string(), "mark 0 does not exist");
        assert_eq!(parts(&all), (3, vec![(b, 'b', 0), (c, 'd', 1)]));
    }

    #[test]
    fn from_parts_restores_a_collection_and_refuses_bad_parts() {
        let (mut all, [a, _]) = letters(['a', 'b']);
        all.remove(a).unwrap();
        let (next, restored) = parts(&all);
        assert_eq!(Collection::from_parts(next, restored), Some(all));
        let id = MarkId::from_bits;
        let refused = |next, parts| Collection::<char>::from_parts(next, parts).is_none();
        assert!(refused(1, vec![(id(1), 'a', 0)]));
        assert!(refused(3, vec![(id(1), 'a', 0), (id(1), 'b', 0)]));
        assert!(refused(u64::MAX, Vec::new()));
    }
}
