//! HTTP requests: reads the head of a request within bounds, checks it and answers it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::handshake::derive_accept_key;

use super::access::Access;
use super::document;

/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 8 << 10;
/// The time limit for receiving a head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for bytes that a client sends after its answer, and the most reads of it.
const FINISH_TIMEOUT: Duration = Duration::from_millis(200);
const MOST_READS: usize = 256;

/// A status and its name.
pub(super) type Status = (u16, &'static str);

const BAD: Status = (400, "Bad Request");
const FORBIDDEN: Status = (403, "Forbidden");
const NOT_FOUND: Status = (404, "Not Found");
const METHOD: Status = (405, "Method Not Allowed");
const TIMEOUT: Status = (408, "Request Timeout");
const MISDIRECTED: Status = (421, "Misdirected Request");
const UPGRADE: Status = (426, "Upgrade Required");
const TOO_LARGE: Status = (431, "Request Header Fields Too Large");
pub(crate) const FULL: Status = (503, "Service Unavailable");

/// The requested resource.
#[derive(Debug, PartialEq)]
pub(super) enum Resource {
    Page,
    /// The WebSocket, with the answer to the browser's key.
    Socket(String),
}

/// Answers the request of a new connection. For a WebSocket, returns instead the answer, which is sent only if another
/// client fits, and the bytes received after the head.
pub(crate) fn answer(stream: &mut TcpStream, access: &Access) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut bytes = Vec::new();
    let asked = read_head(stream, &mut bytes).and_then(|length| Ok((length, route(&bytes[..length], access)?)));
    match asked {
        Ok((length, Resource::Socket(accept))) => {
            let hello = format!(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Accept: {accept}\r\n\r\n"
            );
            Ok(Some((hello, bytes.split_off(length))))
        }
        Ok((_, Resource::Page)) => {
            let (head, body) = document::response()?;
            stream.write_all(head.as_bytes())?;
            stream.write_all(body.as_bytes())?;
            finish(stream);
            Ok(None)
        }
        Err(status) => {
            refuse(stream, status);
            Ok(None)
        }
    }
}

/// Answers with a status only.
pub(crate) fn refuse(stream: &mut TcpStream, (code, name): Status) {
    let body = format!("{code} {name}\n");
    let extra = match code {
        405 => "Allow: GET\r\n",
        426 => "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
        _ => "",
    };
    let head = format!(
        "HTTP/1.1 {code} {name}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{extra}\
         Connection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n",
        body.len()
    );
    // A lost refusal needs no further action.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    finish(stream);
}

/// Ends a connection after the answer has arrived: closing a socket with unread bytes would discard the answer.
pub(crate) fn finish(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now() + FINISH_TIMEOUT;
    let mut buffer = [0; 4096];
    for _ in 0..MOST_READS {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        if !matches!(stream.read(&mut buffer), Ok(1..)) {
            return;
        }
    }
}

/// Reads until a head is complete and returns its length.
fn read_head(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<usize, Status> {
    let start = Instant::now();
    let mut buffer = [0; 2048];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            return if end + 4 <= LARGEST_HEAD { Ok(end + 4) } else { Err(TOO_LARGE) };
        }
        if bytes.len() > LARGEST_HEAD {
            return Err(TOO_LARGE);
        }
        let left = HEAD_TIMEOUT.checked_sub(start.elapsed()).filter(|left| !left.is_zero()).ok_or(TIMEOUT)?;
        stream.set_read_timeout(Some(left)).map_err(|_| BAD)?;
        match stream.read(&mut buffer) {
            Ok(0) => return Err(BAD),
            Ok(count) => bytes.extend(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(TIMEOUT),
        }
    }
}

/// Checks a request and returns the resource. `Host` is checked first: a request to another host learns nothing from
/// the status.
pub(super) fn route(head: &[u8], access: &Access) -> Result<Resource, Status> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(TOO_LARGE),
        _ => return Err(BAD),
    }
    let (Some(method), Some(target), Some(1)) = (request.method, request.path, request.version) else {
        return Err(BAD);
    };
    let host = single(&request, "Host")?.ok_or(BAD)?;
    if !access.is_host(host) {
        return Err(MISDIRECTED);
    }
    let origin = single(&request, "Origin")?;
    if origin.is_some_and(|origin| !access.is_origin(origin)) {
        return Err(FORBIDDEN);
    }
    if method != "GET" {
        return Err(METHOD);
    }
    if single(&request, "Transfer-Encoding")?.is_some()
        || single(&request, "Content-Length")?.is_some_and(|length| length != "0")
    {
        return Err(BAD);
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if !path.starts_with('/') {
        return Err(BAD);
    }
    if !access.has_token(query) {
        return Err(FORBIDDEN);
    }
    match path {
        "/" => Ok(Resource::Page),
        // A page of any site may open a WebSocket, so the request must have an origin.
        "/socket" if origin.is_none() => Err(FORBIDDEN),
        "/socket" => socket(&request),
        _ => Err(NOT_FOUND),
    }
}

fn socket(request: &httparse::Request<'_, '_>) -> Result<Resource, Status> {
    let lists = |name, word: &str| -> Result<bool, Status> {
        Ok(single(request, name)?
            .is_some_and(|list| list.split(',').any(|item| item.trim().eq_ignore_ascii_case(word))))
    };
    let version = single(request, "Sec-WebSocket-Version")?;
    if !lists("Upgrade", "websocket")? || !lists("Connection", "upgrade")? || version != Some("13") {
        return Err(UPGRADE);
    }
    let key = single(request, "Sec-WebSocket-Key")?.ok_or(BAD)?;
    // Sixteen bytes in base64.
    let fits = key.len() == 24
        && key.ends_with("==")
        && key[..22].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    if fits { Ok(Resource::Socket(derive_accept_key(key.as_bytes()))) } else { Err(BAD) }
}

/// Returns a header that may occur at most once.
fn single<'h>(request: &httparse::Request<'h, '_>, name: &str) -> Result<Option<&'h str>, Status> {
    let mut found = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some(header), None) => std::str::from_utf8(header.value).map(Some).map_err(|_| BAD),
        _ => Err(BAD),
    }
}
