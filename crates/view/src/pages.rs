//! The pages that watch a session.

use std::fmt::Debug;

use super::source::Source;

/// A page, for as long as it is connected.
pub type PageId = u64;

/// The pages that watch a session, which take its messages. The first message to a page describes the world.
pub trait Pages: Debug + Send {
    /// Whether no page is connected.
    fn is_empty(&self) -> bool;

    /// Sends a text to one page.
    fn send(&self, page: PageId, text: String);

    /// Sends a text to every page that has received the description of the world.
    fn send_all(&self, text: &str);

    /// Sends a file to one page, with a message about it.
    fn send_file(&self, page: PageId, text: String, file: Vec<u8>);

    /// Sends a frame to every page that has received the description of the world, with the messages that `messages`
    /// returns for it. A page that has not drawn earlier ones may lose it.
    fn publish(&self, frame: Vec<u8>, messages: &mut dyn FnMut(PageId) -> Vec<String>);

    /// Drops the frames that wait.
    fn drop_frames(&self);

    /// Sends the scenarios beside this one to a page, one message each ([`crate::gallery`]).
    fn show_gallery(&mut self, page: PageId, source: &Source);
}
