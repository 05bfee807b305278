//! The transport over MPI.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::Count;
use mpi::datatype::PartitionMut;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _, Destination as _, Source as _};
use throng::ranks::Transport;

use crate::watch::Watch;

/// The number of bytes of a message's head: its length in four bytes, and the whole message if it is short.
const HEAD: usize = 64;
const SHORT: usize = HEAD - 4;

/// The time after which a rank that waits sleeps, and for how long. The last rank to come may have to wait for a nap per
/// doubling of the number of ranks.
const PATIENCE: Duration = Duration::from_micros(50);
const NAP: Duration = Duration::from_micros(50);

/// All processes of the run. One thread at a time calls MPI.
pub(crate) struct Mpi {
    rank: usize,
    ranks: usize,
    watch: Watch,
    /// What the last gathering received, so that the next one finds room.
    received: Mutex<Vec<u8>>,
}

impl fmt::Debug for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mpi({} of {})", self.rank, self.ranks)
    }
}

impl Mpi {
    /// The processes that MPI started. MPI is initialised.
    pub(crate) fn new(watch: Watch) -> Self {
        let world = SimpleCommunicator::world();
        Self { rank: world.rank() as usize, ranks: world.size() as usize, watch, received: Mutex::default() }
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn exchange(&self, to: &[Vec<u8>], from: &mut Vec<Vec<u8>>) {
        let _waiting = self.watch.wait();
        let world = SimpleCommunicator::world();
        meet(&world);
        // MPI does not count what a rank keeps.
        let lengths = to.iter().enumerate().map(|(rank, bytes)| if rank == self.rank { 0 } else { bytes.len() });
        let mut receive = vec![0; self.ranks];
        world.all_to_all_into(&counts(lengths)[..], &mut receive[..]);
        from.resize_with(self.ranks, Vec::new);
        from.iter_mut().zip(&receive).for_each(|(bytes, &count)| bytes.resize(count as usize, 0));
        from[self.rank].extend_from_slice(&to[self.rank]);
        let is_sent = |rank: usize, bytes: &[u8]| rank != self.rank && !bytes.is_empty();
        mpi::request::scope(|scope| {
            let mut requests = Vec::new();
            for (rank, bytes) in from.iter_mut().enumerate().filter(|(rank, bytes)| is_sent(*rank, bytes)) {
                requests.push(world.process_at_rank(rank as Count).immediate_receive_into(scope, &mut bytes[..]));
            }
            for (rank, bytes) in to.iter().enumerate().filter(|(rank, bytes)| is_sent(*rank, bytes)) {
                requests.push(world.process_at_rank(rank as Count).immediate_send(scope, &bytes[..]));
            }
            for request in requests {
                request.wait_without_status();
            }
        });
    }

    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>) {
        let _waiting = self.watch.wait();
        let world = SimpleCommunicator::world();
        meet(&world);
        let length = count(own.len());
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&length.to_le_bytes());
        if own.len() <= SHORT {
            head[4..4 + own.len()].copy_from_slice(own);
        }
        let mut heads = vec![0; HEAD * self.ranks];
        world.all_gather_into(&head[..], &mut heads[..]);
        let (heads, _) = heads.as_chunks::<HEAD>();
        let lengths: Vec<Count> =
            heads.iter().map(|head| Count::from_le_bytes([0, 1, 2, 3].map(|at| head[at]))).collect();
        all.resize_with(self.ranks, Vec::new);
        all.iter_mut().for_each(Vec::clear);
        if lengths.iter().all(|&length| length as usize <= SHORT) {
            let messages = all.iter_mut().zip(heads).zip(lengths);
            messages.for_each(|((message, head), length)| message.extend_from_slice(&head[4..4 + length as usize]));
            return;
        }
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        let starts = starts(&lengths);
        // It has memory even if it is empty: MPI refuses to send from where it receives, and all empty vectors without
        // memory are at the same place.
        received.resize(1 + lengths.iter().map(|&length| length as usize).sum::<usize>(), 0);
        world.all_gather_varcount_into(own, &mut PartitionMut::new(&mut received[..], &lengths[..], &starts[..]));
        for ((message, &start), &length) in all.iter_mut().zip(&starts).zip(&lengths) {
            message.extend_from_slice(&received[start as usize..][..length as usize]);
        }
    }
}

/// Waits until all ranks are here. A rank that waits long leaves its processor to others: MPI itself would ask again and
/// again, at the cost of a processor.
fn meet(world: &SimpleCommunicator) {
    let start = Instant::now();
    let mut barrier = world.immediate_barrier();
    while let Err(waiting) = barrier.test() {
        barrier = waiting;
        if start.elapsed() > PATIENCE {
            thread::sleep(NAP);
        }
    }
}

/// The lengths of messages as MPI counts them.
fn counts(lengths: impl Iterator<Item = usize>) -> Vec<Count> {
    lengths.map(count).collect()
}

fn count(length: usize) -> Count {
    length.try_into().unwrap_or_else(|_| too_long())
}

/// Where each of these messages starts.
fn starts(counts: &[Count]) -> Vec<Count> {
    let start = |start: &mut Count, count: &Count| {
        let this = *start;
        *start = start.checked_add(*count).unwrap_or_else(|| too_long());
        Some(this)
    };
    counts.iter().scan(0, start).collect()
}

/// Panics: MPI counts bytes with 32 bits.
#[cold]
fn too_long() -> ! {
    panic!("the ranks exchange more than 2 GiB at once, which MPI cannot count")
}
