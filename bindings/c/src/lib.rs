//! The C interface of throng. `include/throng.h` is made from this crate by cbindgen and has its documentation.
//!
//! Every function of the interface goes through [`guard::call`]: panics stop there, and errors become a status and a
//! text. Worlds live in a table of handles ([`table`]), so a stale handle is an error.

mod agents;
mod columns;
mod drawn;
mod events;
mod fault;
mod guard;
mod orders;
mod pointers;
mod queries;
mod rules;
mod scenery;
mod snapshots;
mod table;
mod ways;
mod worlds;
