"use strict";
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const ReconnectingWebSocket = require("reconnecting-websocket");
  let socket; // The newest one; what becomes of it, the tester says.
  class WebSocket extends EventTarget {
    static CLOSING = 2;
    constructor() {
      super();
      socket = this;
      say("connecting");
    }
    close() {}
  }
  const delays = { minReconnectionDelay: ms(2), reconnectionDelayGrowFactor: 2, maxReconnectionDelay: ms(8), minUptime: ms(6) };
  const options = { WebSocket, ...delays, connectionTimeout: ms(10000) };
  const lose = () => void socket.dispatchEvent(new Event("close"));
  let connection;
  return {
    start: () => void (connection = new ReconnectingWebSocket("ws://localhost", [], options)),
    succeed: () => void socket.dispatchEvent(new Event("open")),
    fail: lose,
    drop: lose,
    close: () => connection.close(),
  };
});
