//! Writes the page for an engine in a worker to a folder: `scripts/site.sh` adds the engine.

use std::path::PathBuf;

use throng_view::page::{Engine, page};

/// The page runs only its own files, and asks no other server for anything.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; \
                      connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

fn main() -> std::io::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).expect("usage: site FOLDER").into();
    let page = page(Engine::Worker)?;
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let style = format!("{policy}\n<link rel=\"stylesheet\" href=\"page.css\">");
    let document = page.document.replace("<!--STYLE-->", &style);
    let document = document.replace("<!--SCRIPT-->", "<script src=\"page.js\"></script>");
    std::fs::write(folder.join("index.html"), document)?;
    std::fs::write(folder.join("page.css"), page.style)?;
    std::fs::write(folder.join("page.js"), page.script)
}
