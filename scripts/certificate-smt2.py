#!/usr/bin/env python3
"""The conditions of a certificate as SMT-LIB queries over linear real arithmetic, each of which a solver answers `unsat`.

Usage: scripts/certificate-smt2.py FILE [MUTANT] >queries.smt2; z3 queries.smt2 | sort | uniq -c

Written from the definitions in docs/notes/0026-certificates.md, without zones: delays are quantified, resets substituted. Whoever has the
answer `unsat` to every query needs neither tamper nor tamper-check. What needs no query (an urgent node that waits, a move that is none)
is an error with exit code 1.
"""

import re
import sys


class Refused(Exception):
    """The certificate is wrong, whatever a solver says."""


PARTS = {"specification", "mutant", "node", "consistent", "inconsistent", "relation", "refutation"}
TRUE, FALSE = "true", "false"


def conj(parts):
    parts = [part for part in parts if part != TRUE]
    return FALSE if FALSE in parts else "(and " + " ".join(parts) + ")" if parts else TRUE


def disj(parts):
    parts = [part for part in parts if part != FALSE]
    return TRUE if TRUE in parts else "(or " + " ".join(parts) + ")" if parts else FALSE


def neg(part):
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"(not {part})")


def number(value):
    return f"(- {-value})" if value < 0 else str(value)


class Game:
    """A game in normal form with what is said about its states."""

    def __init__(self, other=None):
        self.clocks = list(other.clocks) if other else []
        self.actions = list(other.actions) if other else []
        self.nodes = list(other.nodes) if other else []
        self.consistent = {k: list(v) for k, v in other.consistent.items()} if other else {}
        self.inconsistent = list(other.inconsistent) if other else []

    def reachable(self):
        seen, waiting = set(), [0]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += [step["target"] for step in self.nodes[node]["moves"]]
        return seen


def atoms_of(words):
    return [re.fullmatch(r"([^<>=-]+)(?:-([^<>=-]+))?(<=|>=|<|>|=)(-?\d+)", word).groups() for word in words]


class Reader:
    def __init__(self, text):
        lines = [line.split() for line in text.splitlines()]
        self.lines = [line for line in lines if line and not line[0].startswith("#")]
        self.at = 0
        assert self.next() == ["tamper", "certificate", "1"]
        self.ignores = self.next() == ["unmatched", "ignore"]
        self.pruned = self.next() == ["pruned", "yes"]
        assert self.next() == ["specification"]
        self.spec = Game()
        self.game(self.spec)
        self.states(self.spec)

    def next(self):
        self.at += 1
        return self.lines[self.at - 1]

    def peek(self):
        return self.lines[self.at][0] if self.at < len(self.lines) else None

    def inside(self):
        while self.peek() is not None and self.peek() not in PARTS:
            yield self.next()

    def game(self, game):
        roles = {"inputs": "?", "outputs": "!", "internal": "."}
        while self.peek() in {"clocks", *roles}:
            words = self.next()
            if words[0] == "clocks":
                game.clocks += words[1:]
            else:
                game.actions += [name + roles[words[0]] for name in words[1:]]
        while self.peek() == "node":
            at = int(self.next()[1])
            node = {"inv": [], "never": False, "urgent": False, "atomic": False, "moves": []}
            for words in self.inside():
                if words[0] == "holds":
                    node["inv"] += atoms_of(words[1:])
                elif words[0] in {"never", "urgent", "atomic"}:
                    node[words[0]] = True
                else:
                    rest = words[2:]
                    split = rest.index("do") if "do" in rest else len(rest)
                    resets = dict(word.split("=") for word in rest[split + 1 :])
                    guard = atoms_of(rest[1:split])
                    step = {"action": words[0], "target": int(words[1]), "guard": guard, "resets": resets}
                    node["moves"].append(step)
            game.nodes[at : at + 1] = [node]

    def states(self, game):
        if self.peek() == "consistent":
            self.next()
            new = {}
            for words in self.inside():
                lines = new.setdefault(int(words[0]), [])
                if words[1] != "nothing":
                    lines.append((words[1], *self.zones(words, 2)))
            game.consistent.update(new)
        if self.peek() == "inconsistent":
            self.next()
            game.inconsistent = [(int(w[0]), w[1], self.zones(w, 2)[0]) for w in self.inside()]

    @staticmethod
    def zones(words, at):
        if words[at] != ":":
            raise Refused("a colon is missing")
        rest = words[at + 1 :]
        split = rest.index("=>") if "=>" in rest else len(rest)
        return atoms_of(rest[:split]), atoms_of(rest[split + 1 :]) if "=>" in rest else None

    def mutants(self):
        while self.at < len(self.lines):
            words = self.next()
            if words[0] != "mutant":
                raise Refused("a mutant is expected")
            name, claim = " ".join(words[1:]), self.next()[1]
            game = Game(self.spec)
            if self.peek() == "anew":
                self.next()
                game = Game()
            self.game(game)
            self.states(game)
            relation, refutation = [], []
            if self.peek() == "relation":
                self.next()
                relation = [((int(w[0]), int(w[1])), self.zones(w, 2)[0]) for w in self.inside()]
            if self.peek() == "refutation":
                self.next()
                for w in self.inside():
                    kind = (w[2], None, *self.zones(w, 3)) if w[2] == "delay" else (w[2], int(w[3]), *self.zones(w, 4))
                    refutation.append(((int(w[0]), int(w[1])), *kind))
            yield name, claim, game, relation, refutation


