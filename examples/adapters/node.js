"use strict";
// Between tamper and a Node program under test: put yours in the place of Washer. The kit is in packages/node, which says more.
const { serve } = require("tamper-sut");

/** A washing machine, the system of washer.xml: `say` is told its outputs; --fault early, late, wrong or deaf misbehaves. */
class Washer {
  constructor(say, ms, fault) {
    Object.assign(this, { say, ms, fault, state: "idle" });
  }

  enter(state, units, output, next) {
    this.state = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (next(), this.say(output)), this.ms(units));
  }

  start() {
    if (this.state !== "idle") return false;
    this.enter("filling", 3 + ({ early: -2, late: 4 }[this.fault] || 0), "full", () => this.wash());
  }

  wash() {
    this.enter("washing", 25, "done", () => (this.state = "idle"));
  }

  stop() {
    if (this.state !== "filling" && this.state !== "washing") return false;
    if (this.fault === "deaf") return;
    this.enter("draining", 1, this.fault === "wrong" ? "full" : "drained", () => (this.state = "idle"));
  }
}

// Called at each reset. Load your program in here, so that its timers are the virtual ones.
function start({ say, ms, after }) {
  const washer = new Washer(say, ms, process.env.WASHER_FAULT || process.argv[3]);
  after(() => clearTimeout(washer.timer));
  return { start: () => washer.start(), stop: () => washer.stop() };
}

// Tests that `tamper harness` writes for runners of JavaScript call `start` themselves.
module.exports = { start };
if (require.main === module) serve(start);
