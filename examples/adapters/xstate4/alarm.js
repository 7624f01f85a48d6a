"use strict";
// An alarm with a sensor and a lamp: ARM enters both again, and a lit lamp goes out a second after that.
const X = require("xstate");
const create = X.createMachine || X.Machine;

exports.machine = create({
  id: "alarm",
  initial: "on",
  states: {
    on: {
      type: "parallel",
      on: { ARM: { target: ".sensor.armed", internal: false }, OFF: "off" },
      states: {
        sensor: { initial: "idle", states: { idle: {}, armed: { on: { MOVE: "idle" } } } },
        lamp: { initial: "lit", states: { lit: { entry: "blink", after: { 1000: "dark" } }, dark: {} } },
      },
    },
    off: { on: { START: "on" } },
  },
});
