"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const { throttle } = require("throttle-debounce");
  const make = () => throttle(ms(4), () => say("invoked"), { noLeading: true });
  let throttled = make();
  return {
    call: () => void throttled(),
    cancel: () => void throttled.cancel(),
    renew: () => void (throttled = make()),
  };
});
