"use strict";
// A form that is sent, beside a session that pauses when nobody types; DIALOG_FAULT=long, timer, guard, target, history or reset makes a
// mistake in it.
const { not, setup } = require("xstate");

const fault = process.env.DIALOG_FAULT;
const if_ = (name, wrong, right) => (fault === name ? wrong : right);

const machine = setup({
  delays: { answer: if_("long", 3100, 3000) },
  actions: { show() {}, hide() {}, post() {}, thank() {} },
  guards: { isValid: ({ event }) => event.text !== "" },
}).createMachine({
  id: "dialog",
  initial: "closed",
  states: {
    closed: { on: { OPEN: if_("reset", "open.last", "open") } },
    open: {
      type: "parallel",
      entry: "show",
      exit: "hide",
      on: { CLOSE: "closed" },
      states: {
        form: {
          initial: "editing",
          states: {
            editing: { on: { SEND: { guard: if_("guard", not("isValid"), "isValid"), target: "sending" } } },
            sending: { entry: "post", after: { answer: if_("target", "sent", "editing") }, on: { ACCEPTED: "sent" } },
            sent: { type: "final" },
          },
          onDone: { target: "#dialog.closed", actions: "thank" },
        },
        session: {
          initial: "awake",
          states: { awake: { after: { 6000: "#dialog.paused" }, on: { KEY: { target: "awake", reenter: fault !== "timer" } } } },
        },
        last: { type: "history", history: "deep" },
      },
    },
    paused: { on: { RESUME: if_("history", "open", "open.last") } },
  },
});

module.exports = { machine };
