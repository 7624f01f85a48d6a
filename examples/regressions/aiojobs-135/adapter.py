"""The scheduler of aiojobs under tamper."""

import asyncio

from tamper.sut import serve


async def start(sut):
    import aiojobs

    # 1.0 has a function that makes it; later it is made directly.
    make = getattr(aiojobs, "create_scheduler", None) or aiojobs.Scheduler
    options = {"limit": 1, "pending_limit": 1, "close_timeout": 0.1, "exception_handler": None}
    scheduler = make(**options)
    if asyncio.iscoroutine(scheduler):
        scheduler = await scheduler
    sut.after(scheduler.close)

    async def job():
        sut.say("started")
        await asyncio.sleep(sut.seconds(5))
        sut.say("finished")

    return {"spawn": lambda: scheduler.spawn(job())}


serve(start)
