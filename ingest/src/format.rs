//! The formats and their names.

use std::str::FromStr;

/// What a trace file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wheelspin's own: `{"trace_id": …, "steps": […]}`.
    Plain,
}

impl Format {
    /// Every format, in the order in which they are listed to people.
    pub const ALL: [Format; 1] = [Format::Plain];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Plain => "plain",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "found format \"{}\", expected one of", self.0)?;
        for (index, format) in Format::ALL.into_iter().enumerate() {
            write!(f, "{} {format}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.into()))
    }
}
