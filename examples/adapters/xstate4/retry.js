"use strict";
// A request that is given up after a while, and waits or fails as the guard says; RETRY begins it again.
const X = require("xstate");
const create = X.createMachine || X.Machine;

exports.machine = create({
  id: "request",
  initial: "pending",
  states: {
    pending: {
      on: { RETRY: "again", DONE: "idle" },
      after: { 1500: [{ cond: "mayWait", target: "waiting" }, { target: "failed" }] },
    },
    again: { on: { SEND: "pending" } },
    waiting: { on: { SEND: "pending" } },
    failed: { on: { SEND: "pending" } },
    idle: { on: { SEND: "pending" } },
  },
});
