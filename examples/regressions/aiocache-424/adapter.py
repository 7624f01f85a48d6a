"""aiocache under tamper."""

from tamper.sut import serve


async def start(sut):
    from aiocache import SimpleMemoryCache

    cache = SimpleMemoryCache()
    await cache.clear()  # What it holds belongs to the class.

    async def get():
        sut.say("miss" if await cache.get("key") is None else "hit")

    return {
        "set": lambda: cache.set("key", 1, ttl=sut.seconds(10)),
        "keep": lambda: cache.set("key", 2),
        "remove": lambda: cache.delete("key"),
        "get": get,
    }


serve(start)
