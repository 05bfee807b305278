//! Ranks that are threads of one process, and exchange bytes through channels.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::transport::Transport;

/// The transport of one thread.
pub struct InProcess {
    rank: usize,
    /// One channel to each rank, and one from each.
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

/// Creates the transports of this number of ranks, which exchange bytes within this process.
#[must_use]
pub fn in_process(ranks: usize) -> Vec<InProcess> {
    let mut all: Vec<InProcess> = (0..ranks).map(|rank| InProcess { rank, to: Vec::new(), from: Vec::new() }).collect();
    for sender in 0..ranks {
        for receiver in 0..ranks {
            let (to, from) = channel();
            all[sender].to.push(to);
            all[receiver].from.push(Mutex::new(from));
        }
    }
    all
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InProcess({} of {})", self.rank, self.to.len())
    }
}

impl InProcess {
    fn send(&self, rank: usize, bytes: &[u8]) {
        assert!(self.to[rank].send(bytes.to_vec()).is_ok(), "rank {rank} has ended");
    }

    fn receive(&self, rank: usize) -> Vec<u8> {
        let from = self.from[rank].lock().unwrap_or_else(PoisonError::into_inner);
        from.recv().unwrap_or_else(|_| panic!("rank {rank} has ended"))
    }
}

impl Transport for InProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, to: &[Vec<u8>], from: &mut Vec<Vec<u8>>) {
        assert_eq!(to.len(), self.ranks(), "one message for each rank");
        to.iter().enumerate().for_each(|(rank, bytes)| self.send(rank, bytes));
        from.clear();
        from.extend((0..self.ranks()).map(|rank| self.receive(rank)));
    }

    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>) {
        (0..self.ranks()).for_each(|rank| self.send(rank, own));
        all.clear();
        all.extend((0..self.ranks()).map(|rank| self.receive(rank)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `work` on each of these ranks, and returns the results in the order of ranks.
    fn on<T: Send + 'static>(ranks: usize, work: impl Fn(InProcess) -> T + Copy + Send + 'static) -> Vec<T> {
        let threads: Vec<_> =
            in_process(ranks).into_iter().map(|rank| std::thread::spawn(move || work(rank))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    }

    #[test]
    fn bytes_arrive_in_the_order_of_ranks() {
        let received = on(3, |rank| {
            let own = rank.rank() as u8;
            let (mut all, mut from) = (Vec::new(), vec![vec![9; 9]; 9]);
            rank.gather(&vec![own; own.into()], &mut all);
            rank.exchange(&[vec![own, 0], vec![own, 1], vec![own, 2]], &mut from);
            (all, from)
        });
        for (rank, (all, from)) in received.into_iter().enumerate() {
            assert_eq!(all, [vec![], vec![1], vec![2, 2]]);
            assert_eq!(from, [0, 1, 2].map(|sender| vec![sender, rank as u8]));
        }
    }

    #[test]
    #[should_panic(expected = "rank 1 has ended")]
    fn a_rank_that_ended_is_named() {
        let mut ranks = in_process(2);
        drop(ranks.pop());
        ranks[0].gather(&[1], &mut Vec::new());
    }
}
