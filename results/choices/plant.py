#!/usr/bin/env python3
"""A plant: stations in a row that finish their work, with rework, a watchdog and, if wanted, a service clock.

`finish!` of a station is ambiguous: the piece goes on to the next station or, from some time on, to this station's rework, and an
observer cannot tell which. So whoever answers for the plant must choose, and a wrong choice lags behind from there on. The
deterministic twin calls the second one `rework!`.

usage: plant.py STATIONS CLOCKS [--twin]     the model as UPPAAL XML; CLOCKS is 2 or 3
"""
import sys
from html import escape


class Plant:
    def __init__(self, n_stations, n_clocks, is_twin):
        self.n_stations, self.n_clocks, self.is_twin = n_stations, n_clocks, is_twin
        self.locations, self.edges = [], []
        self.build()

    def location(self, name, invariant=""):
        self.locations.append((name, invariant))

    def edge(self, source, target, action, guard="", resets=""):
        self.edges.append((source, target, action, guard, resets))

    def build(self):
        rework = "rework!" if self.is_twin else "finish!"
        self.location("Idle")
        self.edge("Idle", "Work0", "start?", "", "x:=0, w:=0")
        for i in range(self.n_stations):
            after = f"Work{i + 1}" if i + 1 < self.n_stations else "Done"
            self.location(f"Work{i}", "x<=12")
            self.location(f"Rework{i}", "x<=9")
            self.edge(f"Work{i}", after, "finish!", "x>=5", "x:=0, w:=0")
            self.edge(f"Work{i}", f"Rework{i}", rework, "x>=3", "x:=0")
            self.edge(f"Rework{i}", f"Work{i}", "finish!", "x>=2", "x:=0")
            self.edge(f"Work{i}", "Alarm", "alarm!", "w>=40")
            self.edge(f"Rework{i}", "Alarm", "alarm!", "w>=40")
        self.location("Done", "x<=2")
        self.edge("Done", "Idle", "deliver!")
        self.location("Alarm")
        self.edge("Alarm", "Idle", "reset?")
        if self.n_clocks == 3:
            # Service is due now and then; it restarts the watchdog.
            self.edge("Idle", "Idle", "service?", "s>=10", "s:=0")
            for i in range(self.n_stations):
                self.edge(f"Work{i}", f"Work{i}", "service?", "s>=10", "s:=0, w:=0")

    def xml(self):
        clocks = ["x", "w", "s"][: self.n_clocks]
        actions = sorted({action for _, _, action, _, _ in self.edges})
        return uppaal(actions, [template("Plant", clocks, self.locations, self.edges)], ["Plant"])


def template(name, clocks, locations, edges):
    """A template; the first location is the initial one."""
    ids = {location: f"id{at}" for at, (location, _) in enumerate(locations)}
    out = [f"<template><name>{name}</name><declaration>clock {', '.join(clocks)};</declaration>"]
    for location, invariant in locations:
        label = f'<label kind="invariant">{escape(invariant)}</label>' if invariant else ""
        out.append(f'<location id="{ids[location]}"><name>{location}</name>{label}</location>')
    out.append(f'<init ref="{ids[locations[0][0]]}"/>')
    for source, target, action, guard, resets in edges:
        labels = [("guard", escape(guard)), ("synchronisation", action), ("assignment", resets)]
        labels = "".join(f'<label kind="{kind}">{text}</label>' for kind, text in labels if text)
        out.append(f'<transition><source ref="{ids[source]}"/><target ref="{ids[target]}"/>{labels}</transition>')
    return "\n".join([*out, "</template>"])


def uppaal(actions, templates, system):
    channels = sorted({action[:-1] for action in actions})
    head = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>",
        f"<nta><declaration>chan {', '.join(channels)};</declaration>",
    ]
    return "\n".join([*head, *templates, f"<system>system {', '.join(system)};</system></nta>"]) + "\n"


def main(arguments):
    options = [word for word in arguments if word.startswith("--")]
    words = [word for word in arguments if not word.startswith("--")]
    if len(words) != 2 or not all(word.isdigit() for word in words) or words[1] not in ("2", "3") or options not in ([], ["--twin"]):
        sys.exit(__doc__)
    sys.stdout.write(Plant(int(words[0]), int(words[1]), bool(options)).xml())


if __name__ == "__main__":
    main(sys.argv[1:])
