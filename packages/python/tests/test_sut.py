"""The kit for asyncio, spoken to as tamper does."""

import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent


class Talk:
    """A lamp under the kit: `ask` says a line and awaits the answer to it."""

    def __init__(self, *hello):
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "python")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.program = subprocess.Popen([sys.executable, HERE / "lamp.py"], env=environment, text=True, bufsize=1, **pipes)
        for line in hello:
            assert self.ask(line) == "ready"

    def tell(self, line):
        self.program.stdin.write(line + "\n")

    def hear(self):
        return self.program.stdout.readline().strip()

    def ask(self, line):
        self.tell(line)
        return self.hear()

    def end(self):
        """What it wrote to standard error; its exit code."""
        _, errors = self.program.communicate(timeout=10)
        return errors, self.program.returncode


class InVirtualTime(unittest.TestCase):
    def setUp(self):
        self.talk = Talk("tamper 1 accelerated", "reset")

    def tearDown(self):
        self.talk.end()

    def check(self, *pairs):
        """Each left side has the right answer."""
        for line, answer in pairs:
            self.assertEqual(self.talk.ask(line), answer, line)

    def test_an_output_comes_at_its_time_and_the_rest_of_the_delay_is_not_used_up(self):
        self.check(("input press", "ok"), ("delay 5", "output on after 0"), ("delay 5", "output off after 2"), ("delay 5", "done"))

    def test_an_output_that_is_due_at_the_very_end_of_a_delay_belongs_to_it(self):
        self.check(("input press", "ok"), ("delay 0", "output on after 0"), ("delay 2", "output off after 2"))

    def test_thirds_are_exact(self):
        self.check(("delay 1/3", "done"), ("input press", "ok"), ("delay 1/7", "output on after 0"), ("delay 1/7", "done"))
        self.check(("delay 3", "output off after 13/7"))

    def test_what_awaits_goes_on_at_its_time(self):
        self.check(("input chain", "ok"), ("delay 9", "output first after 1"), ("delay 9", "output second after 1"))
        self.check(("input limited", "ok"), ("delay 9", "output late after 3"), ("input soon", "ok"), ("delay 0", "output now after 0"))

    def test_an_earlier_generation_is_not_heard(self):
        self.check(("input press", "ok"), ("input chain", "ok"), ("delay 0", "output on after 0"), ("reset", "ready"), ("delay 20", "done"))

    def test_all_clocks_show_the_virtual_time(self):
        # 1000 s are 4000 quarters; 2024 began at a whole number of them that 100 divides.
        self.check(("delay 1/4", "done"), ("input clocks", "ok"), ("delay 0", "output at_4001_1_250000 after 0"))
        self.check(("reset", "ready"), ("input clocks", "ok"), ("delay 0", "output at_4000_0_0 after 0"))

    def test_values_follow_the_name_unless_the_whole_is_a_name(self):
        self.check(("input set_2", "ok"), ("delay 0", "output is_3 after 0"), ("input set_2_3", "ok"), ("delay 0", "output is_5 after 0"))
        self.check(("input set_7", "ok"), ("delay 0", "output seven after 0"))

    def test_an_input_that_returns_false_is_refused_and_so_is_one_that_is_not_there(self):
        self.check(("input never", "refused"), ("input unknown", "refused"))

    def test_what_an_input_throws_ends_the_program(self):
        self.talk.tell("input wrong")
        errors, code = self.talk.end()
        self.assertIn("the lamp broke", errors)
        self.assertEqual(code, 70)

    def test_cleanups_run_and_what_is_printed_is_no_line_of_the_protocol(self):
        self.check(("reset", "ready"))
        self.talk.tell("quit")
        self.assertEqual(self.talk.end(), ("end of generation\n" * 2, 0))


class OnTheWallClock(unittest.TestCase):
    def test_outputs_come_by_themselves_and_an_earlier_generation_is_not_heard(self):
        talk = Talk("tamper 1 real 50000", "reset")
        begun = time.monotonic()
        self.assertEqual(talk.ask("input press"), "output on")
        self.assertEqual(talk.hear(), "output off")
        self.assertGreaterEqual(time.monotonic() - begun, 0.099)
        self.assertEqual(talk.ask("input never"), "refused never")
        self.assertEqual(talk.ask("input press"), "output on")
        self.assertEqual(talk.ask("reset"), "ready")
        time.sleep(0.15)
        self.assertEqual(talk.ask("input set_4"), "output is_5")
        talk.tell("quit")
        self.assertEqual(talk.end()[1], 0)


if __name__ == "__main__":
    unittest.main()
