//! The text of certificates, line by line.
//!
//! ```text
//! tamper certificate 1
//! unmatched reject | ignore
//! pruned yes | no
//! specification
//! clocks x y
//! inputs a b
//! outputs c
//! internal tau
//! node 0 NAME                      the game starts in node 0; what follows its number says nothing
//! holds x<=5 y-x<3                 its invariant
//! never                            no state exists here
//! urgent                           no time passes
//! atomic                           inside an atomic step
//! a? 1 if x>=2 do y=0              a move: action, node, guard, clocks that it sets (`a?` input, `c!` output, `tau.` internal);
//!                                  a comment may follow, which begins with `#`
//! consistent
//! NODE output : ZONE
//! NODE forever : ZONE
//! NODE delay : ZONE => ZONE
//! inconsistent
//! NODE input : ZONE
//! NODE stuck : ZONE
//! mutant NAME
//! claim subsumed | non-subsumed | inconsistent
//! relation
//! NODE NODE : ZONE                 nodes of mutant and specification; its clocks are x'
//! refutation
//! NODE NODE output MOVE : ZONE     the move of that number of the mutant's node, from 0
//! NODE NODE input MOVE : ZONE      of the specification's node
//! NODE NODE delay : ZONE => ZONE
//! ```
//! Between its claim and its relation or refutation a mutant has the lines of a game as the specification has them, but only where
//! it differs: actions are added to the alphabet, a node replaces that of its number, and so do its lines below `consistent` (`NODE
//! nothing`, if it has none). `inconsistent` replaces all lines of the specification. After a line `anew` nothing is taken over.
//! There may be any number of mutants.
//!
//! Bounds are `x<5`, `x<=5`, `x>5`, `x>=5`, `x=5`, and the same for `x-y`; a zone is any number of them. Empty lines and lines that
//! begin with `#` say nothing.

use std::rc::Rc;

use crate::certificate::{
    Challenge, Claim, Consistent, Inconsistent, Loss, Mutant, Progress, Refuted, Related, Rules, Stated,
};
use crate::fault::Fault;
use crate::game::{Action, Game, Move, Node, Role};
use crate::zone::{Atom, Bound, Reset, Zone};

/// Most clocks of a game.
const MOST_CLOCKS: usize = 64;

/// A line that says something, as words.
struct Line<'a> {
    number: usize,
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn fault(&self, because: impl Into<String>) -> Fault {
        Fault::malformed(self.number, because)
    }
    /// The word that follows `key`, which begins the line and has nothing else behind it.
    fn after(&self, key: &str) -> Result<&'a str, Fault> {
        match self.words[..] {
            [first, value] if first == key => Ok(value),
            _ => Err(self.fault(format!("expected `{key}` and one word"))),
        }
    }
    fn number_at(&self, place: usize) -> Result<usize, Fault> {
        let word = self.words.get(place).ok_or_else(|| self.fault("a number is missing"))?;
        word.parse().map_err(|_| self.fault(format!("`{word}` is no number")))
    }
    /// The node at a place, of a game with that many.
    fn node_at(&self, place: usize, n_nodes: usize) -> Result<usize, Fault> {
        let node = self.number_at(place)?;
        let missing = || self.fault(format!("there is no node {node}"));
        (node < n_nodes).then_some(node).ok_or_else(missing)
    }
}

/// Words that begin a part of a certificate.
const PARTS: [&str; 7] = [
    "specification",
    "mutant",
    "node",
    "consistent",
    "inconsistent",
    "relation",
    "refutation",
];

/// A certificate, mutant by mutant.
pub struct Reader<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<Line<'a>>>,
    n_lines: usize,
    /// The reading of refinement.
    pub rules: Rules,
    /// The specification.
    pub specification: Stated,
}

