//! The two threads of a client: one reads its commands, one writes the messages in its mailbox.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread::Builder;

use throng_view::PageId;
use throng_view::command::{ClientCommand, parse};
use tungstenite::error::{CapacityError, Error};
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

use super::mailbox::{CommandSender, Mailbox, Outgoing};
use super::request;

/// The largest message of a client, in bytes.
const LARGEST_MESSAGE: usize = 64 << 10;

/// The reading half of a connection. It discards the output of the protocol's implementation: only the writing thread
/// sends messages, so that messages of two threads never mix.
struct Incoming(TcpStream);

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Incoming {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(LARGEST_MESSAGE))
        .max_frame_size(Some(LARGEST_MESSAGE))
        .read_buffer_size(4 << 10)
}

/// Serves a client until one side closes the connection. `rest` holds the bytes received after the request.
pub(crate) fn serve(
    mut stream: TcpStream,
    rest: Vec<u8>,
    id: PageId,
    mailbox: &Arc<Mailbox>,
    commands: &CommandSender,
) -> io::Result<()> {
    let outgoing = stream.try_clone()?;
    let incoming = Incoming(stream.try_clone()?);
    let mail = Arc::clone(mailbox);
    let writer = Builder::new().name("writer".into()).spawn(move || write(outgoing, &mail))?;
    let mut socket = WebSocket::from_partially_read(incoming, rest, Role::Server, Some(config()));
    // A client receives a description of the world first.
    let (code, reason) = match commands.send((id, ClientCommand::Hello)) {
        Ok(()) => read(&mut socket, id, mailbox, commands),
        Err(_) => (CloseCode::Away, "the program has ended"),
    };
    mailbox.put(Outgoing::Close(code, reason.to_owned()));
    let _ = writer.join();
    request::finish(&mut stream);
    Ok(())
}

/// Passes commands on until the connection ends, and returns the reason.
fn read(
    socket: &mut WebSocket<Incoming>,
    id: PageId,
    mailbox: &Mailbox,
    commands: &CommandSender,
) -> (CloseCode, &'static str) {
    loop {
        let message = match socket.read() {
            Ok(message) => message,
            Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                return (CloseCode::Size, "at most 64 KiB");
            }
            Err(Error::Utf8(_)) => return (CloseCode::Invalid, "not UTF-8"),
            Err(Error::Protocol(_)) => return (CloseCode::Protocol, "not WebSocket"),
            Err(_) => return (CloseCode::Normal, ""),
        };
        match message {
            Message::Text(text) => match parse(&text) {
                Some(ClientCommand::Drawn) => mailbox.drawn(),
                Some(command) => {
                    if commands.send((id, command)).is_err() {
                        return (CloseCode::Away, "the program has ended");
                    }
                }
                None => return (CloseCode::Policy, "not a command"),
            },
            Message::Binary(_) => return (CloseCode::Unsupported, "commands are text"),
            Message::Ping(bytes) => mailbox.put(Outgoing::Pong(bytes)),
            Message::Close(_) => return (CloseCode::Normal, ""),
            Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

/// Sends the messages in the mailbox until it is closed or the client stops receiving.
fn write(stream: TcpStream, mailbox: &Mailbox) {
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config()));
    loop {
        let sent = match mailbox.take() {
            Outgoing::Text(text) => socket.send(Message::text(text)),
            Outgoing::Frame(texts, bytes) => texts
                .into_iter()
                .try_for_each(|text| socket.send(Message::text(text)))
                .and_then(|()| socket.send(Message::Binary(bytes))),
            Outgoing::File(text, bytes) => {
                socket.send(Message::text(text)).and_then(|()| socket.send(Message::Binary(bytes)))
            }
            Outgoing::Pong(bytes) => socket.send(Message::Pong(bytes)),
            Outgoing::Close(code, reason) => {
                let _ = socket.close(Some(CloseFrame { code, reason: reason.into() }));
                let _ = socket.flush();
                let _ = socket.get_ref().shutdown(Shutdown::Write);
                return;
            }
        };
        if sent.is_err() {
            // Also wakes the reading thread.
            let _ = socket.get_ref().shutdown(Shutdown::Both);
            return;
        }
    }
}
