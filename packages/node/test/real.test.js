"use strict";
const assert = require("node:assert/strict");
const test = require("node:test");
const { Talk } = require("./talk");

test("on the wall clock outputs come by themselves, with tamper's time unit", { timeout: 10000 }, async () => {
  const talk = new Talk("lamp.js");
  await talk.converse(assert, [["tamper 1 real 50000", "ready"], ["reset", "ready"]]);
  const begun = performance.now();
  assert.equal(await talk.ask("input press"), "output on");
  assert.equal(await talk.next(), "output off");
  const took = performance.now() - begun;
  assert.ok(took >= 98, `two units of 50 ms, and it took ${took} ms`);
  assert.equal(await talk.ask("input never"), "refused never");
  talk.tell("quit");
  assert.equal(await talk.ended, 0);
});

test("on the wall clock an earlier generation is not heard", { timeout: 10000 }, async () => {
  const talk = new Talk("lamp.js");
  await talk.converse(assert, [["tamper 1 real 10000", "ready"], ["reset", "ready"], ["input press", "output on"], ["reset", "ready"]]);
  await new Promise((done) => setTimeout(done, 60)); // Three times as long as the first generation's lamp is on.
  assert.equal(await talk.ask("input set_4"), "output is_5");
  talk.process.stdin.end();
  assert.equal(await talk.ended, 0);
});
