"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const retry = require("retry");
  let operation;
  return {
    start() {
      operation = retry.operation({ retries: 2, factor: 1, minTimeout: ms(4), maxTimeout: ms(4) });
      operation.attempt(() => say("attempt"));
    },
    work: () => void operation.retry(),
    fail: () => void (operation.retry(new Error("failed")) || say("gaveUp")),
    stop: () => void operation.stop(),
  };
});
