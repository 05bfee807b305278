//! The looks of the page: the colours and the numbers of pictures (`throng-draw`), as a script.

use serde_json::{Value as Json, json};
use throng_draw::{Theme, looks};

use crate::output::shortest;

/// The number of steps of a colour scale.
const STEPS: usize = 64;

/// The script that defines the constant `LOOKS`: the colours of both themes, and the numbers.
pub(crate) fn script() -> String {
    let looks = json!({
        "dark": theme(Theme::Dark),
        "light": theme(Theme::Light),
        "body": shortest(looks::BODY),
        "toLight": looks::LIGHT.map(shortest),
        "shade": shortest(looks::SHADE),
        "lit": shortest(looks::LIT),
        "front": shortest(looks::FRONT),
        "fog": looks::FOG.map(shortest),
        "longest": shortest(looks::LONGEST),
    });
    format!("const LOOKS = {looks};\n")
}

fn theme(theme: Theme) -> Json {
    let share = |step: usize| step as f32 / (STEPS - 1) as f32;
    json!({
        "ground": hex(theme.middle()),
        "far": hex(theme.far()),
        "kinds": (0..7).map(|number| hex(theme.kind(number))).collect::<Vec<_>>(),
        "compass": theme.compass().map(hex),
        "amount": (0..STEPS).map(|step| hex(theme.amount(share(step)))).collect::<Vec<_>>(),
        "density": (0..STEPS).map(|step| hex(theme.density(theme.middle(), share(step)))).collect::<Vec<_>>(),
    })
}

fn hex(colour: [f32; 3]) -> String {
    let [red, green, blue] = colour.map(|channel| (channel + 0.5) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}
