//! Deep expressions of any language.

use tamper::features::Random;

/// How a language writes expressions.
#[derive(Clone, Copy)]
pub struct Language {
    /// Operators of two truth values; each may be chained.
    pub connectives: &'static [&'static str],
    /// `!`, or none.
    pub not: Option<&'static str>,
    /// Operators of two numbers.
    pub sums: &'static [&'static str],
    pub comparisons: &'static [&'static str],
    /// The conditional of condition, then and else, in brackets.
    pub conditional: Option<[&'static str; 4]>,
    /// How many brackets stand in each other at most.
    pub nesting: usize,
    /// How many operators a chain has at most.
    pub chain: usize,
    pub truths: &'static [&'static str],
    pub numbers: &'static [&'static str],
}

/// Expressions as C writes them, over the numbers `n` and 0 to 1.
pub const C_LIKE: Language = Language {
    connectives: &["&&", "||", "imply"],
    not: Some("!"),
    sums: &["+", "-", "*"],
    comparisons: &["<", "<=", "==", "!=", ">=", ">"],
    conditional: Some(["(", " ? ", " : ", ")"]),
    nesting: 110,
    chain: 990,
    truths: &["true", "n < 3"],
    numbers: &["n", "1", "0"],
};

/// A depth up to `most`; small ones come as often as large ones, and a few are beyond.
pub fn depth(random: &mut Random, most: usize) -> usize {
    if random.below(40) == 0 {
        return most + 1 + random.below(3 * most);
    }
    // The share that `most` stands for is spread over the digits.
    let bits = usize::BITS - most.leading_zeros();
    let top = 1 << (1 + random.below(bits as usize));
    (1 + random.below(top)).min(most.saturating_sub(8).max(1))
}

pub fn one<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

impl Language {
    /// A condition, seldom deeper than is read.
    pub fn truth(&self, random: &mut Random) -> String {
        self.of(random, true)
    }
    /// A number.
    pub fn number(&self, random: &mut Random) -> String {
        self.of(random, false)
    }

    fn of(&self, random: &mut Random, truth: bool) -> String {
        match random.below(6) {
            0 => self.small(random, truth, 3),
            1 => self.chained(random, truth),
            2 => self.towers(random, truth),
            3 => self.nested(random, truth, false),
            4 => self.nested(random, truth, true),
            _ => self.small(random, truth, 5),
        }
    }

    /// A bushy one of that height.
    fn small(&self, random: &mut Random, truth: bool, height: usize) -> String {
        if height == 0 || random.below(8) == 0 {
            return one(random, if truth { self.truths } else { self.numbers }).to_owned();
        }
        let kind = random.below(8);
        match self.conditional {
            Some([open, then, or, close]) if kind == 0 => {
                let condition = self.small(random, true, height - 1);
                let parts = [(); 2].map(|()| self.small(random, truth, height - 1));
                return format!("{open}{condition}{then}{}{or}{}{close}", parts[0], parts[1]);
            }
            _ => {}
        }
        match (truth, self.not) {
            (true, Some(not)) if kind == 1 => format!("{not}({})", self.small(random, true, height - 1)),
            (true, _) if kind == 2 && !self.comparisons.is_empty() => {
                let parts = [(); 2].map(|()| self.small(random, false, height - 1));
                format!("({} {} {})", parts[0], one(random, self.comparisons), parts[1])
            }
            _ => {
                let parts = [(); 2].map(|()| self.small(random, truth, height - 1));
                format!("({} {} {})", parts[0], one(random, self.operators(truth)), parts[1])
            }
        }
    }

    fn operators(&self, truth: bool) -> &'static [&'static str] {
        if truth { self.connectives } else { self.sums }
    }

    /// One operator, many operands.
    fn chained(&self, random: &mut Random, truth: bool) -> String {
        let n = depth(random, self.chain);
        let operator = one(random, self.operators(truth));
        let parts: Vec<String> = (0..n).map(|_| self.small(random, truth, 0)).collect();
        parts.join(&format!(" {operator} "))
    }

    /// Signs and brackets around a small one.
    fn towers(&self, random: &mut Random, truth: bool) -> String {
        let n = depth(random, self.nesting);
        let inner = self.small(random, truth, 2);
        match self.not.filter(|_| truth && random.below(2) == 0) {
            // A sign and a bracket are two levels in some languages.
            Some(not) => format!("{}{inner}{}", format!("{not}(").repeat(n / 2), ")".repeat(n / 2)),
            None => format!("{}{inner}{}", "(".repeat(n), ")".repeat(n)),
        }
    }

    /// Brackets on one side of operators, all on the left or all on the right; or conditionals in each other.
    fn nested(&self, random: &mut Random, truth: bool, left: bool) -> String {
        let n = depth(random, self.nesting);
        let mut text = self.small(random, truth, 1);
        let conditional = self.conditional.filter(|_| random.below(3) == 0);
        for _ in 0..n {
            let other = self.small(random, truth, 0);
            text = match conditional {
                Some([open, then, or, close]) => {
                    let condition = one(random, self.truths);
                    format!("{open}{condition}{then}{other}{or}{text}{close}")
                }
                None => {
                    let operator = one(random, self.operators(truth));
                    if left {
                        format!("({text} {operator} {other})")
                    } else {
                        format!("({other} {operator} {text})")
                    }
                }
            };
        }
        text
    }
}

/// `n` texts, joined.
pub fn list(
    random: &mut Random,
    n: usize,
    between: &str,
    mut part: impl FnMut(&mut Random, usize) -> String,
) -> String {
    let parts: Vec<String> = (0..n).map(|at| part(random, at)).collect();
    parts.join(between)
}
