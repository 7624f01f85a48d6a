"use strict";
// Between tamper and a Node program under test; the lines are those of docs/book/src/sut-protocol.md. Runs on Node 10, so that old releases of Node can be
// tested themselves.
const readline = require("readline");
const { openOutput } = require("./lib/output");
const { Generation } = require("./lib/generation");

/**
 * Speaks with tamper until it says `quit`.
 *
 * `start` is called at each reset, when the clock is in place, so it should load the program itself: `({ say, ms, after }) => inputs`. `inputs` has a
 * function per input of the model; one that returns false refuses the input, and so does a missing one.
 * `options.unit`: how many milliseconds a time unit lasts in virtual time; on the wall clock tamper says it. Timers count whole milliseconds, and the times of tests
 * are halved many times: a power of two has them all.
 */
function serve(start, options) {
  const { unit = 4096 } = options || {};
  const output = openOutput();
  let time = null;
  let current = null;

  async function reset() {
    if (current) await current.end();
    time.restart();
    current = new Generation(time);
    await current.begin(start);
    await time.settle();
    return "ready";
  }

  async function input(action) {
    const refused = current.give(action) === false;
    await time.settle();
    return time.answer(action, refused);
  }

  async function quit() {
    if (current) await current.end();
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

/** What the program under test throws ends it: tamper says that it crashed, and shows this. */
function fail(error) {
  process.stderr.write(`${(error && error.stack) || error}\n`);
  process.exit(70);
}

module.exports = { serve };
