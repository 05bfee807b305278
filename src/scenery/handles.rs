//! Handles of the things in a scenery, and the collections that hand them out.

/// Declares a handle.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// The handle as one number. It is not used again in its scenery, not even after a removal.
            #[must_use]
            pub const fn to_bits(self) -> u64 {
                self.0
            }

            /// The handle that [`to_bits`](Self::to_bits) gave the number of.
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
    /// Names an obstacle of a [`Scenery`](crate::Scenery) until it is removed.
    ObstacleId
}
handle! {
    /// Names a mark of a [`Scenery`](crate::Scenery) until it is removed.
    MarkId
}
handle! {
    /// Names a region of a [`Scenery`](crate::Scenery) until it is removed.
    RegionId
}
handle! {
    /// Names a flow field of a [`Scenery`](crate::Scenery) until it is removed.
    FieldId
}

/// A handle: a number that counts up with every value that is added.
pub(crate) trait Handle: Copy {
    fn number(self) -> u64;
    fn from_number(number: u64) -> Self;
}

/// Values and their handles, in the order in which they were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Collection<I, T> {
    /// The handle of the next value.
    next: u64,
    /// Ascending: a handle is found by bisection.
    ids: Vec<I>,
    values: Vec<T>,
}

impl<I, T> Default for Collection<I, T> {
    fn default() -> Self {
        Self { next: 0, ids: Vec::new(), values: Vec::new() }
    }
}

impl<I: Handle, T> Collection<I, T> {
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.ids.iter().copied().zip(&self.values)
    }

    pub(crate) fn add(&mut self, value: T) -> I {
        let id = I::from_number(self.next);
        self.next += 1;
        self.ids.push(id);
        self.values.push(value);
        id
    }

    /// The place of a value among all values.
    pub(crate) fn place(&self, id: I) -> Option<usize> {
        self.ids.binary_search_by_key(&id.number(), |id| id.number()).ok()
    }

    pub(crate) fn get(&self, id: I) -> Option<&T> {
        Some(&self.values[self.place(id)?])
    }

    pub(crate) fn get_mut(&mut self, id: I) -> Option<&mut T> {
        let place = self.place(id)?;
        Some(&mut self.values[place])
    }

    /// Removes a value; those behind it move up.
    pub(crate) fn remove(&mut self, id: I) -> Option<T> {
        let place = self.place(id)?;
        self.ids.remove(place);
        Some(self.values.remove(place))
    }

    /// Removes all values. Their handles are not used again.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.values.clear();
    }

    /// The number of the next handle, and all handles and values: what [`from_parts`](Self::from_parts) takes.
    pub(crate) fn parts(&self) -> (u64, &[I], &[T]) {
        (self.next, &self.ids, &self.values)
    }

    /// The collection with these parts; `None` if no collection has them.
    pub(crate) fn from_parts(next: u64, ids: Vec<I>, values: Vec<T>) -> Option<Self> {
        let ascending = ids.windows(2).all(|pair| pair[0].number() < pair[1].number());
        let used = ids.last().is_none_or(|last| last.number() < next);
        // There is room for handles to come.
        let room = next <= u64::MAX / 2;
        (ascending && used && room && ids.len() == values.len()).then_some(Self { next, ids, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_one_value_for_ever() {
        let mut letters = Collection::<MarkId, char>::default();
        let [a, b, c] = ['a', 'b', 'c'].map(|letter| letters.add(letter));
        assert_eq!(letters.remove(b), Some('b'));
        assert_eq!((letters.get(a), letters.get(b), letters.get(c)), (Some(&'a'), None, Some(&'c')));
        assert_eq!((letters.remove(b), letters.place(c)), (None, Some(1)));
        letters.clear();
        let d = letters.add('d');
        assert!(![a, b, c].contains(&d));
        assert_eq!(letters.iter().collect::<Vec<_>>(), [(d, &'d')]);
    }

    #[test]
    fn parts_make_the_same_collection_and_bad_ones_none() {
        let mut letters = Collection::<MarkId, char>::default();
        let [a, _] = ['a', 'b'].map(|letter| letters.add(letter));
        letters.remove(a);
        let (next, ids, values) = letters.parts();
        assert_eq!(Collection::from_parts(next, ids.to_vec(), values.to_vec()), Some(letters.clone()));
        let id = MarkId::from_bits;
        assert_eq!(Collection::from_parts(1, vec![id(1)], vec!['a']), None);
        assert_eq!(Collection::from_parts(3, vec![id(1), id(1)], vec!['a', 'b']), None);
        assert_eq!(Collection::from_parts(3, vec![id(1)], vec!['a', 'b']), None);
    }
}
