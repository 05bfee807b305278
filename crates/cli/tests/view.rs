//! Tests of the access to the server of `throng view`: headers, tokens and invalid input, on loopback.

#![cfg(unix)]

use crate::common;

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use common::viewer::{Viewer, frame, head};
use common::{Folder, SMALL};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

#[test]
fn requests_need_the_host_and_the_token() {
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
fn sockets_need_the_origin_and_a_valid_handshake() {
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
    // A head that never ends times out after five seconds, however slowly it arrives.
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
fn an_invalid_command_ends_the_connection_cleanly() {
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
    // A message in pieces counts as a whole, and its end need not arrive.
    let mut socket = viewer.socket().unwrap();
    for number in 0..20 {
        let kind = if number == 0 { Data::Text } else { Data::Continue };
        let piece = Frame::message(vec![b'x'; 4096], OpCode::Data(kind), false);
        if socket.send(Message::Frame(piece)).is_err() {
            break;
        }
    }
    let closed = loop {
        match socket.read() {
            Ok(Message::Close(frame)) => break frame.unwrap(),
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(u16::from(closed.code), 1009);
    // Bytes that are not WebSocket end the connection; a value out of range is answered with an error.
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
fn eight_clients_may_connect() {
    let viewer = Viewer::start("view-eight", &[]);
    let clients: Vec<_> = (0..8).map(|_| viewer.socket().unwrap()).collect();
    assert_eq!(viewer.status(&viewer.upgrade(&[])), 503);
    drop(clients);
    let start = Instant::now();
    while viewer.socket().is_none() {
        assert!(start.elapsed() < Duration::from_secs(10), "a client that disconnected should free its place");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_port_in_use_is_reported() {
    let viewer = Viewer::start("view-port", &[]);
    let folder = Folder::new("view-port-again");
    let file = folder.write("small.toml", SMALL);
    let output = common::throng(&folder, &["view", &file, "--no-open", "--port", &viewer.port.to_string()]);
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&viewer.port.to_string()));
}

/// The memory of the server in KiB.
#[cfg(target_os = "linux")]
fn memory(viewer: &Viewer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn any_speed_is_taken_and_ticks_go_on() {
    let viewer = Viewer::start("view-speeds", &[]);
    let mut socket = viewer.socket().unwrap();
    for times in ["1e-30", "5e-324", "-0.0", "-1e300", "1e300", "0.001"] {
        for command in [format!("{{\"do\":\"speed\",\"times\":{times}}}"), r#"{"do":"play"}"#.to_owned()] {
            socket.send(Message::text(command)).unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    socket.send(Message::text(r#"{"do":"speed","times":0}"#)).unwrap();
    let (before, start) = (viewer.tick(), Instant::now());
    while viewer.tick() <= before {
        assert!(start.elapsed() < Duration::from_secs(20), "ticks go on");
    }
}

/// Opens this many connections: idle ones, ones that continue after a refusal, and ones whose head never ends.
fn crowd_of_connections(name: &str, count: usize) {
    let viewer = Viewer::start(name, &[]);
    let page = format!("GET /?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", viewer.token, viewer.port);
    assert_eq!(viewer.status(page.as_bytes()), 200);
    #[cfg(target_os = "linux")]
    let before = memory(&viewer);
    let tick = viewer.tick();
    let mut crowd = Vec::new();
    for number in 0..count {
        let mut stream = viewer.connect();
        let start: &[u8] = [&b""[..], b"GET / HTTP/1.1\r\n\r\n", b"GET / HT"][number % 3];
        let _ = stream.write_all(start);
        crowd.push(stream);
    }
    for _ in 0..3 {
        for stream in &mut crowd {
            let _ = stream.write_all(b"x");
        }
        let start = Instant::now();
        assert_eq!(viewer.status(page.as_bytes()), 200);
        println!("the page is served after {:?}", start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(4), "the page is served at once: {:?}", start.elapsed());
    }
    let start = Instant::now();
    while viewer.tick() <= tick {
        assert!(start.elapsed() < Duration::from_secs(20), "ticks go on");
    }
    #[cfg(target_os = "linux")]
    {
        let after = memory(&viewer);
        println!("{count} connections: {before} KiB before, {after} KiB after");
        assert!(after < before + (32 << 10), "{after} KiB, and {before} before");
    }
}

#[test]
fn connections_that_take_their_time_do_not_lock_the_page() {
    crowd_of_connections("view-drip", 400);
}

#[test]
#[ignore = "long: a thousand connections"]
fn a_thousand_connections_do_not_lock_the_page() {
    crowd_of_connections("view-thousand", 1000);
}

/// Seven clients acknowledge frames that they never read, so that the server keeps sending to them.
#[test]
fn clients_that_never_read_cost_bounded_memory() {
    let viewer = Viewer::of("view-deaf", &SMALL.replace("count = 30", "count = 11000"), &[]);
    let mut socket = viewer.socket().unwrap();
    socket.send(Message::text(r#"{"do":"speed","times":0}"#)).unwrap();
    let first = head(&frame(&mut socket)).0;
    #[cfg(target_os = "linux")]
    let before = memory(&viewer);
    let mut deaf: Vec<_> = (0..7).map(|_| viewer.socket().unwrap()).collect();
    let mut last = first;
    while last < first + 60.0 {
        for other in &mut deaf {
            for command in [r#"{"do":"drawn"}"#, r#"{"do":"hello"}"#, r#"{"do":"pick","point":[30,20]}"#] {
                let _ = other.send(Message::text(command));
            }
        }
        socket.send(Message::text(r#"{"do":"drawn"}"#)).unwrap();
        last = head(&frame(&mut socket)).0;
    }
    #[cfg(target_os = "linux")]
    {
        let after = memory(&viewer);
        println!("seven clients that do not read: {before} KiB before, {after} KiB after {} ticks", last - first);
        // Four MiB of messages and two frames each, and the snapshots of sixty ticks.
        assert!(after < before + (64 << 10), "{after} KiB, and {before} before");
    }
}

#[test]
fn without_a_scenario_the_page_opens_the_gallery() {
    use std::io::{BufRead, BufReader};

    let folder = common::Folder::new("view-gallery");
    let first = |folder: &common::Folder| {
        let mut child =
            common::command(folder, &["view", "--no-open"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        line
    };
    assert!(first(&folder).trim_end().ends_with("#gallery"));
    folder.write("mine.toml", common::SMALL);
    assert!(first(&folder).trim_end().ends_with("#gallery"));
}

#[test]
fn a_watched_file_starts_the_world_again_when_it_is_saved() {
    use common::viewer::{receive, send};
    use serde_json::json;

    let viewer = Viewer::start("view-watch", &["--watch"]);
    let mut socket = viewer.socket().unwrap();
    send(&mut socket, &json!({ "do": "hello" }));
    let before = receive(&mut socket, &["world"])["world"]["number"].clone();
    viewer.folder.write("small.toml", &common::SMALL.replace("count = 30", "count = 8"));
    while receive(&mut socket, &["world"])["world"]["number"] == before {}
    // A file with a mistake is reported, and the world stays.
    viewer.folder.write("small.toml", "format = 7");
    let error = receive(&mut socket, &["error"]);
    assert!(error["error"].as_str().unwrap().contains("small.toml:1:10"), "{error}");
}

#[test]
fn measures_of_the_scenario_reach_the_page() {
    use common::viewer::{receive, send};
    use serde_json::json;

    let text = format!("{}\n[output.measures]\nown = [\"twice [m/s] = 2 * mean(speed)\"]\n", common::SMALL);
    let viewer = Viewer::of("view-own", &text, &[]);
    let mut socket = viewer.socket().unwrap();
    send(&mut socket, &json!({ "do": "hello" }));
    assert_eq!(receive(&mut socket, &["world"])["world"]["outputs"]["own"], json!([["twice", "m/s"]]));
    let numbers = receive(&mut socket, &["numbers"])["numbers"].clone();
    let own = numbers["story"]["own"][0].as_f64().unwrap();
    assert!(own > 0.0 && (own - 2.0 * numbers["mean_speed"].as_f64().unwrap()).abs() < 1e-4, "{numbers:#}");
}
