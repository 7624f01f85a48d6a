"use strict";
const { serve } = require("tamper-sut");

serve(async ({ say, ms, after }) => {
  const { LRUCache } = await import("lru-cache");
  const dispose = (value, key, reason) => reason === "expire" && say("purged");
  const cache = new LRUCache({ max: 3, ttl: ms(10), ttlAutopurge: true, updateAgeOnGet: true, dispose });
  after(() => cache.clear());
  return {
    set: () => void cache.set("key", 1),
    get: () => say(cache.get("key") ? "hit" : "miss"),
    has: () => say(cache.has("key") ? "yes" : "no"),
    remove: () => void cache.delete("key"),
  };
});
