"use strict";
const { serve } = require("tamper-sut");

serve(async ({ say, ms, after }) => {
  const { default: PQueue } = await import("p-queue");
  const queue = new PQueue({ interval: ms(10), intervalCap: 2 });
  after(() => queue.clear());
  return { add: () => void queue.add(() => say("run")) };
});
