//! `docs/tutorial.md`.
