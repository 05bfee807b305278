//! Who is connected? Takes connections, a bounded number of them at a time.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{self, Builder};
use std::time::Duration;

use super::access::Access;
use super::client;
use super::command::Command;
use super::mailbox::{ClientId, Hub};
use super::request::{self, FULL};

/// Connections whose request is still being read.
const WAITING: usize = 64;
/// A client that takes nothing for so long is gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// What clients ask of the engine.
pub(crate) type Commands = SyncSender<(ClientId, Command)>;

/// Serves from now on, until the program ends.
pub(crate) fn start(listener: TcpListener, access: Access, hub: Arc<Hub>, commands: Commands) -> io::Result<()> {
    let access = Arc::new(access);
    let waiting = Arc::new(AtomicUsize::new(0));
    let serve = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Out of file descriptors, mostly: some will be closed soon.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let place = Place::take(&waiting);
            let (access, hub, commands) = (Arc::clone(&access), Arc::clone(&hub), commands.clone());
            // Where there is no thread, the connection is dropped and thereby closed.
            let Some(place) = place else { continue };
            let _ = Builder::new().name("connection".into()).spawn(move || {
                // A connection that breaks is the client's affair.
                let _ = connection(stream, &access, &hub, &commands, place);
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
    commands: &Commands,
    place: Place,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    let Some((hello, rest)) = request::answer(&mut stream, access)? else { return Ok(()) };
    let Some((id, mailbox)) = hub.join() else {
        request::refuse(&mut stream, FULL);
        return Ok(());
    };
    drop(place);
    let served = stream
        .write_all(hello.as_bytes())
        .and_then(|()| stream.set_read_timeout(None))
        .and_then(|()| client::serve(stream, rest, id, &mailbox, commands));
    hub.leave(id);
    let _ = commands.send((id, Command::Leave));
    served
}

/// One of the places of connections whose request is being read.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(waiting: &Arc<AtomicUsize>) -> Option<Self> {
        // Taken by the server's thread alone: nobody comes between the two.
        if waiting.load(Ordering::Relaxed) >= WAITING {
            return None;
        }
        waiting.fetch_add(1, Ordering::Relaxed);
        Some(Self(Arc::clone(waiting)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
