"use strict";
const { Generation } = require("./generation");

/** A program under test that is begun anew at each reset. */
class System {
  constructor(start, time) {
    this.start = start;
    this.time = time;
    this.current = null;
  }

  async reset() {
    await this.end();
    this.time.restart();
    this.current = new Generation(this.time);
    await this.current.begin(this.start);
    await this.time.settle();
  }

  /** Gives an input; whether it is taken. */
  async give(action) {
    const refused = this.current.give(action) === false;
    await this.time.settle();
    return !refused;
  }

  async end() {
    if (this.current) await this.current.end();
    this.current = null;
  }
}

module.exports = { System };
