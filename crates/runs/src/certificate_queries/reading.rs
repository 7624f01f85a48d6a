//! The text of certificates, read once more. The head of `read.rs` of the checker has its form.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::error::QueriesError;

type Result<T> = std::result::Result<T, QueriesError>;

/// `left - right SIGN constant`, or `left SIGN constant`.
#[derive(Clone)]
pub struct Atom<'t> {
    pub left: &'t str,
    pub right: Option<&'t str>,
    pub sign: &'t str,
    pub constant: i64,
}

/// The valuations that satisfy all of these.
pub type Zone<'t> = Vec<Atom<'t>>;

/// The name of an action, and `?`, `!` or `.`.
pub type Action<'t> = (&'t str, char);

#[derive(Clone)]
pub struct Move<'t> {
    pub action: Action<'t>,
    pub target: usize,
    pub guard: Zone<'t>,
    pub resets: Vec<(&'t str, i64)>,
}

impl Move<'_> {
    pub fn is_input(&self) -> bool {
        self.action.1 == '?'
    }
}

#[derive(Clone, Default)]
pub struct Node<'t> {
    pub invariant: Zone<'t>,
    pub is_impossible: bool,
    pub is_urgent: bool,
    pub is_atomic: bool,
    pub moves: Vec<Move<'t>>,
}

/// What a line says about states: `NODE KIND : ZONE => UNTIL`, or of pairs `NODE NODE KIND NUMBER : ZONE => UNTIL`.
#[derive(Clone)]
pub struct Entry<'t> {
    pub line: usize,
    /// The second is 0 where a line is about one game.
    pub nodes: [usize; 2],
    pub kind: &'t str,
    pub number: usize,
    pub zone: Zone<'t>,
    pub until: Zone<'t>,
}

/// A game in normal form with what is said about its states.
#[derive(Clone, Default)]
pub struct Game<'t> {
    pub clocks: Vec<&'t str>,
    pub actions: Vec<Action<'t>>,
    pub nodes: Vec<Node<'t>>,
    /// Per node.
    pub consistent: Vec<Vec<Entry<'t>>>,
    pub inconsistent: Vec<Entry<'t>>,
}

pub struct Mutant<'t> {
    pub name: String,
    pub claim: &'static str,
    pub game: Game<'t>,
    pub relation: Vec<Entry<'t>>,
    pub refutation: Vec<Entry<'t>>,
}

/// A line that says something, as words.
struct Line<'t> {
    number: usize,
    words: Vec<&'t str>,
}

