"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const { RateLimiterMemory } = require("rate-limiter-flexible");
  const limiter = new RateLimiterMemory({ points: 2, duration: ms(10) / 1000 });
  return {
    take: () => void limiter.consume("key").then(() => say("allowed"), () => say("rejected")),
    remove: () => void limiter.delete("key"),
  };
});
