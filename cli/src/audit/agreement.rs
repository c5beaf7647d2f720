//! Why the results of one position count as the same: how many in a row, by which rung, and what differed all
//! the same.

use wheelspin::evidence::{Comparison, Difference, Evidence, Judge};
use wheelspin::finding::Level;
use wheelspin::policy::ToolOptions;
use wheelspin_ingest::Trace;

/// Neighbours that are compared at most; a loop of a million passes is understood from its beginning.
pub const MOST_COMPARISONS: usize = 2000;

/// The longest stretch of passes in which each result is the same as the one before, among the first
/// [`MOST_COMPARISONS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// How many results in a row are the same.
    pub passes: usize,
    /// The weakest comparison between two of them.
    pub level: Level,
    /// Its cosine, where there is one.
    pub similarity: f32,
    /// The two steps of that comparison.
    pub pair: (usize, usize),
    /// What differs between them all the same.
    pub differences: Vec<Difference>,
    /// The results are errors.
    pub error: bool,
}

/// The agreement of a position's steps, one a pass; `None` where no two neighbours agree.
pub fn of(trace: &Trace, judge: &mut Judge, rules: &ToolOptions, steps: &[usize]) -> Option<Agreement> {
    let evidence = |index: usize| Evidence::of(&trace.steps[index].step());
    let mut best: Option<Agreement> = None;
    let mut open: Option<Agreement> = None;
    let mut before = evidence(*steps.first()?);
    for pair in steps.windows(2).take(MOST_COMPARISONS) {
        let after = evidence(pair[1]);
        let found = judge.compare(&before, &after, rules);
        open = found.same.then(|| extended(open, found, (pair[0], pair[1]), after.is_error()));
        if let Some(open) = &open
            && best.as_ref().is_none_or(|best| best.passes < open.passes)
        {
            best = Some(open.clone());
        }
        before = after;
    }
    let mut best = best?;
    if best.level != Level::Identical {
        let (a, b) = best.pair;
        best.differences = judge.explain(&evidence(a), &evidence(b), rules).differences;
    }
    Some(best)
}

fn extended(open: Option<Agreement>, found: Comparison, pair: (usize, usize), error: bool) -> Agreement {
    match open {
        Some(open) if open.level <= found.level => Agreement { passes: open.passes + 1, ..open },
        _ => Agreement {
            passes: open.map_or(2, |open| open.passes + 1),
            level: found.level,
            similarity: found.similarity,
            pair,
            differences: Vec::new(),
            error,
        },
    }
}
