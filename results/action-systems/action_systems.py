"""Action systems of [001] read, enumerated and asked about by z3: independent of tamper, for results/action-systems/make.sh.

The subset of the syntax is the one that `tamper export` writes. `state` is Definition 4.1: a state that the original reaches
is unsafe if the mutant has a step from it that the original has not.
"""

import itertools
import re

TOKEN = re.compile(r"\s+|%[^\n]*|'[^']*'|[A-Za-z_]\w*|\d+|#=<|#>=|#\\=|#/\\|#\\/|#<|#>|#=|#\\|\.\.|::|:=|:-|=>|\[\]|[][(),;:.+*-]")
LEVELS = [["[]"], [";"], ["=>"], [":="], ["#\\/"], ["#/\\"], ["#=", "#\\=", "#<", "#>", "#=<", "#>="], ["+", "-"], ["*"]]


class Reader:
    def __init__(self, text):
        found = [match.group() for match in TOKEN.finditer(text)]
        assert sum(map(len, found)) == len(text), "not all of the file is read"
        self.tokens = [token for token in found if not token.isspace() and not token.startswith("%")]
        self.at = 0

    def take(self, token):
        if self.at < len(self.tokens) and self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, *tokens):
        for token in tokens:
            assert self.take(token), (token, self.tokens[self.at : self.at + 5])

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1].strip("'")

    def term(self, level=0):
        if level == len(LEVELS):
            if self.take("("):
                inner = self.term()
                self.expect(")")
                return inner
            if self.take("-"):
                return -int(self.next())
            word = self.next()
            return int(word) if word.isdigit() else word
        if level == 6 and self.take("#\\"):
            return ("#\\", self.term(6))
        parts, signs = [self.term(level + 1)], []
        while self.at < len(self.tokens) and self.tokens[self.at] in LEVELS[level]:
            signs.append(self.next())
            parts.append(self.term(level + 1))
        if level == 2:
            result = parts.pop()
            for left, sign in zip(reversed(parts), reversed(signs)):
                result = (sign, left, result)
            return result
        result = parts[0]
        for sign, right in zip(signs, parts[1:]):
            result = (sign, result, right)
        return result


class System:
    """`types`, `variables` (names in order), `bounds`, `init`, `loop`: (name, parameters' bounds, paths)."""

    def __init__(self, text):
        reader = Reader(text)
        types, declared, actions = {}, {}, {}
        while reader.at < len(reader.tokens):
            word = reader.next()
            if word == "type":
                reader.expect("(")
                name = reader.next()
                reader.expect(",", "X", ")", ":-", "X", "in")
                first = int(reader.next())
                reader.expect("..")
                types[name] = (first, int(reader.next()))
                reader.expect(".")
            elif word == "var":
                reader.expect("(", "[")
                names = [reader.next()]
                while reader.take(","):
                    names.append(reader.next())
                reader.expect("]", ",")
                int_type = types[reader.next()]
                declared.update((name, int_type) for name in names)
                reader.expect(")", ".")
            elif word in ("state_def", "init"):
                reader.expect("(", "[")
                items = [reader.next()]
                while reader.take(","):
                    items.append(reader.next())
                reader.expect("]", ")", ".")
                if word == "init":
                    self.init = tuple(map(int, items))
                else:
                    self.variables = items
            else:
                assert word == "as", word
                reader.expect(":-", "actions", "(")
                while True:
                    name, parameters = reader.next(), []
                    if reader.take("("):
                        parameters = [reader.next()]
                        while reader.take(","):
                            parameters.append(reader.next())
                        reader.expect(")")
                    reader.expect("::")
                    actions[name] = (parameters, reader.term())
                    if not reader.take(","):
                        break
                reader.expect(")", ",", "dood", "(")
                self.bounds = [declared[name] for name in self.variables]
                self.loop = []
                while True:
                    bound = {}
                    if reader.take("["):
                        while True:
                            parameter = reader.next()
                            reader.expect(":")
                            bound[parameter] = types[reader.next()]
                            if not reader.take(","):
                                break
                        reader.expect("]")
                        reader.take(":")
                    name, given = reader.next(), []
                    if reader.take("("):
                        given = [reader.next()]
                        while reader.take(","):
                            given.append(reader.next())
                        reader.expect(")")
                    parameters, body = actions[name]
                    places = dict(zip(parameters, range(len(parameters))))
                    self.loop.append((name, [bound[one] for one in given], self.paths(body, places)))
                    if not reader.take("[]"):
                        break
                reader.expect(")", ".")

    def paths(self, body, parameters):
        """Ways through an action: conditions and values, as functions of the values before and the parameters."""
        start = ([], [("variable", place) for place in range(len(self.variables))])
        return self.follow(body, [start], parameters)

    def follow(self, body, before, parameters):
        sign = body[0]
        if sign == "=>":
            guarded = [(conditions + [self.resolve(body[1], values, parameters)], values) for conditions, values in before]
            return self.follow(body[2], guarded, parameters)
        if sign == ";":
            return self.follow(body[2], self.follow(body[1], before, parameters), parameters)
        if sign == "[]":
            return self.follow(body[1], before, parameters) + self.follow(body[2], before, parameters)
        assert sign == ":=", body
        place = self.variables.index(body[1])
        after = []
        for conditions, values in before:
            value = self.resolve(body[2], values, parameters)
            first, last = self.bounds[place]
            kept = conditions + [("#>=", value, first), ("#=<", value, last)]
            after.append((kept, values[:place] + [value] + values[place + 1 :]))
        return after

    def resolve(self, term, values, parameters):
        if isinstance(term, int) or term == "true":
            return term
        if isinstance(term, str):
            if term in parameters:
                return ("parameter", parameters[term])
            return values[self.variables.index(term)]
        return (term[0],) + tuple(self.resolve(part, values, parameters) for part in term[1:])


