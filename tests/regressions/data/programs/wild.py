# A program that does something else in each test, drawn by a seed: says nothing, answers at odd times, refuses, remarks, or ends.
# python3 wild.py SEED OUTPUT...
import random
import sys
from fractions import Fraction as F

draw = random.Random(int(sys.argv[1]))
outputs = sys.argv[2:]
mood, due = "silent", None


def say(*words):
    print(*words, flush=True)


for line in sys.stdin:
    words = line.split()
    if words[0] == "tamper":
        say("ready")
    elif words[0] == "reset":
        mood = draw.choice(["silent", "odd", "odd", "odd", "fine", "refuses", "remarks", "ends", "babbles"])
        due = None
        say("ready")
    elif words[0] == "input":
        if mood == "ends":
            break
        if mood == "refuses" and draw.random() < 0.5:
            say("refused")
            continue
        if mood == "remarks":
            say("log", "at \u202e odd \u2028 times", draw.random())
        if mood in ("odd", "remarks", "fine"):
            due = (F(draw.randrange(0, 60), draw.choice([1, 2, 3, 7])), draw.choice(outputs))
        say("nonsense" if mood == "babbles" else "ok")
    elif words[0] == "delay":
        time = F(words[1])
        if due is not None and due[0] <= time:
            say("output", due[1], "after", due[0])
            due = None
        else:
            due = due and (due[0] - time, due[1])
            say("done")
    else:
        break
