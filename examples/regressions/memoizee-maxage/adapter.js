"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const memoize = require("memoizee");
  let computed = false;
  const square = memoize((number) => ((computed = true), number * number), { maxAge: ms(10) });
  return {
    ask(number) {
      computed = false;
      square(number);
      say(computed ? "computed" : "cached", number);
    },
  };
});
