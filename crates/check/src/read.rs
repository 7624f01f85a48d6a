//! The text of certificates, line by line.
//!
//! ```text
//! tamper certificate 1
//! claim subsumed | non-subsumed | inconsistent
//! unmatched reject | ignore
//! pruned yes | no
//! game mutant                      then the same for `game specification`
//! clocks x y
//! inputs a b
//! outputs c
//! internal tau
//! node NAME                        nodes are numbered from 0, where the game starts
//! holds x<=5 y-x<3                 its invariant
//! never                            no state exists here
//! urgent                           no time passes
//! atomic                           inside an atomic step
//! a? 1 if x>=2 do y=0              a move: action, node, guard, clocks that it sets (`a?` input, `c!` output, `tau.` internal)
//! consistent mutant                or specification
//! NODE output : ZONE
//! NODE forever : ZONE
//! NODE delay : ZONE => ZONE
//! inconsistent mutant              or specification
//! NODE input : ZONE
//! NODE stuck : ZONE
//! relation
//! NODE NODE : ZONE                 nodes of mutant and specification; its clocks are x'
//! refutation
//! NODE NODE output MOVE : ZONE     the move of that number of the mutant's node, from 0
//! NODE NODE input MOVE : ZONE      of the specification's node
//! NODE NODE delay : ZONE => ZONE
//! ```
//! Bounds are `x<5`, `x<=5`, `x>5`, `x>=5`, `x=5`, and the same for `x-y`; a zone is any number of them. Empty lines and lines that
//! begin with `#` say nothing.

use crate::certificate::{
    Certificate, Challenge, Claim, Consistent, Inconsistent, Loss, Progress, Refuted, Related, Side,
};
use crate::fault::Fault;
use crate::game::{Action, Game, Move, Node, Role};
use crate::zone::{Atom, Bound, Reset, Zone};

/// Most clocks of both games together.
const MOST_CLOCKS: usize = 128;

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
}

/// The place in the text.
struct Lines<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<Line<'a>>>,
    n_lines: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first().is_some_and(|word| !word.starts_with('#')) {
                lines.push(Line { number, words });
            }
        }
        Self {
            lines: lines.into_iter().peekable(),
            n_lines: text.lines().count(),
        }
    }
    fn next(&mut self, wanted: &str) -> Result<Line<'a>, Fault> {
        let end = self.n_lines;
        let missing = || Fault::malformed(end, format!("the text ends where `{wanted}` is expected"));
        self.lines.next().ok_or_else(missing)
    }
    /// The next line, if it begins with one of these words.
    fn next_if(&mut self, begins: &[&str]) -> Option<Line<'a>> {
        self.lines.next_if(|line| begins.contains(&line.words[0]))
    }
    /// The next line, unless it begins a section.
    fn next_inside(&mut self) -> Option<Line<'a>> {
        let sections = ["game", "consistent", "inconsistent", "relation", "refutation"];
        self.lines.next_if(|line| !sections.contains(&line.words[0]))
    }
}

/// Reads a certificate.
///
/// # Errors
/// The first line that is not of the form above.
pub fn read(text: &str) -> Result<Certificate, Fault> {
    let mut lines = Lines::of(text);
    let first = lines.next("tamper certificate 1")?;
    if first.words != ["tamper", "certificate", "1"] {
        return Err(first.fault("a certificate begins with `tamper certificate 1`"));
    }
    let line = lines.next("claim")?;
    let claim = match line.after("claim")? {
        "subsumed" => Claim::Subsumed,
        "non-subsumed" => Claim::NonSubsumed,
        "inconsistent" => Claim::Inconsistent,
        other => return Err(line.fault(format!("`{other}` is no claim"))),
    };
    let claim = (claim, line.number);
    let ignores_unknown = choice(&mut lines, "unmatched", ["reject", "ignore"])?;
    let is_pruned = choice(&mut lines, "pruned", ["no", "yes"])?;
    let games = [
        read_game(&mut lines, "mutant", "")?,
        read_game(&mut lines, "specification", "'")?,
    ];
    if games[0].clocks.len() + games[1].clocks.len() > MOST_CLOCKS {
        return Err(line.fault(format!("more than {MOST_CLOCKS} clocks")));
    }
    let mut certificate = Certificate {
        claim,
        ignores_unknown,
        is_pruned,
        consistent: [0, 1].map(|side: usize| games[side].nodes.iter().map(|_| Vec::new()).collect()),
        inconsistent: [Vec::new(), Vec::new()],
        relation: Vec::new(),
        refutation: Vec::new(),
        games,
    };
    while let Some(section) = lines.lines.next() {
        read_section(&mut certificate, &section, &mut lines)?;
    }
    Ok(certificate)
}