impl<'a> Reader<'a> {
    /// Reads up to the first mutant.
    ///
    /// # Errors
    /// The first line that is not of the form above.
    pub fn start(text: &'a str) -> Result<Self, Fault> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first().is_some_and(|word| !word.starts_with('#')) {
                lines.push(Line { number, words });
            }
        }
        let rules = Rules {
            ignores_unknown: false,
            is_pruned: false,
        };
        let mut reader = Self {
            lines: lines.into_iter().peekable(),
            n_lines: text.lines().count().max(1),
            rules,
            specification: Stated::default(),
        };
        let first = reader.next("tamper certificate 1")?;
        if first.words != ["tamper", "certificate", "1"] {
            return Err(first.fault("a certificate begins with `tamper certificate 1`"));
        }
        reader.rules.ignores_unknown = reader.choice("unmatched", ["reject", "ignore"])?;
        reader.rules.is_pruned = reader.choice("pruned", ["no", "yes"])?;
        let line = reader.next("specification")?;
        if line.words != ["specification"] {
            return Err(line.fault("expected `specification`"));
        }
        let mut stated = Stated::default();
        reader.read_game(&mut stated, &line)?;
        reader.read_states(&mut stated)?;
        reader.specification = stated;
        Ok(reader)
    }

    /// The next mutant.
    ///
    /// # Errors
    /// The first line that is not of the form above.
    pub fn next_mutant(&mut self) -> Result<Option<Mutant>, Fault> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        let ["mutant", name @ ..] = &line.words[..] else {
            return Err(line.fault(format!("`{}` begins no part that can be here", line.words.join(" "))));
        };
        let mut mutant = Mutant {
            name: name.join(" "),
            claim: self.claim()?,
            stated: self.specification.clone(),
            relation: Vec::new(),
            refutation: Vec::new(),
        };
        mutant.stated.is_own.fill(false);
        mutant.stated.has_own_losses = false;
        if self.next_if("anew").is_some() {
            mutant.stated = Stated::default();
        }
        self.read_game(&mut mutant.stated, &line)?;
        self.read_states(&mut mutant.stated)?;
        let [own, other] = [&mutant.stated.game, &self.specification.game];
        let marked = other.clocks.iter().map(|name| format!("{name}'"));
        let clocks: Vec<String> = own.clocks.iter().cloned().chain(marked).collect();
        let n_nodes = (own.nodes.len(), other.nodes.len());
        if self.next_if("relation").is_some() {
            mutant.relation = self.read_relation(&clocks, n_nodes)?;
        }
        if self.next_if("refutation").is_some() {
            mutant.refutation = self.read_refutation(&clocks, n_nodes)?;
        }
        Ok(Some(mutant))
    }

    fn next(&mut self, wanted: &str) -> Result<Line<'a>, Fault> {
        let end = self.n_lines;
        let missing = || Fault::malformed(end, format!("the text ends where `{wanted}` is expected"));
        self.lines.next().ok_or_else(missing)
    }
    /// The next line, if it begins with this word.
    fn next_if(&mut self, begins: &str) -> Option<Line<'a>> {
        self.lines.next_if(|line| line.words[0] == begins)
    }
    /// The next line, unless it begins a part.
    fn next_inside(&mut self) -> Option<Line<'a>> {
        self.lines.next_if(|line| !PARTS.contains(&line.words[0]))
    }

    fn choice(&mut self, key: &str, values: [&str; 2]) -> Result<bool, Fault> {
        let line = self.next(key)?;
        let value = line.after(key)?;
        let at = values.iter().position(|known| *known == value);
        at.map(|at| at == 1)
            .ok_or_else(|| line.fault(format!("`{value}` is neither `{}` nor `{}`", values[0], values[1])))
    }

    fn claim(&mut self) -> Result<(Claim, usize), Fault> {
        let line = self.next("claim")?;
        let claim = match line.after("claim")? {
            "subsumed" => Claim::Subsumed,
            "non-subsumed" => Claim::NonSubsumed,
            "inconsistent" => Claim::Inconsistent,
            other => return Err(line.fault(format!("`{other}` is no claim"))),
        };
        Ok((claim, line.number))
    }

    /// Reads a game over what `stated` has already.
    fn read_game(&mut self, stated: &mut Stated, head: &Line<'_>) -> Result<(), Fault> {
        let game = &mut stated.game;
        let is_alphabet = |line: &Line<'_>| ["clocks", "inputs", "outputs", "internal"].contains(&line.words[0]);
        while let Some(line) = self.lines.next_if(is_alphabet) {
            let names = line.words[1..].iter().map(|name| (*name).to_owned());
            let role = match line.words[0] {
                "clocks" if game.nodes.is_empty() => {
                    game.clocks.extend(names);
                    continue;
                }
                "clocks" => return Err(line.fault("these nodes have their clocks already")),
                "inputs" => Role::Input,
                "outputs" => Role::Output,
                _ => Role::Internal,
            };
            game.actions.extend(names.map(|name| Action { name, role }));
        }
        if game.clocks.len() > MOST_CLOCKS {
            return Err(head.fault(format!("more than {MOST_CLOCKS} clocks")));
        }
        while let Some(line) = self.next_if("node") {
            let number = line.number_at(1)?;
            let node = self.read_node(game)?;
            match number.cmp(&game.nodes.len()) {
                std::cmp::Ordering::Less => game.nodes[number] = Rc::new(node),
                std::cmp::Ordering::Equal => game.nodes.push(Rc::new(node)),
                std::cmp::Ordering::Greater => return Err(line.fault("a node before this one is missing")),
            }
            stated.is_own.resize(game.nodes.len(), true);
            stated.is_own[number] = true;
        }
        let n_nodes = game.nodes.len();
        let mut targets = game.nodes.iter().flat_map(|node| &node.moves).map(|step| step.target);
        if n_nodes == 0 || targets.any(|target| target >= n_nodes) {
            return Err(head.fault("a move leads to a node that this game does not have, or it has none"));
        }
        stated.consistent.resize_with(n_nodes, Rc::default);
        Ok(())
    }

    fn read_node(&mut self, game: &Game) -> Result<Node, Fault> {
        let (mut invariant, mut is_impossible) = (Vec::new(), false);
        let mut node = Node {
            existing: None,
            is_urgent: false,
            is_atomic: false,
            moves: Vec::new(),
        };
        while let Some(line) = self.next_inside() {
            match line.words[..] {
                ["holds", ..] => invariant.extend(read_atoms(&line, &line.words[1..], &game.clocks)?),
                ["never"] => is_impossible = true,
                ["urgent"] => node.is_urgent = true,
                ["atomic"] => node.is_atomic = true,
                _ => node.moves.push(read_move(&line, game)?),
            }
        }
        if !is_impossible {
            node.existing = Zone::all(game.clocks.len()).restricted(&invariant);
        }
        Ok(node)
    }
}

