"use strict";
const assert = require("node:assert/strict");
const test = require("node:test");
const { virtual } = require("..");

/** A lamp that is on for two time units; `ended` counts its generations that are over. */
function lamp() {
  const seen = { ended: 0 };
  const start = ({ say, ms, after }) => {
    after(() => (seen.ended += 1));
    return { press: () => void (say("on"), setTimeout(() => say("off"), ms(2))), never: () => false };
  };
  return { seen, start };
}

test("a program in this process has virtual time until the end", async () => {
  const { seen, start } = lamp();
  const real = setTimeout;
  const system = virtual(start, { unit: 1000 });
  await system.reset();
  assert.equal(await system.give("press"), true);
  assert.equal(await system.give("never"), false);
  assert.equal(await system.give("unknown"), false);
  assert.equal(await system.delay("5"), "output on after 0");
  assert.equal(await system.delay("7/4"), "done");
  assert.equal(await system.delay("5"), "output off after 1/4");
  await system.reset();
  assert.equal(await system.delay("5"), "done");
  assert.equal(seen.ended, 1);
  await system.end();
  assert.equal(seen.ended, 2);
  assert.equal(setTimeout, real);
});

test("a time unit lasts 4096 ms, if nothing else is said", async () => {
  const system = virtual(({ say, ms }) => ({ ask: () => say("unit", ms(1)) }));
  await system.reset();
  await system.give("ask");
  assert.equal(await system.delay("0"), "output unit_4096 after 0");
  await system.end();
});
