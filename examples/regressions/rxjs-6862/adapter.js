"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const { Subject, startWith, timeout } = require("rxjs");
  let source, subscription;
  function subscribe(...operators) {
    source = new Subject();
    const limited = source.pipe(...operators, timeout({ first: ms(5), each: ms(3) }));
    subscription = limited.subscribe({ next: () => say("value"), error: () => say("late") });
  }
  after(() => subscription && subscription.unsubscribe());
  return {
    quiet: () => subscribe(),
    warm: () => subscribe(startWith(0)),
    next: () => source.next(1),
    cancel: () => subscription.unsubscribe(),
  };
});
