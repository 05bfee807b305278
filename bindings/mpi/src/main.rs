//! The program `throng-mpi`: one world on all processes that `mpirun` starts, with the bits of one process.

mod memory;
mod transport;
mod watch;

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use mpi::Threading;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator as _;
use throng::Registry;

use transport::Mpi;
use watch::Watch;

/// The variable with the longest time, in seconds, for which a rank waits for the others.
const TIMEOUT: &str = "THRONG_RANK_TIMEOUT";

/// Its default.
const SECONDS: f64 = 8.0;

fn main() -> ExitCode {
    memory::write_to_claim();
    let seconds = match std::env::var(TIMEOUT).map(|text| text.parse::<f64>()) {
        Err(_) => SECONDS,
        Ok(Ok(seconds)) if seconds > 0.0 && seconds < 1e9 => seconds,
        Ok(_) => return refuse(2, &format!("{TIMEOUT} must be a number of seconds, from above 0 to 1e9")),
    };
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
        return refuse(4, "MPI cannot be initialised");
    };
    if threading < Threading::Serialized {
        return refuse(4, "this installation of MPI allows calls from one thread only");
    }
    let transport = Mpi::new(Watch::start(Duration::from_secs_f64(seconds)));
    let code = throng_cli::main_on_ranks(&Registry::new(), Arc::new(transport), &program());
    if code != 0 {
        // The other ranks may wait for this one.
        SimpleCommunicator::world().abort(code.into());
    }
    drop(universe);
    ExitCode::SUCCESS
}

fn refuse(code: u8, reason: &str) -> ExitCode {
    eprintln!("error: {reason}");
    ExitCode::from(code)
}

/// Identifies this program by its length and a checksum of its file.
fn program() -> String {
    let bytes = std::env::current_exe().and_then(fs::read).unwrap_or_default();
    format!("{} bytes, {:08x}", bytes.len(), crc32fast::hash(&bytes))
}
