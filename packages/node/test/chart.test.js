"use strict";
const assert = require("node:assert");
const { test } = require("node:test");
const X = require("xstate");
const { virtual } = require("..");
const { chart, configuration } = require("../chart");

function machine() {
  return X.setup({
    delays: { TIMEOUT: 3000, BACKOFF: () => 500 },
    actions: { count: X.assign({ n: ({ context, event }) => context.n + event.error.weight }), show() { throw new Error("not executed"); } },
    guards: { mayRetry: ({ context }) => context.n < 3 },
    actors: { load: X.fromPromise(async () => 1) },
  }).createMachine({
    id: "fetch",
    context: { n: 0 },
    initial: "idle",
    states: {
      idle: { on: { FETCH: "loading" } },
      loading: {
        entry: "show",
        exit: function hide() {},
        invoke: { src: "load", id: "load", onDone: "success", onError: [{ guard: "mayRetry", target: "waiting", actions: "count" }, { target: "failure" }] },
        after: { TIMEOUT: "failure" },
      },
      waiting: { after: { BACKOFF: "loading" } },
      success: { type: "final" },
      failure: { on: { "*": { guard: X.not(X.and(["mayRetry"])), target: "idle", reenter: true } } },
    },
  });
}
const delays = { BACKOFF: 500 };

test("a machine is written in the words of JSON", () => {
  assert.deepStrictEqual(configuration(X, machine(), { delays }), {
    id: "fetch",
    initial: "idle",
    states: {
      idle: { on: { FETCH: [{ target: "loading" }] } },
      loading: {
        entry: ["show"],
        exit: ["hide"],
        invoke: [{ src: "load", id: "load", onDone: [{ target: "success" }],
          onError: [{ target: "waiting", guard: "mayRetry", actions: [{ type: "xstate.assign" }] }, { target: "failure" }] }],
        after: { TIMEOUT: [{ target: "failure" }] },
      },
      waiting: { after: { BACKOFF: [{ target: "loading" }] } },
      success: { type: "final" },
      failure: { on: { "*": [{ target: "idle", reenter: true, guard: { type: "xstate.not", guards: [{ type: "xstate.and", guards: ["mayRetry"] }] } }] } },
    },
    delays: { TIMEOUT: 3000, BACKOFF: 500 },
    xstate: 5,
  });
});

test("a state that is active is a guard", () => {
  const made = X.createMachine({ id: "m", initial: "a", states: { a: { on: { E: { target: "b", guard: X.not(X.stateIn("#m.b")) } } }, b: { on: { E: { target: "a", guard: X.stateIn({ b: {} }) } } } } });
  const { a, b } = configuration(X, made).states;
  assert.deepStrictEqual(a.on.E[0].guard, { type: "xstate.not", guards: [{ type: "xstate.stateIn", stateValue: "#m.b" }] });
  assert.deepStrictEqual(b.on.E[0].guard, { type: "xstate.stateIn", stateValue: { b: {} } });
});

test("what cannot be written is named, all of it", () => {
  const made = X.createMachine({ id: "m", initial: "a", states: { a: { after: { SOON: "b" }, entry: X.raise({ type: "E" }, { delay: () => 5 }) }, b: { exit: [X.raise(() => ({ type: "E" })), X.raise(function next() { return { type: "E" }; }), X.enqueueActions(() => {})] } } });
  assert.throws(() => configuration(X, made), (error) => {
    for (const part of ["m.a: the delay SOON is not defined", "m.a entry: the delay of `xstate.raise` is a function", "m.b exit: the event of `xstate.raise` is a function", "is the function `next`", "the action `xstate.enqueueActions` is not read"]) {
      assert.ok(error.message.includes(part), error.message);
    }
    return true;
  });
});

