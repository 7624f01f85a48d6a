#!/usr/bin/env python3
"""Feature models that look like the public benchmarks, which may not be copied here: a tree with groups as in configuration
files, and constraints across it, most of them between near features, some on few popular ones. The same name gives the same file.

usage: feature_models.py NAME FOLDER     writes FOLDER/NAME.uvl; NAME is one of the list below, or `all`
"""
import random
import sys
from pathlib import Path

# Name: features, cross-tree constraints, depth of the tree, share of a constraint's features that are far apart.
# Sizes are those of the published models (features and constraints); what else is known of them is their shape:
# Kconfig menus are wide and flat with many `depends on`; product configurators are deeper, with alternatives.
LIKE = {
    "busybox": (854, 123, 5, 0.10),
    "toybox": (544, 90, 4, 0.10),
    "axtls": (96, 60, 4, 0.20),
    "fiasco": (300, 180, 5, 0.15),
    "uclibc": (313, 250, 5, 0.20),
    "ecos": (1244, 1800, 6, 0.10),
    "uclinux": (1850, 1500, 6, 0.05),
    "automotive01": (2513, 2833, 8, 0.10),
    "automotive02": (18616, 1369, 9, 0.03),
    "linux": (6467, 6000, 7, 0.03),
}


class Model:
    def __init__(self, name):
        self.random = random.Random(f"{name} 1")
        n, n_constraints, depth, self.far = LIKE[name]
        self.parent, self.groups = [None], [[]]
        self.grow(n, depth)
        self.constraints = []
        # A product that stays one: constraints are kept only if it satisfies them, so that the model is not void.
        self.product = self.some_product()
        popular = self.random.sample(range(1, n), max(3, n // 150))
        while len(self.constraints) < n_constraints:
            self.add_constraint(popular)

    def grow(self, n, depth):
        """Breadth first, so that the tree has the depth; menus have from 2 to 30 members."""
        level, levels = [0], 1
        while len(self.parent) < n:
            below = []
            for feature in level:
                if len(self.parent) >= n:
                    break
                for _ in range(self.random.choice([1, 1, 1, 2])):
                    kind, (least, most) = self.random.choice(KINDS)
                    members = [self.add(feature) for _ in range(min(self.random.randint(least, most), n - len(self.parent)))]
                    if members:
                        self.groups[feature].append((kind, members))
                        below += members
            levels += 1
            # The deeper, the fewer have something below them; the last level goes on as long as features are missing.
            share = 1.0 if levels <= 2 else (0.35 if levels < depth else 0.6)
            level = [f for f in below if self.random.random() < share] or below[:3]

    def add(self, parent):
        self.parent.append(parent)
        self.groups.append([])
        return len(self.parent) - 1

    def some_product(self):
        chosen, todo = {0}, [0]
        while todo:
            for kind, members in self.groups[todo.pop()]:
                if kind == "mandatory":
                    picked = members
                elif kind == "alternative":
                    picked = [self.random.choice(members)]
                else:
                    picked = [m for m in members if self.random.random() < 0.5] or [members[0]]
                    if kind == "[1..3]":
                        picked = picked[:3]
                chosen.update(picked)
                todo += picked
        return chosen

    def near(self, feature):
        """A feature that one like this depends on: most often of its own group, or beside or above one of its ancestors."""
        if self.random.random() < self.far:
            return self.random.randrange(1, len(self.parent))
        around = feature
        while self.parent[around] and self.random.random() < 0.4:
            around = self.parent[around]
        members = next(members for _, members in self.groups[self.parent[around]] if around in members)
        return self.random.choice(members)

    def add_constraint(self, popular):
        first = self.random.randrange(1, len(self.parent))
        if self.groups[first] and self.random.random() < 0.8:
            return
        others = [self.random.choice(popular) if self.random.random() < 0.3 else self.near(first)
                  for _ in range(self.random.choice([1, 1, 1, 1, 1, 2, 2, 3]))]
        others = [other for other in dict.fromkeys(others) if other != first]
        if not others:
            return
        lits = [(other, self.random.random() < 0.93) for other in others]
        holds = [(other in self.product) == positive for other, positive in lits]
        spelled = [f"f{other}" if positive else f"!f{other}" for other, positive in lits]
        shape = self.random.random()
        if shape < 0.65:
            ok, text = first not in self.product or any(holds), f"f{first} => {' | '.join(spelled)}"
        elif shape < 0.95:
            ok, text = first not in self.product or all(holds), f"f{first} => {' & '.join(spelled)}"
        else:
            ok, text = not (first in self.product and any(holds)), f"!(f{first} & ({' | '.join(spelled)}))"
        if ok:
            self.constraints.append(text)

    def uvl(self):
        lines, todo = ["features"], [(0, 1)]
        while todo:
            item, depth = todo.pop()
            if isinstance(item, tuple):
                kind, members = item
                lines.append("\t" * depth + kind)
                todo += [(member, depth + 1) for member in reversed(members)]
            else:
                lines.append("\t" * depth + f"f{item}")
                todo += [(group, depth + 1) for group in reversed(self.groups[item])]
        lines += ["", "constraints"] + ["\t" + text for text in self.constraints]
        return "\n".join(lines) + "\n"


KINDS = [("optional", (2, 30))] * 6 + [("mandatory", (1, 5))] * 2 + [
    ("alternative", (2, 8)), ("alternative", (2, 5)), ("or", (2, 6)), ("[1..3]", (4, 12))]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in [*LIKE, "all"]:
        sys.exit(__doc__ + "names: " + " ".join(LIKE))
    for name in LIKE if sys.argv[1] == "all" else [sys.argv[1]]:
        Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
        Path(sys.argv[2], f"{name}.uvl").write_text(Model(name).uvl())


if __name__ == "__main__":
    main()
