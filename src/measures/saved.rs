//! What observers remember, as bytes: a series that was interrupted goes on from them.

use crate::base::ids::AgentId;
use crate::state::snapshot::{Reader, SnapshotError, Writer};

/// A value that a saved recorder holds.
pub(super) trait Saved: Sized {
    fn save(&self, to: &mut Writer<'_>);
    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError>;
}

/// Saves a struct field by field. The compiler finds a field that is missing here.
macro_rules! saved {
    ($name:ident $(<$item:ident>)? { $($field:ident),+ }) => {
        impl $(<$item: $crate::measures::saved::Saved>)? $crate::measures::saved::Saved for $name $(<$item>)? {
            fn save(&self, to: &mut $crate::state::snapshot::Writer<'_>) {
                let Self { $($field),+ } = self;
                $($crate::measures::saved::Saved::save($field, to);)+
            }

            fn load(
                from: &mut $crate::state::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::state::snapshot::SnapshotError> {
                $(let $field = $crate::measures::saved::Saved::load(from)?;)+
                Ok(Self { $($field),+ })
            }
        }
    };
}

pub(super) use saved;

/// Saves a number by the functions of its name.
macro_rules! number {
    ($($number:ident),+) => {
        $(impl Saved for $number {
            fn save(&self, to: &mut Writer<'_>) {
                to.$number(*self);
            }

            fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                from.$number()
            }
        })+
    };
}

number!(u32, u64, f32, f64);

impl Saved for i32 {
    fn save(&self, to: &mut Writer<'_>) {
        to.u32(self.cast_unsigned());
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.u32().map(u32::cast_signed)
    }
}

impl Saved for i64 {
    fn save(&self, to: &mut Writer<'_>) {
        to.u64(self.cast_unsigned());
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.u64().map(u64::cast_signed)
    }
}

impl Saved for bool {
    fn save(&self, to: &mut Writer<'_>) {
        to.flag(*self);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.flag()
    }
}

impl Saved for AgentId {
    fn save(&self, to: &mut Writer<'_>) {
        to.u64(self.to_bits());
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        from.u64().map(Self::from_bits)
    }
}

impl<T: Saved + Copy + Default, const N: usize> Saved for [T; N] {
    fn save(&self, to: &mut Writer<'_>) {
        self.iter().for_each(|value| value.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::load(from)?;
        }
        Ok(values)
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, to: &mut Writer<'_>) {
        to.flag(self.is_some());
        if let Some(value) = self {
            value.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        if from.flag()? { T::load(from).map(Some) } else { Ok(None) }
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

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, to: &mut Writer<'_>) {
        self.0.save(to);
        self.1.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok((A::load(from)?, B::load(from)?))
    }
}
