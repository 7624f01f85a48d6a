#!/usr/bin/env python3
"""Random non-deterministic games, each with a mutant: two templates of one file, `Game` and `Mutant`.

A game has 12 locations, two inputs and two outputs, and three edges per location on average, so that several edges of one action
leave most locations. Locations with an invariant have an output that keeps time going. The same number gives the same file.

usage: random_games.py SEED CLOCKS     the model as UPPAAL XML
"""
import random
import sys

from plant import template, uppaal

N_LOCATIONS = 12
ACTIONS = ["a?", "b?", "u!", "v!"]


def game(source, clocks):
    """Locations as (name, invariant), edges as [source, target, action, guard, resets]."""
    names = [f"L{i}" for i in range(N_LOCATIONS)]
    locations, edges = [], []
    for name in names:
        bounded = source.random() < 0.4
        clock = source.choice(clocks)
        locations.append((name, f"{clock}<={source.randint(3, 9)}" if bounded else ""))
        if bounded:
            edges.append([name, source.choice(names), source.choice(ACTIONS[2:]), "", resets(source, clocks)])
    while len(edges) < 3 * N_LOCATIONS:
        guard = source.random() < 0.6
        guard = f"{source.choice(clocks)}{source.choice(['<=', '>=', '<', '>'])}{source.randint(1, 8)}" if guard else ""
        edges.append([source.choice(names), source.choice(names), source.choice(ACTIONS), guard, resets(source, clocks)])
    # A clock that an invariant bounds is reset on the way in, so that every location that is entered exists.
    bound = {name: invariant.split("<=")[0] for name, invariant in locations if invariant}
    for edge in edges:
        clock = bound.get(edge[1])
        if clock and f"{clock}:=0" not in edge[4]:
            edge[4] = ", ".join(filter(None, [edge[4], f"{clock}:=0"]))
    return locations, edges


def resets(source, clocks):
    return ", ".join(f"{clock}:=0" for clock in clocks if source.random() < 0.3)


def changed(source, edges):
    """The edges of a mutant: one goes away, leads elsewhere, or has another guard."""
    edges = [list(edge) for edge in edges]
    at = source.randrange(len(edges))
    kind = source.randrange(3)
    if kind == 0:
        del edges[at]
    elif kind == 1:
        # Same resets: whatever invariant the new target has, it is one of a location that is entered with that clock at 0.
        like = source.choice([edge for edge in edges if edge[1] != edges[at][1]])
        edges[at][1], edges[at][4] = like[1], like[4]
    else:
        guarded = [edge for edge in edges if edge[3]]
        edge = source.choice(guarded)
        edge[3] = edge[3].rstrip("0123456789") + str(source.randint(1, 8))
    return edges


def main(arguments):
    if len(arguments) != 2 or not all(word.isdigit() for word in arguments) or not 1 <= int(arguments[1]) <= 6:
        sys.exit(__doc__)
    source = random.Random(f"{arguments[0]} {arguments[1]}")
    clocks = ["x", "y", "z", "w", "s", "t"][: int(arguments[1])]
    locations, edges = game(source, clocks)
    templates = [
        template("Game", clocks, locations, edges),
        template("Mutant", clocks, locations, changed(source, edges)),
    ]
    sys.stdout.write(uppaal(ACTIONS, templates, ["Game", "Mutant"]))


if __name__ == "__main__":
    main(sys.argv[1:])
