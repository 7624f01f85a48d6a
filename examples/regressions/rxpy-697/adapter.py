"""The timer of RxPY under tamper."""

import asyncio

from tamper.sut import serve


def start(sut):
    import reactivex
    from reactivex.scheduler.eventloop import AsyncIOScheduler

    scheduler = AsyncIOScheduler(asyncio.get_event_loop())
    timer = reactivex.timer(sut.seconds(5), sut.seconds(3), scheduler=scheduler)
    listening = []

    return {
        "listen": lambda: listening.append(timer.subscribe(lambda count: sut.say("next" if count else "first"))),
        "leave": lambda: listening.pop().dispose(),
    }


serve(start)
