//! Bits as sets of numbers.

/// Returns the numbers of the bits that are set, ascending.
#[inline]
pub(crate) fn ones(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut left = bits.into();
    std::iter::from_fn(move || {
        let first = (left != 0).then_some(left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        first
    })
}

/// The same for bits in several words; the first has the lowest 64.
pub(crate) fn ones_of(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| word * 64 + bit))
}
