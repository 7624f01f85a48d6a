"""Learns state machines with AALpy, asking tamper (docs/book/src/oracle-protocol.md), and counts what each way of asking costs.

Three equivalence oracles, the same learner, the same machines:
  exact   tamper oracle MACHINE answers everything, also what the machine answers to words
  words   AALpy's random words
  suite   tamper knows no machine: it makes the tests that kill the mutants of the hypothesis, AALpy asks the system
usage: learn_with_oracle.py TAMPER [--only NAME,..] [--seeds N] [--out FILE.md] [--check]
"""
import argparse
import collections
import os
import random
import statistics
import subprocess
import sys
import tempfile

from aalpy.automata import MealyMachine, MealyState
from aalpy.base import SUL, Oracle
from aalpy.learning_algs import run_KV
from aalpy.oracles import RandomWordEqOracle
from aalpy.SULs import AutomatonSUL


# The machines. Each is a function of a random source to (inputs, initial state, step), step(state, input) = (output, state).

def explored(inputs, initial, step):
    """The machine with all states that are reached, none of which answers like another."""
    states, agenda, table = {initial: 0}, [initial], []
    for state in agenda:
        row = []
        for letter in inputs:
            output, target = step(state, letter)
            if target not in states:
                states[target] = len(states)
                agenda.append(target)
            row.append((output, states[target]))
        table.append(row)
    classes = [0] * len(table)
    while True:
        signatures = [(classes[at], tuple((o, classes[t]) for o, t in row)) for at, row in enumerate(table)]
        numbers = {signature: at for at, signature in enumerate(dict.fromkeys(signatures))}
        merged = [numbers[signature] for signature in signatures]
        if len(numbers) == len(set(classes)):
            break
        classes = merged
    kept = {}
    for at, own in enumerate(classes):
        kept.setdefault(own, at)
    order = {own: f"s{at}" for at, own in enumerate(kept)}
    made = {name: MealyState(name) for name in order.values()}
    for own, at in kept.items():
        for letter, (output, target) in zip(inputs, table[at]):
            made[order[own]].transitions[letter] = made[order[classes[target]]]
            made[order[own]].output_fun[letter] = output
    return MealyMachine(made[order[classes[0]]], list(made.values()))


def letters(n):
    return [f"i{at}" for at in range(n)]


def anything(n_states, n_inputs, n_outputs):
    """Every output and every target alike likely; of some size, drawn until that many states are left."""
    def make(rng):
        while True:
            inputs = letters(n_inputs)
            table = {(s, i): (f"o{rng.randrange(n_outputs)}", rng.randrange(n_states)) for s in range(n_states) for i in inputs}
            for state in range(1, n_states):
                origin = rng.randrange(state)
                letter = rng.choice(inputs)
                table[origin, letter] = (table[origin, letter][0], state)
            machine = explored(inputs, 0, lambda s, i: table[s, i])
            if len(machine.states) == n_states:
                return machine
    return make


def controller(n_states, n_inputs, n_outputs):
    """Most inputs change nothing, others lead to a state nearby; the output says in which group of states the machine is."""
    def make(rng):
        while True:
            inputs = letters(n_inputs)
            table = {}
            for s in range(n_states):
                for i in inputs:
                    target = s if rng.random() < 0.7 else min(max(s + rng.choice((-2, -1, 1)), 0), n_states - 1)
                    table[s, i] = (f"o{target * n_outputs // n_states}", target)
                if s + 1 < n_states:
                    table[s, rng.choice(inputs)] = (f"o{(s + 1) * n_outputs // n_states}", s + 1)
                table[s, rng.choice(inputs)] = (f"o{rng.randrange(n_outputs)}", s)
            machine = explored(inputs, 0, lambda s, i: table[s, i])
            if len(machine.states) >= 0.8 * n_states:
                return machine
    return make