def worth(term, state, values):
    """The value of a term or condition; the parameters may be numbers or terms of z3."""
    if isinstance(term, int):
        return term
    if term == "true":
        return True
    if term[0] == "variable":
        return state[term[1]]
    if term[0] == "parameter":
        return values[term[1]]
    if term[0] == "#\\":
        return negation(worth(term[1], state, values))
    left, right = (worth(part, state, values) for part in term[1:])
    return OPERATORS[term[0]](left, right)


def negation(condition):
    return not condition if isinstance(condition, bool) else __import__("z3").Not(condition)


def both(left, right):
    if isinstance(left, bool) and isinstance(right, bool):
        return left and right
    return __import__("z3").And(left, right)


def either(left, right):
    if isinstance(left, bool) and isinstance(right, bool):
        return left or right
    return __import__("z3").Or(left, right)


OPERATORS = {
    "#=": lambda left, right: left == right,
    "#\\=": lambda left, right: left != right,
    "#<": lambda left, right: left < right,
    "#>": lambda left, right: left > right,
    "#=<": lambda left, right: left <= right,
    "#>=": lambda left, right: left >= right,
    "#/\\": both,
    "#\\/": either,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}


def steps(system, state):
    """Every value of every parameter tried: events with the states after them."""
    found = {}
    for name, bounds, paths in system.loop:
        for values in itertools.product(*(range(first, last + 1) for first, last in bounds)):
            for conditions, after in paths:
                if all(worth(condition, state, values) for condition in conditions):
                    target = tuple(worth(value, state, values) for value in after)
                    found.setdefault((name, values), set()).add(target)
    return found


def by_enumeration(mutant, original):
    """Definition 4.1, every state and value one by one."""
    met, agenda = {original.init}, [original.init]
    for state in agenda:
        allowed = steps(original, state)
        for event, targets in steps(mutant, state).items():
            if not targets <= allowed.get(event, set()):
                return True
        for target in set().union(set(), *allowed.values()):
            if target not in met:
                met.add(target)
                agenda.append(target)
    return False


def conditions_of(conditions, state, values):
    """Their conjunction as a term of z3, or False if it cannot hold."""
    import z3

    open_ones = []
    for condition in conditions:
        value = worth(condition, state, values)
        if isinstance(value, bool):
            if not value:
                return False
        else:
            open_ones.append(value)
    return z3.And(*open_ones) if open_ones else True


def solver_for(bounds, prefix):
    """A solver that knows the bounds, and the values that they bound."""
    import z3

    values = [z3.Int(f"{prefix}{place}") for place in range(len(bounds))]
    solver = z3.Solver()
    for value, (first, last) in zip(values, bounds):
        solver.add(value >= first, value <= last)
    return solver, values


def unsafe(solver, state, action, values, theirs):
    """Whether the action has a step from the state that `theirs`, the original's ways through it, have not."""
    import z3

    for conditions, after in action[2]:
        holds = conditions_of(conditions, state, values)
        if holds is False:
            continue
        targets = [worth(value, state, values) for value in after]
        solver.push()
        solver.add(holds)
        for other_conditions, other_after in theirs:
            other = conditions_of(other_conditions, state, values)
            if other is not False:
                others = [worth(value, state, values) for value in other_after]
                same = [target == value for target, value in zip(targets, others)]
                solver.add(z3.Not(z3.And(other, *same)))
        found = solver.check() == z3.sat
        solver.pop()
        if found:
            return True
    return False


def ways(original, name):
    """All ways through the actions of that name."""
    return [path for other, _, paths in original.loop if other == name for path in paths]


def find_mutated_action(mutant, original):
    """[001] Algorithm 1: the first action that is unsafe in some state, reached or not; none if there is none."""
    for action in mutant.loop:
        solver, values = solver_for(mutant.bounds + action[1], "x")
        state, values = values[: len(mutant.bounds)], values[len(mutant.bounds) :]
        if unsafe(solver, state, action, values, ways(original, action[0])):
            return action
    return None


def reach_non_refine(action, original):
    """[001] Algorithm 2 without a depth: is a state that the original reaches unsafe for the action?"""
    import z3

    theirs = ways(original, action[0])
    met, agenda = {original.init}, [original.init]
    for state in agenda:
        solver, values = solver_for(action[1], "x")
        if unsafe(solver, state, action, values, theirs):
            return True
        for _, bounds, paths in original.loop:
            for conditions, after in paths:
                solver, values = solver_for(bounds, "x")
                holds = conditions_of(conditions, state, values)
                if holds is False:
                    continue
                solver.add(holds)
                targets = [worth(value, state, values) for value in after]
                while solver.check() == z3.sat:
                    model = solver.model()
                    found = tuple(
                        target if isinstance(target, int) else model.eval(target, model_completion=True).as_long()
                        for target in targets
                    )
                    if found not in met:
                        met.add(found)
                        agenda.append(found)
                    moving = [target != value for target, value in zip(targets, found) if not isinstance(target, int)]
                    if not moving:
                        break
                    solver.add(z3.Or(*moving))
    return False
