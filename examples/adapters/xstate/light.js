"use strict";
// A crossing with a button for pedestrians, which blinks at night; LIGHT_FAULT=short, restart, guard, sound, level or deaf makes a mistake in it.
const { assign, not, setup } = require("xstate");

const fault = process.env.LIGHT_FAULT;
const if_ = (name, wrong, right) => (fault === name ? wrong : right);
const remember = ["remember", "confirm"];

const machine = setup({
  delays: { leastGreen: 10000, walking: if_("short", 7900, 8000), blink: 500 },
  actions: { remember: assign({ called: true }), forget: assign({ called: false }), confirm() {}, soundOn() {}, soundOff() {} },
  guards: { isCalled: ({ context }) => context.called },
}).createMachine({
  id: "light",
  context: { called: false },
  initial: "day",
  states: {
    day: {
      initial: "green",
      on: { BUTTON: { actions: remember }, ...if_("deaf", {}, { NIGHT: "night" }) },
      states: {
        green: {
          initial: "held",
          on: if_("deaf", { NIGHT: "#light.night" }, {}),
          states: {
            held: {
              after: { leastGreen: "free" },
              on: if_("restart", { BUTTON: { target: "held", reenter: true, actions: remember } }, {}),
            },
            free: { always: { guard: if_("guard", not("isCalled"), "isCalled"), target: "#light.day.amber" } },
          },
        },
        amber: { after: { 3000: "walk" } },
        walk: { entry: ["forget", "soundOn"], ...if_("sound", {}, { exit: "soundOff" }), after: { walking: "stop" } },
        stop: { after: { 1500: "green" } },
      },
    },
    night: {
      initial: "lit",
      on: { DAY: "day.stop" },
      after: if_("level", { blink: ".dark" }, {}),
      states: {
        lit: { after: if_("level", {}, { blink: "dark" }) },
        dark: { after: { blink: "lit" } },
      },
    },
  },
});

module.exports = { machine };