fn choice(lines: &mut Lines<'_>, key: &str, values: [&str; 2]) -> Result<bool, Fault> {
    let line = lines.next(key)?;
    let value = line.after(key)?;
    let at = values.iter().position(|known| *known == value);
    at.map(|at| at == 1)
        .ok_or_else(|| line.fault(format!("`{value}` is neither `{}` nor `{}`", values[0], values[1])))
}

fn read_game(lines: &mut Lines<'_>, name: &str, mark: &str) -> Result<Game, Fault> {
    let line = lines.next("game")?;
    if line.after("game")? != name {
        return Err(line.fault(format!("expected `game {name}`")));
    }
    let mut game = Game::default();
    while let Some(line) = lines.next_if(&["clocks", "inputs", "outputs", "internal"]) {
        let names = line.words[1..].iter().map(|name| (*name).to_owned());
        let role = match line.words[0] {
            "clocks" => {
                game.clocks.extend(names);
                continue;
            }
            "inputs" => Role::Input,
            "outputs" => Role::Output,
            _ => Role::Internal,
        };
        game.actions.extend(names.map(|name| Action { name, role }));
    }
    // Clocks of the specification have a mark, so that both games can have the same names.
    for clock in &mut game.clocks {
        clock.push_str(mark);
    }
    let unmarked: Vec<String> = game
        .clocks
        .iter()
        .map(|name| name.trim_end_matches('\'').to_owned())
        .collect();
    while let Some(line) = lines.next_if(&["node"]) {
        let mut node = Node {
            invariant: Vec::new(),
            is_impossible: false,
            is_urgent: false,
            is_atomic: false,
            moves: Vec::new(),
        };
        drop(line);
        while let Some(line) = lines.lines.next_if(|line| line.words[0] != "node" && !is_section(line)) {
            match line.words[..] {
                ["holds", ..] => node.invariant.extend(read_atoms(&line, &line.words[1..], &unmarked)?),
                ["never"] => node.is_impossible = true,
                ["urgent"] => node.is_urgent = true,
                ["atomic"] => node.is_atomic = true,
                _ => node.moves.push(read_move(&line, &game, &unmarked)?),
            }
        }
        game.nodes.push(node);
    }
    let n_nodes = game.nodes.len();
    let mut targets = game.nodes.iter().flat_map(|node| &node.moves).map(|step| step.target);
    if n_nodes == 0 || targets.any(|target| target >= n_nodes) {
        return Err(line.fault("a move leads to a node that this game does not have, or it has none"));
    }
    Ok(game)
}

fn is_section(line: &Line<'_>) -> bool {
    ["game", "consistent", "inconsistent", "relation", "refutation"].contains(&line.words[0])
}

/// `ACTION NODE [if BOUNDS] [do CLOCK=VALUE...]`.
fn read_move(line: &Line<'_>, game: &Game, clocks: &[String]) -> Result<Move, Fault> {
    let word = line.words[0];
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

/// What stands before the colon, and the zones behind it.
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
            .fault(format!("`{head}` is not what this section has before a colon"))
    }
    fn node(&self, place: usize, game: &Game) -> Result<usize, Fault> {
        let node = self.line.number_at(place)?;
        (node < game.nodes.len())
            .then_some(node)
            .ok_or_else(|| self.line.fault(format!("there is no node {node}")))
    }
}