impl<'t> Line<'t> {
    fn refused(&self, because: impl Into<String>) -> QueriesError {
        QueriesError::malformed(self.number, because)
    }
    fn integer<N: std::str::FromStr>(&self, word: &str) -> Result<N> {
        let because = || self.refused(format!("`{word}` is no number, or too large"));
        word.parse().map_err(|_| because())
    }
    fn node(&self, at: usize, n_nodes: usize) -> Result<usize> {
        let node = self.integer(self.words.get(at).unwrap_or(&""))?;
        let because = || self.refused(format!("there is no node {node}"));
        (node < n_nodes).then_some(node).ok_or_else(because)
    }
    fn clock(&self, name: &'t str, clocks: &[String]) -> Result<&'t str> {
        let because = || self.refused(format!("`{name}` is no clock"));
        let is_known = clocks.iter().any(|clock| clock == name);
        is_known.then_some(name).ok_or_else(because)
    }
    fn atom(&self, word: &'t str, clocks: &[String]) -> Result<Atom<'t>> {
        let is_sign = |sign: char| "<>=".contains(sign);
        let (difference, rest) = word.split_at(word.find(is_sign).unwrap_or(word.len()));
        let (sign, constant) = rest.split_at(rest.len() - rest.trim_start_matches(is_sign).len());
        if !["<", "<=", ">", ">=", "="].contains(&sign) {
            return Err(self.refused(format!("`{word}` is no bound")));
        }
        let (left, right) = match difference.split_once('-') {
            Some((left, right)) => (left, Some(self.clock(right, clocks)?)),
            None => (difference, None),
        };
        let (left, constant) = (self.clock(left, clocks)?, self.integer(constant)?);
        Ok(Atom {
            left,
            right,
            sign,
            constant,
        })
    }
    fn zone(&self, words: &[&'t str], clocks: &[String]) -> Result<Zone<'t>> {
        words.iter().map(|word| self.atom(word, clocks)).collect()
    }

    /// `ACTION NODE [if BOUNDS] [do CLOCK=VALUE...]`; a comment may follow.
    fn step(&self, game: &Game<'t>, clocks: &[String]) -> Result<Move<'t>> {
        let is_action = |(name, sign): &&Action<'_>| self.words[0].strip_suffix(*sign) == Some(*name);
        let action = game.actions.iter().find(is_action);
        let action = *action.ok_or_else(|| self.refused("this begins with neither a keyword nor a known action"))?;
        let target = self.node(1, usize::MAX)?;
        let rest = self.words[2..]
            .split(|word| word.starts_with('#'))
            .next()
            .unwrap_or_default();
        let (guard, sets) = rest.split_at(rest.iter().position(|word| *word == "do").unwrap_or(rest.len()));
        let guard = match guard {
            [] => Vec::new(),
            ["if", atoms @ ..] => self.zone(atoms, clocks)?,
            _ => return Err(self.refused("expected `if` or `do`")),
        };
        let mut resets: Vec<(&str, i64)> = Vec::new();
        for word in sets.iter().skip(1) {
            let (clock, value) = word.split_once('=').unwrap_or((word, ""));
            let (clock, value) = (self.clock(clock, clocks)?, self.integer(value)?);
            if value < 0 || resets.iter().any(|(known, _)| *known == clock) {
                return Err(self.refused(format!("`{word}`: a clock is set once, and not below 0")));
            }
            resets.push((clock, value));
        }
        Ok(Move {
            action,
            target,
            guard,
            resets,
        })
    }

    /// What stands behind as many nodes has to be of one of the forms: a word, whether a number follows, and how many zones.
    fn entry(&self, forms: &[(&str, bool, usize)], n_nodes: &[usize], clocks: &[String]) -> Result<Entry<'t>> {
        let mut parts = self.words.splitn(2, |word| *word == ":");
        let head = parts.next().unwrap_or_default();
        let zones = parts.flat_map(|zones| zones.split(|word| *word == "=>"));
        let mut zones = zones
            .map(|words| self.zone(words, clocks))
            .collect::<Result<Vec<_>>>()?;
        let (kind, numbers) = match head.get(n_nodes.len()..) {
            Some([kind, numbers @ ..]) => (*kind, numbers),
            _ => ("", &[][..]),
        };
        if numbers.len() > 1 || !forms.contains(&(kind, numbers.len() == 1, zones.len())) {
            return Err(self.refused("this is not of a form that this part has"));
        }
        let mut nodes = [0; 2];
        for (at, n_nodes) in n_nodes.iter().enumerate() {
            nodes[at] = self.node(at, *n_nodes)?;
        }
        zones.resize_with(2, Vec::new);
        let [until, zone] = [zones.pop().unwrap_or_default(), zones.pop().unwrap_or_default()];
        let number = numbers.first().map_or(Ok(0), |number| self.integer(number))?;
        Ok(Entry {
            line: self.number,
            nodes,
            kind,
            number,
            zone,
            until,
        })
    }
}

/// A certificate, mutant by mutant.
pub struct Reader<'t> {
    lines: Peekable<IntoIter<Line<'t>>>,
    n_lines: usize,
    pub ignores_unknown: bool,
    pub is_pruned: bool,
    pub specification: Game<'t>,
}

impl<'t> Reader<'t> {
    /// Reads up to the first mutant.
    pub fn start(text: &'t str) -> Result<Self> {
        let lines = (1..).zip(text.lines().map(|line| line.split_whitespace().collect()));
        let lines = lines.map(|(number, words)| Line { number, words });
        let lines = lines.filter(|line| line.words.first().is_some_and(|word| !word.starts_with('#')));
        let mut reader = Self {
            lines: lines.collect::<Vec<_>>().into_iter().peekable(),
            n_lines: text.lines().count().max(1),
            ignores_unknown: false,
            is_pruned: false,
            specification: Game::default(),
        };
        reader.expect("tamper certificate", &["1"])?;
        reader.ignores_unknown = reader.expect("unmatched", &["reject", "ignore"])? == "ignore";
        reader.is_pruned = reader.expect("pruned", &["no", "yes"])? == "yes";
        reader.expect("specification", &[""])?;
        reader.specification = reader.game(Game::default())?;
        Ok(reader)
    }

    /// The next mutant.
    pub fn next_mutant(&mut self) -> Result<Option<Mutant<'t>>> {
        let Some(head) = self.lines.next() else { return Ok(None) };
        if head.words[0] != "mutant" {
            return Err(head.refused("a mutant is expected"));
        }
        let claim = self.expect("claim", &["subsumed", "non-subsumed", "inconsistent"])?;
        let is_anew = self.next_if(&["anew"]).is_some();
        let game = self.game(if is_anew {
            Game::default()
        } else {
            self.specification.clone()
        })?;
        let marked = self.specification.clocks.iter().map(|clock| format!("{clock}'"));
        let clocks: Vec<String> = names(&game.clocks).into_iter().chain(marked).collect();
        let n_nodes = [game.nodes.len(), self.specification.nodes.len()];
        Ok(Some(Mutant {
            name: head.words[1..].join(" "),
            claim,
            relation: self
                .entries("relation", &[("", false, 1)], &n_nodes, &clocks)?
                .unwrap_or_default(),
            refutation: self
                .entries("refutation", &CHALLENGES, &n_nodes, &clocks)?
                .unwrap_or_default(),
            game,
        }))
    }

    fn next_if(&mut self, begins: &[&str]) -> Option<Line<'t>> {
        self.lines.next_if(|line| begins.contains(&line.words[0]))
    }
    /// The next line, unless it begins a part.
    fn next_inside(&mut self) -> Option<Line<'t>> {
        self.lines.next_if(|line| !PARTS.contains(&line.words[0]))
    }

