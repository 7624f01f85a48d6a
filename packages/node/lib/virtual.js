"use strict";
const { install } = require("@sinonjs/fake-timers");
const { Fraction } = require("./fraction");

// Taken before the clock is faked.
const turn = setImmediate;

const BEGIN = Date.UTC(2024, 0, 1);
// A program that runs has been started a moment ago: performance.now() is never 0, which some take for "not yet".
const LEAST_AGE = 1000;
// What a timer can wait at most, in ms.
const LONGEST = 2 ** 31 - 1;
// Timers that may fire at one moment; more is a program that never comes to rest.
const MOST = 100000;
// process.nextTick and microtasks stay as they are: the event loop itself needs them, and they take no time.
const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date", "hrtime", "performance"];

/** Time that passes only when tamper says so: timers fire one by one, and everything that they cause happens before the next. */
class VirtualTime {
  constructor(unit, output) {
    this.unit = unit;
    this.output = output;
    this.clock = install({ now: BEGIN, toFake: FAKED });
    this.rounded = false;
    // A test begins at a whole unit, so that what happens at each full minute does so at whole times of the model, if a unit is one.
    this.begin = Math.ceil((BEGIN + LEAST_AGE) / unit) * unit;
    this.restart();
  }

  /** Time is 0, and no timer of the last generation is left. */
  restart() {
    this.clock.reset();
    this.clock.tick(this.begin - BEGIN);
    this.outputs = [];
    this.now = new Fraction(0n);
  }

  /** The clocks are those of the machine again. */
  end() {
    this.clock.uninstall();
  }

  say(action) {
    this.outputs.push({ action, at: this.clock.now });
  }

  /** Lets everything happen that takes no time: promises, immediates, timers that are due now. */
  async settle() {
    for (let fired = 0; await this.fire(0); fired += 1) {
      if (fired > MOST) throw new Error(`${MOST} timers fired and no time passed`);
    }
  }

  answer(_, refused) {
    return refused ? "refused" : "ok";
  }

  async delay(text) {
    const begun = this.now;
    const until = begun.plus(Fraction.read(text));
    const end = until.times(new Fraction(BigInt(this.unit)));
    this.warn(end);
    await this.settle();
    const goal = this.begin + end.floor();
    while (!this.outputs.length && this.clock.now < goal) await this.fire(Math.min(goal - this.clock.now, LONGEST));
    // What is due at the very end belongs to this delay.
    if (!this.outputs.length) await this.settle();
    if (!this.outputs.length) {
      this.now = until;
      return "done";
    }
    const { action, at } = this.outputs.shift();
    const made = new Fraction(BigInt(at - this.begin), BigInt(this.unit));
    if (!made.minus(begun).isNegative()) this.now = made; // An output of before the delay is told late, when nobody could hear it earlier.
    return `output ${action} after ${this.now.minus(begun)}`;
  }

  /** The next timer fires if one is due within `wait` ms, else that time passes; whether one fired. */
  async fire(wait) {
    let idle = false;
    // A timer of ours is the last of those that are due then, as it is the youngest.
    const mark = this.clock.setTimeout(() => (idle = true), wait);
    this.clock.next();
    this.clock.clearTimeout(mark);
    await new Promise((done) => turn(done)); // Node has then no promise or tick left.
    return !idle;
  }

  warn(end) {
    if (end.isWhole() || this.rounded) return;
    this.rounded = true;
    this.output.line(`log ${end} ms are no whole number: times are rounded down to one; another unit prevents it, such as 4096`);
  }
}

module.exports = { VirtualTime };
