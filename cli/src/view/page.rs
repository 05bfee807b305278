//! The page: one document that contains its style and its scripts and loads nothing else.

use std::io;
use std::path::Path;

use super::access::secret;

/// The files of the page with these names.
macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("page/", $name)))),*] };
}

const DOCUMENT: [(&str, &str); 1] = files!("page.html");
const STYLES: [(&str, &str); 3] = files!("base.css" "stage.css" "panel.css");
/// The scripts, in the order of their dependencies. The looks that they share with pictures come before them.
const SCRIPTS: [(&str, &str); 35] = files!(
    "elements.js" "link.js" "frame.js" "motion.js" "camera.js" "colours.js" "backgrounds.js" "shaders.js" "draw.js"
    "trails.js" "raster.js" "density.js" "floors.js" "plan.js" "overlay.js" "selection.js" "legend.js" "series.js" "charts.js"
    "controls.js" "panel.js" "tabs.js" "inspector.js" "handles.js" "tools.js" "pointer.js" "timeline.js" "gallery.js"
    "pictures.js" "keys.js" "view.js" "stage.js" "hints.js" "status.js" "main.js"
);

/// The text of the files, one after another. In a debug build they are read from the folder that the environment
/// variable `THRONG_PAGE` names, so that the page can be changed without a new build.
fn text(files: &[(&str, &str)]) -> io::Result<String> {
    match std::env::var_os("THRONG_PAGE").filter(|_| cfg!(debug_assertions)) {
        Some(folder) => files.iter().map(|(name, _)| std::fs::read_to_string(Path::new(&folder).join(name))).collect(),
        None => Ok(files.iter().map(|(_, text)| *text).collect()),
    }
}

/// Returns the head and the body of the response.
pub(crate) fn response() -> io::Result<(String, String)> {
    // The browser runs only scripts and styles with the nonce of this response, not injected ones.
    let nonce = secret().map_err(io::Error::other)?;
    let script = format!("const LOOKS = {};\n", throng_draw::looks_json()) + &text(&SCRIPTS)?;
    let body = text(&DOCUMENT)?.replace("/*STYLE*/", &text(&STYLES)?).replace("/*SCRIPT*/", &script);
    let body = body.replace("NONCE", &nonce);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
        body.len()
    );
    Ok((head, body))
}
