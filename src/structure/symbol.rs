//! A symbol: the set of the distinct calls of one turn, each with what came of it.

/// What policy says about a position's tool, as far as structure needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Passes that make it stagnant.
    pub min_repeats: u32,
    /// Never stagnant.
    pub exempt: bool,
    /// A constant result proves nothing.
    pub stable: bool,
}

/// One distinct call (or summary) of a turn.
#[derive(Clone, Debug)]
pub struct Position<O> {
    /// Identity inside this process (keyed, so that nobody can aim collisions at it).
    pub fingerprint: u64,
    /// Identity that anyone can reproduce.
    pub signature: u64,
    /// Model text that calls no tool.
    pub summary: bool,
    /// The tool's rule.
    pub rule: Rule,
    /// Index of the step, as the caller counts.
    pub index: u64,
    /// Hash of the step's own id, or of its index where it has none.
    pub id: u64,
    /// What came of it.
    pub output: O,
}

/// The distinct calls of one turn.
#[derive(Clone, Debug)]
pub struct Symbol<O> {
    /// Number of the turn.
    pub turn: u64,
    /// In the order in which they were first reported.
    pub positions: Vec<Position<O>>,
    /// Equal for equal sets.
    pub fingerprint: u64,
    /// Lowest step index.
    pub first_index: u64,
    /// Highest step index, repeated calls included.
    pub last_index: u64,
}

impl<O> Symbol<O> {
    /// A turn that begins with `position`.
    pub fn new(turn: u64, position: Position<O>) -> Self {
        let mut symbol = Symbol {
            turn,
            positions: Vec::with_capacity(1),
            fingerprint: 0,
            first_index: position.index,
            last_index: position.index,
        };
        symbol.insert(position);
        symbol
    }

    /// Makes this the symbol that [`Symbol::new`] would make, in the same memory.
    pub fn restart(&mut self, turn: u64, position: Position<O>) {
        self.turn = turn;
        self.positions.clear();
        self.fingerprint = 0;
        self.first_index = position.index;
        self.insert(position);
    }

    /// Adds a step to the turn. An equal call counts once; its last known output stands.
    pub fn add(&mut self, position: Position<O>, output_is_missing: bool) {
        self.last_index = position.index;
        match self.positions.iter_mut().find(|known| known.fingerprint == position.fingerprint) {
            Some(known) if !output_is_missing => known.output = position.output,
            Some(_) => {}
            None => self.insert(position),
        }
    }

    /// The position with this fingerprint.
    pub fn position(&self, fingerprint: u64) -> Option<&Position<O>> {
        self.positions.iter().find(|position| position.fingerprint == fingerprint)
    }

    fn insert(&mut self, position: Position<O>) {
        // A sum does not depend on the order; mixing first keeps sums of different sets apart.
        self.fingerprint = self.fingerprint.wrapping_add(mix(position.fingerprint));
        self.last_index = position.index;
        self.positions.push(position);
    }
}

/// The finaliser of MurmurHash3: every input bit changes every output bit.
fn mix(mut bits: u64) -> u64 {
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}
