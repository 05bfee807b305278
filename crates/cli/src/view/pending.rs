//! Connections whose request is pending: a bounded number; the oldest yields to a new one.
//!
//! A browser's request arrives at once. Connections that take their time therefore cannot keep a page from being
//! served, however many there are.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most connections with a pending request.
const MOST: usize = 64;

/// All connections with a pending request, oldest first.
#[derive(Debug, Default)]
pub(super) struct Pending {
    connections: Mutex<(u64, VecDeque<(u64, TcpStream)>)>,
}

/// The place of one connection. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Slot {
    pending: Arc<Pending>,
    number: u64,
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, (u64, VecDeque<(u64, TcpStream)>)> {
        // No change can panic halfway.
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a connection, and ends the oldest one if all places are taken.
    pub(super) fn take(self: &Arc<Self>, stream: &TcpStream) -> io::Result<Slot> {
        let stream = stream.try_clone()?;
        let (last, connections) = &mut *self.lock();
        if connections.len() >= MOST
            && let Some((_, oldest)) = connections.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        *last += 1;
        connections.push_back((*last, stream));
        Ok(Slot { pending: Arc::clone(self), number: *last })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.pending.lock().1.retain(|(number, _)| *number != self.number);
    }
}
