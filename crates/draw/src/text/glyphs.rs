//! The letters, as strokes of a pen. Each letter is a list of strokes between spaces. A stroke is a list of points of two
//! characters: the place to the right, from `0`, and the height, from `a`, in halves of a unit. Capitals are seven units
//! high and stand on the height `e`.
//!
//! A stroke is straight from point to point; after `~` it is a curve that starts at its first point, ends at its last
//! one and is drawn towards those between, and after `@` a closed curve.

/// The strokes of a letter, and the marks above or below it; `None` for letters that the font lacks.
pub(super) fn glyph(letter: char) -> Option<[&'static str; 2]> {
    if let Some(strokes) = plain(letter) {
        return Some([strokes, ""]);
    }
    let (base, mark) = accented(letter)?;
    let high = base.is_uppercase();
    let mark = match (mark, high) {
        (Mark::Grave, false) => "2t5r",
        (Mark::Grave, true) => "3w6u",
        (Mark::Acute, false) => "3r6t",
        (Mark::Acute, true) => "4u7w",
        (Mark::Circumflex, false) => "1r4t7r",
        (Mark::Circumflex, true) => "2u5w8u",
        (Mark::Tilde, false) => "~1r3u5p7s",
        (Mark::Tilde, true) => "~2u4x6s8v",
        (Mark::Two, false) => "2r2s 6r6s",
        (Mark::Two, true) => "3u3v 7u7v",
        (Mark::Ring, false) => "@2q6q6u2u",
        (Mark::Ring, true) => "@3t7t7x3x",
        (Mark::Cedilla, _) => "~4e5d6b3b",
    };
    Some([plain(base)?, mark])
}

/// A mark above or below a letter.
enum Mark {
    Grave,
    Acute,
    Circumflex,
    Tilde,
    Two,
    Ring,
    Cedilla,
}

fn accented(letter: char) -> Option<(char, Mark)> {
    let of = |letters: &str, bases: &str| {
        letters.chars().zip(bases.chars()).find(|(own, _)| *own == letter).map(|(_, base)| base)
    };
    let marks = [
        (Mark::Grave, "àèìòùÀÈÌÒÙ", "aeiouAEIOU"),
        (Mark::Acute, "áéíóúýÁÉÍÓÚÝ", "aeiouyAEIOUY"),
        (Mark::Circumflex, "âêîôûÂÊÎÔÛ", "aeiouAEIOU"),
        (Mark::Tilde, "ãñõÃÑÕ", "anoANO"),
        (Mark::Two, "äëïöüÿÄËÏÖÜ", "aeiouyAEIOU"),
        (Mark::Ring, "åÅ", "aA"),
        (Mark::Cedilla, "çÇ", "cC"),
    ];
    marks.into_iter().find_map(|(mark, letters, bases)| of(letters, bases).map(|base| (base, mark)))
}

fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'a' => "@0e7e7o0o 7o7e",
        'b' => "0s0e @0e7e7o0o",
        'c' => "~7n6o0o0e6e7f",
        'd' => "7s7e @0e7e7o0o",
        'e' => "0j7j ~7j7o0o0e6e7f",
        'f' => "~5s2s2p2n2e 0o5o",
        'g' => "@0e7e7o0o ~7o7e7a0a1b",
        'h' => "0s0e ~0l0o7o7l7e",
        'i' => "1o1e 1r1s",
        'j' => "~2o2d2a0a 2r2s",
        'k' => "0s0e 6o0i 2k7e",
        'l' => "~1s1g1e3e",
        'm' => "0o0e ~0l0o6o6l6e ~6l6o<o<l<e",
        'n' => "0o0e ~0l0o7o7l7e",
        'o' => "@0e7e7o0o",
        'p' => "0o0a @0e7e7o0o",
        'q' => "7o7a @0e7e7o0o",
        'r' => "0o0e ~0k0o3o5o",
        's' => "~6n6o0o0j6j6e0e0f",
        't' => "~2s2h2e5e 0o5o",
        'u' => "7o7e ~0o0h0e7e7h",
        'v' => "0o4e8o",
        'w' => "0o3e6n9e<o",
        'x' => "0o7e 7o0e",
        'y' => "0o4e ~8o4e3a0a",
        'z' => "0o7o0e7e",
        'ß' => "~0e0n0s6s6n3m ~3m7m7e4e2e",
        'æ' => "@0e6e6o0o 6o6e 6j<j ~<j<o6o6e;e<f",
        'ø' => "@0e7e7o0o 0d7p",
        'A' => "0e5s:e 2i8i",
        'B' => "0e0s4s ~4s9s9l4l0l ~4l:l:e4e0e",
        'C' => "~:q9s0s0e9e:g",
        'D' => "0s0e3e ~3e:e:s3s0s",
        'E' => "9s0s0e9e 0l8l",
        'F' => "9s0s0e 0l8l",
        'G' => "~:q9s0s0e:e:j 6j:j",
        'H' => "0s0e :s:e 0l:l",
        'I' => "1s1e",
        'J' => "~7s7i7e0e0h",
        'K' => "0s0e 9s0j 3m9e",
        'L' => "0s0e8e",
        'M' => "0e0s6h<s<e",
        'N' => "0e0s:e:s",
        'O' => "@0e;e;s0s",
        'P' => "0e0s4s ~4s:s:k4k0k",
        'Q' => "@0e;e;s0s 7h;d",
        'R' => "0e0s4s ~4s:s:k4k0k 5k:e",
        'S' => "~9q9s0s0l9l9e0e0g",
        'T' => "0s:s 5s5e",
        'U' => "~0s0h0e:e:h:s",
        'V' => "0s5e:s",
        'W' => "0s3e7r;e>s",
        'X' => "0s9e 9s0e",
        'Y' => "0s5k:s 5k5e",
        'Z' => "0s9s0e9e",
        'Æ' => "0e6s6e 2i6i >s6s 6l=l 6e>e",
        'Ø' => "@0e;e;s0s 1d:t",
        '0' => "@0e8e8s0s",
        '1' => "1q4s4e",
        '2' => "~0q0s7s8o6j0e 0e8e",
        '3' => "~0r0s8s8l3l ~3l8l8e0e0f",
        '4' => "6e6s0i8i",
        '5' => "7s1s1m ~1m8n8e0e0f",
        '6' => "@0e8e8m0m ~0i0m2s6s",
        '7' => "0s8s3e",
        '8' => "@1l7l7s1s @0e8e8l0l",
        '9' => "@0k8k8s0s ~8o8k6e2e",
        '.' => "1e1f",
        ',' => "1f0c",
        ':' => "1e1f 1l1m",
        ';' => "1f0c 1l1m",
        '-' | '\u{2013}' => "0j5j",
        '+' => "0j8j 4f4n",
        '=' => "0h8h 0l8l",
        '/' => "0d6t",
        '\\' => "0t6d",
        '|' => "1u1c",
        '_' => "0d8d",
        '(' => "~3t0r0d3b",
        ')' => "~0t3r3d0b",
        '[' => "3t0t0c3c",
        ']' => "0t3t3c0c",
        '{' => "~4t2t2k0k 0k ~0k2k2c4c",
        '}' => "~0t2t2k4k ~4k2k2c0c",
        '<' => "7n0j7f",
        '>' => "0n7j0f",
        '%' => "0e;s @0m4m4s0s @7e;e;k7k",
        '!' => "1s1i 1e1f",
        '?' => "~0q0s7s7l3m3i 3e3f",
        '\'' => "0s0p",
        '"' => "0s0p 3s3p",
        '*' => "3s3m 0r6n 6r0n",
        '#' => "2e4s 6e8s 0i8i 0n9n",
        '&' => "~:e3n2s7s7n0k0e5e:k",
        '@' => "@4h8h8n4n ~8n8h;h;s0s0d9d",
        '°' => "@0o4o4s0s",
        '²' => "~0r0s4s4q0n 0n4n",
        '³' => "~0s4s4q1q ~1q4q4n0n",
        '·' => "1j1k",
        '×' => "0g6m 6g0m",
        ' ' => "",
        _ => return None,
    })
}
