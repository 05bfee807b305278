//! The stages of a tick, one file each, and what is derived from the state for them.

mod apart;
pub(crate) mod arrange;
pub(crate) mod collide;
pub(crate) mod confine;
mod contact_buffers;
mod contacts;
pub(crate) mod decide;
pub(crate) mod derived;
pub(crate) mod division;
pub(crate) mod edit;
mod halo;
pub(crate) mod index;
pub(crate) mod integrate;
mod migrate;
mod moved;
mod places;
pub(crate) mod quarantine;
mod read_at;
pub(crate) mod regions;
pub(crate) mod removal;
pub(crate) mod resolved_regions;
mod shared_sort;
pub(crate) mod sources;
pub(crate) mod steer;
pub(crate) mod times;
mod undo;
pub(crate) mod zones;
