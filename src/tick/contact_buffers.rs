//! Buffers of the search for contacts.

use crate::index::search::FoundAgent;
use crate::state::contact::Contact;

/// Buffers of the search.
#[derive(Debug, Default)]
pub(crate) struct ContactBuffers {
    /// For each chunk of a species, what its agents found, and their contacts.
    pub(super) chunks: Vec<(Vec<FoundAgent>, Vec<Contact>)>,
    pub(super) all: Vec<Contact>,
}
