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
      /** Makes an output; values follow its name: say("is", 2) is is_2, which tamper calls the model's is[2]. */
      say: (action, ...values) => {
        if (!this.ended) time.say(action + values.map((value) => `_${value}`).join(""));
      },
      /** How many milliseconds so many time units of the model last. */
      ms: (units) => units * time.unit,
      /** Calls `cleanup` when this generation ends, the last one first; it may return a promise. */
      after: (cleanup) => this.cleanups.push(cleanup),
    });
  }

  /** An input of the model, as tamper writes it: `set_2`, the model's set[2], calls `set(2)` where there is no function `set_2`. */
  give(action) {
    const has = (name) => Object.prototype.hasOwnProperty.call(this.inputs, name);
    let [name, values] = [action, []];
    for (let last; !has(name) && (last = /^(.+)_(\d+)$/.exec(name)); name = last[1]) values = [Number(last[2]), ...values];
    return has(name) ? this.inputs[name](...values) : false;
  }

  async end() {
    this.ended = true;
    for (const cleanup of this.cleanups.reverse()) await cleanup();
  }
}

module.exports = { Generation };
