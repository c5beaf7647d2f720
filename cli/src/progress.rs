//! A progress bar on standard error, for input that takes long enough for people to wonder.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use wheelspin_ingest::Progress;

use crate::text::{harmless, shorten};

/// A file of this many bytes gets a bar at once.
const LONG_INPUT: u64 = 20 << 20;
/// Any other gets one when it has taken this long.
const LONG_WAIT: Duration = Duration::from_secs(1);
/// A trace of this many steps takes long enough to be judged for people to wonder.
const LONG_TRACE: usize = 100_000;
/// The bar moves this often, also while one trace is being read.
const TICK: Duration = Duration::from_millis(120);

/// The bar of the file that is being read, if people are there to see it and it is worth showing.
pub struct Bar {
    wanted: bool,
    begun: Instant,
    name: String,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar that shows itself only where that is `wanted`.
    pub fn new(wanted: bool) -> Bar {
        Bar { wanted, begun: Instant::now(), name: String::new(), bar: None }
    }

    /// The next file begins.
    pub fn start(&mut self, file: &str, progress: Progress) {
        self.end();
        self.begun = Instant::now();
        self.name = shorten(&harmless(file), 30);
        self.update(progress);
    }

    /// More was read.
    pub fn update(&mut self, progress: Progress) {
        let long = progress.total.is_some_and(|total| total > LONG_INPUT) || self.begun.elapsed() > LONG_WAIT;
        if self.wanted && self.bar.is_none() && long {
            self.bar = Some(shown(progress.total));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(progress.read);
            bar.set_message(self.name.clone());
        }
    }

    /// Of a trace's steps, so many were judged. Worth saying of a long one only: others are done at once.
    pub fn judged(&self, done: usize, total: usize) {
        if let Some(bar) = &self.bar
            && total >= LONG_TRACE
            && done.is_multiple_of(LONG_TRACE / 50)
        {
            bar.set_message(format!("{}: {} % judged", self.name, 100 * done / total));
        }
    }

    /// Does something that prints, with the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn shown(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            (ProgressBar::new(total), "{msg} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec}, {eta} left")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {msg} {bytes} {bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("━╸ "));
    bar.enable_steady_tick(TICK);
    bar
}
