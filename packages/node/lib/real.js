"use strict";

const turn = setImmediate;

/** The wall clock: outputs are said when they are made, and nothing answers an input. */
class RealTime {
  constructor(unit, output) {
    this.unit = unit;
    this.output = output;
  }

  restart() {}

  say(action) {
    this.output.line(`output ${action}`);
  }

  settle() {
    return new Promise((done) => turn(done));
  }

  answer(action, refused) {
    return refused ? `refused ${action}` : null;
  }

  delay() {
    throw new Error("in real time nobody says how much time passes");
  }
}

module.exports = { RealTime };