def coffee(_rng):
    def step(state, letter):
        water, pod, busy = state
        if letter == "clean":
            return "ok", (0, 0, 0)
        if busy == 2:
            return "error", state
        if letter == "water":
            return ("ok", (1, pod, 0)) if not water or not busy else ("error", (0, 0, 2))
        if letter == "pod":
            return ("ok", (water, 1, 0)) if not busy else ("error", (0, 0, 2))
        if letter == "button":
            return ("coffee", (0, 0, 1)) if water and pod and not busy else ("error", (0, 0, 2))
        return ("light" if busy else "dark"), state
    return explored(["water", "pod", "button", "clean", "look"], (0, 0, 0), step)


def handshake(_rng):
    """A server of connections, with a window of three segments that are acknowledged."""
    def step(state, letter):
        phase, sent = state
        if letter == "rst":
            return "none", ("closed", 0)
        if phase == "closed":
            return {"listen": ("none", ("listen", 0)), "connect": ("syn", ("sent", 0))}.get(letter, ("error", state))
        if phase == "listen":
            return {"syn": ("syn+ack", ("received", 0)), "close": ("none", ("closed", 0))}.get(letter, ("error", state))
        if phase == "sent":
            return {"syn": ("syn+ack", ("received", 0)), "syn+ack": ("ack", ("open", 0)), "close": ("none", ("closed", 0))}.get(letter, ("error", state))
        if phase == "received":
            return {"ack": ("none", ("open", 0)), "close": ("fin", ("fin1", 0))}.get(letter, ("error", state))
        if phase == "open":
            return {"send": ("data", ("open", sent + 1)) if sent < 3 else ("full", state), "ack": ("none", ("open", max(sent - 1, 0))),
                    "fin": ("ack", ("wait", sent)), "close": ("fin", ("fin1", sent))}.get(letter, ("error", state))
        if phase == "wait":
            return {"close": ("fin", ("last", 0)), "ack": ("none", ("wait", max(sent - 1, 0)))}.get(letter, ("error", state))
        if phase == "fin1":
            return {"ack": ("none", ("fin2", sent)), "fin": ("ack", ("closing", 0))}.get(letter, ("error", state))
        if phase == "fin2":
            return {"fin": ("ack", ("time", 0)), "ack": ("none", ("fin2", max(sent - 1, 0)))}.get(letter, ("error", state))
        if phase in ("closing", "last"):
            return {"ack": ("none", ("closed" if phase == "last" else "time", 0))}.get(letter, ("error", state))
        return {"timeout": ("none", ("closed", 0))}.get(letter, ("error", state))
    inputs = ["listen", "connect", "syn", "syn+ack", "ack", "send", "fin", "close", "rst", "timeout"]
    return explored(inputs, ("closed", 0), step)


def counter(size):
    """Up, down, double, clear; that it is full or empty shows only on request."""
    def make(_rng):
        def step(n, letter):
            if letter == "full?":
                return ("yes" if n == size - 1 else "no"), n
            if letter == "empty?":
                return ("yes" if n == 0 else "no"), n
            return "ok", {"up": min(n + 1, size - 1), "down": max(n - 1, 0), "clear": 0}[letter]
        return explored(["up", "down", "clear", "full?", "empty?"], 0, step)
    return make


def lock(length, n_digits):
    """Opens after one word only; a wrong digit begins anew."""
    def make(rng):
        code = [rng.randrange(n_digits) for _ in range(length)]

        def step(n, letter):
            if n == length:
                return ("open", n) if letter != "i0" else ("shut", 0)
            return ("open", n + 1) if n + 1 == length and letter == f"i{code[n]}" else ("shut", n + 1 if letter == f"i{code[n]}" else 0)
        return explored(letters(n_digits), 0, step)
    return make


def buffer(capacity, n_values):
    """First in, first out."""
    def make(_rng):
        def step(queue, letter):
            if letter == "get":
                return (queue[0], queue[1:]) if queue else ("empty", queue)
            return ("ok", queue + (letter,)) if len(queue) < capacity else ("full", queue)
        return explored(["get"] + [f"put{at}" for at in range(n_values)], (), step)
    return make


