"""The hashes of fakeredis under tamper."""

from tamper.sut import serve


async def start(sut):
    from fakeredis import FakeAsyncRedis, FakeServer

    redis = FakeAsyncRedis(server=FakeServer(version=(7, 4)))

    async def get():
        sut.say("miss" if await redis.hget("hash", "field") is None else "hit")

    return {
        "set": lambda: redis.hset("hash", "field", "value"),
        "expire": lambda: redis.hpexpire("hash", round(1000 * sut.seconds(10)), "field"),
        "persist": lambda: redis.hpersist("hash", "field"),
        "remove": lambda: redis.hdel("hash", "field"),
        "get": get,
    }


serve(start)
