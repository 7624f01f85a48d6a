"use strict";
const { serve } = require("tamper-sut");

serve(async ({ say, ms }) => {
  const { default: QuickLRU } = await import("quick-lru");
  const cache = new QuickLRU({ maxSize: 5, maxAge: ms(10) });
  return {
    set: () => void cache.set("key", 1),
    brief: () => void cache.set("key", 2, { maxAge: ms(4) }),
    remove: () => void cache.delete("key"),
    get: () => say(cache.get("key") ? "hit" : "miss"),
  };
});
