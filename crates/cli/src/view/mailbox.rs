//! Mailboxes: the messages that wait for each client, among them at most the two newest frames.
//!
//! The engine never waits for a client. A client acknowledges each frame that it has drawn, and then receives the next
//! one. Two frames in transit keep the connection busy and the frames recent.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use throng_view::PageId;
use throng_view::command::ClientCommand;
use tungstenite::Bytes;
use tungstenite::protocol::frame::coding::CloseCode;

/// The most clients at a time.
const MAX_CLIENTS: usize = 8;
/// The most frames that wait, and the most frames in transit.
const MAX_FRAMES: usize = 2;
/// The most other messages that wait, and the most bytes of them. One larger message may wait if no other waits.
const MAX_TEXTS: usize = 64;
const MAX_TEXT_BYTES: usize = 4 << 20;

/// The channel of commands from the clients to the engine.
pub(crate) type CommandSender = SyncSender<(PageId, ClientCommand)>;
/// Its other end.
pub(crate) type Inbox = Receiver<(PageId, ClientCommand)>;

/// One message to a client.
#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    Text(String),
    /// Messages that belong to a frame, and the frame.
    Frame(Vec<String>, Bytes),
    /// A message about a file for the user, and its contents.
    File(String, Bytes),
    Pong(Bytes),
    /// The end of the connection, with its reason.
    Close(CloseCode, String),
}

#[derive(Debug, Default)]
struct Mail {
    texts: VecDeque<Outgoing>,
    frames: VecDeque<Outgoing>,
    /// The number of frames sent and not yet drawn.
    in_transit: usize,
    /// Whether the client has received the description of the world, its first message.
    greeted: bool,
    closed: bool,
}

impl Mail {
    fn text_bytes(&self) -> usize {
        let bytes = |item: &Outgoing| if let Outgoing::Text(text) = item { text.len() } else { 0 };
        self.texts.iter().map(bytes).sum()
    }
}

