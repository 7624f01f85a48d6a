"use strict";

/** The way to tamper. What the program under test prints goes to standard error from now on, where tamper keeps it with the test. */
function openOutput() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return { line: (text) => write(`${text}\n`) };
}

module.exports = { openOutput };