/// `ACTION NODE [if BOUNDS] [do CLOCK=VALUE...]`.
fn read_move(line: &Line<'_>, game: &Game) -> Result<Move, Fault> {
    let (word, clocks) = (line.words[0], &game.clocks);
    let role = match word.chars().last() {
        Some('?') => Role::Input,
        Some('!') => Role::Output,
        Some('.') => Role::Internal,
        _ => return Err(line.fault(format!("`{word}` is neither a keyword nor an action"))),
    };
    let name = &word[..word.len() - 1];
    let known = |action: &Action| action.role == role && action.name == name;
    let action = game.actions.iter().position(known);
    let action = action.ok_or_else(|| line.fault(format!("`{word}` is not in the alphabet")))?;
    let target = line.number_at(1)?;
    let rest = &line.words[2..];
    let comment_at = rest.iter().position(|word| word.starts_with('#'));
    let rest = &rest[..comment_at.unwrap_or(rest.len())];
    let resets_at = rest.iter().position(|word| *word == "do").unwrap_or(rest.len());
    let (guard, resets) = rest.split_at(resets_at);
    let guard = match guard {
        [] => Vec::new(),
        ["if", atoms @ ..] => read_atoms(line, atoms, clocks)?,
        [other, ..] => return Err(line.fault(format!("`{other}`: expected `if` or `do`"))),
    };
    let mut set: Vec<Reset> = Vec::new();
    for word in resets.iter().skip(1) {
        let (clock, value) = word
            .split_once('=')
            .ok_or_else(|| line.fault(format!("`{word}` sets no clock")))?;
        let (clock, value) = (clock_of(line, clock, clocks)?, constant(line, value)?);
        if value < 0 || set.iter().any(|(known, _)| *known == clock) {
            return Err(line.fault(format!("`{word}`: a clock is set once, and not below 0")));
        }
        set.push((clock, value));
    }
    Ok(Move {
        action,
        guard,
        resets: set,
        target,
    })
}