fn read_section(certificate: &mut Certificate, section: &Line<'_>, lines: &mut Lines<'_>) -> Result<(), Fault> {
    let side = |name: &str| match name {
        "mutant" => Ok(Side::Mutant),
        "specification" => Ok(Side::Specification),
        _ => Err(section.fault(format!("`{name}` is neither `mutant` nor `specification`"))),
    };
    match section.words[..] {
        ["consistent", name] => read_consistent(certificate, side(name)?, lines),
        ["inconsistent", name] => read_inconsistent(certificate, side(name)?, lines),
        ["relation"] => read_relation(certificate, lines),
        ["refutation"] => read_refutation(certificate, lines),
        _ => Err(section.fault(format!("`{}` begins no section", section.words.join(" ")))),
    }
}

fn read_consistent(certificate: &mut Certificate, side: Side, lines: &mut Lines<'_>) -> Result<(), Fault> {
    let game = &certificate.games[side as usize];
    let clocks = unmarked(game);
    while let Some(line) = lines.next_inside() {
        let entry = read_entry(&line, &clocks)?;
        let progress = match (entry.head, &entry.until) {
            ([_, "output"], None) => Progress::Output,
            ([_, "forever"], None) => Progress::Forever,
            ([_, "delay"], Some(until)) => Progress::Delay(until.clone()),
            _ => return Err(entry.fault()),
        };
        let node = entry.node(0, game)?;
        certificate.consistent[side as usize][node].push(Consistent {
            line: line.number,
            zone: entry.zone,
            progress,
        });
    }
    Ok(())
}

fn read_inconsistent(certificate: &mut Certificate, side: Side, lines: &mut Lines<'_>) -> Result<(), Fault> {
    let game = &certificate.games[side as usize];
    let clocks = unmarked(game);
    while let Some(line) = lines.next_inside() {
        let entry = read_entry(&line, &clocks)?;
        let loss = match (entry.head, &entry.until) {
            ([_, "input"], None) => Loss::Input,
            ([_, "stuck"], None) => Loss::Stuck,
            _ => return Err(entry.fault()),
        };
        certificate.inconsistent[side as usize].push(Inconsistent {
            line: line.number,
            node: entry.node(0, game)?,
            zone: entry.zone,
            loss,
        });
    }
    Ok(())
}

fn read_relation(certificate: &mut Certificate, lines: &mut Lines<'_>) -> Result<(), Fault> {
    let [mutant, specification] = &certificate.games;
    let clocks = [&mutant.clocks[..], &specification.clocks].concat();
    while let Some(line) = lines.next_inside() {
        let entry = read_entry(&line, &clocks)?;
        let ([_, _], None) = (entry.head, &entry.until) else {
            return Err(entry.fault());
        };
        certificate.relation.push(Related {
            line: line.number,
            pair: (entry.node(0, mutant)?, entry.node(1, specification)?),
            zone: entry.zone,
        });
    }
    Ok(())
}

fn read_refutation(certificate: &mut Certificate, lines: &mut Lines<'_>) -> Result<(), Fault> {
    let [mutant, specification] = &certificate.games;
    let clocks = [&mutant.clocks[..], &specification.clocks].concat();
    while let Some(line) = lines.next_inside() {
        let entry = read_entry(&line, &clocks)?;
        let challenge = match (entry.head, &entry.until) {
            ([_, _, "output", _], None) => Challenge::Output(line.number_at(3)?),
            ([_, _, "input", _], None) => Challenge::Input(line.number_at(3)?),
            ([_, _, "delay"], Some(until)) => Challenge::Delay(until.clone()),
            _ => return Err(entry.fault()),
        };
        certificate.refutation.push(Refuted {
            line: line.number,
            pair: (entry.node(0, mutant)?, entry.node(1, specification)?),
            zone: entry.zone,
            challenge,
        });
    }
    Ok(())
}

/// The names of a game's clocks where no other game is near.
fn unmarked(game: &Game) -> Vec<String> {
    let names = game.clocks.iter();
    names.map(|name| name.trim_end_matches('\'').to_owned()).collect()
}