def lift(n_floors):
    """A door, a motor and one request; a lift between floors shows nothing."""
    def make(_rng):
        def step(state, letter):
            floor, wanted, door = state
            if letter.startswith("call"):
                return ("ok", (floor, int(letter[4:]), door)) if wanted is None else ("busy", state)
            if letter == "door":
                return ("ok", (floor, wanted, not door))
            if wanted is None or door:
                return ("waits", state)
            if floor == wanted:
                return ("rings", (floor, None, True))
            return ("moves", (floor + (1 if wanted > floor else -1), wanted, door))
        return explored([f"call{at}" for at in range(n_floors)] + ["door", "step"], (0, None, True), step)
    return make


MODELS = {
    "coffee": coffee,
    "random-5": anything(5, 5, 2),
    "random-10": anything(10, 6, 2),
    "random-25": anything(25, 8, 3),
    "random-50": anything(50, 8, 3),
    "random-100": anything(100, 10, 3),
    "random-200": anything(200, 12, 4),
    "handshake": handshake,
    "lift": lift(5),
    "buffer": buffer(4, 3),
    "lock": lock(8, 6),
    "counter": counter(60),
    "controller-20": controller(20, 8, 3),
    "controller-50": controller(50, 8, 4),
    "controller-100": controller(100, 10, 6),
    "controller-200": controller(200, 10, 8),
}


# Asking tamper.

def dot(machine):
    """The machine as a graph. AALpy's own writer goes by the names of states, which its learners give twice at times."""
    number = {id(state): at for at, state in enumerate(machine.states)}
    lines = ["digraph learned {", '__start0 [label="" shape="none"];', f"__start0 -> q{number[id(machine.initial_state)]};"]
    for state in machine.states:
        for letter, target in state.transitions.items():
            lines.append(f'q{number[id(state)]} -> q{number[id(target)]} [label="{letter} / {state.output_fun[letter]}"];')
    return lines + ["}"]


