//! The messages that wait for one page. It may be two frames behind: newer ones replace the one that waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::gallery::Card;
use super::pages::{PageId, Pages};
use super::source::Source;

/// The most frames that the page has received and not yet drawn.
const MOST_FRAMES: usize = 2;

/// A message to a page.
#[derive(Clone, Debug)]
pub enum Message {
    /// A text: a JSON object.
    Text(String),
    /// The bytes of a frame or of a file.
    Bytes(Vec<u8>),
}

#[derive(Debug, Default)]
struct Mail {
    messages: VecDeque<Message>,
    /// A frame, and the messages that come before it.
    frame: Option<(Vec<String>, Vec<u8>)>,
    /// Whether the page has received the description of the world, its first message.
    greeted: bool,
    /// The number of frames that the page has not yet drawn.
    behind: usize,
}

/// The messages to the one page.
#[derive(Clone, Debug, Default)]
pub struct Post(Arc<Mutex<Mail>>);

impl Post {
    /// The page.
    pub const PAGE: PageId = 1;

    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the page has drawn a frame.
    pub fn drawn(&self) {
        let mut mail = self.mail();
        mail.behind = mail.behind.saturating_sub(1);
    }

    /// Records that the page is new: it has no frames to draw.
    pub fn renew(&self) {
        self.mail().behind = 0;
    }

    /// Whether the page has to draw frames before it receives another.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.mail().behind >= MOST_FRAMES
    }

    /// Takes the next message.
    #[must_use]
    pub fn take(&self) -> Option<Message> {
        let mut mail = self.mail();
        if mail.messages.is_empty() && mail.behind < MOST_FRAMES {
            let (texts, frame) = mail.frame.take()?;
            mail.behind += 1;
            mail.messages.extend(texts.into_iter().map(Message::Text));
            mail.messages.push_back(Message::Bytes(frame));
        }
        mail.messages.pop_front()
    }
}

impl Pages for Post {
    fn is_empty(&self) -> bool {
        false
    }

    fn send(&self, _: PageId, text: String) {
        let mut mail = self.mail();
        mail.greeted = true;
        mail.messages.push_back(Message::Text(text));
    }

    fn send_all(&self, text: &str) {
        let mut mail = self.mail();
        if mail.greeted {
            mail.messages.push_back(Message::Text(text.to_owned()));
        }
    }

    fn send_file(&self, _: PageId, text: String, file: Vec<u8>) {
        self.mail().messages.extend([Message::Text(text), Message::Bytes(file)]);
    }

    fn publish(&self, frame: Vec<u8>, messages: &mut dyn FnMut(PageId) -> Vec<String>) {
        self.mail().frame = Some((messages(Self::PAGE), frame));
    }

    fn drop_frames(&self) {
        self.mail().frame = None;
    }

    fn show_gallery(&mut self, _: PageId, source: &Source) {
        let cards = source.siblings().into_iter().map(|name| Card::of(source, &name, |_| None).message());
        cards.for_each(|card| self.mail().messages.push_back(Message::Text(card)));
    }
}
