"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms, after }) => {
  const { Pool } = require("tarn");
  let creation, resource; // The creation under way, and what was acquired.
  const pool = new Pool({
    create: () => new Promise((resolve, reject) => (creation = { resolve, reject })),
    destroy: () => {},
    min: 0,
    max: 1,
    createTimeoutMillis: ms(5),
    createRetryIntervalMillis: ms(2),
    acquireTimeoutMillis: ms(10000),
    idleTimeoutMillis: ms(10),
    reapIntervalMillis: ms(1),
  });
  const outputs = { createRequest: "creating", createFail: "failed", acquireSuccess: "acquired", destroySuccess: "destroyed" };
  for (const event of Object.keys(outputs)) pool.on(event, () => say(outputs[event]));
  after(() => pool.removeAllListeners());
  return {
    acquire: () => void pool.acquire().promise.then((got) => (resource = got), () => {}),
    release: () => void pool.release(resource),
    made: () => creation.resolve({}),
    broken: () => creation.reject(new Error("broken")),
  };
});
