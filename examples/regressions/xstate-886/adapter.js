"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const { Machine, interpret } = require("xstate");
  let again = true;
  const delayed = [
    { cond: () => again, target: "waiting", actions: () => say("tick") },
    { target: "idle", actions: () => say("done") },
  ];
  const states = {
    idle: { on: { start: "waiting" } },
    waiting: { on: { stop: "idle" }, after: { [ms(5)]: delayed } },
  };
  const service = interpret(Machine({ id: "waiter", initial: "idle", states })).start();
  after(() => service.stop());
  return {
    start: () => void service.send("start"),
    stop: () => void service.send("stop"),
    more: () => void (again = true),
    less: () => void (again = false),
  };
});
