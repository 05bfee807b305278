//! throng
