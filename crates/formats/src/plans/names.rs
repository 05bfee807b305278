//! Names of layers and shapes that say what they are.

/// Parts of words that mean a wall, in lower case.
const WALLS: [&str; 5] = ["wall", "wand", "wänd", "waend", "mauer"];
/// Words that mean a wall, in lower case.
const WALL_WORDS: [&str; 14] = [
    "mur", "murs", "muro", "muros", "muri", "muur", "muren", "pared", "paredes", "parede", "parete", "pareti", "vägg",
    "väggar",
];
/// Parts of words that mean a door, in lower case.
#[cfg(feature = "dxf")]
const DOORS: [&str; 6] = ["door", "tür", "tuer", "porte", "puerta", "deur"];

/// Whether a name has a word for a wall.
pub(crate) fn is_wall(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|character: char| !character.is_alphabetic());
    WALLS.iter().any(|part| name.contains(part)) || words.any(|word| WALL_WORDS.contains(&word))
}

/// Whether a name has a word for a door.
#[cfg(feature = "dxf")]
pub(crate) fn is_door(name: &str) -> bool {
    let name = name.to_lowercase();
    DOORS.iter().any(|part| name.contains(part))
}
