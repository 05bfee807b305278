//! The machine and the program that figures belong to.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::num::NonZeroUsize;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use throng::InstructionSet;

/// The machine and the program.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    /// The cores that this process may use.
    pub(crate) cores: usize,
    /// The threads that these run at a time: more than cores with simultaneous multithreading.
    pub(crate) threads: usize,
    pub(crate) instruction_set: InstructionSet,
    /// Bytes of memory, if the system reports them.
    memory: Option<u64>,
    kernel: String,
    date: String,
}

impl Machine {
    /// The machine that this program runs on, with the instruction set of its worlds.
    pub(crate) fn this(instruction_set: InstructionSet) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let entry = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let processor = read_to_string("/proc/cpuinfo").ok().and_then(|text| entry(&text, "model name"));
        let memory = read_to_string("/proc/meminfo").ok().and_then(|text| entry(&text, "MemTotal"));
        let kilobytes = memory.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
        let release = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            processor: processor.unwrap_or_else(|| format!("a processor of {}", std::env::consts::ARCH)),
            cores: cores().map_or(threads, |cores| cores.clamp(1, threads)),
            threads,
            instruction_set,
            memory: kilobytes.map(|kilobytes| kilobytes * 1024),
            kernel: format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned(),
            date: date(SystemTime::now()),
        }
    }

    /// One, two, four and so on, all cores, and all threads that they run at a time.
    pub(crate) fn ladder(&self) -> Vec<usize> {
        let mut ladder: Vec<usize> = (0..usize::BITS).map(|power| 1 << power).take_while(|&n| n < self.cores).collect();
        ladder.push(self.cores);
        ladder.extend(Some(self.threads).filter(|&threads| threads > self.cores));
        ladder
    }

    /// The properties that figures of the same machine have in common.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.processor, self.cores_in_words())
    }

    fn cores_in_words(&self) -> String {
        let cores = format!("{} {}", self.cores, if self.cores == 1 { "core" } else { "cores" });
        let smt =
            if self.threads > self.cores { format!("SMT ({} threads)", self.threads) } else { "no SMT".to_owned() };
        format!("{cores}, {smt}")
    }

    /// Three lines about the machine and the program.
    pub(crate) fn text(&self) -> String {
        let memory = self.memory.map_or(String::new(), |bytes| format!(", {} GiB", (bytes as f64 / GIB).round()));
        let commit = commit().map_or(String::new(), |commit| format!(" ({commit})"));
        let (version, set) = (env!("CARGO_PKG_VERSION"), self.instruction_set.name());
        let (cores, day) = (self.cores_in_words(), &self.date[..10]);
        format!("{}\n{cores}, {set}{memory}\nthrong {version}{commit}, {}, {day}\n", self.processor, self.kernel)
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "processor": self.processor,
            "cores": self.cores,
            "threads": self.threads,
            "smt": self.threads > self.cores,
            "instruction_set": self.instruction_set.name(),
            "memory_bytes": self.memory,
            "kernel": self.kernel,
            "version": env!("CARGO_PKG_VERSION"),
            "commit": commit(),
            "date": self.date,
            "name": self.name(),
        })
    }
}

/// Bytes of a gibibyte.
const GIB: f64 = (1_u64 << 30) as f64;

/// The commit that a release build was made from, if it is known.
fn commit() -> Option<&'static str> {
    option_env!("THRONG_COMMIT")
}

/// The number of physical cores that this process may use, if the system reports it.
fn cores() -> Option<usize> {
    let status = read_to_string("/proc/self/status").ok()?;
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut cores = BTreeSet::new();
    for number in numbers(allowed.trim())? {
        let of = |name: &str| read_to_string(format!("/sys/devices/system/cpu/cpu{number}/topology/{name}")).ok();
        cores.insert((of("physical_package_id")?, of("core_id")?));
    }
    Some(cores.len()).filter(|&cores| cores > 0)
}

/// The numbers of a list such as `0-3,8`.
fn numbers(list: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        all.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(all)
}

/// The date and time in UTC, such as 2026-11-26T10:30:00Z.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // The civil calendar from the number of days, with years that begin in March.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_798_761_599), "2026-12-31T23:59:59Z");
    }

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(numbers("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(numbers("5"), Some(vec![5]));
        assert_eq!(numbers("x"), None);
    }

    #[test]
    fn the_ladder_takes_cores_before_further_threads() {
        let ladder = |cores, threads| Machine { cores, threads, ..Machine::this(InstructionSet::Baseline) }.ladder();
        assert_eq!(ladder(1, 1), [1]);
        assert_eq!(ladder(2, 2), [1, 2]);
        assert_eq!(ladder(6, 12), [1, 2, 4, 6, 12]);
        assert_eq!(ladder(16, 32), [1, 2, 4, 8, 16, 32]);
    }
}
