#!/usr/bin/env python3
"""Between tamper and nginx, in real time (docs/book/src/sut-protocol.md): the slow client, and the servers main and backup.

Everything is in a temporary folder of its own, also the sockets: as many of these as you like run side by side.
"""
import asyncio
import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import faults
from proxy import Proxy

CONFIGURATION = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events { worker_connections 64; }
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  client_header_timeout 600ms;
  keepalive_timeout 800ms;
  proxy_read_timeout 400ms;
  upstream servers { server unix:main.sock max_fails=1 fail_timeout=1s; server unix:backup.sock backup; }
  server { listen unix:nginx.sock; location / { proxy_pass http://servers; } }
}
"""
FOLDER = "tamper-nginx-"


def say(line):
    print(line, flush=True)


def stale_folders_go():
    """A program that is killed removes nothing: what an adapter that is gone has left goes now."""
    for folder in Path(tempfile.gettempdir()).glob(FOLDER + "*"):
        pid = folder.name.removeprefix(FOLDER).split("-")[0]
        if pid.isdigit() and not Path("/proc", pid).exists():
            shutil.rmtree(folder, ignore_errors=True)


class Bench:
    """nginx with a client and two servers; each reset begins with a new nginx, which knows nothing of earlier failures."""

    def __init__(self, fault):
        stale_folders_go()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
        atexit.register(self.end)
        self.configuration = CONFIGURATION.replace(*faults.CONFIGURATION.get(fault, ("", "")))
        self.configuration = self.configuration.replace("unix:", f"unix:{self.folder}/")
        self.proxy = Proxy(**faults.PROXY[fault]) if fault in faults.PROXY else None
        self.nginx = self.client = self.reading = None
        self.hung = False
        self.backends = []

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        if self.nginx:
            self.nginx.kill()
            self.nginx.wait()
            self.nginx = None
        (self.folder / "nginx.sock").unlink(missing_ok=True)

    async def start(self):
        (self.folder / "nginx.conf").write_text(self.configuration)
        for name in ("main", "backup"):
            handler = lambda r, w, name=name: self.backend(name, r, w)
            self.backends.append(await asyncio.start_unix_server(handler, self.folder / f"{name}.sock"))
        if self.proxy:
            self.backends.append(await self.proxy.listen(self.folder / "proxy.sock", self.folder / "nginx.sock"))

    async def backend(self, name, reader, writer):
        """main or backup: says its name, or nothing while it hangs."""
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                if name == "main" and self.hung:
                    continue
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(name), name.encode()))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def reset(self):
        self.hang_up()
        self.stop()
        self.hung = False
        command = ["nginx", "-p", f"{self.folder}/", "-e", "error.log", "-c", f"{self.folder}/nginx.conf"]
        # tamper waits for the end of our pipe: nginx must not hold it.
        self.nginx = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while not await self.answers():
            if self.nginx.poll() is not None:
                sys.exit(f"nginx does not start: {(self.folder / 'error.log').read_text()}")
            await asyncio.sleep(0.005)

    async def answers(self):
        try:
            (await asyncio.open_unix_connection(self.folder / "nginx.sock"))[1].close()
            return True
        except OSError:
            return False

    def hang_up(self):
        if self.client:
            self.reading.cancel()
            self.client.close()
            self.client = None

    async def give(self, action):
        if action in ("hang", "mend"):
            self.hung = action == "hang"
            return
        if action == "begin" and not self.client:
            door = self.folder / ("proxy.sock" if self.proxy else "nginx.sock")
            reader, self.client = await asyncio.open_unix_connection(door)
            self.reading = asyncio.create_task(self.read(reader))
        if not self.client:
            return say(f"refused {action}")
        # HTTP lets a request begin with an empty line: its method is not known before its end.
        rest = f"{action.upper()} / HTTP/1.1\r\nHost: nginx\r\nContent-Length: 0\r\n\r\n"
        self.client.write(b"\r\n" if action == "begin" else rest.encode())

    async def read(self, reader):
        """What comes from nginx is said as an output: who has answered, `gateway` for 504, the end as `closed`."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                status = head.split()[1]
                length = int(head.lower().split("content-length:")[1].split()[0])
                body = (await reader.readexactly(length)).decode()
                say("output " + {"200": body, "504": "gateway"}.get(status, f"status{status}"))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.client.close()
            self.client = None
            say("output closed")


async def main():
    fault = sys.argv[1] if len(sys.argv) > 1 else None
    if fault not in (None, *faults.NAMES):
        sys.exit(f"no fault {fault}; there are: {' '.join(faults.NAMES)}")
    bench = Bench(fault)
    await bench.start()
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := (await lines.readline()).decode():
        word, _, rest = line.strip().partition(" ")
        if word == "tamper":
            if rest != "1 real 100000":
                sys.exit("nginx counts fail_timeout in whole seconds, so the model's time unit is fixed: --unit 100ms")
            say("ready")
        elif word == "reset":
            await bench.reset()
            say("ready")
        elif word == "input":
            await bench.give(rest)
        else:
            break


if __name__ == "__main__":
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda *_: sys.exit(1))
    asyncio.run(main())
