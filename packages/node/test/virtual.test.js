"use strict";
const assert = require("node:assert/strict");
const test = require("node:test");
const { Talk } = require("./talk");

const HELLO = [["tamper 1 accelerated", "ready"], ["reset", "ready"]];

/** After hello each left side has the right answer. */
function check(name, pairs) {
  test(name, { timeout: 10000 }, async () => {
    const talk = new Talk("lamp.js");
    await talk.converse(assert, [...HELLO, ...pairs]);
    talk.tell("quit");
    assert.equal(await talk.ended, 0);
  });
}

check("an output comes at its time, and the rest of the delay is not used up", [
  ["input press", "ok"],
  ["delay 5", "output on after 0"],
  ["delay 5", "output off after 2"],
  ["delay 5", "done"],
]);

check("an output that is due at the very end of a delay belongs to it", [
  ["input press", "ok"],
  ["delay 0", "output on after 0"],
  ["delay 2", "output off after 2"],
]);

check("an output that is due later waits for its delay", [
  ["input press", "ok"],
  ["delay 0", "output on after 0"],
  ["delay 3/2", "done"],
  ["delay 0.25", "done"],
  ["delay 1", "output off after 1/4"],
]);

check("promises, ticks and immediates take no time", [
  ["input promise", "ok"],
  ["input tick", "ok"],
  ["input immediate", "ok"],
  ["delay 1", "output resolved after 0"],
  ["delay 1", "output ticked after 0"],
  ["delay 1", "output immediate after 0"],
  ["delay 1", "done"],
]);

check("what awaits a timer goes on before the next timer", [
  ["input chain", "ok"],
  ["delay 9", "output first after 1"],
  ["delay 9", "output second after 1"],
]);

check("an interval goes on", [
  ["input repeat", "ok"],
  ["delay 4", "output again after 3"],
  ["delay 2", "done"],
  ["delay 2", "output again after 1"],
]);

check("two outputs of one moment come one after the other", [
  ["input both", "ok"],
  ["delay 7", "output one after 0"],
  ["delay 7", "output two after 0"],
]);

check("an earlier generation is not heard, and its timers are gone", [
  ["input press", "ok"],
  ["input chain", "ok"],
  ["delay 0", "output on after 0"],
  ["reset", "ready"],
  ["delay 20", "done"],
]);

check("Date and performance show the virtual time, which begins anew at a reset", [
  ["delay 1/4", "done"],
  ["input date", "ok"],
  ["delay 0", "output date_250_250 after 0"],
  ["reset", "ready"],
  ["input date", "ok"],
  ["delay 0", "output date_0_0 after 0"],
]);

check("values follow the name, unless the whole is a name", [
  ["input set_2", "ok"],
  ["delay 0", "output is_3 after 0"],
  ["input set_2_3", "ok"],
  ["delay 0", "output is_5 after 0"],
  ["input set_7", "ok"],
  ["delay 0", "output seven after 0"],
]);

check("an input that returns false is refused, and so is one that is not there", [
  ["input never", "refused"],
  ["input unknown", "refused"],
  ["input toString", "refused"],
]);

check("a time that is no whole number of milliseconds is said, and nothing is lost", [
  ["input press", "ok"],
  ["delay 0", "output on after 0"],
  ["delay 1/3", "log 1000/3 ms are no whole number: times are rounded down to one; another unit prevents it, such as 4096"],
]);

test("what an input throws ends the program, and stands in its standard error", { timeout: 10000 }, async () => {
  const talk = new Talk("lamp.js");
  await talk.converse(assert, HELLO);
  talk.tell("input wrong");
  assert.equal(await talk.ended, 70);
  assert.match(talk.errors, /the lamp broke/);
});

test("cleanups run at a reset and at the end, and what is printed is no line of the protocol", { timeout: 10000 }, async () => {
  const talk = new Talk("lamp.js");
  await talk.converse(assert, [...HELLO, ["input press", "ok"], ["reset", "ready"]]);
  talk.process.stdin.end();
  assert.equal(await talk.ended, 0);
  assert.equal(talk.errors, "end of generation, on 1 times\nend of generation, on 0 times\n");
});
