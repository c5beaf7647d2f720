//! All periods at once: for each period, how many symbols in a row equalled the one a period before.

/// Periods that there is room for at first. The room doubles as symbols come, up to `max_period`: most sequences
/// stay short, and there are many of them.
const FIRST_PERIODS: usize = 8;

/// Counters for the periods 1 to `max_period`.
///
/// The newest symbol is open: it may be replaced ([`PeriodBank::revise`]) until the next one is pushed.
/// A push costs at most `max_period` comparisons of neighbouring words; in steady state it allocates nothing.
#[derive(Clone)]
pub struct PeriodBank {
    max_period: usize,
    /// Closed symbols, newest first, from `newest`; room for twice the periods, so that they are always in one piece.
    closed: Vec<u64>,
    newest: usize,
    known: usize,
    /// `matched[p - 1]`: the count for period `p` up to the last closed symbol.
    matched: Vec<u32>,
    /// The same with the open symbol.
    current: Vec<u32>,
    open: Option<u64>,
}

impl PeriodBank {
    /// Counters for the periods 1 to `max_period`, which is at least 1.
    pub fn new(max_period: usize) -> Self {
        PeriodBank {
            max_period,
            closed: Vec::new(),
            newest: 0,
            known: 0,
            matched: Vec::new(),
            current: Vec::new(),
            open: None,
        }
    }

    /// Closes the open symbol and opens the next.
    pub fn push(&mut self, symbol: u64) {
        if let Some(closed) = self.open {
            self.close(closed);
            std::mem::swap(&mut self.matched, &mut self.current);
        }
        self.open = Some(symbol);
        self.compare(symbol);
    }

    /// Replaces the open symbol.
    pub fn revise(&mut self, symbol: u64) {
        self.open = Some(symbol);
        self.compare(symbol);
    }

    /// Forgets everything: the sequence starts anew.
    pub fn reset(&mut self) {
        self.known = 0;
        self.newest = self.matched.len();
        self.open = None;
        self.matched.fill(0);
        self.current.fill(0);
    }

    /// How many symbols in a row, up to and with the open one, equal the symbol `period` before them.
    pub fn matched(&self, period: usize) -> u32 {
        self.current.get(period - 1).copied().unwrap_or(0)
    }

    /// Periods with at least `passes` full passes up to the open symbol, shortest first, each with its count.
    pub fn with_passes(&self, passes: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.current.iter().enumerate().filter_map(move |(i, &count)| {
            let period = i + 1;
            (count as usize >= period * (passes as usize - 1)).then_some((period, count))
        })
    }

    /// Is the unit of the run with this period no repetition of a smaller block?
    /// Holds for periods with a count of at least `period`.
    pub fn is_primitive(&self, period: usize) -> bool {
        // A block is a power exactly when it is one for some prime exponent.
        prime_factors(period).all(|prime| {
            let smaller = period / prime;
            (self.current[smaller - 1] as usize) < period - smaller
        })
    }

    fn close(&mut self, symbol: u64) {
        if self.known == self.matched.len() && self.known < self.max_period {
            self.grow();
        }
        let periods = self.matched.len();
        if self.newest == 0 {
            self.closed.copy_within(0..periods - 1, periods + 1);
            self.newest = periods + 1;
        }
        self.newest -= 1;
        self.closed[self.newest] = symbol;
        self.known = (self.known + 1).min(periods);
    }

    fn grow(&mut self) {
        let periods = (2 * self.known).clamp(FIRST_PERIODS.min(self.max_period), self.max_period);
        let mut closed = vec![0; 2 * periods];
        let newest = periods;
        closed[newest..newest + self.known]
            .copy_from_slice(&self.closed[self.newest..self.newest + self.known]);
        (self.closed, self.newest) = (closed, newest);
        self.matched.resize(periods, 0);
        self.current.resize(periods, 0);
    }

    fn compare(&mut self, symbol: u64) {
        let earlier = &self.closed[self.newest..self.newest + self.known];
        for ((current, &matched), &before) in self.current.iter_mut().zip(&self.matched).zip(earlier) {
            *current = if before == symbol { matched.saturating_add(1) } else { 0 };
        }
    }
}

fn prime_factors(mut number: usize) -> impl Iterator<Item = usize> {
    let mut candidate = 2;
    std::iter::from_fn(move || {
        while number > 1 {
            if candidate * candidate > number {
                candidate = number;
            }
            if number.is_multiple_of(candidate) {
                while number.is_multiple_of(candidate) {
                    number /= candidate;
                }
                return Some(candidate);
            }
            candidate += 1;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(symbols: &[u64], period: usize) -> u32 {
        let equal = |i: &usize| symbols[*i] == symbols[*i - period];
        (period..symbols.len()).rev().take_while(equal).count() as u32
    }

    #[test]
    fn prime_factors_are_distinct_and_complete() {
        assert_eq!(prime_factors(1).count(), 0);
        assert_eq!(prime_factors(360).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(prime_factors(1009).collect::<Vec<_>>(), [1009]);
    }

    proptest! {
        #[test]
        fn counts_what_the_definition_counts(
            symbols in prop::collection::vec(0u64..3, 1..80),
            max_period in 1usize..20,
            revised in prop::collection::vec(any::<bool>(), 80),
        ) {
            let mut bank = PeriodBank::new(max_period);
            for (i, &symbol) in symbols.iter().enumerate() {
                if revised[i] {
                    bank.push(99);
                    bank.revise(symbol);
                } else {
                    bank.push(symbol);
                }
                for period in 1..=max_period {
                    prop_assert_eq!(bank.matched(period), naive(&symbols[..=i], period));
                }
            }
        }

        #[test]
        fn primitive_means_no_power_of_a_smaller_block(
            block in prop::collection::vec(0u64..2, 1..13),
        ) {
            let mut bank = PeriodBank::new(16);
            for &symbol in block.iter().chain(&block) {
                bank.push(symbol);
            }
            let period = block.len();
            let power = (1..period)
                .filter(|d| period.is_multiple_of(*d))
                .any(|d| block.chunks(d).all(|chunk| chunk == &block[..d]));
            prop_assert_eq!(bank.is_primitive(period), !power);
        }
    }
}
