"use strict";
const { spawn } = require("node:child_process");
const path = require("node:path");
const readline = require("node:readline");

/** A program that uses the kit: `ask` says a line and awaits the answer to it, `next` awaits a line. */
class Talk {
  constructor(program) {
    this.process = spawn(process.execPath, [path.join(__dirname, "programs", program)]);
    this.errors = "";
    this.process.stderr.on("data", (text) => (this.errors += text));
    this.ended = new Promise((done) => this.process.on("close", done));
    this.lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  tell(line) {
    this.process.stdin.write(`${line}\n`);
  }

  async next() {
    return (await this.lines.next()).value;
  }

  ask(line) {
    this.tell(line);
    return this.next();
  }

  /** Says each left side and compares its answer with the right one. */
  async converse(assert, pairs) {
    for (const [line, answer] of pairs) assert.equal(await this.ask(line), answer, line);
  }
}

module.exports = { Talk };