class Tamper:
    """A session with `tamper oracle`."""

    def __init__(self, tamper, *machine):
        self.process = subprocess.Popen([tamper, "oracle", *machine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        answer = self.process.stdout.readline().rstrip("\n")
        if answer.startswith("error") or not answer:
            sys.exit(f"tamper oracle: {answer or 'no answer'}")
        return answer

    def read(self, hypothesis):
        self.ask("hypothesis dot", *dot(hypothesis), "end")

    def end(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("tamper oracle failed")


class ByTamper(SUL):
    """The machine that a session of tamper knows."""

    def __init__(self, tamper):
        super().__init__()
        self.tamper, self.word = tamper, []

    def pre(self):
        self.word = []

    def post(self):
        pass

    def step(self, letter):
        self.word.append(letter)
        return self.tamper.ask("word " + " ".join(self.word)).split(" ")[-1]


class Exact(Oracle):
    """The shortest counterexample, or none because there is none."""

    def __init__(self, alphabet, sul, tamper):
        super().__init__(alphabet, sul)
        self.tamper = tamper

    def find_cex(self, hypothesis):
        self.num_queries += 1
        self.tamper.read(hypothesis)
        answer = self.tamper.ask("equivalent")
        if answer == "equivalent":
            return None
        word = answer.split(" ")[1:]
        return tuple(word[: (len(word) - 2) // 3])


class Suite(Oracle):
    """The tests that kill the mutants of the hypothesis, asked of the system until one fails."""

    def __init__(self, alphabet, sul, tamper, questions):
        super().__init__(alphabet, sul)
        self.tamper, self.questions = tamper, questions

    def find_cex(self, hypothesis):
        for word, outputs in LOG:
            self.tamper.ask(f"seen {' '.join(word)} / {' '.join(outputs)}")
        LOG.clear()
        self.tamper.read(hypothesis)
        for question in self.questions:
            answer = self.tamper.ask(question)
            if answer.startswith("counterexample"):
                word = answer.split(" ")[1:]
                return tuple(word[: (len(word) - 2) // 3])
            tests = [self.tamper.answer().split(" ")[1:] for _ in range(int(answer.split(" ")[1]))]
            for test in tests:
                self.reset_hyp_and_sul(hypothesis)
                for at, letter in enumerate(test):
                    self.num_steps += 1
                    if self.sul.step(letter) != hypothesis.step(letter):
                        self.sul.post()
                        return tuple(test[: at + 1])
                self.sul.post()
        return None

# What the system was asked since the last equivalence query.
LOG = []


class Logged(SUL):
    """A system that keeps what it was asked, and its answers."""

    def __init__(self, sul):
        super().__init__()
        self.sul, self.word, self.outputs = sul, [], []

    def pre(self):
        self.sul.pre()
        self.word, self.outputs = [], []

    def post(self):
        self.sul.post()
        if self.word:
            LOG.append((self.word, self.outputs))

    def step(self, letter):
        output = self.sul.step(letter)
        self.word.append(letter)
        self.outputs.append(output)
        return output


class Watched(Oracle):
    """An oracle that also remembers what was asked when it last found a counterexample."""

    def __init__(self, inner):
        super().__init__(inner.alphabet, inner.sul)
        self.inner, self.rounds, self.found_at = inner, 0, (0, 0)

    def find_cex(self, hypothesis):
        self.inner.sul = self.sul
        self.rounds += 1
        found = self.inner.find_cex(hypothesis)
        self.num_queries, self.num_steps = self.inner.num_queries, self.inner.num_steps
        if found is not None:
            self.found_at = (self.num_queries, self.num_steps)
        return found


# One run.

Run = collections.namedtuple("Run", "exact rounds tests symbols last_tests last_symbols queries steps")


def learn(tamper, machine, path, kind, seed, questions):
    """A machine learned from `machine`, which `path` has as a file, with an oracle of that kind."""
    alphabet = machine.get_input_alphabet()
    random.seed(seed)
    LOG.clear()
    session = Tamper(tamper, path) if kind == "exact" else Tamper(tamper)
    sul = ByTamper(session) if kind == "exact" else Logged(AutomatonSUL(machine))
    if kind == "exact":
        oracle = Exact(alphabet, sul, session)
    elif kind == "words":
        oracle = RandomWordEqOracle(alphabet, sul, num_walks=500, min_walk_len=10, max_walk_len=30)
    else:
        oracle = Suite(alphabet, sul, session, questions)
    oracle = Watched(oracle)
    learned, info = run_KV(alphabet, sul, oracle, "mealy", print_level=0, return_data=True)
    session.end()
    judge = Tamper(tamper, path)
    judge.read(learned)
    exact = judge.ask("equivalent") == "equivalent"
    judge.end()
    if kind == "exact" and not exact:
        sys.exit(f"{path}: learned another machine, with an exact oracle")
    return Run(exact, oracle.rounds, oracle.num_queries, oracle.num_steps, *oracle.found_at, info["queries_learning"], info["steps_learning"])


HEAD = """# Learning with tamper as the oracle

Does tamper help a learner that asks for equivalence?

As an exact oracle it always does, without any test; its tests against mutants are fewer than random words for most machines, and find more of what these miss.

AALpy 2.0.0 (its discrimination trees, `run_KV`) learns machines of 5 to 200 states, some drawn, some written down, with three equivalence oracles; `scripts/learn-with-oracle.sh` makes
this page. Means over {seeds} seeds, each of which draws another machine (where it is drawn at all) and other random words.

- *exact*: `tamper oracle MACHINE` answers all questions, also what the machine answers to words; counterexamples are the shortest there are. No test is needed.
- *words*: AALpy's random words, 500 of 10 to 30 inputs per equivalence query, anew after each counterexample (`RandomWordEqOracle`, as it is by default).
- *mutants*: `suite one`, then `suite split 30 250` of `tamper oracle` without a machine: tests that, beside all words that were asked, kill the mutants of the hypothesis with one wrong transition, then those
  with a wrong transition in one state more (at most 250 of these tests per query).

*Exact*: in how many of the runs the machine was learned exactly, judged by `tamper oracle`. *Tests* and *symbols*: what equivalence queries asked of the system in all; *to the last*: up to the last
counterexample, so without the tests that confirm what is right already (or wrong, where the machine was not learned). *Membership*: symbols that the learner itself asked for.

| machine | states | inputs | oracle | exact | queries | tests | symbols | tests to the last | symbols to the last | membership |
|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|
"""
KINDS = {"exact": "exact", "words": "words", "suite": "mutants"}
SMALL = ["coffee", "random-5", "random-10", "random-25", "handshake", "buffer"]


def runs_of(args, name, folder):
    """By oracle, the runs of all seeds; and the numbers of states and of inputs."""
    runs, sizes = collections.defaultdict(list), []
    for seed in range(1, args.seeds + 1):
        machine = MODELS[name](random.Random(f"{name} {seed}"))
        sizes.append(len(machine.states))
        path = os.path.join(folder, f"{name}-{seed}.dot")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(dot(machine)) + "\n")
        for kind in KINDS:
            runs[kind].append(learn(args.tamper, machine, path, kind, seed, args.suite.split(",")))
    return runs, sizes, len(machine.get_input_alphabet())


def row(name, sizes, n_inputs, kind, some):
    def mean(field):
        return f"{statistics.mean(getattr(run, field) for run in some):,.0f}"
    size = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    fields = ("rounds", "tests", "symbols", "last_tests", "last_symbols", "steps")
    shown = ["–" if kind == "exact" and field in fields[1:5] else mean(field) for field in fields]
    return f"| {name} | {size} | {n_inputs} | {KINDS[kind]} | {sum(run.exact for run in some)}/{len(some)} | {' | '.join(shown)} |\n"


def summary(all_runs):
    """Where both the random words and the tests for mutants found the machine, and where not."""
    pairs = [(w, m) for runs in all_runs.values() for w, m in zip(runs["words"], runs["suite"])]
    both = [(w, m) for w, m in pairs if w.exact and m.exact]
    fewer = sum(m.tests < w.tests for w, m in pairs)
    text = f"\nOf {len(pairs)} runs the machine is learned exactly in {len(pairs)} with the exact oracle, in {sum(m.exact for _, m in pairs)} by mutants, in {sum(w.exact for w, _ in pairs)} by random words. "
    text += f"By mutants it takes fewer tests in all in {fewer} runs"
    for what, fields in (("in all", ("tests", "symbols")), ("to the last counterexample", ("last_tests", "last_symbols"))):
        sums = [[sum(getattr(run, field) for run in side) for side in zip(*both)] for field in fields]
        text += f"; in the {len(both)} runs where both are exact, {what}: {sums[0][1]:,} tests ({sums[1][1]:,} symbols) by mutants, {sums[0][0]:,} ({sums[1][0]:,}) by random words"
    by_name = [name for name, runs in all_runs.items() if sum(r.tests for r in runs["suite"]) >= sum(r.tests for r in runs["words"])]
    text += f". More tests by mutants: {', '.join(by_name) or 'nowhere'}."
    missed = [name for name, runs in all_runs.items() if not all(run.exact for run in runs["suite"])]
    return text + f" Not always learned by mutants: {', '.join(missed) or 'none'}.\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tamper")
    parser.add_argument("--only", help="machines, by name")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--suite", default="suite one,suite split 30 250", help="what to ask for, in this order")
    parser.add_argument("--out", help="the page to write")
    parser.add_argument("--check", action="store_true", help="small machines only, which must be learned")
    args = parser.parse_args()
    if args.check:
        args.only, args.seeds = ",".join(SMALL), 1
    page, all_runs = HEAD.format(seeds=args.seeds), {}
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only.split(",") if args.only else MODELS:
            runs, *facts = runs_of(args, name, folder)
            all_runs[name] = runs
            for kind, some in runs.items():
                line = row(name, *facts, kind, some)
                print(line, end="", flush=True)
                page += line
    print(summary(all_runs), end="")
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(page + summary(all_runs))
    if args.check and not all(run.exact for runs in all_runs.values() for run in runs["suite"]):
        sys.exit("a machine was not learned by tests for its mutants")
    print("learn-with-oracle: every machine was learned exactly with tamper as oracle")


if __name__ == "__main__":
    main()
