//! Handles of the items in a scenery, and the collections that issue them.

/// Declares a handle type.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// The handle as a number. It is never reused in its scenery, not even after a removal.
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
    /// Identifies an obstacle of a [`Scenery`](crate::Scenery) until it is removed.
    ObstacleId
}
handle! {
    /// Identifies a mark of a [`Scenery`](crate::Scenery) until it is removed.
    MarkId
}
handle! {
    /// Identifies a region of a [`Scenery`](crate::Scenery) until it is removed.
    RegionId
}
handle! {
    /// Identifies a flow field of a [`Scenery`](crate::Scenery) until it is removed.
    FieldId
}

/// A handle: a number that increases with every value that is added.
pub(crate) trait Handle: Copy {
    fn number(self) -> u64;
    fn from_number(number: u64) -> Self;
}

/// Values and their handles, in the order in which they were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Collection<I, T> {
    /// The handle of the next value.
    next: u64,
    /// Ascending, for binary search.
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

    /// The index of a value.
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

    /// Removes a value; the indices of later values decrease by one.
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

    /// The number of the next handle, and all handles and values, for [`from_parts`](Self::from_parts).
    pub(crate) fn parts(&self) -> (u64, &[I], &[T]) {
        (self.next, &self.ids, &self.values)
    }

    /// Rebuilds a collection from its parts; `None` if they are inconsistent.
    pub(crate) fn from_parts(next: u64, ids: Vec<I>, values: Vec<T>) -> Option<Self> {
        let ascending = ids.windows(2).all(|pair| pair[0].number() < pair[1].number());
        let used = ids.last().is_none_or(|last| last.number() < next);
        // Leaves room for further handles.
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
    fn from_parts_restores_a_collection_and_refuses_bad_parts() {
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
