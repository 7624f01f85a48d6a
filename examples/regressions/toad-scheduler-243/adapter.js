"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const { ToadScheduler, SimpleIntervalJob, Task } = require("toad-scheduler");
  const scheduler = new ToadScheduler();
  let ends = false;
  const task = new Task("task", () => {
    say("ran");
    if (ends) scheduler.removeById("job");
    ends = false;
  });
  after(() => scheduler.stop());
  return {
    start: () => scheduler.addSimpleIntervalJob(new SimpleIntervalJob({ milliseconds: ms(5), runImmediately: true }, task, { id: "job" })),
    stop: () => ((ends = false), void scheduler.removeById("job")),
    last: () => void (ends = true),
  };
});
