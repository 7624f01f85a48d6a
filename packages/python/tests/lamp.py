"""A program under the kit: every way to make an output that asyncio has."""

import asyncio
import datetime
import time

from tamper.sut import serve


def start(sut):
    loop = asyncio.get_running_loop()
    sut.after(lambda: print("end of generation"))

    def press():
        sut.say("on")
        loop.call_later(sut.seconds(2), sut.say, "off")

    async def chain():
        await asyncio.sleep(sut.seconds(1))
        await asyncio.sleep(0)
        sut.say("first")
        await asyncio.sleep(sut.seconds(1))
        sut.say("second")

    async def limited():
        try:
            await asyncio.wait_for(loop.create_future(), sut.seconds(3))
        except asyncio.TimeoutError:
            sut.say("late")

    def clocks():
        sut.say("at", int(time.monotonic() * 4), int(time.time() * 4) % 100, datetime.datetime.now().microsecond)

    async def wrong():
        raise ValueError("the lamp broke")

    return {
        "press": press,
        "soon": lambda: loop.call_soon(sut.say, "now"),
        "chain": chain,
        "limited": limited,
        "clocks": clocks,
        "set": lambda level, more=1: sut.say("is", level + more),
        "set_7": lambda: sut.say("seven"),
        "never": lambda: False,
        "wrong": wrong,
    }


serve(start)