test("the machine runs under the clock of the kit, and does what the test says of guards and actors", async () => {
  const program = virtual(chart(X, machine(), { delays }));
  await program.reset();
  const next = async (units) => program.delay(units);
  assert.match(await next("0"), /output at_idle after 0/);
  await program.give("FETCH");
  assert.match(await next("5000"), /output show after 0/);
  assert.match(await next("5000"), /output at_loading after 0/);
  await program.give("mayRetry_true");
  await program.give("error_load");
  for (const output of ["hide", "at_waiting"]) assert.match(await next("5000"), new RegExp(`output ${output} after 0`));
  assert.match(await next("5000"), /output show after 500\b/);
  assert.match(await next("5000"), /output at_loading after 0/);
  assert.match(await next("5000"), /output hide after 3000\b/);
  assert.match(await next("5000"), /output at_failure after 0/);
  // A guard that holds keeps the negation from holding.
  await program.give("other");
  assert.match(await next("1"), /done/);
  await program.give("mayRetry_false");
  await program.give("other");
  assert.match(await next("1"), /output at_idle after 0/);
  await program.end();
});

test("a machine that asks a guard at its start waits for it", async () => {
  const made = X.createMachine({ id: "m", initial: "a", states: { a: { always: { guard: "ready", target: "b" } }, b: {} } });
  const program = virtual(chart(X, made));
  await program.reset();
  assert.match(await program.delay("9"), /done/);
  await program.give("ready_true");
  await program.give("start");
  assert.match(await program.delay("9"), /output at_b after 0/);
  await program.end();
});

test("what a timer has read of a guard stays until an event does something", async () => {
  const made = X.createMachine({
    id: "m",
    initial: "a",
    on: { DO: { actions: "done" } },
    states: { a: { after: { 5: "b" } }, b: { always: { guard: "ready", target: "c" } }, c: {} },
  });
  const program = virtual(chart(X, made));
  const heard = async (...answers) => {
    for (const answer of answers) assert.match(await program.delay("9"), answer);
  };
  await program.reset();
  await heard(/output at_a after 0/, /output at_b after 5/);
  await program.give("ready_true");
  await program.give("DO");
  await heard(/output done after 0/, /done/);
  await program.give("ready_true");
  await program.give("DO");
  await heard(/output done after 0/, /output at_c after 0/);
  await program.end();
});

test("a machine of xstate 4 is written in its words, and runs", async () => {
  const X4 = require("xstate4");
  const made = X4.createMachine({
    id: "lamp",
    context: { n: 0 },
    initial: "off",
    states: {
      off: { on: { PRESS: { target: "on", cond: function mayLight() {}, actions: [X4.assign({ n: (context) => context.n + 1 }), "click"] } } },
      on: {
        entry: X4.actions.send("DIM", { delay: "SOON" }),
        exit: X4.actions.cancel("DIM"),
        after: { 1000: "off" },
        on: { DIM: { target: "on", internal: true, actions: { type: "dim", by: 2 } }, AGAIN: "on" },
        invoke: { src: () => Promise.resolve(), id: "glow", onDone: "off" },
      },
    },
  }, { delays: { SOON: 300 } });
  assert.deepStrictEqual(configuration(X4, made), {
    id: "lamp",
    initial: "off",
    states: {
      off: { on: { PRESS: [{ target: "on", cond: "mayLight", actions: [{ type: "xstate.assign" }, "click"] }] } },
      on: {
        entry: [{ type: "xstate.send", event: "DIM", delay: "SOON", id: "DIM" }],
        exit: [{ type: "xstate.cancel", sendId: "DIM" }],
        after: { 1000: [{ target: "off" }] },
        on: { DIM: [{ target: "on", internal: true, actions: ["dim by 2"] }], AGAIN: [{ target: "on" }] },
        invoke: [{ src: "actor", id: "glow", onDone: [{ target: "off" }] }],
      },
    },
    delays: { SOON: 300 },
    xstate: 4,
  });
  const program = virtual(chart(X4, made));
  await program.reset();
  const comes = async (output, after) => assert.match(await program.delay("5000"), new RegExp(`output ${output} after ${after}\\b`));
  await comes("at_off", 0);
  await program.give("PRESS");
  assert.match(await program.delay("1"), /done/);
  await program.give("mayLight_true");
  await program.give("PRESS");
  await comes("click", 0);
  await comes("at_on", 0);
  await comes("dim_by_2", 300);
  // In xstate 4 the state is entered again, and its timer starts again.
  await program.give("AGAIN");
  await comes("dim_by_2", 300);
  await program.give("error_glow");
  await comes("at_off", 700);
  await program.end();
});
