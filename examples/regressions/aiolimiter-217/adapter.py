"""aiolimiter under tamper."""

from tamper.sut import serve


def start(sut):
    from aiolimiter import AsyncLimiter

    limiter = AsyncLimiter(2, sut.seconds(10))

    async def acquire():
        await limiter.acquire()
        sut.say("entered")

    return {"acquire": acquire}


serve(start)
