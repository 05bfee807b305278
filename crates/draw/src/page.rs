//! Values that pages that draw in a browser share with pictures.

use crate::Theme;
use crate::looks::{BODY, FOG, FRONT, LIGHT, LIT, LONGEST, SHADE};

/// The number of steps of a colour scale in [`looks_json`].
const STEPS: usize = 64;

/// The numbers of [`looks`](crate::looks) and the colours of both themes, as JSON.
#[must_use]
pub fn looks_json() -> String {
    let list = |numbers: &[f32]| format!("{numbers:?}");
    format!(
        "{{\"dark\":{},\"light\":{},\"body\":{BODY:?},\"toLight\":{},\"shade\":{SHADE:?},\"lit\":{LIT:?},\
         \"front\":{FRONT:?},\"fog\":{},\"longest\":{LONGEST:?}}}",
        theme(Theme::Dark),
        theme(Theme::Light),
        list(&LIGHT),
        list(&FOG),
    )
}

fn theme(theme: Theme) -> String {
    let share = |step: usize| step as f32 / (STEPS - 1) as f32;
    let list = |colours: Vec<[f32; 3]>| colours.into_iter().map(hex).collect::<Vec<_>>().join(",");
    format!(
        "{{\"ground\":{},\"far\":{},\"kinds\":[{}],\"compass\":[{}],\"substances\":[{}],\"amount\":[{}],\"density\":[{}]}}",
        hex(theme.middle()),
        hex(theme.far()),
        list((0..7).map(|number| theme.kind(number)).collect()),
        list(theme.compass().to_vec()),
        list((0..3).map(|number| theme.substance(number)).collect()),
        list((0..STEPS).map(|step| theme.amount(share(step))).collect()),
        list((0..STEPS).map(|step| theme.density_over(theme.middle(), share(step))).collect()),
    )
}

/// A colour as text in quotation marks.
fn hex(colour: [f32; 3]) -> String {
    let [red, green, blue] = colour.map(|channel| (channel + 0.5) as u8);
    format!("\"#{red:02x}{green:02x}{blue:02x}\"")
}
