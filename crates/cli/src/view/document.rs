//! The page as one document, which contains its style and its scripts and loads nothing else.

use std::io;

use throng_view::page::{Engine, page};

use super::access::secret;

/// Returns the head and the body of the response.
pub(crate) fn response() -> io::Result<(String, String)> {
    // The browser runs only scripts and styles with the nonce of this response, not injected ones.
    let nonce = secret().map_err(io::Error::other)?;
    let page = page(Engine::Program)?;
    let style = format!("<style nonce=\"{nonce}\">{}</style>", page.style);
    let script = format!("<script nonce=\"{nonce}\">{}</script>", page.script);
    let body = page.document.replace("<!--STYLE-->", &style).replace("<!--SCRIPT-->", &script);
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
