"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  let socket; // The newest one; what becomes of it, the tester says.
  global.WebSocket = class {
    constructor() {
      socket = this;
      say("connecting");
    }
    close() {}
  };
  const Sockette = require("sockette");
  const events = { onreconnect: () => say("reconnecting"), onmaximum: () => say("gaveUp") };
  let connection;
  return {
    start: () => void (connection = new Sockette("ws://localhost", { timeout: ms(4), maxAttempts: 2, ...events })),
    succeed: () => socket.onopen({}),
    drop: () => socket.onclose({ code: 1006 }),
    close: () => connection.close(),
  };
});
