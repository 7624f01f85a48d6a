"use strict";
const { ServerResponse } = require("http");
const { serve } = require("tamper-sut");

serve(({ say, ms }) => {
  const session = require("express-session");
  const MemoryStore = require("memorystore")(session);
  const settings = { secret: "secret", resave: false, saveUninitialized: false, cookie: { maxAge: ms(10) } };
  const handle = session({ ...settings, store: new MemoryStore() });
  let cookie = ""; // The browser's; it sends it also when it is too old.
  function request(answer) {
    const req = { method: "GET", url: "/", headers: { cookie }, connection: {} };
    const res = new ServerResponse(req);
    handle(req, res, () => {
      answer(req.session);
      res.end();
      cookie = [].concat(res.getHeader("set-cookie") || cookie)[0].split(";")[0];
    });
  }
  return {
    login: () => request((session) => (session.user = "user")),
    visit: () => request((session) => say(session.user ? "known" : "unknown")),
    logout: () => request((session) => session.destroy()),
  };
});
