//! The memory that a scenario needs, and the memory available on this machine.

use std::fs::read_to_string;

/// The memory of a running world with this number of agents, in bytes. The factors are rounded up from measurements
/// with four million agents: 213 bytes per agent in two dimensions, 247 in three.
pub(crate) fn needed(agents: u64, dimensions: usize) -> u64 {
    agents.saturating_mul(128 + 48 * dimensions as u64)
}

/// The available memory in bytes, if the system reports it: the free memory, or the rest of a lower limit of the
/// process; on machines of 32 bits, such as WebAssembly, no more than their addresses.
pub(crate) fn available() -> Option<u64> {
    let free = read_to_string("/proc/meminfo").ok().and_then(|text| kilobytes(&text, "MemAvailable:"));
    let address_space = read_to_string("/proc/self/limits").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        let used = read_to_string("/proc/self/status").ok().and_then(|text| kilobytes(&text, "VmSize:")).unwrap_or(0);
        Some(limit.saturating_sub(used))
    });
    let group = || {
        let limit: u64 = read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()?;
        let used: u64 = read_to_string("/sys/fs/cgroup/memory.current").ok()?.trim().parse().ok()?;
        Some(limit.saturating_sub(used))
    };
    let addresses = cfg!(target_pointer_width = "32").then_some(1 << 32);
    [free, address_space, group(), addresses].into_iter().flatten().min()
}

fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(rest.split_whitespace().next()?.parse::<u64>().ok()?.saturating_mul(1024))
}
