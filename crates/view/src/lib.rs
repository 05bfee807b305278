//! The page of throng, on which a running world is watched and changed, and the session behind it.
//!
//! A [`Session`] plays one world after another for its pages. It knows neither sockets nor threads nor clocks: its driver
//! gives it the time (a [`Host`]), passes the commands of pages on ([`Session::receive`]), calls [`Session::advance`] when
//! something is due, and delivers its messages (as its [`Pages`]). `throng view` drives it for pages at the other end
//! of a socket, `bindings/tab` for a page beside it.
//!
//! A [`Window`] shows and changes a world that belongs to another program, as to a notebook.

pub mod built_in;
mod changes;
pub mod command;
mod constants;
pub mod contents;
pub mod describe;
mod edit;
mod edit_log;
mod explain;
pub mod files;
pub mod frame;
pub mod gallery;
mod history;
mod host;
mod link;
mod messages;
mod pace;
pub mod page;
mod pages;
mod post;
mod samples;
mod scenario_editor;
mod session;
pub mod shade;
mod source;
mod story;
pub mod thumbnails;
mod time;
mod transitions;
mod viewer;
mod wall_places;
mod window;

pub use edit::{Edit, with_falcon};
pub use history::HASH_EVERY;
pub use host::Host;
pub use link::Link;
pub use pace::Pace;
pub use pages::{PageId, Pages};
pub use post::{Message, Post};
pub use samples::Samples;
pub use scenario_editor::with_overrides;
pub use session::{FRAME_INTERVAL, NUMBERS_INTERVAL, Session};
pub use source::{Place, Source, overrides};
pub use viewer::Viewer;
pub use window::Window;
