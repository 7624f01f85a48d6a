//! The conditions on pairs of states.

use std::io::Write;

use super::error::QueriesError;
use super::reading::{Entry, Game, Move, Mutant};
use super::states::{ALL, ANY, KnownGame, SOME, ask};
use super::terms::{At, FALSE, Resets, TRUE, all, any, not, resets_of, some_delay, zone};

type Result = std::result::Result<(), QueriesError>;

/// The mutant and the specification.
struct BothGames<'a> {
    sides: [KnownGame<'a>; 2],
    declared: String,
    ignores_unknown: bool,
}

/// What is said about a mutant of `specification`, whose own states are not asked about.
pub fn check_mutant(
    out: &mut dyn Write,
    mutant: &Mutant<'_>,
    specification: &Game<'_>,
    (ignores_unknown, is_pruned): (bool, bool),
) -> Result {
    let sides = [(&mutant.game, ""), (specification, "'")].map(|(game, mark)| KnownGame::new(game, mark, is_pruned));
    sides[0].check(out)?;
    let mut zero = Resets::new();
    for side in &sides {
        zero.extend(
            side.game
                .clocks
                .iter()
                .map(|clock| (format!("{clock}{}", side.mark), 0)),
        );
    }
    let start = At::after(&zero);
    if mutant.claim == "inconsistent" {
        return ask(
            out,
            "",
            all([sides[0].exists(0, start), not(sides[0].lost(0, start, ALL))]),
        );
    }
    for side in &sides {
        ask(out, "", not(side.kept(0, start, ALL)))?;
    }
    let declared = sides.iter().map(|side| side.declared.as_str()).collect();
    let games = BothGames {
        sides,
        declared,
        ignores_unknown,
    };
    let is_subsumed = mutant.claim == "subsumed";
    let lines = if is_subsumed {
        &mutant.relation
    } else {
        &mutant.refutation
    };
    for (at, line) in lines.iter().enumerate() {
        match is_subsumed {
            true => games.check_related(out, lines, line)?,
            false => games.check_refuted(out, &lines[..at], line)?,
        }
    }
    ask(out, "", not(of_pair(lines, [0, 0], start)))
}