fn clock_of(line: &Line<'_>, name: &str, clocks: &[String]) -> Result<usize, Fault> {
    let at = clocks.iter().position(|clock| clock == name);
    at.map(|at| at + 1)
        .ok_or_else(|| line.fault(format!("`{name}` is no clock")))
}

fn constant(line: &Line<'_>, text: &str) -> Result<i64, Fault> {
    let value: i64 = text.parse().map_err(|_| line.fault(format!("`{text}` is no number")))?;
    if value.abs() > Bound::LARGEST {
        return Err(line.fault(format!("`{text}` is too large")));
    }
    Ok(value)
}

fn read_atoms(line: &Line<'_>, words: &[&str], clocks: &[String]) -> Result<Vec<Atom>, Fault> {
    let mut atoms = Vec::new();
    for word in words {
        let at = word
            .find(['<', '>', '='])
            .ok_or_else(|| line.fault(format!("`{word}` is no bound")))?;
        let (difference, rest) = word.split_at(at);
        let (left, right) = match difference.split_once('-') {
            Some((left, right)) => (clock_of(line, left, clocks)?, clock_of(line, right, clocks)?),
            None => (clock_of(line, difference, clocks)?, 0),
        };
        let n_signs = rest.len() - rest.trim_start_matches(['<', '>', '=']).len();
        let (sign, value) = rest.split_at(n_signs);
        let value = constant(line, value)?;
        let upper = |bound| Atom { left, right, bound };
        let lower = |bound| Atom {
            left: right,
            right: left,
            bound,
        };
        match sign {
            "<" => atoms.push(upper(Bound::less(value))),
            "<=" => atoms.push(upper(Bound::at_most(value))),
            ">" => atoms.push(lower(Bound::less(-value))),
            ">=" => atoms.push(lower(Bound::at_most(-value))),
            "=" => atoms.extend([upper(Bound::at_most(value)), lower(Bound::at_most(-value))]),
            _ => return Err(line.fault(format!("`{word}` is no bound"))),
        }
    }
    Ok(atoms)
}

/// The words before the colon, and the zones behind it.
struct Entry<'a, 'l> {
    line: &'l Line<'a>,
    head: &'l [&'a str],
    zone: Zone,
    until: Option<Zone>,
}

fn read_entry<'a, 'l>(line: &'l Line<'a>, clocks: &[String]) -> Result<Entry<'a, 'l>, Fault> {
    let at = line.words.iter().position(|word| *word == ":");
    let at = at.ok_or_else(|| line.fault("a colon is missing"))?;
    let zone = |words: &[&str]| {
        let atoms = read_atoms(line, words, clocks)?;
        let zone = Zone::all(clocks.len()).restricted(&atoms);
        zone.ok_or_else(|| line.fault("no valuation satisfies these bounds"))
    };
    let (head, zones) = (&line.words[..at], &line.words[at + 1..]);
    let until_at = zones.iter().position(|word| *word == "=>");
    Ok(Entry {
        line,
        head,
        zone: zone(&zones[..until_at.unwrap_or(zones.len())])?,
        until: until_at.map(|at| zone(&zones[at + 1..])).transpose()?,
    })
}

