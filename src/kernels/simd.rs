//! The instruction sets of the kernels, and operations on their lanes.

use std::fmt;
use std::str::FromStr;

use fearless_simd::{
    Bytes, ExtractToken, Level, Select, Simd, SimdBase, SimdFloat, SimdInt, SimdMask, f32x8, f32x16, f64x8, mask32x8,
    mask32x16, mask64x8, u32x8, u32x16,
};

pub(crate) use crate::formulas::edges::nearest_image;
use crate::kernels::CLUSTER;
pub(crate) use crate::maths::components::{
    choose, direction, dot, is_zero, minus, negative, over, plus, times, truncate,
};
use crate::maths::number::{MANTISSA, ONE};
pub(crate) use crate::maths::number::{Number, Ordered, Truth};

/// An instruction set that the kernels can use. All of them give the same bits; only their speeds differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum InstructionSet {
    /// The instructions of every processor of the target: SSE2 on x86-64, NEON on 64-bit Arm.
    Baseline,
    /// AVX2, on x86 processors that have it.
    Avx2,
    /// AVX-512 as since Ice Lake and Zen 4.
    Avx512,
}

impl InstructionSet {
    /// All instruction sets, narrowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The instruction sets that this machine has, narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| set.level().is_some())
    }

    /// The widest instruction set that this machine has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().unwrap_or(Self::Baseline)
    }

    /// The name on the command line and in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Returns the token of the instruction set; `None` if this machine lacks it.
    pub(crate) fn level(self) -> Option<Level> {
        let detected = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        return match self {
            Self::Baseline => detected.as_sse2().map(Level::Sse2),
            Self::Avx2 => detected.as_avx2().map(Level::Avx2),
            Self::Avx512 => detected.as_avx512().map(Level::Avx512),
        };
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        return (self == Self::Baseline).then_some(detected);
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for InstructionSet {
    type Err = UnknownInstructionSet;

    fn from_str(name: &str) -> Result<Self, UnknownInstructionSet> {
        Self::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| UnknownInstructionSet(name.to_owned()))
    }
}

/// The error for an unknown name of an instruction set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownInstructionSet(pub String);

impl fmt::Display for UnknownInstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no instruction set is called `{}`: baseline, avx2 or avx512", self.0)
    }
}

impl std::error::Error for UnknownInstructionSet {}

/// Runs `$call` with the instruction set of `$level`, bound to `$simd`.
///
/// Unlike fearless_simd's `dispatch!`, this compiles three versions of each kernel on x86 instead of four. SSE4.2 is
/// not faster here, and every version costs compile time and space.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $call:expr) => {{
        use fearless_simd::Simd as _;
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => $simd.vectorize(
                #[inline(always)]
                || $call,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => $simd.vectorize(
                #[inline(always)]
                || $call,
            ),
            level => {
                let $simd = $crate::kernels::simd::baseline(level);
                $simd.vectorize(
                    #[inline(always)]
                    || $call,
                )
            }
        }
    }};
}
pub(crate) use dispatch;

/// Returns the token of the instruction set that every processor of the target has.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn baseline(level: Level) -> fearless_simd::x86::Sse2 {
    level.as_sse2().expect("every x86 processor that runs this has SSE2")
}

#[cfg(target_arch = "aarch64")]
pub(crate) fn baseline(level: Level) -> fearless_simd::aarch64::Neon {
    level.as_neon().expect("every 64-bit Arm processor that runs this has NEON")
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) fn baseline(level: Level) -> fearless_simd::wasm32::WasmSimd128 {
    level.as_wasm_simd128().expect("what is compiled for SIMD runs with it")
}

#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) fn baseline(_: Level) -> fearless_simd::Fallback {
    fearless_simd::Fallback::new()
}

/// Sixteen numbers, one per agent of a cluster.
pub(crate) type Lanes<S> = f32x16<S>;

/// A mask of sixteen lanes.
pub(crate) type Mask<S> = mask32x16<S>;

/// Numbers in lanes, one per agent of a cluster or a group.
pub(crate) trait FloatLanes<S: Simd>: SimdFloat<S, Element = f32> {}

impl<S: Simd, T: SimdFloat<S, Element = f32>> FloatLanes<S> for T {}

