//! The gallery: the scenarios of the folder, each with its caption and a small picture of its world. The shipped ones
//! have their pictures in the program; others are drawn after a short run.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use data_encoding::BASE64;
use throng::AnyWorld;
use throng_draw::Options;
use throng_scenario::Scenario;
use throng_view::gallery::Card;
use throng_view::{PageId, Source};

use super::mailbox::Hub;
use crate::execution;

/// The most agents times ticks that the world of a picture has run.
const WORK: u64 = 600_000;
/// The most ticks before a picture.
const TICKS: u64 = 200;
/// The width of a picture in pixels.
const WIDTH: u32 = 320;

/// Sends the scenarios to the pages that ask for them, one message each, as they get ready. One thread draws all
/// pictures, from the first request until this is dropped.
#[derive(Debug)]
pub(super) struct Gallery {
    hub: Arc<Hub>,
    requests: Arc<(Mutex<Requests>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// The tasks of the thread.
#[derive(Debug, Default)]
struct Requests {
    /// One for each client: the last.
    waiting: Vec<(PageId, Source)>,
    ended: bool,
}

impl Gallery {
    pub(super) fn new(hub: Arc<Hub>) -> Self {
        Self { hub, requests: Arc::default(), thread: None }
    }

    /// Sends the scenarios to one client. A request of it that is not finished ends.
    pub(super) fn request(&mut self, source: &Source, client: PageId) {
        let (requests, changed) = &*self.requests;
        let mut all = lock(requests);
        all.waiting.retain(|(other, _)| *other != client);
        all.waiting.push((client, source.clone()));
        changed.notify_one();
        drop(all);
        if self.thread.is_none() {
            let (hub, requests) = (Arc::clone(&self.hub), Arc::clone(&self.requests));
            // Without a thread, the gallery stays empty.
            self.thread = Builder::new().name("gallery".into()).spawn(move || draw_all(&hub, &requests)).ok();
        }
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        let (requests, changed) = &*self.requests;
        lock(requests).ended = true;
        changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has printed its message.
            let _ = thread.join();
        }
    }
}

fn lock(requests: &Mutex<Requests>) -> MutexGuard<'_, Requests> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers requests until the gallery ends.
fn draw_all(hub: &Hub, (requests, changed): &(Mutex<Requests>, Condvar)) {
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
    let mut drawn = HashMap::<u32, String>::new();
    loop {
        let idle = |all: &mut Requests| all.waiting.is_empty() && !all.ended;
        let mut all = changed.wait_while(lock(requests), idle).unwrap_or_else(PoisonError::into_inner);
        if all.ended {
            return;
        }
        let (client, source) = all.waiting.remove(0);
        drop(all);
        let is_over = || {
            let all = lock(requests);
            all.ended || !hub.has(client) || all.waiting.iter().any(|(other, _)| *other == client)
        };
        let send = |card: &Card| hub.send(client, card.message());
        let cards = source
            .siblings()
            .into_iter()
            .map(|name| Card::of(&source, &name, |text| drawn.get(&text).cloned()))
            .collect::<Vec<_>>();
        cards.iter().for_each(send);
        for mut card in cards {
            if is_over() {
                break;
            }
            let Some((text, scenario)) = card.undrawn.take() else { continue };
            let picture = pool.install(|| draw(&scenario, &is_over));
            if let Ok(picture) = picture {
                drawn.insert(text, picture.clone());
                send(&card.with(picture));
            }
        }
    }
}

/// Runs a scenario for a short time and draws it, unless the request is over before.
fn draw(scenario: &Scenario, is_over: &(dyn Fn() -> bool + Sync)) -> Result<String, String> {
    let mut world = execution::build(scenario).map_err(|error| error.to_string())?;
    let ticks = WORK / (world.population() as u64).max(1);
    (0..ticks.min(TICKS)).take_while(|_| !is_over()).for_each(|_| world.step());
    if is_over() {
        return Err("no page waits for it".to_owned());
    }
    picture(&world)
}

/// Draws a world as the address of a PNG picture.
fn picture(world: &AnyWorld) -> Result<String, String> {
    let options = Options { width: Some(WIDTH), height: Some(WIDTH * 9 / 16), ..Options::default() };
    let picture = throng_draw::picture(world, &options).map_err(|error| error.to_string())?;
    let mut png = Vec::new();
    picture.write_png(&mut png).map_err(|error| error.to_string())?;
    Ok(format!("data:image/png;base64,{}", BASE64.encode(&png)))
}
