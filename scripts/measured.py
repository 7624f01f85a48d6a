"""A command, measured: exit code, output, seconds on the wall and of the processor, and its largest memory."""
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Run:
    code: int
    out: str
    wall: float
    cpu: float
    mebibytes: int

    def cells(self):
        return f"{self.code} | {self.wall:.1f} | {self.cpu:.1f} | {self.mebibytes}"


def measured(command, most_seconds):
    """Runs `command`; after `most_seconds` it is killed (exit code -9)."""
    with tempfile.TemporaryFile("w+") as out:
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        code = None
        while code is None:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() - started > most_seconds:
                child.kill()
                _, status, usage = os.wait4(child.pid, 0)
                code = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.005)
        wall = time.monotonic() - started
        child.returncode = code
        out.seek(0)
        text = out.read(1 << 16)
    return Run(code, text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)
