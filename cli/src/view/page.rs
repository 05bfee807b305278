//! The page: one document that contains its style and its scripts and loads nothing else.

use std::io;

use super::access::secret;

const DOCUMENT: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// The scripts, in the order of their dependencies. The looks that they share with pictures come before them.
const SCRIPTS: [&str; 20] = [
    include_str!("page/elements.js"),
    include_str!("page/link.js"),
    include_str!("page/frame.js"),
    include_str!("page/camera.js"),
    include_str!("page/colours.js"),
    include_str!("page/draw.js"),
    include_str!("page/raster.js"),
    include_str!("page/overlay.js"),
    include_str!("page/legend.js"),
    include_str!("page/charts.js"),
    include_str!("page/panel.js"),
    include_str!("page/inspector.js"),
    include_str!("page/handles.js"),
    include_str!("page/tools.js"),
    include_str!("page/timeline.js"),
    include_str!("page/gallery.js"),
    include_str!("page/keys.js"),
    include_str!("page/view.js"),
    include_str!("page/status.js"),
    include_str!("page/main.js"),
];

/// Returns the head and the body of the response.
pub(crate) fn response() -> io::Result<(String, String)> {
    // The browser runs only scripts and styles with the nonce of this response, not injected ones.
    let nonce = secret().map_err(io::Error::other)?;
    let script = format!("const LOOKS = {};\n", throng_draw::looks_json()) + &SCRIPTS.concat();
    let body = DOCUMENT.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", &script).replace("NONCE", &nonce);
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
