"""Between tamper and an asyncio program under test: in virtual time, or on the wall clock. The lines are those of docs/book/src/sut-protocol.md."""

import asyncio
import inspect
import os
import sys
import traceback

from ._virtual_loop import VirtualClock, fraction

__all__ = ["Sut", "Virtual", "serve"]


class Sut:
    """The program under test from one reset to the next. What it does afterwards is not heard."""

    def __init__(self, hear, second, crash):
        self._hear, self._second, self._crash = hear, second, crash
        self._cleanups, self._tasks, self._ended, self._inputs = [], set(), False, {}

    def say(self, output, *values):
        """The program makes an output; values follow its name: say("is", 2) is is_2, which tamper calls the model's is[2]."""
        if not self._ended:
            self._hear(output + "".join(f"_{value}" for value in values))

    def seconds(self, units):
        """How many seconds that number of time units lasts."""
        return units * self._second

    def after(self, cleanup):
        """Calls `cleanup`, which may be async, when this generation ends, the last one first."""
        self._cleanups.append(cleanup)

    async def _begin(self, start):
        inputs = start(self)
        self._inputs = await inputs if inspect.isawaitable(inputs) else inputs

    def _give(self, action):
        """An input as tamper writes it: set_2, the model's set[2], calls set(2) where there is no input set_2. Whether it is taken."""
        name, values = action, []
        while name not in self._inputs:
            name, _, value = name.rpartition("_")
            if not (name and value.isdigit()):
                return False
            values.insert(0, int(value))
        begun = self._inputs[name](*values)
        if inspect.iscoroutine(begun):
            task = asyncio.get_running_loop().create_task(begun)
            self._tasks.add(task)  # The loop alone would forget it.
            task.add_done_callback(self._crash_if_failed)
        return begun is not False

    async def _end(self):
        self._ended = True
        for cleanup in reversed(self._cleanups):
            done = cleanup()
            if inspect.isawaitable(done):
                await done
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()


    def _crash_if_failed(self, task):
        if not task.cancelled() and task.exception():
            self._crash(task.exception())


def _exit(error):
    """What an input's coroutine throws ends the program: tamper says that it crashed, and shows this."""
    traceback.print_exception(error)
    os._exit(70)


class Virtual:
    """The program in virtual time in this process, whose clocks are virtual until `end`: what tests call that `tamper harness` writes for pytest.

    `start` and `unit` are those of `serve`.
    """

    def __init__(self, start, unit=1.0):
        self._start, self._clock, self._sut, self._error = start, VirtualClock(unit), None, None

    def reset(self):
        self._leave()
        self._clock.restart()
        self._sut = Sut(self._clock.hear, self._clock.unit, self._crash)
        self._clock.run(self._sut._begin(self._start))

    def give(self, action):
        """Whether the input is taken."""
        return self._sound(self._clock.run(_now(self._sut._give, action)))

    def delay(self, time):
        """Lets time pass until the first output: its name and the time that passed, or None."""
        return self._sound(self._clock.delay(time))

    def end(self):
        self._leave()
        self._clock.end()

    def _leave(self):
        if self._sut:
            self._clock.run(self._sut._end())
        self._sut = self._error = None

    def _crash(self, error):
        self._error = error

    def _sound(self, answer):
        if self._error:
            raise self._error
        return answer


def serve(start, unit=1.0):
    """Speaks with tamper until it says `quit`.

    `start(sut)`, which may be async, is called at each reset and makes the program anew; it should import it, as the clock is in place then. It returns
    a dictionary with a function per input: a coroutine goes on by itself; False refuses the input, and so does a missing one. `unit`: how many
    seconds a time unit lasts in virtual time; on the wall clock tamper says it.
    """
    out, sys.stdout = sys.stdout, sys.stderr  # What the program prints is kept with the test.

    def say(line):
        print(line, file=out, flush=True)

    version, mode, *micros = sys.stdin.readline().split()[1:]
    if version != "1":
        sys.exit(f"this kit speaks version 1, not {version}")
    if mode == "accelerated":
        say("ready")
        _serve_virtual(Virtual(start, unit), say)
    else:
        asyncio.run(_serve_real(start, int(micros[0]) / 1e6, say))


def _serve_virtual(program, say):
    program._crash = _exit
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "reset":
            program.reset()
            say("ready")
        elif word == "input":
            say("ok" if program.give(rest) else "refused")
        elif word == "delay":
            output = program.delay(fraction(rest))
            say(f"output {output[0]} after {output[1]}" if output else "done")
        else:
            break
    program.end()


async def _now(function, argument):
    return function(argument)


async def _serve_real(start, second, say):
    lines = asyncio.StreamReader()
    # The first line was read before; what else had come with it is none, as tamper awaits its answer.
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    say("ready")
    sut = None
    while line := (await lines.readline()).decode():
        word, _, rest = line.strip().partition(" ")
        if word == "reset":
            if sut:
                await sut._end()
            sut = Sut(lambda output: say(f"output {output}"), second, _exit)
            await sut._begin(start)
            say("ready")
        elif word == "input":
            if not sut._give(rest):
                say(f"refused {rest}")
        else:
            break
    if sut:
        await sut._end()
