"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const { Subject, asyncScheduler } = require("rxjs");
  const { throttleTime } = require("rxjs/operators");
  const source = new Subject();
  const both = { leading: true, trailing: true };
  const subscription = source.pipe(throttleTime(ms(4), asyncScheduler, both)).subscribe((value) => say("emit", value));
  after(() => subscription.unsubscribe());
  return { next: (value) => source.next(value) };
});
