#!/usr/bin/env node
"use strict";
// Writes the configuration of a machine of XState 4 or 5 as JSON, which tamper reads: tamper-chart MODULE [--export NAME] [--delay NAME=MS]... > chart.json
const path = require("path");
const { createRequire } = require("module");
const { pathToFileURL } = require("url");
const { configuration, Unreadable } = require("../chart");

const USAGE = `usage: tamper-chart MODULE [--export NAME] [--delay NAME=MS]... > chart.json
  MODULE         a module of JavaScript that exports a machine of XState 4 or 5
  --export NAME  the export that is the machine; else the only one that is
  --delay NAME=MS  the length of a delay that the machine takes from its data
`;

function arguments_(words) {
  const asked = { delays: {} };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const value = () => {
      at += 1;
      if (at >= words.length) throw new Unreadable(`${word} needs a value\n${USAGE}`);
      return words[at];
    };
    if (word === "--export") asked.name = value();
    else if (word === "--delay") {
      const said = value();
      const [, name, length] = /^(.+)=([0-9]+)$/.exec(said) || [];
      if (name === undefined) throw new Unreadable(`--delay ${said}: write NAME=MS, with whole milliseconds`);
      asked.delays[name] = Number(length);
    } else if (word === "-h" || word === "--help") asked.help = true;
    else if (word.startsWith("-") || asked.module !== undefined) throw new Unreadable(`${word} is not understood\n${USAGE}`);
    else asked.module = word;
  }
  return asked;
}

async function main() {
  const asked = arguments_(process.argv.slice(2));
  if (asked.help) return process.stdout.write(USAGE);
  if (asked.module === undefined) throw new Unreadable(USAGE);
  const file = path.resolve(asked.module);
  const X = createRequire(file)("xstate");
  const found = await import(pathToFileURL(file).href);
  const all = { ...found, ...(found.default && !isMachine(found.default) ? found.default : {}) };
  const machines = Object.entries(all).filter(([, value]) => isMachine(value));
  const names = [...new Set(machines.map(([, machine]) => machine))].length === 1 ? [machines[0]] : machines;
  const chosen = asked.name === undefined ? names : machines.filter(([name]) => name === asked.name);
  if (chosen.length !== 1) {
    const known = machines.map(([name]) => name).join(", ");
    throw new Unreadable(`${asked.module} exports ${known === "" ? "no machine" : `these machines: ${known}; choose one with --export`}`);
  }
  process.stdout.write(`${JSON.stringify(configuration(X, chosen[0][1], asked), null, 2)}\n`);
}

function isMachine(value) {
  return value !== null && typeof value === "object" && value.config !== undefined && (typeof value.getInitialSnapshot === "function" || value.__xstatenode === true);
}

main().catch((error) => {
  process.stderr.write(`tamper-chart: ${error instanceof Unreadable ? error.message : error.stack}\n`);
  process.exitCode = 2;
});
