"""Timed tests, written by {{tool}} as a module for pytest.

Against a program that speaks tamper's protocol in accelerated time (`tamper new-adapter python` prints one to begin with):

    TAMPER_SUT='python3 adapter.py' pytest THIS_FILE

Against a Python class with the methods of the class System of that adapter (reset, give, due, wait, output):

    TAMPER_SYSTEM=adapter:System pytest THIS_FILE

Against a program of asyncio, in this process and in virtual time: the function that `serve` of tamper.sut takes (`tamper new-adapter asyncio`):

    TAMPER_SYSTEM=adapter:start pytest THIS_FILE

A program that does not answer for TAMPER_PATIENCE seconds (5) is ended. The next test starts a new one.
"""
import importlib
import json
import operator
import os
import signal
import subprocess
import threading
from fractions import Fraction

import pytest

MODEL = json.loads(r'''{{title}}''')
UNIT = json.loads(r'''{{unit}}''')

# Whether a refused input is a fail, or is ignored.
REFUSALS_FAIL = {{refusals}}

# Where a test goes is a node, or a verdict below 0. Conditions are clocks (or differences of two), signs and bounds.
TESTS = json.loads(r'''[
{{tests}}
]''')

PASS, FAIL, INCONCLUSIVE = -1, -2, -3
SIGNS = {"<": operator.lt, "<=": operator.le, "==": operator.eq, ">=": operator.ge, ">": operator.gt}
MOST_STEPS = 100_000


class Program:
    """A program behind its standard input and output."""

    def __init__(self, command):
        self.command, self.process = command, None

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.broken("ended")

    def hear(self):
        waits = threading.Timer(float(os.environ.get("TAMPER_PATIENCE", "5")), self.end)
        waits.start()
        try:
            line = self.process.stdout.readline()
            while line.startswith("log "):
                line = self.process.stdout.readline()
        finally:
            waits.cancel()
        return line.rstrip("\n") if line else self.broken("ended, or did not answer")

    def broken(self, how):
        self.close()
        pytest.fail(f"the program cannot be tested: it {how}", pytrace=False)

    def close(self):
        if self.process is not None:
            self.end()
            self.process.communicate()
            self.process = None

    def end(self):  # With all that the shell started.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (AttributeError, ProcessLookupError):
            self.process.kill()

    def reset(self):
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}
            self.process = subprocess.Popen(self.command, shell=True, start_new_session=True, **pipes)
            self.say("tamper 1 accelerated")
            if self.hear() != "ready":
                self.broken("is not ready")
        self.say("reset")
        while self.hear() != "ready":  # What it said before belongs to the past.
            pass

    def give(self, action):
        self.say(f"input {action}")
        answer = self.hear()
        if answer not in ("ok", "refused"):
            self.broken(f"said {answer!r} where `ok` or `refused` was awaited")
        return answer == "ok"

    def wait(self, time):
        self.say(f"delay {time}")
        answer = self.hear()
        if answer == "done":
            return None
        words = answer.split(" ")
        try:
            first, action, after, count = words
            if (first, after) == ("output", "after") and 0 <= Fraction(count) <= time:
                return action, Fraction(count)
        except (ValueError, ZeroDivisionError):
            pass
        return self.broken(f"said {answer!r} where `done` or an output was awaited")


class InProcess:
    """An object of Python: reset(), give(action), due(), wait(time), output()."""

    def __init__(self, kind):
        self.system = kind()
        self.reset, self.give = self.system.reset, self.system.give

    def wait(self, time):
        due = self.system.due()
        if due is None or due > time:
            self.system.wait(time)
            return None
        self.system.wait(due)
        return self.system.output(), due

    def close(self):
        pass


class InLoop:
    """A program of asyncio: `start` is called at each reset, in a loop whose clock is stepped."""

    def __init__(self, start):
        from tamper.sut import Virtual

        self.system = Virtual(start)
        self.reset, self.give, self.wait, self.close = self.system.reset, self.system.give, self.system.delay, self.system.end


def in_process(name):
    module, _, kind = name.partition(":")
    found = getattr(importlib.import_module(module), kind)
    return InProcess(found) if isinstance(found, type) else InLoop(found)


def holds(condition, point):
    return all(SIGNS[sign](point[left] - (0 if right is None else point[right]), Fraction(bound)) for left, right, sign, bound in condition)


def window(condition, point):
    """The delays after which a condition holds: low, whether only after it, high (None: for ever), whether only before it."""
    low, after, high, before = Fraction(0), False, None, False
    for left, right, sign, bound in condition:
        if right is not None:
            if not holds([(left, right, sign, bound)], point):
                return None
            continue
        at = Fraction(bound) - point[left]
        if sign in (">", ">=", "==") and (at > low or (at == low and sign == ">")):
            low, after = at, sign == ">"
        if sign in ("<", "<=", "==") and (high is None or at < high or (at == high and sign == "<")):
            high, before = at, sign == "<"
    possible = high is None or high >= 0 and (low < high or (low == high and not after and not before))
    return (low, after, high, before) if possible else None


def earliest(low, after, high, before):
    if not after:
        return low
    return (low + (low + 1 if high is None else min(high, low + 1))) / 2


