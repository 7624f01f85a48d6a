"use strict";
// A request with a time-out, and a retry after a while; FETCH_FAULT=late, early, spinner, guard, deaf or target makes a mistake in it.
const { assign, not, setup } = require("xstate");

const fault = process.env.FETCH_FAULT;
const if_ = (name, wrong, right) => (fault === name ? wrong : right);

const machine = setup({
  delays: { timeout: if_("late", 3001, 3000), backOff: if_("early", 499, 500) },
  actions: { showSpinner() {}, hideSpinner() {}, count: assign({ tries: ({ context }) => context.tries + 1 }) },
  guards: { mayRetry: ({ context }) => context.tries < 3 },
}).createMachine({
  id: "fetch",
  context: { tries: 0 },
  initial: "idle",
  states: {
    idle: { on: { FETCH: "loading" } },
    loading: {
      entry: "showSpinner",
      ...if_("spinner", {}, { exit: "hideSpinner" }),
      invoke: {
        src: "load",
        id: "load",
        onDone: "success",
        onError: [{ guard: if_("guard", not("mayRetry"), "mayRetry"), target: "waiting", actions: "count" }, { target: "failure" }],
      },
      after: { timeout: "failure" },
      on: { CANCEL: "idle" },
    },
    waiting: { after: { backOff: "loading" }, on: if_("deaf", {}, { CANCEL: "idle" }) },
    success: { type: "final" },
    failure: { on: { RETRY: if_("target", "idle", "loading") } },
  },
});

module.exports = { machine };