class Queries:
    """Conditions about one game (`mark` is that of its clocks) or two."""

    def __init__(self, reader, out):
        self.reader, self.out = reader, out
        self.n = 0

    def ask(self, clocks, condition, wanted="unsat"):
        if condition == FALSE:
            return
        self.n += 1
        names = "".join(f"(declare-const |{clock}| Real)(assert (>= |{clock}| 0))" for clock in clocks)
        self.out(f"(push){names}(assert {condition})(check-sat)(pop)")

    @staticmethod
    def value(clock, delay, resets):
        if clock in resets:
            return number(int(resets[clock]))
        return f"|{clock}|" if delay is None else f"(+ |{clock}| {delay})"

    def atom(self, atom, delay=None, resets=(), mark=""):
        left, right, sign, constant = atom
        resets = dict(resets)
        term = self.value(left + mark, delay, resets)
        if right:
            term = f"(- {term} {self.value(right + mark, delay, resets)})"
        return f"({sign} {term} {number(int(constant))})"

    def zone(self, atoms, delay=None, resets=(), mark=""):
        return conj([self.atom(atom, delay, resets, mark) for atom in atoms])

    def inv(self, game, node, delay=None, resets=(), mark=""):
        parts = game.nodes[node]
        return FALSE if parts["never"] else self.zone(parts["inv"], delay, resets, mark)

    def kept(self, game, node, delay=None, resets=(), mark="", first=None):
        """The states that are said to be consistent; of the first lines only."""
        if not self.reader.pruned:
            return self.inv(game, node, delay, resets, mark)
        lines = game.consistent.get(node, [])[:first]
        return disj([self.zone(line[1], delay, resets, mark) for line in lines])

    def lost(self, game, node, delay=None, resets=(), mark="", first=None):
        if not self.reader.pruned:
            return FALSE
        seen = game.reachable()
        lines = [line for line in game.inconsistent[:first] if line[0] == node and node in seen]
        return disj([self.zone(line[2], delay, resets, mark) for line in lines])

    @staticmethod
    def resets(step, mark=""):
        return {clock + mark: value for clock, value in step["resets"].items()}

    def check_game(self, game):
        if not self.reader.pruned:
            return
        seen = game.reachable()
        for node, lines in game.consistent.items():
            for at, (how, zone, until) in enumerate(lines):
                if node in seen:
                    self.check_consistent(game, node, at, how, zone, until)
        for at, (node, why, zone) in enumerate(game.inconsistent):
            if node in seen:
                self.check_inconsistent(game, at, node, why, zone)

    def check_consistent(self, game, node, at, how, zone, until):
        here, moves = self.zone(zone), game.nodes[node]["moves"]
        self.ask(game.clocks, conj([here, neg(self.inv(game, node))]))
        for step in (step for step in moves if step["action"][-1] == "?"):
            after = self.resets(step)
            arrives = self.inv(game, step["target"], None, after)
            stays = self.kept(game, step["target"], None, after)
            self.ask(game.clocks, conj([here, self.zone(step["guard"]), arrives, neg(stays)]))
        if how == "output":
            ways = [
                conj([self.zone(step["guard"]), self.kept(game, step["target"], None, self.resets(step))])
                for step in moves
                if step["action"][-1] != "?"
            ]
            self.ask(game.clocks, conj([here, neg(disj(ways))]))
            return
        if game.nodes[node]["urgent"]:
            raise Refused("an urgent node waits")
        if how == "forever":
            leaves = conj(["(>= d! 0)", neg(self.kept(game, node, "d!"))])
            self.ask(game.clocks, conj([here, f"(exists ((d! Real)) {leaves})"]))
        else:
            self.ask(game.clocks, conj([self.zone(until), neg(self.kept(game, node, first=at))]))
            self.ask(game.clocks, conj([here, neg(self.waits(game, node, self.zone(until, "d!"), "(>= d! 0)"))]))

    def waits(self, game, node, goal, least):
        """Whether some delay leads to `goal`, and before that through consistent states."""
        path = f"(forall ((e! Real)) (=> (and (<= 0 e!) (<= e! d!)) {self.kept(game, node, 'e!')}))"
        return f"(exists ((d! Real)) {conj([least, goal, path])})"

    def check_inconsistent(self, game, at, node, why, zone):
        here, moves = conj([self.zone(zone), self.inv(game, node)]), game.nodes[node]["moves"]
        if why == "input":
            ways = []
            for step in (step for step in moves if step["action"][-1] == "?"):
                after = self.resets(step)
                arrives = self.inv(game, step["target"], None, after)
                loses = self.lost(game, step["target"], None, after, first=at)
                ways.append(conj([self.zone(step["guard"]), arrives, loses]))
            self.ask(game.clocks, conj([here, neg(disj(ways))]))
            return
        urgent = game.nodes[node]["urgent"]
        ways = []
        for step in (step for step in moves if step["action"][-1] != "?"):
            after, target = self.resets(step), step["target"]
            arrives = conj([self.inv(game, target, "d!", after), neg(self.lost(game, target, "d!", after, first=at))])
            ways.append(conj([self.zone(step["guard"], "d!"), arrives]))
        alive = conj([self.inv(game, node, "e!"), neg(self.lost(game, node, "e!", first=at))])
        path = f"(forall ((e! Real)) (=> (and (<= 0 e!) (<= e! d!)) {alive}))"
        delay = "(= d! 0)" if urgent else "(>= d! 0)"
        self.ask(game.clocks, conj([here, f"(exists ((d! Real)) {conj([delay, path, disj(ways)])})"]))
        if not urgent:
            self.ask(game.clocks, conj([here, f"(forall ((e! Real)) (=> (<= 0 e!) {alive}))"]))

    def answers(self, games, side, step, pair):
        """Guard, resets and target of each answer of the other side."""
        other, marks = games[1 - side], ["", "'"]
        node = pair[1 - side]
        own = self.resets(step, marks[side])
        for answer in other.nodes[node]["moves"]:
            if answer["action"] == step["action"]:
                both = {**own, **self.resets(answer, marks[1 - side])}
                target = (step["target"], answer["target"]) if side == 0 else (answer["target"], step["target"])
                yield self.zone(answer["guard"], mark=marks[1 - side]), both, target
        name, sign = step["action"][:-1], step["action"][-1]
        knows = name + "?" in other.actions or name + "!" in other.actions
        if self.reader.ignores and sign != "." and not knows:
            yield TRUE, own, (step["target"], pair[1]) if side == 0 else (pair[0], step["target"])

    def pairs(self, lines, pair, delay=None, resets=()):
        return disj([self.zone(zone, delay, resets) for other, zone in lines if other == pair])

    def check_mutant(self, claim, game, relation, refutation):
        spec = self.reader.spec
        self.check_game(game)
        zero = {clock: 0 for clock in game.clocks + spec.clocks} | {clock + "'": 0 for clock in spec.clocks}
        if claim == "inconsistent":
            self.ask([], conj([self.inv(game, 0, None, zero), neg(self.lost(game, 0, None, zero))]))
            return
        for one in (game, spec):
            self.ask([], neg(self.kept(one, 0, None, zero)))
        games = (game, spec)
        self.both = game.clocks + [clock + "'" for clock in spec.clocks]
        if claim == "subsumed":
            for pair, zone in relation:
                self.check_related(games, relation, pair, zone)
            self.ask([], neg(self.pairs(relation, (0, 0), None, zero)))
        else:
            for at, line in enumerate(refutation):
                self.check_refuted(games, [(one[0], one[3]) for one in refutation[:at]], *line)
            self.ask([], neg(self.pairs([(one[0], one[3]) for one in refutation], (0, 0), None, zero)))

    def check_related(self, games, relation, pair, zone):
        game, spec = games
        here = self.zone(zone)
        good = [self.inv(game, pair[0]), neg(self.lost(game, pair[0])), self.kept(spec, pair[1], mark="'")]
        self.ask(self.both, conj([here, neg(conj(good))]))
        for side in (0, 1):
            for step in games[side].nodes[pair[side]]["moves"]:
                if (step["action"][-1] == "?") != (side == 1):
                    continue
                if side == 1 and (game.nodes[pair[0]]["atomic"] or spec.nodes[pair[1]]["atomic"]):
                    continue
                mark = "'" if side else ""
                after = self.resets(step, mark)
                posed = [here, self.zone(step["guard"], mark=mark)]
                posed.append(self.inv(games[side], step["target"], None, after, mark))
                if side == 0:
                    posed.append(neg(self.lost(game, step["target"], None, after)))
                ways = [
                    conj([guard, self.pairs(relation, target, None, resets)])
                    for guard, resets, target in self.answers(games, side, step, pair)
                ]
                self.ask(self.both, conj([*posed, neg(disj(ways))]))
        if not game.nodes[pair[0]]["urgent"]:
            dead = f"(exists ((e! Real)) (and (< 0 e!) (<= e! d!) {self.lost(game, pair[0], 'e!')}))"
            follows = FALSE if spec.nodes[pair[1]]["urgent"] else self.pairs(relation, pair, "d!")
            leaves = conj(["(> d! 0)", self.inv(game, pair[0], "d!"), neg(dead), neg(follows)])
            self.ask(self.both, conj([here, f"(exists ((d! Real)) {leaves})"]))

    def check_refuted(self, games, earlier, pair, kind, move, zone, until):
        game, spec = games
        here = self.zone(zone)
        if kind == "delay":
            if game.nodes[pair[0]]["urgent"]:
                raise Refused("an urgent node waits")
            urgent = spec.nodes[pair[1]]["urgent"]
            shown = [neg(self.inv(spec, pair[1], "d!", mark="'")), self.lost(spec, pair[1], "d!", mark="'")]
            shown = TRUE if urgent else disj([*shown, self.pairs(earlier, pair, "d!")])
            goal = conj([self.zone(until, "d!"), shown])
            waits = self.waits(game, pair[0], goal, "(> d! 0)" if urgent else "(>= d! 0)")
            self.ask(self.both, conj([here, neg(waits)]))
            return
        side = 0 if kind == "output" else 1
        moves = games[side].nodes[pair[side]]["moves"]
        is_atomic = game.nodes[pair[0]]["atomic"] or spec.nodes[pair[1]]["atomic"]
        if move >= len(moves) or (moves[move]["action"][-1] == "?") != (side == 1) or (side == 1 and is_atomic):
            raise Refused("this move is no challenge")
        step, mark = moves[move], "'" if side else ""
        after = self.resets(step, mark)
        arrives = self.kept if side == 0 else self.inv
        possible = conj([self.zone(step["guard"], mark=mark), arrives(games[side], step["target"], None, after, mark)])
        self.ask(self.both, conj([here, neg(possible)]))
        other_mark = "" if side else "'"
        for guard, resets, target in self.answers(games, side, step, pair):
            node = target[1 - side]
            exists = self.inv(games[1 - side], node, None, resets, other_mark)
            lost = self.lost(spec, node, None, resets, "'") if side == 0 else FALSE
            bad = disj([lost, self.pairs(earlier, target, None, resets)])
            self.ask(self.both, conj([here, guard, exists, neg(bad)]))


def main():
    try:
        reader = Reader(open(sys.argv[1], encoding="utf-8").read())
        queries = Queries(reader, print)
        print("(set-logic ALL)")
        queries.check_game(reader.spec)
        mutants = list(reader.mutants())
        if not mutants:
            raise Refused("there is no mutant")
        for name, claim, game, relation, refutation in mutants:
            if len(sys.argv) < 3 or name == sys.argv[2]:
                print(f"; {name}: {claim}")
                queries.check_mutant(claim, game, relation, refutation)
    except Refused as refused:
        sys.exit(f"does not hold: {refused}")


if __name__ == "__main__":
    main()
