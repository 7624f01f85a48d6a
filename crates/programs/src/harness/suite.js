{{first}}// Timed tests, written by {{tool}} for {{runner}}.
//
// Against a program that speaks tamper's protocol in accelerated time (`tamper new-adapter node` prints one to begin with):
//
//     TAMPER_SUT='node adapter.js' {{command}}
//
// Against a program in this process, in the virtual time of the package tamper-sut, which must be installed then:
//
//     TAMPER_SYSTEM=./adapter.js {{command}}
//
// The adapter is the same. It exports the function that `serve` of tamper-sut takes, and `unit` if it is not 4096, and serves only where it is the program:
//
//     module.exports = { start };
//     if (require.main === module) serve(start);
//
// An answer that does not come within TAMPER_PATIENCE seconds (5) fails the test. A program is then ended; the next test starts a new one.
{{imports}}
const MODEL = {{title}};
const UNIT = {{unit}};

// Whether a refused input is a fail, or is ignored.
const REFUSALS_FAIL = {{refusals}};

// Where a test goes is a node, or a verdict below 0. Conditions are clocks (or differences of two), signs and bounds.
const TESTS = [
{{tests}}
];

const [PASS, FAIL, INCONCLUSIVE] = [-1, -2, -3];
const SIGNS = { "<": (order) => order < 0, "<=": (order) => order <= 0, "==": (order) => order === 0, ">=": (order) => order >= 0, ">": (order) => order > 0 };
const MOST_STEPS = 100000;
const PATIENCE = Number(process.env.TAMPER_PATIENCE || "5") * 1000;
// As long as a runner can wait: each answer has its own limit.
const NO_LIMIT = 2 ** 31 - 1;
// Taken before a clock is faked.
const { setTimeout: later, clearTimeout: never } = globalThis;

/** An exact number of time units. */
class Fraction {
  constructor(above, below = 1n) {
    let [common, rest] = [above < 0n ? -above : above, below];
    while (rest) [common, rest] = [rest, common % rest];
    [this.above, this.below] = [above / common, below / common];
  }

  /** Reads 3, -7/2, 3.5; what is no number is null. */
  static read(text) {
    const found = /^(-?\d+)(?:\/(\d+)|\.(\d+))?$/.exec(text);
    if (!found) return null;
    const [, whole, part, decimals = ""] = found;
    const below = part ? BigInt(part) : 10n ** BigInt(decimals.length);
    return below ? new Fraction(BigInt(whole + decimals), below) : null;
  }

  plus(other) {
    return new Fraction(this.above * other.below + other.above * this.below, this.below * other.below);
  }

  minus(other) {
    return new Fraction(this.above * other.below - other.above * this.below, this.below * other.below);
  }

  half() {
    return new Fraction(this.above, this.below * 2n);
  }

  /** Below 0, 0 or above 0. */
  order(other) {
    const difference = this.above * other.below - other.above * this.below;
    return difference < 0n ? -1 : Number(difference > 0n);
  }

  isZero() {
    return this.above === 0n;
  }

  toString() {
    return this.below === 1n ? `${this.above}` : `${this.above}/${this.below}`;
  }

  /** As a decimal, if twelve digits are enough. */
  shown() {
    const scaled = this.above * 10n ** 12n;
    if (scaled % this.below) return `${this}`;
    const digits = `${scaled / this.below}`.padStart(13, "0");
    return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, "");
  }
}

const ZERO = new Fraction(0n);
const ONE = new Fraction(1n);

/** What the runner shows is the sentence. Where in this file it was thrown says nothing. */
function failure(text) {
  return Object.assign(new Error(text), { stack: text });
}

function broken(how) {
  return failure(`the program cannot be tested: it ${how}`);
}

/** What `done` or `output ACTION after TIME` says of a wait. */
function heard(answer, time) {
  if (answer === "done") return null;
  const [first, action, after, count, ...more] = answer.split(" ");
  const at = Fraction.read(count);
  if (first === "output" && after === "after" && !more.length && at && at.order(ZERO) >= 0 && at.order(time) <= 0) return { action, after: at };
  throw broken(`said ${JSON.stringify(answer)} where \`done\` or an output was awaited`);
}

/** A program behind its standard input and output. */
class Program {
  constructor(command) {
    this.command = command;
    this.child = null;
  }

