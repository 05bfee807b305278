//! Groups: the agents of a cluster that share a neighbour list and the lanes of the pair kernel.
//!
//! A cluster is one group where one register holds 16 numbers, and two groups elsewhere, because half a cluster has a
//! shorter list. The terms and order of each lane's sum are the same.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdInt, SimdMask};

use crate::kernels::simd::{Number, Ordered, Truth, dispatch};

/// An instruction set, with its lane types for a group.
pub(crate) trait Grouped: Simd {
    /// A mask with one lane per agent of a group.
    type Mask: SimdMask<Self> + Truth<Self::Group>;
    /// One number per agent of a group: 16 or 8.
    type Group: SimdFloat<Self, Element = f32, Mask = Self::Mask> + Number + Ordered<Truth = Self::Mask>;
    /// One whole number per agent of a group.
    type Rows: SimdInt<Self, Element = u32, Mask = Self::Mask> + Ordered<Truth = Self::Mask>;
}

/// One number per agent of a group.
pub(crate) type Group<S> = <S as Grouped>::Group;

/// A mask with one lane per agent of a group.
pub(crate) type GroupMask<S> = <S as Grouped>::Mask;

/// One whole number per agent of a group.
pub(crate) type GroupRows<S> = <S as Grouped>::Rows;

macro_rules! groups {
    ($($simd:path: $group:ident $rows:ident $mask:ident),*) => {
        $(impl Grouped for $simd {
            type Mask = fearless_simd::$mask<Self>;
            type Group = fearless_simd::$group<Self>;
            type Rows = fearless_simd::$rows<Self>;
        })*
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
groups!(
    fearless_simd::x86::Avx512: f32x16 u32x16 mask32x16,
    fearless_simd::x86::Avx2: f32x8 u32x8 mask32x8,
    fearless_simd::x86::Sse2: f32x8 u32x8 mask32x8
);
#[cfg(target_arch = "aarch64")]
groups!(fearless_simd::aarch64::Neon: f32x8 u32x8 mask32x8);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
groups!(fearless_simd::wasm32::WasmSimd128: f32x8 u32x8 mask32x8);
#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
groups!(fearless_simd::Fallback: f32x8 u32x8 mask32x8);

/// Returns the number of agents in a group.
pub(crate) fn group(level: Level) -> usize {
    #[inline(always)]
    fn len<S: Grouped>(_: S) -> usize {
        S::Group::LEN
    }
    dispatch!(level, simd => len(simd))
}

/// Returns the numbers of a group from `row` on.
#[inline(always)]
pub(crate) fn load_group<S: Grouped>(simd: S, column: &[f32], row: usize) -> Group<S> {
    Group::<S>::from_slice(simd, &column[row..row + Group::<S>::LEN])
}

/// Returns the numbers of a group from `row` on, for each axis.
#[inline(always)]
pub(crate) fn load_group_axes<S: Grouped, C: AsRef<[f32]>, const D: usize>(
    simd: S,
    columns: &[C; D],
    row: usize,
) -> [Group<S>; D] {
    let mut axes = [Group::<S>::splat(simd, 0.0); D];
    for axis in 0..D {
        axes[axis] = load_group(simd, columns[axis].as_ref(), row);
    }
    axes
}