/// Makes a register the number of a formula.
macro_rules! number {
    ($($lanes:ident $whole:ident),*) => {$(
        impl<S: Simd> Number for $lanes<S> {
            #[inline(always)]
            fn same(self, value: f32) -> Self {
                Self::splat(self.token(), value)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <Self as SimdFloat<S>>::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                SimdBase::abs(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                <Self as SimdFloat<S>>::floor(self)
            }

            #[inline(always)]
            fn power_of_two(self) -> Self {
                ((self + self.same(127.0)).to_int::<$whole<S>>() << 23).bitcast::<Self>()
            }

            #[inline(always)]
            fn doublings(self) -> (Self, Self) {
                let bits = self.bitcast::<$whole<S>>();
                let (mantissa, one) = ($whole::splat(self.token(), MANTISSA), $whole::splat(self.token(), ONE));
                ((bits & mantissa | one).bitcast::<Self>(), (bits >> 23).to_float::<Self>() - self.same(127.0))
            }
        }
    )*};
}
number!(f32x16 u32x16, f32x8 u32x8);

/// Compares registers lane by lane.
macro_rules! ordered {
    ($($lanes:ident $mask:ident),*) => {$(
        impl<S: Simd> Ordered for $lanes<S> {
            type Truth = $mask<S>;

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Truth {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn le(self, other: Self) -> Self::Truth {
                self.simd_le(other)
            }

            #[inline(always)]
            fn gt(self, other: Self) -> Self::Truth {
                self.simd_gt(other)
            }

            #[inline(always)]
            fn ge(self, other: Self) -> Self::Truth {
                self.simd_ge(other)
            }

            #[inline(always)]
            fn equals(self, other: Self) -> Self::Truth {
                self.simd_eq(other)
            }
        }

        impl<S: Simd> Truth<$lanes<S>> for $mask<S> {
            #[inline(always)]
            fn choose(self, yes: $lanes<S>, no: $lanes<S>) -> $lanes<S> {
                self.select(yes, no)
            }

            #[inline(always)]
            fn all(self) -> bool {
                self.all_true()
            }

            #[inline(always)]
            fn skips(self) -> bool {
                false
            }
        }
    )*};
}
ordered!(f32x16 mask32x16, f32x8 mask32x8, u32x16 mask32x16, u32x8 mask32x8, f64x8 mask64x8);

/// Returns the sixteen numbers of `column` from `row` on.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, column: &[f32], row: usize) -> Lanes<S> {
    Lanes::from_slice(simd, &column[row..row + 16])
}

/// Returns one register per axis, from `row` on.
#[inline(always)]
pub(crate) fn load_axes<S: Simd, C: AsRef<[f32]>, const D: usize>(
    simd: S,
    columns: &[C; D],
    row: usize,
) -> [Lanes<S>; D] {
    let mut axes = [Lanes::splat(simd, 0.0); D];
    for axis in 0..D {
        axes[axis] = load(simd, columns[axis].as_ref(), row);
    }
    axes
}

/// Returns the numbers of one row, in all lanes.
#[inline(always)]
pub(crate) fn at_row<N: Number, const D: usize>(mut lanes: [N; D], columns: &[&[f32]; D], row: usize) -> [N; D] {
    for axis in 0..D {
        lanes[axis] = lanes[axis].same(columns[axis][row]);
    }
    lanes
}

/// Stores one register per axis, from `row` on.
#[inline(always)]
pub(crate) fn store_axes<S: Simd, L: FloatLanes<S>, C: AsMut<[f32]>, const D: usize>(
    lanes: [L; D],
    columns: &mut [C; D],
    row: usize,
) {
    for axis in 0..D {
        store(lanes[axis], columns[axis].as_mut(), row);
    }
}

/// Stores numbers into `column` from `row` on.
#[inline(always)]
pub(crate) fn store<S: Simd, L: FloatLanes<S>>(lanes: L, column: &mut [f32], row: usize) {
    lanes.store_slice(&mut column[row..row + L::LEN]);
}

/// Returns `sum + term` where `mask` is set, `sum` elsewhere.
#[inline(always)]
pub(crate) fn add_where<S: Simd, L: FloatLanes<S>>(mask: L::Mask, sum: L, term: L) -> L {
    let simd = sum.token();
    // AVX-512 adds under a mask in one instruction. The others need three instructions to select between two registers,
    // but one to replace the term by zero. A sum that started at plus zero is never minus zero, so adding zero changes
    // no bit.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if matches!(simd.level(), Level::Avx512(_)) {
        return mask.select(sum + term, sum);
    }
    sum + mask.select(term, L::splat(simd, 0.0))
}

/// Returns the offset from the agents in the lanes to the one at a row of `theirs`: to its nearest image if `seam` says
/// that a seam may lie between. The pair kernel repeats these lines for speed.
#[inline(always)]
pub(crate) fn offset_to<N: Number, const D: usize>(
    position: &[N; D],
    theirs: &[&[f32]; D],
    row: usize,
    seam: bool,
    period: &[f32; D],
) -> [N; D] {
    let mut offset = *position;
    for axis in 0..D {
        offset[axis] = position[axis].same(theirs[axis][row]) - position[axis];
        if seam {
            offset[axis] = nearest_image(offset[axis], period[axis]);
        }
    }
    offset
}

/// Returns the mask of the lanes whose bits are set. The lowest bit is the first lane.
#[inline(always)]
pub(crate) fn mask<S: Simd>(simd: S, bits: u16) -> Mask<S> {
    Mask::from_bitmask(simd, u64::from(bits))
}

/// Stores the numbers from `first` on that the mask selects, at `end`. Returns the new end.
#[inline(always)]
pub(crate) fn append<S: Simd>(simd: S, first: u32, mask: Mask<S>, numbers: &mut [u32], end: usize) -> usize {
    consecutive(simd, first).compress(mask).store_slice(&mut numbers[end..end + CLUSTER]);
    end + mask.to_bitmask().count_ones() as usize
}

/// Returns sixteen consecutive numbers.
#[inline(always)]
fn consecutive<S: Simd>(simd: S, first: u32) -> u32x16<S> {
    u32x16::from_slice(simd, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) + u32x16::splat(simd, first)
}
