"use strict";

/** The program under test from one reset to the next. What it does afterwards is not heard. */
class Generation {
  constructor(time) {
    this.time = time;
    this.ended = false;
    this.cleanups = [];
    this.inputs = {};
  }

  async begin(start) {
    const { time } = this;
    this.inputs = await start({
      /** Makes an output; values stand in brackets: say("is", 2) is the model's is[2]. */
      say: (action, ...values) => {
        if (!this.ended) time.say(action + values.map((value) => `[${value}]`).join(""));
      },
      /** How many milliseconds so many time units of the model last. */
      ms: (units) => units * time.unit,
      /** Calls `cleanup` when this generation ends, the last one first; it may return a promise. */
      after: (cleanup) => this.cleanups.push(cleanup),
    });
  }

  /** An input of the model, as tamper writes it: `set[2]` calls `set(2)`. */
  give(action) {
    const [name, ...values] = action.replace(/\]/g, "").split("[");
    const known = Object.prototype.hasOwnProperty.call(this.inputs, name);
    return known ? this.inputs[name](...values.map(Number)) : false;
  }

  async end() {
    this.ended = true;
    for (const cleanup of this.cleanups.reverse()) await cleanup();
  }
}

module.exports = { Generation };