impl Entry<'_, '_> {
    fn fault(&self) -> Fault {
        let head = self.head.join(" ");
        self.line
            .fault(format!("`{head}` is not what this part has before a colon"))
    }
}

impl Reader<'_> {
    /// Reads what is said about the states of a game, over what was said already.
    fn read_states(&mut self, stated: &mut Stated) -> Result<(), Fault> {
        if self.next_if("consistent").is_some() {
            self.read_consistent(stated)?;
        }
        if self.next_if("inconsistent").is_some() {
            stated.inconsistent = self.read_inconsistent(&stated.game)?;
            stated.has_own_losses = true;
        }
        Ok(())
    }

    fn read_consistent(&mut self, stated: &mut Stated) -> Result<(), Fault> {
        let game = &stated.game;
        let mut is_replaced = vec![false; game.nodes.len()];
        while let Some(line) = self.next_inside() {
            let node = line.node_at(0, game.nodes.len())?;
            if !std::mem::replace(&mut is_replaced[node], true) {
                stated.consistent[node] = Rc::default();
                stated.is_own[node] = true;
            }
            if line.words[1..] == ["nothing"] {
                continue;
            }
            let entry = read_entry(&line, &game.clocks)?;
            let progress = match (entry.head, &entry.until) {
                ([_, "output"], None) => Progress::Output,
                ([_, "forever"], None) => Progress::Forever,
                ([_, "delay"], Some(until)) => Progress::Delay(until.clone()),
                _ => return Err(entry.fault()),
            };
            Rc::make_mut(&mut stated.consistent[node]).push(Consistent {
                line: line.number,
                zone: entry.zone,
                progress,
            });
        }
        Ok(())
    }

    fn read_inconsistent(&mut self, game: &Game) -> Result<Vec<Inconsistent>, Fault> {
        let mut all = Vec::new();
        while let Some(line) = self.next_inside() {
            let entry = read_entry(&line, &game.clocks)?;
            let loss = match (entry.head, &entry.until) {
                ([_, "input"], None) => Loss::Input,
                ([_, "stuck"], None) => Loss::Stuck,
                _ => return Err(entry.fault()),
            };
            all.push(Inconsistent {
                line: line.number,
                node: line.node_at(0, game.nodes.len())?,
                zone: entry.zone,
                loss,
            });
        }
        Ok(all)
    }

    fn read_relation(&mut self, clocks: &[String], n_nodes: (usize, usize)) -> Result<Vec<Related>, Fault> {
        let mut relation = Vec::new();
        while let Some(line) = self.next_inside() {
            let entry = read_entry(&line, clocks)?;
            let ([_, _], None) = (entry.head, &entry.until) else {
                return Err(entry.fault());
            };
            relation.push(Related {
                line: line.number,
                pair: (line.node_at(0, n_nodes.0)?, line.node_at(1, n_nodes.1)?),
                zone: entry.zone,
            });
        }
        Ok(relation)
    }

    fn read_refutation(&mut self, clocks: &[String], n_nodes: (usize, usize)) -> Result<Vec<Refuted>, Fault> {
        let mut refutation = Vec::new();
        while let Some(line) = self.next_inside() {
            let entry = read_entry(&line, clocks)?;
            let challenge = match (entry.head, &entry.until) {
                ([_, _, "output", _], None) => Challenge::Output(line.number_at(3)?),
                ([_, _, "input", _], None) => Challenge::Input(line.number_at(3)?),
                ([_, _, "delay"], Some(until)) => Challenge::Delay(until.clone()),
                _ => return Err(entry.fault()),
            };
            refutation.push(Refuted {
                line: line.number,
                pair: (line.node_at(0, n_nodes.0)?, line.node_at(1, n_nodes.1)?),
                zone: entry.zone,
                challenge,
            });
        }
        Ok(refutation)
    }
}