  begin() {
    this.child = spawn(this.command, { shell: true, detached: true, stdio: ["pipe", "pipe", "inherit"] });
    this.lines = [];
    this.isOver = false;
    let rest = "";
    const wake = () => this.awaits && this.awaits();
    this.child.stdin.on("error", () => {}); // Of a program that ended: its missing answer says so.
    this.child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      this.lines.push(...lines);
      wake();
    });
    this.child.on("close", () => ((this.isOver = true), wake()));
  }

  async ask(line) {
    this.child.stdin.write(`${line}\n`);
    return this.hear();
  }

  async hear() {
    const waits = later(() => this.kill(), PATIENCE);
    try {
      for (;;) {
        while (!this.lines.length && !this.isOver) await new Promise((done) => (this.awaits = done));
        if (!this.lines.length) return await this.fail("ended, or did not answer");
        const line = this.lines.shift();
        if (!line.startsWith("log ")) return line;
      }
    } finally {
      never(waits);
    }
  }

  async fail(how) {
    await this.close();
    throw broken(how);
  }

  kill() {
    try {
      process.kill(-this.child.pid, "SIGKILL"); // With all that the shell started.
    } catch {
      this.child.kill("SIGKILL");
    }
  }

  async close() {
    if (!this.child) return;
    this.kill();
    while (!this.isOver) await new Promise((done) => (this.awaits = done));
    this.child = null;
  }

  async reset() {
    if (!this.child) {
      this.begin();
      if ((await this.ask("tamper 1 accelerated")) !== "ready") await this.fail("is not ready");
    }
    let said = await this.ask("reset");
    while (said !== "ready") said = await this.hear(); // What it said before belongs to the past.
  }

  async give(action) {
    const answer = await this.ask(`input ${action}`);
    if (answer !== "ok" && answer !== "refused") await this.fail(`said ${JSON.stringify(answer)} where \`ok\` or \`refused\` was awaited`);
    return answer === "ok";
  }

  async wait(time) {
    const answer = await this.ask(`delay ${time}`);
    try {
      return heard(answer, time);
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}

/** A program in this process, in the virtual time of the kit. */
class InProcess {
  constructor(name) {
    this.name = name;
  }

  async begin() {
    const kit = await load("tamper-sut");
    const found = await load(path.resolve(this.name));
    const adapter = typeof found.start === "function" ? found : found.default;
    if (!adapter || typeof adapter.start !== "function") throw failure(`${this.name} has no function \`start\``);
    this.system = (kit.virtual ? kit : kit.default).virtual(adapter.start, { unit: adapter.unit });
  }

  /** The answer, if it comes before patience is at its end. */
  async soon(answer) {
    let waits;
    const late = new Promise((_, fail) => (waits = later(() => fail(broken("did not answer")), PATIENCE)));
    return Promise.race([answer, late]).finally(() => never(waits));
  }

  async reset() {
    if (!this.system) await this.begin();
    await this.soon(this.system.reset());
  }

  give(action) {
    return this.soon(this.system.give(action));
  }

  async wait(time) {
    return heard(await this.soon(this.system.delay(`${time}`)), time);
  }

  async close() {
    if (this.system) await this.soon(this.system.end());
  }
}

function isMet([left, right, sign, bound], point) {
  const value = right === null ? point[left] : point[left].minus(point[right]);
  return SIGNS[sign](value.order(Fraction.read(bound)));
}

function holds(condition, point) {
  return condition.every((atom) => isMet(atom, point));
}

/** The delays after which a condition holds: low, whether only after it, high (null: for ever), whether only before it. */
function window(condition, point) {
  let [low, after, high, before] = [ZERO, false, null, false];
  for (const atom of condition) {
    const [left, right, sign, bound] = atom;
    if (right !== null) {
      if (!isMet(atom, point)) return null;
      continue;
    }
    const at = Fraction.read(bound).minus(point[left]);
    const [above, below] = [at.order(low), high === null ? -1 : at.order(high)];
    if ([">", ">=", "=="].includes(sign) && (above > 0 || (above === 0 && sign === ">"))) [low, after] = [at, sign === ">"];
    if (["<", "<=", "=="].includes(sign) && (below < 0 || (below === 0 && sign === "<"))) [high, before] = [at, sign === "<"];
  }
  const room = high === null ? 1 : high.order(low);
  return room > 0 || (room === 0 && !(after || before)) ? { low, after, high, before } : null;
}

function earliest({ low, after, high }) {
  if (!after) return low;
  const next = low.plus(ONE);
  return low.plus(high === null || high.order(next) > 0 ? next : high).half();
}

function byText(left, right) {
  return left < right ? -1 : Number(left > right);
}

function byBegin(left, right) {
  const isLater = (one) => one.after || !one.low.isZero();
  return isLater(left) - isLater(right) || left.low.order(right.low) || left.after - right.after;
}

/** Whether a window begins where another one still lasts, or right at its end. */
function meets(last, next) {
  if (last.high === null || !(next.after || !next.low.isZero())) return true;
  const order = next.low.order(last.high);
  return order < 0 || (order === 0 && !(next.after && last.before));
}

function endsLater(last, next) {
  if (last.high === null || next.high === null) return last.high !== null;
  const order = next.high.order(last.high);
  return order > 0 || (order === 0 && last.before);
}

/** What a node allows, in words; windows of an output that meet are one. */
function allowed(node, point, now) {
  const known = node.outputs.filter(([, jump]) => jump.next !== FAIL);
  const found = known.map(([action, jump]) => ({ action, ...(window(jump.when, point) || { low: null }) })).filter((one) => one.low);
  const joined = [];
  for (const next of found.sort((left, right) => byText(left.action, right.action) || byBegin(left, right))) {
    const last = joined[joined.length - 1];
    if (last && last.action === next.action && meets(last, next)) {
      if (endsLater(last, next)) [last.high, last.before] = [next.high, next.before];
    } else joined.push(next);
  }
  joined.sort((left, right) => byBegin(left, right) || byText(left.action, right.action));
  return joined.map((one) => inWords(one, now)).join(" or ");
}

function inWords({ action, low, after, high, before }, now) {
  const at = (time) => now.plus(time).shown() + UNIT;
  if (!low.isZero() && high !== null && low.order(high) === 0 && !after && !before) return `${action}! at ${at(low)}`;
  const from = after || !low.isZero() ? ` ${after ? "after" : "from"} ${at(low)}` : "";
  return `${action}!${from}${high === null ? "" : ` ${before ? "before" : "by"} ${at(high)}`}`;
}

/** Whether a test that ends in the node has seen all that it looks for: no output and no input leads on. */
function isLast(node, rule) {
  const leadsOn = (next) => next >= 0 || next === PASS;
  return rule.input === null && ![rule.stop, node.otherwise, ...node.outputs.map(([, jump]) => jump.next)].some(leadsOn);
}

/** A run of a test: nothing in it knows what the system is. */
class Run {
  constructor(test, system) {
    Object.assign(this, { test, system, at: 0, now: ZERO, watched: false, log: [] });
    this.clocks = Array.from({ length: test.clocks }, () => ZERO);
  }

  pass(delay) {
    this.now = this.now.plus(delay);
    this.clocks = this.clocks.map((clock) => clock.plus(delay));
  }

  note(event) {
    this.log.push([this.now.shown() + UNIT, event]);
  }

  /** The log, an event a line. */
  shown() {
    const width = Math.max(...this.log.map(([time]) => time.length));
    return this.log.map(([time, event]) => `  at ${time.padEnd(width)}  ${event}`).join("\n") || "  (nothing)";
  }

  jump(jump) {
    for (const [clock, value] of jump.resets) this.clocks[clock] = Fraction.read(value);
    return jump.next;
  }

  fitting(jumps) {
    return jumps.find((jump) => holds(jump.when, this.clocks));
  }

  /** Waits and acts in a node; where the test goes, and what was wrong if it fails. */
  async step() {
    const [node, entered, before] = [this.test.nodes[this.at], this.now, this.clocks];
    const rule = node.rules.find((one) => holds(one.from, before));
    const found = rule && window(rule.when, before);
    if (!found) return { next: INCONCLUSIVE };
    this.watched = isLast(node, rule);
    const delay = earliest(found);
    const seen = await this.system.wait(delay);
    const expected = allowed(node, before, entered);
    this.pass(seen ? seen.after : delay);
    const time = this.now.shown() + UNIT;
    if (seen) {
      this.note(`${seen.action}!`);
      const jump = this.fitting(node.outputs.filter(([name]) => name === seen.action).map(([, one]) => one));
      const next = jump ? this.jump(jump) : node.otherwise;
      const it = expected.startsWith(`${seen.action}! `) && !expected.includes(" or ") ? "it" : `${seen.action}!`;
      return { next, wrong: `expected ${expected || "no output"}; ${it} came at ${time}` };
    }
    const action = rule.input;
    if (action === null) return { next: rule.stop, wrong: `expected ${expected || "an output"}; nothing came by ${time}` };
    this.note(`${action}?`);
    if (!(await this.system.give(action)) && REFUSALS_FAIL) return { next: FAIL, wrong: `expected ${action}? to be accepted; it was refused at ${time}` };
    const jump = this.fitting(rule.then);
    return { next: jump ? this.jump(jump) : PASS, wrong: `expected ${action}? to be refused; it was accepted at ${time}` };
  }

  async verdict() {
    await this.system.reset();
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      this.watched = false;
      const { next, wrong } = await this.step();
      this.at = next;
      if (next < 0) return { verdict: next === INCONCLUSIVE && this.watched ? PASS : next, wrong };
    }
    return { verdict: INCONCLUSIVE };
  }
}

let system = null;

function theSystem() {
  if (!system && process.env.TAMPER_SYSTEM) system = new InProcess(process.env.TAMPER_SYSTEM);
  if (!system && process.env.TAMPER_SUT) system = new Program(process.env.TAMPER_SUT);
  if (!system) throw failure("name what is tested: TAMPER_SUT='COMMAND' or TAMPER_SYSTEM=MODULE");
  return system;
}

/** Runs a test; `unsure` is told of one that saw nothing wrong and did not come to its purpose. */
async function check(test, unsure) {
  const run = new Run(test, theSystem());
  const { verdict, wrong } = await run.verdict();
  if (verdict === FAIL) throw failure(`${wrong} (${test.purpose})\nlog:\n${run.shown()}`);
  if (verdict === INCONCLUSIVE) unsure(`all was allowed, and the test did not come to its purpose (${test.purpose})`);
}

async function close() {
  if (system) await system.close();
}

{{calls}}
