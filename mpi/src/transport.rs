//! The transport over MPI.

use std::fmt;

use mpi::Count;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _};
use throng::ranks::Transport;

use crate::watch::Watch;

/// All processes of the run. One thread at a time calls MPI.
pub(crate) struct Mpi {
    rank: usize,
    ranks: usize,
    watch: Watch,
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
        Self { rank: world.rank() as usize, ranks: world.size() as usize, watch }
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
        // One byte more for each rank: where one rank has nothing to send or receive, Open MPI returns there at once,
        // while the others wait for its empty messages.
        let send = counts(to.iter().map(|bytes| bytes.len() + 1));
        let sent: Vec<u8> = to.iter().flat_map(|bytes| [&bytes[..], &[0]]).flatten().copied().collect();
        let mut receive = vec![0; self.ranks];
        world.all_to_all_into(&send[..], &mut receive[..]);
        let (send_starts, receive_starts) = (starts(&send), starts(&receive));
        let mut bytes = room(&receive);
        let sent = Partition::new(&sent[..], &send[..], &send_starts[..]);
        world
            .all_to_all_varcount_into(&sent, &mut PartitionMut::new(&mut bytes[..], &receive[..], &receive_starts[..]));
        divide(&bytes, &receive, from);
        from.iter_mut().for_each(|bytes| bytes.truncate(bytes.len() - 1));
    }

    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>) {
        let _waiting = self.watch.wait();
        let world = SimpleCommunicator::world();
        let mut receive = vec![0; self.ranks];
        world.all_gather_into(&counts([own.len()].into_iter())[..], &mut receive[..]);
        let starts = starts(&receive);
        let mut bytes = room(&receive);
        world.all_gather_varcount_into(own, &mut PartitionMut::new(&mut bytes[..], &receive[..], &starts[..]));
        divide(&bytes, &receive, all);
    }
}

/// The lengths of messages as MPI counts them.
fn counts(lengths: impl Iterator<Item = usize>) -> Vec<Count> {
    lengths.map(|length| length.try_into().unwrap_or_else(|_| too_long())).collect()
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

/// Returns room for these messages. It has memory even if they are empty: MPI refuses to send from where it receives,
/// and all empty vectors without memory are at the same place.
fn room(counts: &[Count]) -> Vec<u8> {
    let length = counts.iter().map(|&count| count as usize).sum();
    let mut bytes = Vec::with_capacity(length + 1);
    bytes.resize(length, 0);
    bytes
}

/// Panics: MPI counts bytes with 32 bits.
#[cold]
fn too_long() -> ! {
    panic!("the ranks exchange more than 2 GiB at once, which MPI cannot count")
}

/// Divides bytes into the messages of each rank.
fn divide(mut bytes: &[u8], counts: &[Count], messages: &mut Vec<Vec<u8>>) {
    messages.resize_with(counts.len(), Vec::new);
    for (message, &count) in messages.iter_mut().zip(counts) {
        let (first, rest) = bytes.split_at(count as usize);
        message.clear();
        message.extend_from_slice(first);
        bytes = rest;
    }
}
