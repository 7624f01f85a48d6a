//! Circuits of AND gates and latches that begin with 0 (ASCII AIGER 1.9).

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

/// The number of bits that tell `n` numbers apart.
pub(super) fn bits(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// A circuit. A literal is twice a variable, odd if it is negated; 0 is false, 1 is true.
#[derive(Default)]
pub(super) struct AndInverterGraph {
    n_variables: u32,
    ands: Vec<(u32, u32, u32)>,
    known: FxHashMap<(u32, u32), u32>,
}

impl AndInverterGraph {
    pub fn variables(&mut self, n: usize) -> Vec<u32> {
        let fresh = |_| {
            self.n_variables += 1;
            2 * self.n_variables
        };
        (0..n).map(fresh).collect()
    }
    pub fn and(&mut self, left: u32, right: u32) -> u32 {
        match (left.min(right), left.max(right)) {
            (0, _) => 0,
            (1, other) => other,
            (left, right) if left == right => left,
            (left, right) if left ^ 1 == right => 0,
            (left, right) => {
                if let Some(known) = self.known.get(&(right, left)) {
                    return *known;
                }
                self.n_variables += 1;
                let and = 2 * self.n_variables;
                self.ands.push((and, right, left));
                self.known.insert((right, left), and);
                and
            }
        }
    }
    pub fn all(&mut self, literals: &[u32]) -> u32 {
        literals.iter().fold(1, |all, literal| self.and(all, *literal))
    }
    pub fn any(&mut self, literals: &[u32]) -> u32 {
        let negated: Vec<u32> = literals.iter().map(|literal| literal ^ 1).collect();
        self.all(&negated) ^ 1
    }
    pub fn differ(&mut self, left: u32, right: u32) -> u32 {
        let (one, other) = (self.and(left, right ^ 1), self.and(left ^ 1, right));
        self.any(&[one, other])
    }
    /// `yes` if `condition` holds, else `no`.
    pub fn choose(&mut self, condition: u32, yes: u32, no: u32) -> u32 {
        let (one, other) = (self.and(condition, yes), self.and(condition ^ 1, no));
        self.any(&[one, other])
    }
    /// A literal that is true if the bits encode `number`.
    pub fn is(&mut self, bits: &[u32], number: usize) -> u32 {
        let literals = bits
            .iter()
            .enumerate()
            .map(|(bit, literal)| literal ^ u32::from(number >> bit & 1 == 0));
        let literals: Vec<u32> = literals.collect();
        self.all(&literals)
    }
    /// The circuit as ASCII AIGER 1.9 with these inputs, latches (each with its next value) and outputs. Inputs and
    /// outputs have symbols; unused gates are left out.
    pub fn text(&self, inputs: &[(u32, String)], latches: &[(u32, u32)], outputs: &[(u32, String)]) -> String {
        let mut is_needed = vec![false; self.n_variables as usize + 1];
        let roots = latches
            .iter()
            .map(|(_, next)| *next)
            .chain(outputs.iter().map(|(output, _)| *output));
        roots.for_each(|root| is_needed[root as usize / 2] = true);
        for (and, left, right) in self.ands.iter().rev() {
            if is_needed[*and as usize / 2] {
                is_needed[*left as usize / 2] = true;
                is_needed[*right as usize / 2] = true;
            }
        }
        let ands = self.ands.iter().filter(|(and, ..)| is_needed[*and as usize / 2]);
        let ands: Vec<&(u32, u32, u32)> = ands.collect();
        // Variables are numbered in the order of the file.
        let mut numbers = vec![0; self.n_variables as usize + 1];
        let order = inputs
            .iter()
            .map(|(input, _)| *input)
            .chain(latches.iter().map(|(latch, _)| *latch));
        for (at, literal) in order.chain(ands.iter().map(|(and, ..)| *and)).enumerate() {
            numbers[literal as usize / 2] = at as u32 + 1;
        }
        let number = |literal: u32| 2 * numbers[literal as usize / 2] + literal % 2;
        let sizes = [inputs.len(), latches.len(), outputs.len(), ands.len()];
        let n_variables = sizes[0] + sizes[1] + sizes[3];
        let mut text = format!("aag {n_variables} {}\n", sizes.map(|size| size.to_string()).join(" "));
        let lines = inputs.iter().map(|(input, _)| number(*input).to_string());
        let lines = lines.chain(
            latches
                .iter()
                .map(|(latch, next)| format!("{} {}", number(*latch), number(*next))),
        );
        let lines = lines.chain(outputs.iter().map(|(output, _)| number(*output).to_string()));
        let gate =
            |(and, left, right): &&(u32, u32, u32)| format!("{} {} {}", number(*and), number(*left), number(*right));
        for line in lines.chain(ands.iter().map(gate)) {
            text.push_str(&line);
            text.push('\n');
        }
        for (kind, named) in [('i', inputs), ('o', outputs)] {
            for (at, (_, name)) in named.iter().enumerate() {
                let _ = writeln!(text, "{kind}{at} {name}");
            }
        }
        text
    }
}
