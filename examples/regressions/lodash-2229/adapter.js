"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const _ = require("lodash");
  const debounced = _.debounce(() => say("invoked"), ms(3), { maxWait: ms(5) });
  return {
    call: () => void debounced(),
    cancel: () => void debounced.cancel(),
    flush: () => void debounced.flush(),
  };
});
