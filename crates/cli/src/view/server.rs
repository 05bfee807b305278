//! The server: accepts a bounded number of connections.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, Builder};
use std::time::Duration;

use throng_view::command::ClientCommand;

use super::access::Access;
use super::client;
use super::mailbox::{CommandSender, Hub};
use super::pending::{Pending, Slot};
use super::request::{self, FULL};

/// A client that receives nothing for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the server, which runs until the program ends.
pub(crate) fn start(listener: TcpListener, access: Access, hub: Arc<Hub>, commands: CommandSender) -> io::Result<()> {
    let access = Arc::new(access);
    let pending = Arc::new(Pending::default());
    let serve = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Usually, file descriptors are lacking for a moment.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            // Dropping the stream closes the connection.
            let Ok(slot) = pending.take(&stream) else { continue };
            let (access, hub, commands) = (Arc::clone(&access), Arc::clone(&hub), commands.clone());
            let _ = Builder::new().name("connection".into()).spawn(move || {
                // The errors of a broken connection need no report.
                let _ = connection(stream, &access, &hub, &commands, slot);
            });
        }
    };
    Builder::new().name("server".into()).spawn(serve)?;
    Ok(())
}

fn connection(
    mut stream: TcpStream,
    access: &Access,
    hub: &Arc<Hub>,
    commands: &CommandSender,
    slot: Slot,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let Some((hello, rest)) = request::answer(&mut stream, access)? else { return Ok(()) };
    let Some((id, mailbox)) = hub.join() else {
        request::refuse(&mut stream, FULL);
        return Ok(());
    };
    drop(slot);
    let served = stream
        .write_all(hello.as_bytes())
        .and_then(|()| stream.set_read_timeout(None))
        .and_then(|()| client::serve(stream, rest, id, &mailbox, commands));
    hub.leave(id);
    let _ = commands.send((id, ClientCommand::Leave));
    served
}
