"use strict";
// A lamp: on for 2 time units, with a blink each 0.5; every way to make an output that Node has.
const { serve } = require("../..");

serve(({ say, ms, after }) => {
  let on = 0;
  after(() => console.log(`end of generation, on ${on} times`)); // Goes to standard error: the protocol is not disturbed.
  return {
    press() {
      on += 1;
      say("on");
      setTimeout(() => say("off"), ms(2));
    },
    promise: () => void Promise.resolve().then(() => say("resolved")),
    tick: () => process.nextTick(() => say("ticked")),
    immediate: () => void setImmediate(() => say("immediate")),
    async chain() {
      await new Promise((done) => setTimeout(done, ms(1)));
      await null;
      say("first");
      await new Promise((done) => setTimeout(done, ms(1)));
      say("second");
    },
    repeat: () => void setInterval(() => say("again"), ms(3)),
    date: () => say("date", Date.now() % 1000, Math.round(performance.now()) % 1000),
    set: (level, more = 1) => say("is", level + more),
    set_7: () => say("seven"),
    both() {
      say("one");
      say("two");
    },
    never: () => false,
    wrong() {
      throw new Error("the lamp broke");
    },
  };
}, { unit: 1000 });