/// The messages that wait for one client.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    mail: Mutex<Mail>,
    changed: Condvar,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Mail> {
        // No change can panic halfway, so a poisoned state is consistent.
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message. A message after a close is ignored.
    pub(crate) fn put(&self, item: Outgoing) {
        let mut mail = self.lock();
        if mail.closed {
            return;
        }
        match item {
            Outgoing::Frame(..) => {
                if mail.frames.len() == MAX_FRAMES {
                    mail.frames.pop_front();
                }
                mail.frames.push_back(item);
            }
            Outgoing::Close(..) => {
                mail.closed = true;
                mail.frames.clear();
                mail.texts.clear();
                mail.texts.push_back(item);
            }
            Outgoing::Text(_) | Outgoing::File(..) | Outgoing::Pong(_) => {
                mail.texts.push_back(item);
                while mail.texts.len() > MAX_TEXTS || mail.texts.len() > 1 && mail.text_bytes() > MAX_TEXT_BYTES {
                    mail.texts.pop_front();
                }
            }
        }
        self.changed.notify_all();
    }

    /// Records that the client has drawn a frame.
    pub(crate) fn drawn(&self) {
        let mut mail = self.lock();
        mail.in_transit = mail.in_transit.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Drops the waiting frames.
    fn drop_frames(&self) {
        self.lock().frames.clear();
    }

    /// Waits for the next message to send.
    pub(crate) fn take(&self) -> Outgoing {
        let mut mail = self.lock();
        loop {
            if let Some(item) = mail.texts.pop_front() {
                return item;
            }
            if mail.in_transit < MAX_FRAMES
                && let Some(item) = mail.frames.pop_front()
            {
                mail.in_transit += 1;
                return item;
            }
            mail = self.changed.wait(mail).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// All clients.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    clients: Mutex<Clients>,
}

/// The last id assigned, and the connected clients.
type Clients = (PageId, Vec<(PageId, Arc<Mailbox>)>);

impl Hub {
    fn lock(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a client and returns its mailbox; `None` if [`MAX_CLIENTS`] are connected.
    pub(crate) fn join(&self) -> Option<(PageId, Arc<Mailbox>)> {
        let (last, clients) = &mut *self.lock();
        if clients.len() >= MAX_CLIENTS {
            return None;
        }
        *last += 1;
        let mailbox = Arc::new(Mailbox::default());
        clients.push((*last, Arc::clone(&mailbox)));
        Some((*last, mailbox))
    }

    /// Removes a client.
    pub(crate) fn leave(&self, id: PageId) {
        self.lock().1.retain(|(other, _)| *other != id);
    }

    /// Whether no client is connected.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().1.is_empty()
    }

    /// Whether this client is connected.
    pub(crate) fn has(&self, id: PageId) -> bool {
        self.lock().1.iter().any(|(other, _)| *other == id)
    }

    /// Sends a text to one client.
    pub(crate) fn send(&self, id: PageId, text: String) {
        if let Some((_, mailbox)) = self.lock().1.iter().find(|(other, _)| *other == id) {
            mailbox.lock().greeted = true;
            mailbox.put(Outgoing::Text(text));
        }
    }

    /// Sends a file to one client, with a message about it.
    pub(crate) fn send_file(&self, id: PageId, text: String, file: Vec<u8>) {
        if let Some((_, mailbox)) = self.lock().1.iter().find(|(other, _)| *other == id) {
            mailbox.put(Outgoing::File(text, file.into()));
        }
    }

    /// Sends a text to every client that has received the description of the world.
    pub(crate) fn send_all(&self, text: &str) {
        for (_, mailbox) in self.lock().1.iter().filter(|(_, mailbox)| mailbox.lock().greeted) {
            mailbox.put(Outgoing::Text(text.to_owned()));
        }
    }

    /// Drops the waiting frames of all clients.
    pub(crate) fn drop_frames(&self) {
        for (_, mailbox) in &self.lock().1 {
            mailbox.drop_frames();
        }
    }

    /// Sends a frame to every client that has received the description of the world, with the messages that `messages`
    /// returns for it.
    pub(crate) fn publish(&self, frame: &Bytes, messages: &mut dyn FnMut(PageId) -> Vec<String>) {
        for (id, mailbox) in self.lock().1.iter().filter(|(_, mailbox)| mailbox.lock().greeted) {
            mailbox.put(Outgoing::Frame(messages(*id), frame.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u8) -> Outgoing {
        Outgoing::Frame(Vec::new(), Bytes::from(vec![number]))
    }

    fn number(item: &Outgoing) -> Option<u8> {
        match item {
            Outgoing::Frame(_, bytes) => bytes.first().copied(),
            _ => None,
        }
    }

    #[test]
    fn the_newest_two_frames_wait_and_two_are_in_transit() {
        let mailbox = Mailbox::default();
        (0..10).for_each(|n| mailbox.put(frame(n)));
        assert_eq!([number(&mailbox.take()), number(&mailbox.take())], [Some(8), Some(9)]);
        mailbox.put(frame(10));
        mailbox.put(Outgoing::Text("texts overtake frames".into()));
        assert_eq!(number(&mailbox.take()), None);
        mailbox.drawn();
        assert_eq!(number(&mailbox.take()), Some(10));
    }

    #[test]
    fn waiting_texts_are_bounded() {
        let mailbox = Mailbox::default();
        (0..100).for_each(|n| mailbox.put(Outgoing::Text(format!("{n}"))));
        assert_eq!(mailbox.lock().texts.len(), MAX_TEXTS);
        (0..20).for_each(|_| mailbox.put(Outgoing::Text("x".repeat(1 << 20))));
        assert_eq!(mailbox.lock().text_bytes(), MAX_TEXT_BYTES);
        mailbox.put(Outgoing::Text("x".repeat(MAX_TEXT_BYTES + 1)));
        assert_eq!(mailbox.lock().texts.len(), 1);
    }

    #[test]
    fn eight_clients_fit_and_nothing_follows_a_close() {
        let hub = Hub::default();
        let clients: Vec<_> = (0..8).map(|_| hub.join().unwrap()).collect();
        assert!(hub.join().is_none());
        hub.leave(clients[3].0);
        assert!(hub.join().is_some());
        let mailbox = &clients[0].1;
        mailbox.put(Outgoing::Close(CloseCode::Policy, "no".into()));
        mailbox.put(Outgoing::Text("late".into()));
        assert!(matches!(mailbox.take(), Outgoing::Close(..)));
        assert!(mailbox.lock().texts.is_empty());
    }
}
