//! Terminals: messages on the standard error, and lines that fit.

use std::io::{self, Write};

use throng::Warning;
use throng_scenario::printable;

/// Prints a warning to the standard error.
pub(crate) fn warn(text: &str) {
    report("warning", "33", text);
}

/// Prints warnings to the standard error, one on each line.
pub(crate) fn warn_all(warnings: &[Warning]) {
    warnings.iter().for_each(|warning| warn(&warning.to_string()));
}

/// Prints an error to the standard error.
pub(crate) fn error(text: &str) {
    report("error", "31", text);
}

/// Prints a message of this kind, in this colour of the terminal.
fn report(kind: &str, colour: &str, text: &str) {
    let message = format!("{kind}: {}", printable(text));
    // Elsewhere a message stays one line, for the programs that read it.
    let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
    let message = columns.map_or(message.clone(), |columns| folded(&message, columns, 2));
    // `eprintln!` would panic if the standard error is closed: then the exit code suffices.
    let rest = &message[kind.len()..];
    let _ = writeln!(anstream::stderr().lock(), "\x1b[1;{colour}m{kind}\x1b[0m{rest}");
}

/// Breaks a line that is wider than this many columns, with this many spaces before each further line. Words stay
/// whole: a path that is cut cannot be copied.
pub(crate) fn folded(line: &str, columns: usize, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let options = textwrap::Options::new(columns.max(indent + 20)).subsequent_indent(&spaces).break_words(false);
    textwrap::fill(line, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// Breaks the lines of a text that are wider than this many columns. Each further line has two more spaces before it.
pub(crate) fn folded_lines(text: &str, columns: usize) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    text.lines().map(|line| folded(line, columns, indent(line) + 2) + "\n").collect()
}

/// Ends a line that is wider than this many columns after a word, with dots.
pub(crate) fn cut(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_owned();
    }
    let start: String = line.chars().take(columns.saturating_sub(1)).collect();
    let words = start.rsplit_once(' ').map_or(&start[..], |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', ':', ';']))
}

/// The columns of the terminal of the standard output, if it is one.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// The columns for text on the standard output: the columns of a terminal, 100 at most; 80 where the output goes
/// elsewhere.
pub(crate) fn columns() -> usize {
    width().unwrap_or(80).clamp(40, 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_after_a_word() {
        assert_eq!(cut("Birds, which fly.", 17), "Birds, which fly.");
        assert_eq!(cut("Birds, which fly.", 16), "Birds, which…");
        assert_eq!(cut("Birds, which fly.", 10), "Birds…");
    }

    #[test]
    fn long_lines_are_folded_between_words() {
        let text = "error: scenarios/hunt.toml: no such file; did you mean scenarios/hunt.toml?";
        let lines = folded(text, 40, 2);
        assert!(lines.lines().count() == 3 && lines.lines().all(|line| line.len() <= 40), "{lines}");
        assert!(lines.lines().skip(1).all(|line| line.starts_with("  ")), "{lines}");
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
        assert_eq!(folded(text, 100, 2), text);
        let path = "picture  a-very-long/path/to/the/results-of-a-run/picture.png";
        assert_eq!(folded(path, 30, 2), path.replacen("  ", "\n  ", 1), "a path stays whole");
        let lines = "short\n  steer   0.690 ms   adds up the rules' forces\n";
        assert_eq!(folded_lines(lines, 100), lines);
        assert_eq!(folded_lines(lines, 30), "short\n  steer   0.690 ms   adds up\n    the rules' forces\n");
    }
}