/// The states in `lines` that belong to a pair of nodes.
fn of_pair(lines: &[Entry<'_>], pair: [usize; 2], at: At<'_>) -> String {
    let lines = lines.iter().filter(|line| line.nodes == pair);
    any(lines.map(|line| zone(&line.zone, "", at)))
}

impl BothGames<'_> {
    /// The answers of the other side to a step of `side`: the guard, the resets of both, and the pair after them.
    fn answers(&self, side: usize, step: &Move<'_>, pair: [usize; 2]) -> Vec<(String, Resets, [usize; 2])> {
        let (asking, other) = (&self.sides[side], &self.sides[1 - side]);
        let to = |answered| {
            if side == 0 {
                [step.target, answered]
            } else {
                [answered, step.target]
            }
        };
        let mut answers = Vec::new();
        for answer in other
            .node(pair[1 - side])
            .moves
            .iter()
            .filter(|answer| answer.action == step.action)
        {
            let resets = [resets_of(step, asking.mark), resets_of(answer, other.mark)].concat();
            answers.push((other.holds(&answer.guard, At::default()), resets, to(answer.target)));
        }
        let (name, sign) = step.action;
        let is_known = ['?', '!']
            .iter()
            .any(|sign| other.game.actions.contains(&(name, *sign)));
        if self.ignores_unknown && sign != '.' && !is_known {
            answers.push((TRUE.to_owned(), resets_of(step, asking.mark), to(pair[1 - side])));
        }
        answers
    }

    /// Whether moves of `side` are compared in a pair: inputs are not inside an atomic step.
    fn compares(&self, side: usize, pair: [usize; 2]) -> bool {
        side == 0 || (0..2).all(|side| !self.sides[side].node(pair[side]).is_atomic)
    }

    fn check_related(&self, out: &mut dyn Write, relation: &[Entry<'_>], line: &Entry<'_>) -> Result {
        let [mutant, specification] = &self.sides;
        let (pair, now, then) = (line.nodes, At::default(), At::delay("d!"));
        let here = || zone(&line.zone, "", now);
        let exists = [mutant.exists(pair[0], now), not(mutant.lost(pair[0], now, ALL))];
        let exists = exists.into_iter().chain([specification.kept(pair[1], now, ALL)]);
        ask(out, &self.declared, all([here(), not(all(exists))]))?;
        for (side, game) in self
            .sides
            .iter()
            .enumerate()
            .filter(|(side, _)| self.compares(*side, pair))
        {
            for step in game.moves(pair[side], side == 1) {
                let resets = resets_of(step, game.mark);
                let after = At::after(&resets);
                let stays = if side == 0 {
                    not(game.lost(step.target, after, ALL))
                } else {
                    TRUE.to_owned()
                };
                let ways = self
                    .answers(side, step, pair)
                    .into_iter()
                    .map(|(guard, resets, target)| all([guard, of_pair(relation, target, At::after(&resets))]));
                let (guard, arrives) = (game.holds(&step.guard, now), game.exists(step.target, after));
                ask(
                    out,
                    &self.declared,
                    all([here(), guard, arrives, stays, not(any(ways))]),
                )?;
            }
        }
        if mutant.node(pair[0]).is_urgent {
            return Ok(());
        }
        let lost = mutant.lost(pair[0], At::delay("e!"), ALL);
        let lost = format!("(exists ((e! Real)) (and (< 0 e!) (<= e! d!) {lost}))");
        let is_urgent = specification.node(pair[1]).is_urgent;
        let follows = if is_urgent {
            FALSE.to_owned()
        } else {
            of_pair(relation, pair, then)
        };
        let leaves = [SOME.to_owned(), mutant.exists(pair[0], then), not(lost), not(follows)];
        ask(out, &self.declared, all([here(), some_delay(leaves)]))
    }

    fn check_refuted(&self, out: &mut dyn Write, earlier: &[Entry<'_>], line: &Entry<'_>) -> Result {
        let (pair, now) = (line.nodes, At::default());
        let here = || zone(&line.zone, "", now);
        if line.kind == "delay" {
            return ask(out, &self.declared, all([here(), not(self.waits(earlier, line)?)]));
        }
        let side = usize::from(line.kind == "input");
        let game = &self.sides[side];
        let step = game.node(pair[side]).moves.get(line.number);
        let step = step.filter(|step| step.is_input() == (side == 1) && self.compares(side, pair));
        let step = step.ok_or_else(|| QueriesError::wrong(line.line, "this move is no challenge"))?;
        let resets = resets_of(step, game.mark);
        let after = At::after(&resets);
        let arrives = if side == 0 {
            game.kept(step.target, after, ALL)
        } else {
            game.exists(step.target, after)
        };
        ask(
            out,
            &self.declared,
            all([here(), not(all([game.holds(&step.guard, now), arrives]))]),
        )?;
        for (guard, resets, target) in self.answers(side, step, pair) {
            let (other, node, after) = (&self.sides[1 - side], target[1 - side], At::after(&resets));
            let lost = if side == 0 {
                other.lost(node, after, ALL)
            } else {
                FALSE.to_owned()
            };
            let shown = any([lost, of_pair(earlier, target, after)]);
            ask(
                out,
                &self.declared,
                all([here(), guard, other.exists(node, after), not(shown)]),
            )?;
        }
        Ok(())
    }

    /// Whether the mutant can wait until the specification cannot follow.
    fn waits(&self, earlier: &[Entry<'_>], line: &Entry<'_>) -> std::result::Result<String, QueriesError> {
        let ([mutant, specification], [own, other], then) = (&self.sides, line.nodes, At::delay("d!"));
        if mutant.node(own).is_urgent {
            return Err(QueriesError::wrong(line.line, "an urgent node waits"));
        }
        let until = zone(&line.until, "", then);
        if specification.node(other).is_urgent {
            return Ok(mutant.waits(own, SOME, all([until])));
        }
        let gone = [
            not(specification.exists(other, then)),
            specification.lost(other, then, ALL),
        ];
        let shown = any(gone.into_iter().chain([of_pair(earlier, line.nodes, then)]));
        Ok(mutant.waits(own, ANY, all([until, shown])))
    }
}
