//! Clones that use memory again.

/// Implements [`Clone`] for a type with these fields. Unlike the derived one, its `clone_from` uses the memory of each
/// field again.
macro_rules! clone_fields {
    ($Type:ident $(<const $D:ident: usize>)? { $($field:ident),* }) => {
        impl $(<const $D: usize>)? Clone for $Type $(<$D>)? {
            fn clone(&self) -> Self {
                let Self { $($field),* } = self;
                Self { $($field: $field.clone()),* }
            }

            fn clone_from(&mut self, other: &Self) {
                let Self { $($field),* } = other;
                $(self.$field.clone_from($field);)*
            }
        }
    };
}

pub(crate) use clone_fields;
