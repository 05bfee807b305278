//! The numbers of threads that programs start for a world.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use crate::base::error::Error;
use crate::base::values::{Allowed, Kind};

/// The least upper limit: tests and comparisons use more threads than small machines have cores.
const LEAST_LIMIT: usize = 64;

/// The threads per core that are allowed on large machines.
const PER_CORE: usize = 4;

/// The largest number of threads that the program and the bindings start for a world: 64, or four for each core if these
/// are more. More threads than cores make no tick faster, and thousands of them take minutes for a single one.
///
/// ```
/// assert!(throng::most_threads() >= 64);
/// ```
#[must_use]
pub fn most_threads() -> usize {
    LEAST_LIMIT.max(PER_CORE.saturating_mul(available_parallelism().map_or(1, NonZeroUsize::get)))
}

/// Checks a number of threads that a user asks for. `what` is the name of the option, the argument or the variable in
/// the error.
///
/// ```
/// assert!(throng::check_threads("threads", 7).is_ok());
/// assert!(throng::check_threads("threads", 1_000_000).is_err());
/// ```
///
/// # Errors
///
/// [`Error::BadValue`] unless the number is from 1 to [`most_threads`].
pub fn check_threads(what: &str, threads: usize) -> Result<(), Error> {
    let most = most_threads();
    if (1..=most).contains(&threads) {
        return Ok(());
    }
    Err(Error::bad(what, threads, Allowed::Kind { kind: Kind::Whole(1, most as u64), unit: "" }))
}

/// Checks the number of threads that rayon takes from the environment if a pool names none. The library reads no
/// variables: `variable` returns the value of one.
///
/// ```
/// let many = |name: &str| (name == "RAYON_NUM_THREADS").then(|| "1000000".to_owned());
/// assert!(throng::check_default_threads(many).is_err());
/// ```
///
/// # Errors
///
/// [`Error::BadValue`] with the name of the variable, if its number is larger than [`most_threads`].
pub fn check_default_threads(variable: impl Fn(&str) -> Option<String>) -> Result<(), Error> {
    let number = |name| Some((name, variable(name)?.parse::<usize>().ok().filter(|number| *number > 0)?));
    let first = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"].into_iter().find_map(number);
    first.map_or(Ok(()), |(name, threads)| check_threads(name, threads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_limited_by_name() {
        let most = most_threads();
        for allowed in [1, 2, 7, 64, most] {
            assert_eq!(check_threads("threads", allowed), Ok(()));
        }
        for refused in [0, most + 1, 5000.max(most + 1), usize::MAX] {
            let text = check_threads("--threads", refused).unwrap_err().to_string();
            assert!(text.contains("--threads") && text.contains(&format!("1 to {most}")), "{text}");
        }
    }

    #[test]
    fn the_environment_is_held_to_the_same_limit() {
        let check = |set: &'static [(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
            check_default_threads(value).map_err(|error| error.to_string())
        };
        // What rayon does not take for a number has no effect.
        for fine in
            [&[][..], &[("RAYON_NUM_THREADS", "2")], &[("RAYON_NUM_THREADS", "0")], &[("RAYON_NUM_THREADS", "a")]]
        {
            assert_eq!(check(fine), Ok(()));
        }
        assert!(check(&[("RAYON_NUM_THREADS", "1000000")]).unwrap_err().contains("RAYON_NUM_THREADS"));
        assert!(check(&[("RAYON_RS_NUM_CPUS", "1000000")]).unwrap_err().contains("RAYON_RS_NUM_CPUS"));
        assert_eq!(check(&[("RAYON_NUM_THREADS", "2"), ("RAYON_RS_NUM_CPUS", "1000000")]), Ok(()));
    }
}
