"""An event loop whose clock is stepped, and the clocks of Python in its time."""

import asyncio
import datetime
import heapq
import itertools
import time
from fractions import Fraction

# A program that runs has been started a moment ago: no clock is 0, which some take for "not yet".
AGE = 1000.0
# When time 0 is, for those who ask for the date: 2024 begins.
EPOCH = 1704067200.0
# Turns of the loop at one moment; more is a program that never comes to rest.
MOST = 100_000
# Times are floating-point numbers in asyncio. Those of tests have small denominators, which this recovers.
DENOMINATOR = 1_000_000


def fraction(text):
    """A time as tamper writes it: 3, 7/2, 3.5."""
    return Fraction(text)


class SteppedLoop(asyncio.SelectorEventLoop):
    """A loop whose time stands still until `now` is set. It knows when its next timer is due."""

    def __init__(self):
        self.now, self.made = AGE, 0
        self._timers, self._number = [], itertools.count()
        super().__init__()

    def time(self):
        return self.now

    def call_soon(self, *arguments, **context):
        self.made += 1
        return super().call_soon(*arguments, **context)

    def call_at(self, when, *arguments, **context):
        self.made += 1
        handle = super().call_at(when, *arguments, **context)
        heapq.heappush(self._timers, (when, next(self._number), handle))
        return handle

    def due(self):
        """When the next timer fires, or None."""
        while self._timers and (self._timers[0][2].cancelled() or self._timers[0][0] <= self.now):
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def settle(self):
        """Runs all that takes no time: until a turn of the loop asks for nothing more."""
        for _ in range(MOST):
            before = self.made
            self.call_soon(self.stop)
            self.run_forever()
            if self.made == before + 1:
                return
        raise RuntimeError(f"{MOST} turns of the loop, and no time passed")


class VirtualClock:
    """Virtual time: a new loop at each reset, and what the program says in it. `unit`: seconds per time unit."""

    def __init__(self, unit):
        self.unit = unit
        self.loop = None
        self.restart()
        self._hide = _show(lambda: self.loop.now)

    def restart(self):
        """Time is 0, and no timer of the last generation is left."""
        if self.loop:
            self.loop.close()
        self.loop, self.now, self.outputs = SteppedLoop(), Fraction(0), []
        asyncio.set_event_loop(self.loop)

    def end(self):
        """Closes the loop; the clocks of Python are those of the machine again."""
        self._hide()
        self.loop.close()
        asyncio.set_event_loop(None)

    def hear(self, output):
        self.outputs.append((output, self.loop.now))

    def run(self, coroutine):
        """What the coroutine returns, which must take no time."""
        task = self.loop.create_task(coroutine)
        self.loop.settle()
        if not task.done():
            raise RuntimeError("a reset or an input waits for time to pass: let it start a task, or be a coroutine function")
        return task.result()

    def delay(self, time):
        """Lets time pass until the first output: its name and the time that passed, or None."""
        begun, until = self.now, self.now + time
        goal = AGE + float(until * Fraction(self.unit))
        self.loop.settle()
        while not self.outputs and self.loop.now < goal:
            due = self.loop.due()
            self.loop.now = goal if due is None else min(due, goal)
            self.loop.settle()
        if not self.outputs:
            self.now = until
            return None
        output, at = self.outputs.pop(0)
        made = Fraction((at - AGE) / self.unit).limit_denominator(DENOMINATOR)
        self.now = max(self.now, made)  # An output of before the delay is told late: nobody could hear it earlier.
        return output, self.now - begun


def _show(now):
    """The clocks of `time` and `datetime` show the loop's time; modules that are imported from here on see them. What ends that."""
    names = ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns")
    shown, kind = {name: getattr(time, name) for name in names}, datetime.datetime

    def hide():
        for name, clock in shown.items():
            setattr(time, name, clock)
        datetime.datetime = kind

    for name in ("monotonic", "perf_counter"):
        setattr(time, name, now)
        setattr(time, f"{name}_ns", lambda: round(now() * 1e9))
    time.time = lambda: EPOCH + now() - AGE
    time.time_ns = lambda: round(time.time() * 1e9)

    class VirtualDatetime(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)

    datetime.datetime = VirtualDatetime
    return hide
