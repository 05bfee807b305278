//! The page: a document, its style and its scripts.

use std::io;
use std::path::Path;

use serde_json::{Map, Value as Json, json};

use super::session::MILESTONE;

/// The files of the page with these names.
macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../page/", $name)))),*] };
}

const DOCUMENT: [(&str, &str); 1] = files!("page.html");
const STYLES: [(&str, &str); 3] = files!("base.css" "stage.css" "panel.css");
/// The channel to an engine in a worker, and the parts that only its page has.
const WORKER: [(&str, &str); 4] = files!("address.js" "worker.js" "worlds.js" "bench.js");
/// The hashes of the scenarios on other machines, which `tools/determinism/` writes: a name, a tick, a hash and architectures
/// per line.
const HASHES: &str = include_str!(concat!(env!("THRONG_SCENARIOS"), "/golden.txt"));
/// The scripts, in the order of their dependencies. The looks that they share with pictures come before them.
const SCRIPTS: [(&str, &str); 36] = files!(
    "words.js" "elements.js" "link.js" "frame.js" "motion.js" "camera.js" "colours.js" "backgrounds.js" "shaders.js"
    "draw.js" "trails.js" "raster.js" "density.js" "floors.js" "plan.js" "overlay.js" "selection.js" "legend.js"
    "series.js" "charts.js" "controls.js" "panel.js" "tabs.js" "inspector.js" "handles.js" "tools.js" "pointer.js"
    "timeline.js" "gallery.js" "pictures.js" "keys.js" "view.js" "stage.js" "hints.js" "status.js" "main.js"
);

/// The text of the files, one after another. In a debug build they are read from the folder that the environment
/// variable `THRONG_PAGE` names, so that the page can be changed without a new build.
fn text(files: &[(&str, &str)]) -> io::Result<String> {
    match std::env::var_os("THRONG_PAGE").filter(|_| cfg!(debug_assertions)) {
        Some(folder) => files.iter().map(|(name, _)| std::fs::read_to_string(Path::new(&folder).join(name))).collect(),
        None => Ok(files.iter().map(|(_, text)| *text).collect()),
    }
}

/// The hashes at the milestone as JSON: by the names of scenarios, then by machines.
fn hashes() -> Json {
    let mut worlds = Map::new();
    for line in HASHES.lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some(tick), Some(hash)) = (words.next(), words.next(), words.next())
            && tick.parse() == Ok(MILESTONE)
        {
            let machines = words.map(|architecture| (architecture.replace('_', "-"), hash.into()));
            worlds.insert(name.to_owned(), Json::Object(machines.collect()));
        }
    }
    json!({ "tick": MILESTONE, "worlds": worlds })
}

/// What a page is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A program at the other end of a socket.
    Program,
    /// A module in a worker beside the page.
    Worker,
    /// A program behind a notebook, which shows the page in a frame.
    Notebook,
}

/// The parts of the page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The document, in which `<!--STYLE-->` and `<!--SCRIPT-->` mark the places of the other parts.
    pub document: String,
    /// The style.
    pub style: String,
    /// The scripts, as one.
    pub script: String,
}

impl Page {
    /// The page as one document.
    #[must_use]
    pub fn whole(&self) -> String {
        let style = format!("<style>{}</style>", self.style);
        let script = format!("<script>{}</script>", self.script);
        self.document.replace("<!--STYLE-->", &style).replace("<!--SCRIPT-->", &script)
    }
}

/// Returns the page.
///
/// # Errors
///
/// Fails if `THRONG_PAGE` names a folder whose files cannot be read.
pub fn page(engine: Engine) -> io::Result<Page> {
    let mut script = format!("\"use strict\";\nconst LOOKS = {};\n", throng_draw::looks_json());
    match engine {
        Engine::Program => script += &text(&files!("program.js"))?,
        Engine::Notebook => script += &text(&files!("notebook.js"))?,
        Engine::Worker => script += &format!("const HASHES = {};\n{}", hashes(), text(&WORKER)?),
    }
    Ok(Page { document: text(&DOCUMENT)?, style: text(&STYLES)?, script: script + &text(&SCRIPTS)? })
}
