"use strict";
const { serve } = require("tamper-sut");
const http = require("http");
const net = require("net");

serve(async ({ say, ms, after }) => {
  const server = http.createServer((request, response) => response.end());
  server.keepAliveTimeout = ms(20);
  server.headersTimeout = ms(8);
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  after(() => server.close());
  let socket;
  after(() => socket && socket.destroy());
  const head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  return {
    connect() {
      const mine = (socket = net.connect(server.address().port, "127.0.0.1").setNoDelay());
      mine.on("data", () => say("answer"));
      mine.on("error", () => {}); // What is written to a closed connection; that it is closed is told below.
      mine.on("close", () => mine === socket && say("closed"));
    },
    request: () => void socket.write(`${head}\r\n`),
    part: () => void socket.write(head),
    rest: () => void socket.write("\r\n"),
    leave() {
      const left = socket;
      socket = null;
      left.destroy();
    },
  };
});
