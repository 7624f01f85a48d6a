"use strict";
const { EventEmitter } = require("events");
const { serve } = require("tamper-sut");

/** A client without a database. */
class Client extends EventEmitter {
  connect(connected) {
    process.nextTick(connected);
  }
  end() {}
}

serve(({ say, ms }) => {
  const Pool = require("pg-pool");
  const pool = new Pool({ Client, max: 2, idleTimeoutMillis: ms(10) });
  const clients = []; // By the number that the model gives them.
  pool.on("remove", (client) => say("removed", clients.indexOf(client)));
  return {
    take: (k) => void pool.connect((error, client) => (clients[k] = client)),
    give: (k) => clients[k].release(),
    drop: (k) => clients[k].release(new Error("drop")),
  };
});
