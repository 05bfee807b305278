//! The window into a world that a notebook shows. `throng._show` drives it.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use throng_view::command::{ClientCommand, parse};
use throng_view::page::Engine;
use throng_view::{Message, page};

use crate::pool;
use crate::world::World;

/// The time since the first call.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The document that shows a window.
#[pyfunction(name = "page")]
pub(crate) fn document() -> PyResult<String> {
    Ok(page::page(Engine::Notebook)?.whole())
}

/// A window into a world. Commands come in through `receive`, messages go out through `look`.
#[pyclass(module = "throng._native", frozen)]
pub(crate) struct Window {
    world: Py<World>,
    inner: Mutex<Inner>,
}

struct Inner {
    window: throng_view::Window,
    /// The tick of the world and the number of its edits at the last look.
    seen: (u64, u64),
}

impl Window {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes a command that needs the world.
    fn execute(&self, py: Python<'_>, command: &ClientCommand) -> PyResult<Result<(), String>> {
        let (world, pool, mut inner) = (self.world.get(), pool::pool()?, self.inner());
        let window = &mut inner.window;
        match command {
            ClientCommand::Edit(edit) => {
                let locked = &mut *world.shared.write()?;
                world.note_edit();
                Ok(py.detach(|| pool.install(|| window.edit(locked, edit))))
            }
            ClientCommand::Pick(point) => {
                let locked = &*world.shared.read()?;
                Ok(py.detach(|| pool.install(|| window.pick(locked, point))))
            }
            _ => Ok(Ok(())),
        }
    }
}

#[pymethods]
impl Window {
    #[new]
    fn new(world: Py<World>) -> Self {
        let inner = Inner { window: throng_view::Window::new(clock), seen: (0, 0) };
        Self { world, inner: Mutex::new(inner) }
    }

    /// Executes a command of the page, which learns why it fails.
    fn receive(&self, py: Python<'_>, command: &str) {
        let Some(command) = parse(command) else { return };
        let failed = match command {
            ClientCommand::Edit(_) | ClientCommand::Pick(_) => match self.execute(py, &command) {
                Ok(done) => done.err(),
                Err(error) => Some(error.value(py).to_string()),
            },
            command => {
                self.inner().window.receive(command);
                None
            }
        };
        if let Some(reason) = failed {
            self.inner().window.report(&reason);
        }
    }

    /// Whether the world should advance by a tick.
    #[getter]
    fn due(&self) -> bool {
        self.inner().window.is_due()
    }

    /// Records that it has.
    fn passed(&self) {
        self.inner().window.passed();
    }

    /// Pauses, and reports the reason to the page if there is one.
    #[pyo3(signature = (reason=None))]
    fn pause(&self, reason: Option<&str>) {
        let mut inner = self.inner();
        inner.window.pause();
        if let Some(reason) = reason {
            inner.window.report(reason);
        }
    }

    /// Looks at the world, unless another thread uses it, and takes the messages to the page: texts, and bytes of frames.
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (shared, pool) = (&self.world.get().shared, pool::pool()?);
        let messages: Vec<Message> = py.detach(|| {
            let Inner { window, seen } = &mut *self.inner();
            if let Ok(world) = shared.read() {
                let (tick, edits) = std::mem::replace(seen, (world.tick(), shared.edits()));
                if edits != seen.1 {
                    window.changed();
                } else if tick != seen.0 {
                    window.moved();
                }
            }
            if window.asks()
                && let Ok(mut world) = shared.exclusive()
            {
                let world = &mut *world;
                pool.install(|| window.explain(world));
            }
            if let Ok(world) = shared.read() {
                let world = &*world;
                pool.install(|| window.look(world));
            }
            std::iter::from_fn(|| window.take()).collect()
        });
        let messages = messages.into_iter().map(|message| match message {
            Message::Text(text) => PyString::new(py, &text).into_any(),
            Message::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
        });
        Ok(messages.collect())
    }

    /// The seconds until the next look.
    #[getter]
    fn wait(&self) -> f64 {
        self.inner().window.wait().as_secs_f64()
    }

    /// Whether the page has gone without a message.
    #[getter]
    fn left(&self) -> bool {
        self.inner().window.is_left()
    }
}
