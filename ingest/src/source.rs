//! Bytes: a file or standard input, plain or gzip, and how much of it was read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// Bytes that are fetched at once: large enough that system calls do not count, small enough for the cache.
const CHUNK: usize = 128 * 1024;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Bytes at the start that tell what kind of file it is.
pub(crate) const HEAD: usize = 1024;

/// An opened input.
pub(crate) struct Source {
    /// The content, decompressed.
    pub(crate) input: Box<dyn BufRead + Send>,
    /// Bytes of the file itself that were read so far.
    pub(crate) read: Arc<AtomicU64>,
    /// Size of the file itself; unknown for a pipe.
    pub(crate) total: Option<u64>,
}

impl Source {
    /// Opens `path`; `-` is standard input.
    ///
    /// # Errors
    /// Says what was found in place of a readable file.
    pub(crate) fn open(path: &str) -> Result<Source, String> {
        if path == "-" {
            return Source::new(io::stdin(), None);
        }
        let file = File::open(path).map_err(|error| in_words(&error))?;
        let metadata = file.metadata().map_err(|error| in_words(&error))?;
        if metadata.is_dir() {
            return Err("found a directory, expected a trace file".into());
        }
        let total = metadata.is_file().then_some(metadata.len());
        Source::new(file, total)
    }

    /// Takes in what `raw` holds.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub(crate) fn new(raw: impl Read + Send + 'static, total: Option<u64>) -> Result<Source, String> {
        let read = Arc::new(AtomicU64::new(0));
        let mut counted = Counted { inner: raw, read: read.clone() };
        let mut head = Vec::with_capacity(HEAD);
        counted.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|error| in_words(&error))?;
        let gzip = head.starts_with(&GZIP_MAGIC);
        let whole = BufReader::with_capacity(CHUNK, Cursor::new(head).chain(counted));
        let input: Box<dyn BufRead + Send> = if gzip {
            Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(whole)))
        } else {
            Box::new(whole)
        };
        Ok(Source { input, read, total })
    }
}

/// An input error as found and expected.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "found no such file, expected a trace file".into(),
        io::ErrorKind::PermissionDenied => {
            "found a file without read permission, expected a readable one".into()
        }
        io::ErrorKind::UnexpectedEof => "found a gzip stream that ends early, expected all of it".into(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("found a damaged gzip stream ({error}), expected a sound one")
        }
        _ => format!("reading failed: {error}"),
    }
}

/// Counts what passes through.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
