//! A server of `throng view`, and clients that talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::protocol::Role;
use tungstenite::{Bytes, Message, WebSocket};

use super::{Folder, SMALL};

/// A client's end of a connection.
pub(crate) type Socket = WebSocket<TcpStream>;

/// A running server, ended with the test.
pub(crate) struct Viewer {
    pub(crate) child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) folder: Folder,
}

impl Viewer {
    /// Starts a server for the small scenario.
    pub(crate) fn start(name: &str, more: &[&str]) -> Self {
        Self::of(name, SMALL, more)
    }

    /// Starts a server for a scenario with this text.
    pub(crate) fn of(name: &str, text: &str, more: &[&str]) -> Self {
        let folder = Folder::new(name);
        let file = folder.write("small.toml", text);
        let arguments = [&["view", &file, "--no-open"], more].concat();
        let mut child = super::command(&folder, &arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/?token=").unwrap();
        assert_eq!(token.len(), 32);
        Self { port: port.parse().unwrap(), token: token.to_owned(), child, folder }
    }

    /// A new connection, before any request.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends a request and returns the status of the answer; zero if the connection is closed without one.
    pub(crate) fn status(&self, request: &[u8]) -> u16 {
        let mut stream = self.connect();
        // The server may refuse the request before it has read all of it.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok()).unwrap_or(0)
    }

    /// The request for a socket, with some headers replaced (`NAME: value`), removed (`-NAME`) or repeated
    /// (`+NAME: value`).
    pub(crate) fn upgrade(&self, changes: &[&str]) -> Vec<u8> {
        let mut headers = vec![
            ("Host".to_owned(), format!("127.0.0.1:{}", self.port)),
            ("Origin".to_owned(), format!("http://127.0.0.1:{}", self.port)),
            ("Connection".to_owned(), "Upgrade".to_owned()),
            ("Upgrade".to_owned(), "websocket".to_owned()),
            ("Sec-WebSocket-Version".to_owned(), "13".to_owned()),
            ("Sec-WebSocket-Key".to_owned(), "dGhlIHNhbXBsZSBub25jZQ==".to_owned()),
        ];
        for change in changes {
            if let Some(name) = change.strip_prefix('-') {
                headers.retain(|(other, _)| other != name);
            } else if let Some(extra) = change.strip_prefix('+') {
                let (name, value) = extra.split_once(": ").unwrap();
                headers.push((name.to_owned(), value.replace("PORT", &self.port.to_string())));
            } else {
                let (name, value) = change.split_once(": ").unwrap();
                let header = headers.iter_mut().find(|(other, _)| other == name).unwrap();
                header.1 = value.replace("PORT", &self.port.to_string());
            }
        }
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("GET /socket?token={} HTTP/1.1\r\n{headers}\r\n", self.token).into_bytes()
    }

    /// Opens a socket; `None` if the server refuses it.
    pub(crate) fn socket(&self) -> Option<Socket> {
        let mut stream = self.connect();
        stream.write_all(&self.upgrade(&[])).unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read(&mut byte).unwrap_or(0) == 0 {
                return None;
            }
            head.push(byte[0]);
        }
        head.starts_with(b"HTTP/1.1 101 ").then(|| WebSocket::from_raw_socket(stream, Role::Client, None))
    }

    /// The present tick, from the first frame of a new client.
    pub(crate) fn tick(&self) -> f64 {
        head(&frame(&mut self.socket().unwrap())).0
    }
}

/// The next message. Repeats reads that a signal interrupts.
fn next(socket: &mut Socket) -> Message {
    loop {
        match socket.read() {
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted => {}
            message => return message.unwrap(),
        }
    }
}

/// The next frame; skips other messages.
pub(crate) fn frame(socket: &mut Socket) -> Bytes {
    loop {
        if let Message::Binary(frame) = next(socket) {
            return frame;
        }
    }
}

/// The tick and the number of a frame.
pub(crate) fn head(frame: &[u8]) -> (f64, u32) {
    (f64::from_le_bytes(frame[8..16].try_into().unwrap()), u32::from_le_bytes(frame[16..20].try_into().unwrap()))
}

/// Sends a command.
pub(crate) fn send(socket: &mut Socket, command: &Value) {
    socket.send(Message::text(command.to_string())).unwrap();
}

/// The next message with one of these keys. Frames before it are acknowledged.
pub(crate) fn receive(socket: &mut Socket, what: &[&str]) -> Value {
    loop {
        match next(socket) {
            Message::Text(text) => {
                let json: Value = serde_json::from_str(&text).unwrap();
                if what.iter().any(|key| json.get(key).is_some()) {
                    return json;
                }
            }
            Message::Binary(_) => send(socket, &json!({ "do": "drawn" })),
            _ => {}
        }
    }
}

/// The next message about a file, and its contents. Frames before it are acknowledged.
pub(crate) fn receive_file(socket: &mut Socket) -> (Value, Bytes) {
    let answer = receive(socket, &["recording", "error"]);
    assert_eq!(answer.get("error"), None, "{answer}");
    (answer, frame(socket))
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
