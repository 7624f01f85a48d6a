"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const Breaker = require("opossum");
  const under = []; // The calls under way, oldest first.
  const service = () => new Promise((resolve, reject) => under.push({ resolve, reject }));
  const breaker = new Breaker(service, { errorThresholdPercentage: 1, resetTimeout: ms(10), timeout: ms(100000) });
  for (const event of ["open", "halfOpen", "close", "reject"]) breaker.on(event, () => say(event));
  after(() => breaker.shutdown());
  return {
    call: () => void breaker.fire().catch(() => {}),
    fine: () => under.shift().resolve(),
    broken: () => under.shift().reject(new Error("broken")),
  };
});
