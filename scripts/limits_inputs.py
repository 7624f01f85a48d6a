#!/usr/bin/env python3
"""Writes inputs that exhaust every limit into the working folder: games, networks, systems, machines and feature models of which no
command that looks at all of them comes to an end by itself in seconds."""
import random

draw = random.Random(99)
PROCESS = """process P(const int[1,%d] k) { state A { x[k-1]<=20 }, B { x[k-1]<=2 }, C, D; init A; trans
 A -> A { sync ok[k-1]!; assign x[k-1]=0; },
 A -> B { guard id==0; sync go[k-1]?; assign x[k-1]=0; }, B -> C { guard x[k-1]<=2; sync ok[k-1]!; assign id=k, x[k-1]=0; },
 C -> D { guard x[k-1]>2, id==k; sync ok[k-1]!; }, C -> A { guard id==0; sync go[k-1]?; assign x[k-1]=0; },
 D -> A { sync go[k-1]?; assign id=0, x[k-1]=0; }; }
"""


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def network(n):
    """Fischer's protocol: the product of n processes with a clock each."""
    names = ["P%d" % k for k in range(1, n + 1)]
    instances = "".join("P%d = P(%d);\n" % (k, k) for k in range(1, n + 1))
    data = "clock x[%d]; int[0,%d] id; broadcast chan go[%d], ok[%d];\n" % (n, n, n, n)
    return data + PROCESS % n + instances + "system %s;\n" % ", ".join(names)


def counter(digits):
    """A game that counts in decimal: ten to that many discrete states."""
    text = "chan a, b;\nprocess G() { clock x; %s state l; init l; trans " % "".join("int[0,9] v%d; " % i for i in range(digits))
    for i in range(digits):
        guard = "".join(", v%d==9" % j for j in range(i)) + (", x>=1" if i == 0 else "")
        reset = "".join(", v%d=0" % j for j in range(i))
        text += "l -> l { guard v%d<9%s; sync a?; assign v%d=v%d+1%s; }, " % (i, guard, i, i, reset)
    return text + "l -> l { sync b!; }; }\nsystem G;\n"


def game(places, clocks, edges):
    """A game of many clocks with constants of their own."""
    at = lambda: "c%d" % draw.randrange(clocks)
    states = ", ".join("l%d { %s <= %d }" % (i, at(), draw.randrange(50, 99999)) for i in range(places))
    steps = []
    for i in range(edges):
        action = "o%d!" % (i % 5) if i % 2 else "i%d?" % (i % 7)
        guard = ", ".join("%s %s %d" % (at(), draw.choice(["<=", ">=", "<", ">"]), draw.randrange(99999)) for _ in range(2))
        ends = draw.randrange(places), draw.randrange(places)
        steps.append("l%d -> l%d { guard %s; sync %s; assign %s = 0; }" % (*ends, guard, action, at()))
    channels = ", ".join(["o%d" % i for i in range(5)] + ["i%d" % i for i in range(7)])
    data = "clock " + ", ".join("c%d" % i for i in range(clocks))
    return "chan %s;\nprocess G() { %s; state %s; init l0; trans %s; }\nsystem G;\n" % (channels, data, states, ", ".join(steps))


def clauses(variables, n):
    def literal(v):
        return str(v if draw.random() < 0.5 else -v)
    lines = [" ".join(map(literal, draw.sample(range(1, variables + 1), 3))) + " 0\n" for _ in range(n)]
    return "p cnf %d %d\n" % (variables, n) + "".join(lines)


def tangle(n, rules):
    def literal(v):
        return ("!" if draw.random() < 0.5 else "") + "f%d" % v
    text = "features\n\tr\n\t\toptional\n" + "".join("\t\t\tf%d\n" % i for i in range(n)) + "constraints\n"
    return text + "".join("\t%s\n" % " | ".join(map(literal, draw.sample(range(n), 3))) for _ in range(rules))


def smv(bits):
    text = "-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : 0..200; o : boolean;"
    text += "".join(" b%d : boolean;" % k for k in range(bits)) + "\nASSIGN\n"
    text += "".join("  init(b%d) := FALSE;\n  next(b%d) := i = %d ? !b%d : b%d;\n" % (k, k, k, k, k) for k in range(bits))
    return text + "  init(o) := FALSE;\n  next(o) := " + " xor ".join("b%d" % k for k in range(bits)) + ";\n"


BTOR2 = """1 sort bitvec 1
2 sort bitvec 24
3 sort bitvec 8
4 input 3 a
5 uext 2 4 16
6 state 2 s
7 zero 2
8 init 2 6 7
9 add 2 6 5
10 mul 2 9 9
11 next 2 6 10
12 slice 1 6 3 3
13 output 12 o
"""
ACTIONS = """%% inputs: put
type(value, X) :- X in 0..9.
var([v,w,x,y,z,t], value).
state_def([v,w,x,y,z,t]).
init([0,0,0,0,0,0]).
as :-
 actions (
 put(X)::(v #= 0) => (v := X),
%s o::(v #= 1) => (v := 0)
 ),
 dood ( [X:value]:put(X) [] %s [] o ).
"""
MACHINE = """var n : 0..2147483647 = 0
var m : 0..2147483647 = 0
initial A
A a [n < 2147483647 | n < 5] / ok {n := n + 1 | n + 2} -> A
A a [n == 2147483647] / no -> A
A c [m < 2147483647] / ok {m := m + 1} -> A
A c [m == 2147483647] / z -> A
A b / x(n) -> A
"""
write("net.xta", network(9))
write("ints.xta", counter(7))
write("game.xta", game(30, 8, 200))
write("hard.cnf", clauses(300, 1278))
write("tangle.uvl", tangle(400, 900))
write("big.smv", smv(24))
write("big.btor2", BTOR2)
moves = "".join(" s%s(X)::(%s #= X) => (%s := X + 1),\n" % (a, a, b) for a, b in zip("vwxyz", "wxyzt"))
write("big.pl", ACTIONS % (moves, " [] ".join("[X:value]:s%s(X)" % a for a in "vwxyz")))
write("big.efsm", MACHINE)
steps = ("%d %s / %d -> %d\n" % (s, a, draw.randrange(2), draw.randrange(3000)) for s in range(3000) for a in "abcd")
write("big.fsm", "initial 0\n" + "".join(steps))
