//! Where people read: how wide it is, and whether it shows colours.

use std::io::{self, BufWriter, StdoutLock};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// Something is wrong.
pub const RED: Style = AnsiColor::Red.on_default().bold();
/// Worth a look.
pub const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// Fine.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// What can be said about nothing.
pub const BLUE: Style = AnsiColor::Blue.on_default();
/// What the eye should find.
pub const BOLD: Style = Style::new().bold();
/// What the eye may pass over.
pub const DIM: Style = Style::new().dimmed();

/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 120;
/// Below this nothing can be laid out.
const NARROWEST: usize = 50;
/// Where there is no terminal to ask.
const USUAL: usize = 100;

/// Standard output for people: buffered, and without colours where they are not wanted (`NO_COLOR`,
/// `CLICOLOR=0`, `TERM=dumb`, not a terminal).
pub fn stdout(color: Color) -> BufWriter<AutoStream<StdoutLock<'static>>> {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    BufWriter::new(AutoStream::new(io::stdout().lock(), choice))
}

/// Columns to lay out for: `COLUMNS` where it is set, else the terminal's width.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(measured).unwrap_or(USUAL).clamp(NARROWEST, WIDEST)
}

/// `text` in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
