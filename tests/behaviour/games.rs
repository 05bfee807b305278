//! What games ask of the engine.
