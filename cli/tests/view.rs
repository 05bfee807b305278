//! Does the server of `throng view` let in who may come in, and nobody else? Headers, tokens and garbage, on loopback.

#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, SMALL};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// A running server. It ends with the test.
struct Viewer {
    child: Child,
    port: u16,
    token: String,
    _folder: Folder,
}

impl Viewer {
    fn start(name: &str, more: &[&str]) -> Self {
        let folder = Folder::new(name);
        let file = folder.write("small.toml", SMALL);
        let arguments = [&["view", &file, "--no-open"], more].concat();
        let mut child = common::command(&folder, &arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/?token=").unwrap();
        assert_eq!(token.len(), 32);
        Self { port: port.parse().unwrap(), token: token.to_owned(), child, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// The status that a request is answered with; zero if the connection is closed without one.
    fn status(&self, request: &[u8]) -> u16 {
        let mut stream = self.connect();
        // A server that has heard enough may close before all is said.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok()).unwrap_or(0)
    }

    /// The request for a socket, with some of its headers replaced (`NAME: value`) or left out (`-NAME`).
    fn upgrade(&self, changes: &[&str]) -> Vec<u8> {
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

    /// A client that was let in.
    fn socket(&self) -> Option<WebSocket<TcpStream>> {
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

    /// The present tick, as a new client hears it.
    fn tick(&self) -> f64 {
        let mut socket = self.socket().unwrap();
        loop {
            if let Message::Binary(frame) = socket.read().unwrap() {
                return f64::from_le_bytes(frame[8..16].try_into().unwrap());
            }
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn who_may_come_in() {
    let viewer = Viewer::start("view-headers", &[]);
    let (port, token) = (viewer.port, &viewer.token);
    let get = |target: &str, host: &str| format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes();
    let own = format!("127.0.0.1:{port}");
    let page = format!("/?token={token}");
    assert_eq!(viewer.status(&get(&page, &own)), 200);
    assert_eq!(viewer.status(&get(&page, &format!("localhost:{port}"))), 200);

    let other = port ^ 1;
    let hosts = [
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{other}"),
        format!("127.0.0.1.evil.test:{port}"),
        format!("localhost.evil.test:{port}"),
        format!("evil.test:{port}"),
        format!("[::1]:{port}"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.2:{port}"),
        format!("127.0.0.1:{port}@evil.test"),
        format!("127.0.0.1:0{port}x"),
    ];
    for host in hosts {
        assert_eq!(viewer.status(&get(&page, &host)), 421, "{host}");
    }
    let wrong = token.chars().rev().collect::<String>();
    let short = &token[..31];
    for target in [
        "/".to_owned(),
        "/?token=".to_owned(),
        format!("/?token={wrong}"),
        format!("/?token={short}"),
        format!("/?token={token}0"),
        format!("/?Token={token}"),
        format!("/?token={token}&token={wrong}"),
        format!("/socket#token={token}"),
    ] {
        assert_eq!(viewer.status(&get(&target, &own)), 403, "{target}");
    }
    for target in [format!("/../../etc/passwd?token={token}"), format!("/small.toml?token={token}")] {
        assert_eq!(viewer.status(&get(&target, &own)), 404, "{target}");
    }
    assert_eq!(viewer.status(&get(&format!("http://{own}/?token={token}"), &own)), 400);
    for method in ["POST", "PUT", "OPTIONS", "HEAD", "CONNECT"] {
        let request = format!("{method} {page} HTTP/1.1\r\nHost: {own}\r\n\r\n");
        assert_eq!(viewer.status(request.as_bytes()), 405, "{method}");
    }
}

#[test]
fn who_may_open_a_socket() {
    let viewer = Viewer::start("view-sockets", &[]);
    assert_eq!(viewer.socket().unwrap().read().unwrap().into_text().unwrap().get(..9), Some("{\"world\":"));
    let cases: &[(&[&str], u16)] = &[
        (&["-Origin"], 403),
        (&["Origin: null"], 403),
        (&["Origin: http://evil.test"], 403),
        (&["Origin: http://evil.test:PORT"], 403),
        (&["Origin: https://127.0.0.1:PORT"], 403),
        (&["Origin: http://127.0.0.1"], 403),
        (&["Origin: http://127.0.0.1:PORT.evil.test"], 403),
        (&["Origin: http://evil.test:PORT", "Host: evil.test:PORT"], 421),
        (&["+Origin: http://127.0.0.1:PORT"], 400),
        (&["+Host: 127.0.0.1:PORT"], 400),
        (&["-Host"], 400),
        (&["-Upgrade"], 426),
        (&["-Connection"], 426),
        (&["Sec-WebSocket-Version: 8"], 426),
        (&["Sec-WebSocket-Key: short"], 400),
        (&["-Sec-WebSocket-Key"], 400),
        (&["+Content-Length: 5"], 400),
        (&["+Transfer-Encoding: chunked"], 400),
    ];
    for (changes, status) in cases {
        assert_eq!(viewer.status(&viewer.upgrade(changes)), *status, "{changes:?}");
    }
}

#[test]
fn garbage_is_refused_and_bounded() {
    let viewer = Viewer::start("view-garbage", &[]);
    let own = format!("127.0.0.1:{}", viewer.port);
    for garbage in
        [&b"\x16\x03\x01\x02\x00\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n\r\n"]
    {
        assert_eq!(viewer.status(garbage), 400, "{garbage:?}");
    }
    let long = format!("GET /?token={} HTTP/1.1\r\nHost: {own}\r\nX: {}\r\n\r\n", viewer.token, "x".repeat(9000));
    assert_eq!(viewer.status(long.as_bytes()), 431);
    let many = format!("GET / HTTP/1.1\r\nHost: {own}\r\n{}\r\n", "X: y\r\n".repeat(100));
    assert_eq!(viewer.status(many.as_bytes()), 431);
    // A head that never ends has five seconds, however it trickles in.
    let start = Instant::now();
    let mut slow = viewer.connect();
    let mut answer = Vec::new();
    while start.elapsed() < Duration::from_secs(9) && slow.write_all(b"G").is_ok() {
        slow.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        if slow.read_to_end(&mut answer).is_ok() {
            break;
        }
    }
    assert!(answer.starts_with(b"HTTP/1.1 408 "), "{:?}", String::from_utf8_lossy(&answer));
    assert!((4.0..8.0).contains(&start.elapsed().as_secs_f64()), "{:?}", start.elapsed());
}

#[test]
fn what_is_no_command_ends_the_connection_cleanly() {
    let viewer = Viewer::start("view-commands", &[]);
    let big = format!("{{\"do\":\"{}\"}}", "x".repeat(70_000));
    let cases = [
        (Message::text("hello"), 1008),
        (Message::text("{\"do\":\"fly\"}"), 1008),
        (Message::text("[".repeat(60_000)), 1008),
        (Message::binary(vec![1, 2, 3]), 1003),
        (Message::text(big), 1009),
    ];
    for (message, code) in cases {
        let mut socket = viewer.socket().unwrap();
        socket.send(message.clone()).unwrap();
        let frame = loop {
            if let Message::Close(frame) = socket.read().unwrap() {
                break frame.unwrap();
            }
        };
        assert_eq!(u16::from(frame.code), code);
    }
    // Bytes that are no WebSocket at all; and a value that is out of its range is told, not punished.
    let mut socket = viewer.socket().unwrap();
    socket.get_mut().write_all(&[0xff; 64]).unwrap();
    while socket.read().is_ok() {}
    let mut socket = viewer.socket().unwrap();
    let set = r#"{"do":"set","species":0,"rule":0,"name":"radius","value":-1}"#;
    socket.send(Message::text(set)).unwrap();
    let error = loop {
        if let Message::Text(text) = socket.read().unwrap()
            && text.contains("\"error\"")
        {
            break text;
        }
    };
    assert!(error.contains("radius"), "{error}");
}

#[test]
fn there_is_room_for_eight() {
    let viewer = Viewer::start("view-eight", &[]);
    let clients: Vec<_> = (0..8).map(|_| viewer.socket().unwrap()).collect();
    assert_eq!(viewer.status(&viewer.upgrade(&[])), 503);
    drop(clients);
    let start = Instant::now();
    while viewer.socket().is_none() {
        assert!(start.elapsed() < Duration::from_secs(10), "nobody has left");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_never_reads_costs_frames_and_no_ticks() {
    let viewer = Viewer::start("view-slow", &["--threads", "1", "--set", "species.starling.count=2000"]);
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().unwrap_or("0").parse::<u64>().unwrap()
    };
    let rate = || {
        let (start, before) = (Instant::now(), viewer.tick());
        std::thread::sleep(Duration::from_secs(2));
        (viewer.tick() - before) / start.elapsed().as_secs_f64()
    };
    let (alone, memory) = (rate(), resident());
    let idle: Vec<_> = (0..5).map(|_| viewer.socket().unwrap()).collect();
    // As many that never say what they want; the server keeps some of them waiting and closes the others.
    let silent: Vec<_> = (0..40).map(|_| viewer.connect()).collect();
    let watched = rate();
    assert!(resident() < memory + 16 * 1024, "{memory} KiB, then {} KiB", resident());
    // Other programs share the machine: a loss that is the server's own would be far larger.
    assert!(watched > 0.7 * alone, "{alone} ticks per second, {watched} with clients that do not read");
    drop((idle, silent));
}

#[test]
fn a_port_that_is_taken_is_said_so() {
    let viewer = Viewer::start("view-port", &[]);
    let folder = Folder::new("view-port-again");
    let file = folder.write("small.toml", SMALL);
    let output = common::throng(&folder, &["view", &file, "--no-open", "--port", &viewer.port.to_string()]);
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&viewer.port.to_string()));
}