    /// The value that follows `key` on the next line.
    fn expect(&mut self, key: &str, values: &[&'static str]) -> Result<&'static str> {
        let line = self.lines.next();
        let said = line.as_ref().map(|line| line.words.join(" "));
        let is_said = |value: &&&str| said.as_deref() == Some(format!("{key} {value}").trim_end());
        let number = line.map_or(self.n_lines, |line| line.number);
        let because = || QueriesError::malformed(number, format!("expected `{key}` {}", values.join(" or ")));
        values.iter().find(is_said).copied().ok_or_else(because)
    }

    /// The lines of a part, if it comes next.
    fn entries(
        &mut self,
        part: &str,
        forms: &[(&str, bool, usize)],
        n_nodes: &[usize],
        clocks: &[String],
    ) -> Result<Option<Vec<Entry<'t>>>> {
        if self.next_if(&[part]).is_none() {
            return Ok(None);
        }
        let lines = std::iter::from_fn(|| self.next_inside());
        let entries = lines.map(|line| line.entry(forms, n_nodes, clocks));
        entries.collect::<Result<_>>().map(Some)
    }

    /// A game that differs from `game` in the next lines, and what they say about its states.
    fn game(&mut self, mut game: Game<'t>) -> Result<Game<'t>> {
        while let Some(line) = self.next_if(&["clocks", "inputs", "outputs", "internal"]) {
            for name in &line.words[1..] {
                match line.words[0] {
                    // Names have to be symbols of SMT-LIB, other than marked clocks and delays.
                    "clocks" if name.contains(['|', '\\', '\'', '!']) || name.contains(char::is_control) => {
                        return Err(line.refused(format!("`{name}` cannot be the name of a clock in SMT-LIB")));
                    }
                    "clocks" if game.clocks.contains(name) || !game.nodes.is_empty() => {
                        return Err(line.refused(format!("a second clock `{name}`, or nodes have theirs already")));
                    }
                    "clocks" => game.clocks.push(name),
                    "inputs" => game.actions.push((name, '?')),
                    "outputs" => game.actions.push((name, '!')),
                    _ => game.actions.push((name, '.')),
                }
            }
        }
        let (clocks, mut moves) = (names(&game.clocks), Vec::new());
        while let Some(line) = self.next_if(&["node"]) {
            let number = line.node(1, game.nodes.len() + 1)?;
            let mut node = Node::default();
            while let Some(line) = self.next_inside() {
                match line.words[..] {
                    ["holds", ref atoms @ ..] => node.invariant.extend(line.zone(atoms, &clocks)?),
                    ["never"] => node.is_impossible = true,
                    ["urgent"] => node.is_urgent = true,
                    ["atomic"] => node.is_atomic = true,
                    _ => {
                        node.moves.push(line.step(&game, &clocks)?);
                        moves.push(line);
                    }
                }
            }
            game.nodes.splice(number..game.nodes.len().min(number + 1), [node]);
        }
        let n_nodes = game.nodes.len();
        moves.iter().try_for_each(|line| line.node(1, n_nodes).map(drop))?;
        if n_nodes == 0 {
            return Err(QueriesError::malformed(self.n_lines, "a game has no node"));
        }
        game.consistent.resize_with(n_nodes, Vec::new);
        let said = self
            .entries("consistent", &GAINS, &[n_nodes], &clocks)?
            .unwrap_or_default();
        said.iter().for_each(|entry| game.consistent[entry.nodes[0]].clear());
        for entry in said.into_iter().filter(|entry| entry.kind != "nothing") {
            game.consistent[entry.nodes[0]].push(entry);
        }
        if let Some(said) = self.entries("inconsistent", &LOSSES, &[n_nodes], &clocks)? {
            game.inconsistent = said;
        }
        Ok(game)
    }
}

const PARTS: [&str; 7] = [
    "specification",
    "mutant",
    "node",
    "consistent",
    "inconsistent",
    "relation",
    "refutation",
];
const GAINS: [(&str, bool, usize); 4] = [
    ("nothing", false, 0),
    ("output", false, 1),
    ("forever", false, 1),
    ("delay", false, 2),
];
const LOSSES: [(&str, bool, usize); 2] = [("input", false, 1), ("stuck", false, 1)];
const CHALLENGES: [(&str, bool, usize); 3] = [("output", true, 1), ("input", true, 1), ("delay", false, 2)];

fn names(clocks: &[&str]) -> Vec<String> {
    clocks.iter().map(|clock| (*clock).to_owned()).collect()
}
