"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const breakerOf = require("opossum");
  const service = (works) => (works ? Promise.resolve() : Promise.reject(new Error("bad")));
  const options = { volumeThreshold: 2, errorThresholdPercentage: 10, rollingCountTimeout: ms(10), resetTimeout: ms(12), timeout: ms(1000) };
  const breaker = breakerOf(service, options);
  for (const event of ["open", "halfOpen", "close", "reject"]) breaker.on(event, () => say(event));
  after(() => breaker.removeAllListeners());
  const fire = (works) => void breaker.fire(works).catch(() => {});
  return { good: () => fire(true), bad: () => fire(false) };
});
