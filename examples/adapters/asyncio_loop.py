"""Between tamper and an asyncio program under test: put yours in the place of Washer. The kit is tamper.sut, in packages/python."""

import asyncio
import os
import sys

from tamper.sut import serve


class Washer:
    """A washing machine, the system of washer.xml: `say` is told its outputs; --fault early, late, wrong or deaf misbehaves."""

    def __init__(self, say, seconds, fault=""):
        self.say, self.seconds, self.fault, self.state, self.task = say, seconds, fault, "idle", None

    def begin(self, coroutine):
        if self.task:
            self.task.cancel()
        self.task = asyncio.ensure_future(coroutine)

    async def wash(self):
        self.state = "filling"
        await asyncio.sleep(self.seconds(3 + {"early": -2, "late": 4}.get(self.fault, 0)))
        self.state = "washing"
        self.say("full")
        await asyncio.sleep(self.seconds(25))
        self.state = "idle"
        self.say("done")

    async def drain(self):
        self.state = "draining"
        await asyncio.sleep(self.seconds(1))
        self.state = "idle"
        self.say("full" if self.fault == "wrong" else "drained")

    def start(self):
        if self.state != "idle":
            return False
        self.begin(self.wash())

    def stop(self):
        if self.state not in ("filling", "washing"):
            return False
        if self.fault != "deaf":
            self.begin(self.drain())


def start(sut):
    """Called at each reset. Import your program in here, so that the clocks that it sees are the virtual ones."""
    washer = Washer(sut.say, sut.seconds, os.environ.get("WASHER_FAULT") or "".join(sys.argv[2:3]))
    return {"start": washer.start, "stop": washer.stop}


# Tests that `tamper harness` writes for pytest call `start` themselves.
if __name__ == "__main__":
    serve(start)