def shown(time):
    """A time as a decimal, if twelve digits are enough."""
    scaled = time * 10**12
    if scaled.denominator != 1:
        return str(time)
    whole, rest = divmod(int(scaled), 10**12)
    return f"{whole}.{rest:012}".rstrip("0").rstrip(".")


def allowed(node, point, now):
    """What a node allows, in words; windows of an output that meet are one."""
    known = [(action, window(jump["when"], point)) for action, jump in node["outputs"] if jump["next"] != FAIL]
    begins = lambda low, after: (bool(after or low), low, after)
    ordered = sorted(((action, *found) for action, found in known if found), key=lambda one: (one[0], begins(*one[1:3])))
    joined = []
    for action, low, after, high, before in ordered:
        if joined and joined[-1][0] == action:
            last = joined[-1]
            if last[3] is None or not (after or low) or low < last[3] or (low == last[3] and not (after and last[4])):
                if last[3] is not None and (high is None or high > last[3] or (high == last[3] and last[4])):
                    last[3:] = high, before
                continue
        joined.append([action, low, after, high, before])
    words = []
    for action, low, after, high, before in sorted(joined, key=lambda one: (begins(*one[1:3]), one[0])):
        text = action + "!"
        if low and low == high and not (after or before):
            words.append(f"{text} at {shown(now + low)}{UNIT}")
            continue
        if after or low:
            text += f" {'after' if after else 'from'} {shown(now + low)}{UNIT}"
        if high is not None:
            text += f" {'before' if before else 'by'} {shown(now + high)}{UNIT}"
        words.append(text)
    return " or ".join(words)


def is_last(node, rule):
    """Whether a test that ends in the node has seen all that it looks for: no output and no input leads on."""
    ends = [rule["stop"], node["otherwise"], *(jump["next"] for _, jump in node["outputs"])]
    return rule["input"] is None and all(end in (FAIL, INCONCLUSIVE) for end in ends)


class Run:
    """A run of a test: nothing in it knows what the system is."""

    def __init__(self, test, system):
        self.test, self.system = test, system
        self.at, self.now, self.clocks = 0, Fraction(0), [Fraction(0)] * test["clocks"]
        self.watched, self.log = False, []

    def pass_time(self, delay):
        self.now += delay
        self.clocks = [clock + delay for clock in self.clocks]

    def note(self, event):
        self.log.append(f"{event} at {shown(self.now)}{UNIT}")

    def jump(self, jump):
        for clock, value in jump["resets"]:
            self.clocks[clock] = Fraction(value)
        return jump["next"]

    def step(self):
        """Waits and acts in a node; where the test goes, and what was wrong if it fails."""
        node, entered, before = self.test["nodes"][self.at], self.now, self.clocks
        rule = next((rule for rule in node["rules"] if holds(rule["from"], before)), None)
        found = rule and window(rule["when"], before)
        if not found:
            return INCONCLUSIVE, ""
        self.watched = is_last(node, rule)
        delay = earliest(*found)
        seen = self.system.wait(delay)
        expected = allowed(node, before, entered)
        if seen is not None:
            action, after = seen
            self.pass_time(after)
            self.note(f"{action}!")
            fits = (jump for name, jump in node["outputs"] if name == action and holds(jump["when"], self.clocks))
            jump = next(fits, None)
            it = "it" if expected.startswith(f"{action}! ") and " or " not in expected else f"{action}!"
            return node["otherwise"] if jump is None else self.jump(jump), f"expected {expected or 'no output'}; {it} came at {shown(self.now)}{UNIT}"
        self.pass_time(delay)
        action = rule["input"]
        if action is None:
            return rule["stop"], f"expected {expected or 'an output'}; nothing came by {shown(self.now)}{UNIT}"
        self.note(f"{action}?")
        if not self.system.give(action) and REFUSALS_FAIL:
            return FAIL, f"expected {action}? to be accepted; it was refused at {shown(self.now)}{UNIT}"
        jump = next((jump for jump in rule["then"] if holds(jump["when"], self.clocks)), None)
        return PASS if jump is None else self.jump(jump), f"expected {action}? to be refused; it was accepted at {shown(self.now)}{UNIT}"

    def verdict(self):
        self.system.reset()
        for _ in range(MOST_STEPS):
            self.watched = False
            self.at, wrong = self.step()
            if self.at < 0:
                return self.at, wrong
        return INCONCLUSIVE, ""


@pytest.fixture(scope="module")
def system():
    if "TAMPER_SYSTEM" in os.environ:
        found = in_process(os.environ["TAMPER_SYSTEM"])
    elif "TAMPER_SUT" in os.environ:
        found = Program(os.environ["TAMPER_SUT"])
    else:
        pytest.fail("name what is tested: TAMPER_SUT='COMMAND' or TAMPER_SYSTEM=module:name", pytrace=False)
    yield found
    found.close()


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test["id"])
def test_of(test, system, request):
    run = Run(test, system)
    verdict, wrong = run.verdict()
    reached = str(verdict == PASS).lower()
    request.node.user_properties += [("model", MODEL), ("purpose", test["purpose"]), ("purpose reached", reached)]
    if verdict == FAIL:
        pytest.fail(f"{wrong} ({test['purpose']})\nlog: {', '.join(run.log) or 'nothing'}", pytrace=False)
    if verdict == INCONCLUSIVE and not run.watched:
        pytest.skip(f"all was allowed, and the test did not come to its purpose ({test['purpose']})")
