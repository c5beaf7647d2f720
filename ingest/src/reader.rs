//! From a file to its traces.

use std::collections::VecDeque;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::container::{Container, Record, Values};
use crate::decode::Decoder;
use crate::detect;
use crate::format::Format;
use crate::json;
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
    decoder: Option<Decoder>,
    values: Option<Values>,
    items: VecDeque<Result<Trace, Problem>>,
    /// The problem that the file ends with; what was kept until then comes before it.
    last: Option<Problem>,
    /// Something was handed out.
    found: bool,
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Reader {
    /// Opens `path`; `-` is standard input. Without a format, the content decides.
    ///
    /// A file that cannot be opened shows as the first and only item, a fatal [`Problem`].
    pub fn open(path: &str, format: Option<Format>) -> Reader {
        Reader::start(path, Source::open(path), format)
    }

    /// Reads what `input` holds, which problems call `name`; otherwise as [`Reader::open`].
    pub fn new(name: &str, input: impl Read + Send + 'static, format: Option<Format>) -> Reader {
        Reader::start(name, Source::new(input, None), format)
    }

    /// The format of the file, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// How far the file was read.
    pub fn progress(&self) -> Progress {
        Progress { read: self.read.load(Ordering::Relaxed), total: self.total }
    }

    fn start(file: &str, source: Result<Source, String>, format: Option<Format>) -> Reader {
        let mut reader = Reader {
            file: file.to_string(),
            format,
            container: None,
            decoder: None,
            values: None,
            items: VecDeque::new(),
            last: None,
            found: false,
            read: Arc::default(),
            total: None,
        };
        if let Err(problem) = reader.unpack(source) {
            reader.items.push_back(Err(problem));
        }
        reader
    }

    fn unpack(&mut self, source: Result<Source, String>) -> Result<(), Problem> {
        let of_file = |message| Problem::of_file(&self.file, message);
        let source = source.map_err(of_file)?;
        self.read = source.read.clone();
        self.total = source.total;
        let mut container = Container::open(source).map_err(of_file)?;
        let format = match self.format {
            Some(format) => format,
            None => format_of(&mut container).map_err(|(message, line, at)| Problem {
                line: Some(line),
                byte: Some(at),
                ..of_file(message)
            })?,
        };
        self.format = Some(format);
        self.decoder = Some(Decoder::new(format));
        self.container = Some(container);
        Ok(())
    }

    /// Reads on by one value; false at the end of the file.
    fn advance(&mut self) -> bool {
        let (Some(container), Some(decoder)) = (&mut self.container, &self.decoder) else { return false };
        let Some(values) = &mut self.values else {
            match container.next() {
                Some(record) => self.values = values_of(record, decoder),
                None => self.end(),
            }
            return true;
        };
        match values.next() {
            Some(Ok(range)) => {
                let is_last = values.is_last();
                self.read_value(range);
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

    fn read_value(&mut self, range: Range<usize>) {
        let (Some(values), Some(decoder)) = (&self.values, &mut self.decoder) else { return };
        let start = range.start;
        let id = fallback_id(&self.file, values);
        let mut traces = Vec::new();
        let result =
            json::utf8(&values.record().bytes[range]).and_then(|text| decoder.read(text, &id, &mut traces));
        self.items.extend(traces.into_iter().map(Ok));
        if let Err(fault) = result {
            self.report(start, fault, false);
        }
    }

    /// Hands out what was kept until the end of the file.
    fn end(&mut self) {
        let (container, decoder) = (self.container.take(), self.decoder.take());
        let unread = container
            .as_ref()
            .and_then(Container::failure)
            .map(|(message, at)| Problem { byte: Some(at), ..Problem::of_file(&self.file, message) });
        let (rest, without_traces) = match decoder.map(|decoder| decoder.finish(name_of(&self.file))) {
            Some(Ok(traces)) => (traces, None),
            Some(Err(message)) => (Vec::new(), Some(message)),
            None => (Vec::new(), None),
        };
        self.items.extend(rest.into_iter().map(Ok));
        let nothing = || {
            let nothing = !self.found && self.items.is_empty();
            nothing.then(|| "found nothing that belongs to a trace, expected at least one".to_string())
        };
        let without_traces =
            || without_traces.or_else(nothing).map(|message| Problem::of_file(&self.file, message));
        let last = unread.or(self.last.take()).or_else(without_traces);
        self.items.extend(last.map(Err));
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
        let problem = Problem {
            file: self.file.clone(),
            line: Some(record.line + lines),
            byte: Some(record.at + offset as u64),
            message: fault.message,
            fatal,
        };
        if fatal {
            self.last = Some(problem);
        } else {
            self.items.push_back(Err(problem));
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Trace, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.items.pop_front() {
                self.found = true;
                return Some(item);
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// A name for a trace without an id: the same whenever the same file is read, also after it grew.
fn fallback_id(file: &str, values: &Values) -> String {
    let mut id = name_of(file).to_string();
    let index = values.count - 1;
    if values.record().is_line && values.record().line > 1 {
        id.push_str(&format!(":{}", values.record().line));
    }
    if values.is_array() || index > 0 {
        id.push_str(&format!("#{index}"));
    }
    id
}

/// The file's name without its folder.
fn name_of(file: &str) -> &str {
    match file {
        "-" => "stdin",
        path => std::path::Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path),
    }
}

/// The values of a record; `None` when it is a line of text in which the format allows for none.
fn values_of(mut record: Record, decoder: &Decoder) -> Option<Values> {
    let start = record.bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let json = decoder.json_in(&record.bytes[start..])?;
    if json.len() < record.bytes.len() - start {
        let offset = json.as_ptr() as usize - record.bytes.as_ptr() as usize;
        let json = json.to_vec();
        record.at += offset as u64;
        record.bytes = json;
    }
    let split = decoder.splits(&record.bytes);
    Some(Values::new(record, split))
}

/// The format by what the first records hold; else why it is unknown, with line and offset of the first of them.
fn format_of(container: &mut Container) -> Result<Format, (String, u64, u64)> {
    let records: Vec<&Record> = container.peek(detect::SAMPLE).collect();
    let (line, at) = records.first().map_or((1, 0), |first| (first.line, first.at));
    let format = detect::detect(records.into_iter().map(|record| record.bytes.as_slice()));
    // What can't be recognised because it could not be read is a matter of reading.
    let unread = container.failure().map(|(message, at)| (message.to_string(), line, at));
    format.map_err(|message| unread.unwrap_or((message, line, at)))
}
