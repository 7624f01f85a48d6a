#!/usr/bin/env python3
"""Between tamper and a program under test: put yours in the place of System. The protocol: docs/book/src/sut-protocol.md."""
import sys
from fractions import Fraction


class System:
    """A washing machine, the system of washer.xml; --fault early, late, wrong or deaf misbehaves."""

    TIMES = {"filling": ("full", 3, "washing"), "washing": ("done", 25, "idle"), "draining": ("drained", 1, "idle")}

    def __init__(self, fault=""):
        self.fault = fault
        self.reset()

    def reset(self):  # Back to the start.
        self.state, self.since = "idle", Fraction(0)

    def give(self, action):  # Takes an input; False if it is refused.
        if action == "start" and self.state == "idle":
            self.state, self.since = "filling", Fraction(0)
        elif action == "stop" and self.state in ("filling", "washing"):
            if self.fault != "deaf":
                self.state, self.since = "draining", Fraction(0)
        else:
            return False
        return True

    def due(self):  # How long until its next output, if time passes and nothing is given; None: never.
        if self.state == "idle":
            return None
        late = {"early": -2, "late": 4}.get(self.fault, 0) if self.state == "filling" else 0
        return max(Fraction(0), self.TIMES[self.state][1] + late - self.since)

    def wait(self, time):  # Lets time pass; no output is due before its end.
        self.since += time

    def output(self):  # Makes the output that is due now.
        name, _, self.state = self.TIMES[self.state]
        self.since = Fraction(0)
        return "full" if self.fault == "wrong" and name == "drained" else name


# ---- From here on nothing depends on the system. -------------------------------------------------------------------------


def answer(system, word, rest):
    if word == "tamper":
        if rest != "1 accelerated":
            sys.exit("this adapter is told how much time passes: run tamper with --accelerated")
        return "ready"
    if word == "reset":
        system.reset()
        return "ready"
    if word == "input":
        return "ok" if system.give(rest) else "refused"
    if word == "delay":
        time, due = Fraction(rest), system.due()
        if due is None or due > time:
            system.wait(time)
            return "done"
        system.wait(due)
        return f"output {system.output()} after {due}"
    sys.exit(0 if word == "quit" else f"unknown: {word}")


if __name__ == "__main__":
    program = System(*sys.argv[2:3])
    for line in sys.stdin:
        print(answer(program, *line.strip().partition(" ")[::2]), flush=True)
