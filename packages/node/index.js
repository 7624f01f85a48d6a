"use strict";
// Between tamper and a Node program under test; the lines are those of docs/book/src/sut-protocol.md. Runs on Node 10, so that old releases of Node can be
// tested themselves.
const readline = require("readline");
const { openOutput } = require("./lib/output");
const { System } = require("./lib/system");

// How many milliseconds a time unit lasts in virtual time, if nobody says otherwise.
const UNIT = 4096;

/**
 * Speaks with tamper until it says `quit`.
 *
 * `start` is called at each reset, when the clock is in place, so it should load the program itself: `({ say, ms, after }) => inputs`. `inputs` has a
 * function per input of the model; one that returns false refuses the input, and so does a missing one.
 * `options.unit`: how many milliseconds a time unit lasts in virtual time; on the wall clock tamper says it. Timers count whole milliseconds, and the times of tests
 * are halved many times: a power of two has them all.
 */
function serve(start, options) {
  const { unit = UNIT } = options || {};
  const output = openOutput();
  let time = null;
  let system = null;

  async function reset() {
    await system.reset();
    return "ready";
  }

  async function input(action) {
    const taken = await system.give(action);
    return time.answer(action, !taken);
  }

  async function quit() {
    if (system) await system.end();
    process.exit(0);
  }

  function greet(rest) {
    const [version, mode, micros] = rest.split(" ");
    if (version !== "1") throw new Error(`this kit speaks version 1, not ${version}`);
    if (mode === "accelerated") {
      const { VirtualTime } = require("./lib/virtual"); // Only here: on the wall clock the timers need not be there.
      time = new VirtualTime(unit, output);
    } else {
      const { RealTime } = require("./lib/real");
      time = new RealTime(Number(micros) / 1000, output);
    }
    system = new System(start, time);
    return "ready";
  }

  async function answer(line) {
    const at = line.indexOf(" ");
    const [word, rest] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
    switch (word) {
      case "tamper": return greet(rest);
      case "reset": return reset();
      case "input": return input(rest);
      case "delay": return time.delay(rest);
      case "quit": return quit();
      default: throw new Error(`unknown: ${line}`);
    }
  }

  // One line after the other, also where an answer takes turns of the event loop.
  let last = Promise.resolve();
  const lines = readline.createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    last = last.then(() => answer(line)).then((said) => said && output.line(said)).catch(fail);
  });
  lines.on("close", () => {
    last = last.then(quit).catch(fail);
  });
}

/**
 * The program in virtual time in this process: what tests that `tamper harness` writes for runners of JavaScript call. The clocks of the process are
 * virtual from now on until `end`. `start` and `unit` are those of `serve`.
 */
function virtual(start, options) {
  const { unit = UNIT } = options || {};
  const { VirtualTime } = require("./lib/virtual");
  const time = new VirtualTime(unit, { line: (text) => process.stderr.write(`${text}\n`) });
  const system = new System(start, time);
  return {
    reset: () => system.reset(),
    /** Whether the input is taken. */
    give: (action) => system.give(action),
    /** Lets so much time pass, or what is before the first output: `done`, or `output ACTION after TIME`. */
    delay: (units) => time.delay(units),
    async end() {
      await system.end();
      time.end();
    },
  };
}

/** What the program under test throws ends it: tamper says that it crashed, and shows this. */
function fail(error) {
  process.stderr.write(`${(error && error.stack) || error}\n`);
  process.exit(70);
}

module.exports = { serve, virtual };
