//! The gallery: the scenarios of the folder, each with its caption and a small picture of its world.

use std::sync::Arc;
use std::thread::Builder;

use data_encoding::BASE64;
use serde_json::{Value as Json, json};
use throng::AnyWorld;
use throng_draw::Options;

use super::mailbox::{ClientId, Hub};
use super::source::Source;
use crate::execution;

/// The most agents times ticks that the world of a picture has run.
const WORK: u64 = 600_000;
/// The most ticks before a picture.
const TICKS: u64 = 200;
/// The width of a picture in pixels.
const WIDTH: u32 = 320;

/// Sends the scenarios to one page, one message each, as they get ready. A thread of its own draws the pictures.
pub(super) fn start(source: &Source, hub: &Arc<Hub>, client: ClientId) {
    let (source, hub) = (source.clone(), Arc::clone(hub));
    let draw = move || {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
        for name in source.siblings() {
            if !hub.has(client) {
                return;
            }
            let entry = pool.install(|| entry(&source, &name));
            hub.send(client, json!({ "gallery": entry }).to_string());
        }
    };
    // Without a thread, the gallery stays empty.
    let _ = Builder::new().name("gallery".into()).spawn(draw);
}

fn entry(source: &Source, name: &str) -> Json {
    let drawn = source.sibling(name).and_then(|source| {
        let scenario = source.load().map_err(|problems| problems.to_string())?;
        let mut world = execution::build(&scenario).map_err(|error| error.to_string())?;
        let ticks = WORK / (world.population() as u64).max(1);
        (0..ticks.min(TICKS)).for_each(|_| world.step());
        Ok((scenario.name().to_owned(), source.caption(), picture(&world)?))
    });
    match drawn {
        Ok((title, caption, picture)) => {
            json!({ "name": name, "title": title, "caption": caption, "picture": picture })
        }
        Err(error) => {
            // A card has no room for the folder.
            let path = source.file.with_file_name(name).display().to_string();
            json!({ "name": name, "title": name, "caption": error.replace(&path, name), "picture": null })
        }
    }
}

/// Draws a world as the address of a PNG picture.
fn picture(world: &AnyWorld) -> Result<String, String> {
    let options = Options { width: Some(WIDTH), height: Some(WIDTH * 9 / 16), ..Options::default() };
    let picture = throng_draw::picture(world, &options).map_err(|error| error.to_string())?;
    let mut png = Vec::new();
    picture.write_png(&mut png).map_err(|error| error.to_string())?;
    Ok(format!("data:image/png;base64,{}", BASE64.encode(&png)))
}
