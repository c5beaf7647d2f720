//! From a file to its traces.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::container::{Container, Values};
use crate::detect;
use crate::format::Format;
use crate::json;
use crate::plain;
use crate::problem::{Fault, Problem};
use crate::source::Source;
use crate::trace::Trace;

/// How far a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the file itself (compressed, where it is) that were read.
    pub read: u64,
    /// Size of the file; unknown for a pipe.
    pub total: Option<u64>,
}

/// Hands out the traces of one file, and the problems met on the way, in the order of the file.
///
/// A [`Problem`] that is not fatal cost one line or record; reading goes on behind it. A fatal one is the last item.
pub struct Reader {
    file: String,
    format: Option<Format>,
    container: Option<Container>,
    values: Option<Values>,
    items: VecDeque<Result<Trace, Problem>>,
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Reader {
    /// Opens `path`; `-` is standard input. Without a format, the content decides.
    ///
    /// A file that cannot be opened shows as the first and only item, a fatal [`Problem`].
    pub fn open(path: &str, format: Option<Format>) -> Reader {
        let mut reader = Reader {
            file: path.to_string(),
            format,
            container: None,
            values: None,
            items: VecDeque::new(),
            read: Arc::default(),
            total: None,
        };
        if let Err(message) = reader.start() {
            reader.end(Some(Problem::of_file(path, message)));
        }
        reader
    }

    /// The format of the file, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// How far the file was read.
    pub fn progress(&self) -> Progress {
        Progress { read: self.read.load(Ordering::Relaxed), total: self.total }
    }

    fn start(&mut self) -> Result<(), String> {
        let source = Source::open(&self.file)?;
        self.read = source.read.clone();
        self.total = source.total;
        let mut container = Container::open(source)?;
        if self.format.is_none() {
            self.format = Some(format_of(&mut container)?);
        }
        self.container = Some(container);
        Ok(())
    }

    fn end(&mut self, problem: Option<Problem>) {
        self.items.extend(problem.map(Err));
        self.container = None;
        self.values = None;
    }

    /// Reads on by one value; false at the end of the file.
    fn advance(&mut self) -> bool {
        let Some(container) = &mut self.container else { return false };
        let Some(values) = &mut self.values else {
            match container.next() {
                Some(record) => self.values = Some(Values::new(record, true)),
                None => {
                    let failure = container.failure();
                    let problem = failure.map(|(message, at)| Problem {
                        byte: Some(at),
                        ..Problem::of_file(&self.file, message)
                    });
                    self.end(problem);
                }
            }
            return true;
        };
        match values.next() {
            Some(Ok(range)) => {
                let start = range.start;
                let is_last = values.is_last();
                match self.read_value(range) {
                    Ok(trace) => self.items.push_back(Ok(trace)),
                    Err(fault) => self.report(start, fault, false),
                }
                // The text is not kept while the caller works on its last trace.
                if is_last {
                    self.values = None;
                }
            }
            Some(Err(fault)) => {
                let rest_is_lost = !values.record().is_line;
                self.report(0, fault, rest_is_lost);
                self.values = None;
            }
            None => {
                if values.count == 0 {
                    self.report(0, Fault::new(0, "found an empty array, expected a trace"), false);
                }
                self.values = None;
            }
        }
        true
    }

    fn read_value(&self, range: Range<usize>) -> Result<Trace, Fault> {
        let Some(values) = &self.values else { unreachable!("a range comes from values") };
        let text = json::utf8(&values.record().bytes[range])?;
        plain::read(text, &self.fallback_id(values))
    }

    /// A name for a trace without an id: the same whenever the same file is read, also after it grew.
    fn fallback_id(&self, values: &Values) -> String {
        let name = match self.file.as_str() {
            "-" => "stdin",
            path => std::path::Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path),
        };
        let mut id = name.to_string();
        let index = values.count - 1;
        if values.record().is_line && values.record().line > 1 {
            id.push_str(&format!(":{}", values.record().line));
        }
        if values.is_array() || index > 0 {
            id.push_str(&format!("#{index}"));
        }
        id
    }

    /// Reports a fault in the current record, `start` bytes into it.
    fn report(&mut self, start: usize, fault: Fault, fatal: bool) {
        let Some(values) = &self.values else { return };
        let record = values.record();
        // That the file could not be read to its end is reported; the cut that it made is the same news.
        if fault.cut && record.cut {
            return;
        }
        let offset = (start + fault.at).min(record.bytes.len());
        let lines = memchr::memchr_iter(b'\n', &record.bytes[..offset]).count() as u64;
        self.items.push_back(Err(Problem {
            file: self.file.clone(),
            line: Some(record.line + lines),
            byte: Some(record.at + offset as u64),
            message: fault.message,
            fatal,
        }));
    }
}

impl Iterator for Reader {
    type Item = Result<Trace, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(item);
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// The format by what the first records hold.
fn format_of(container: &mut Container) -> Result<Format, String> {
    detect::detect(container.peek(detect::SAMPLE).map(|record| record.bytes.as_slice()))
}
