"""Between client and server: what the server sends comes late, twice, by a slow clock, or not at all."""
import asyncio


class Proxy:
    """delay: seconds that are added; rate: by which the time since the connection began is stretched; drop: every n-th
    message is lost; double: each comes twice. A message is what one read returns, here an answer."""

    def __init__(self, delay=0.0, rate=1.0, drop=0, double=False):
        self.delay, self.rate, self.drop, self.copies = delay, rate, drop, 2 if double else 1

    async def listen(self, path, server):
        self.server = server
        return await asyncio.start_unix_server(self.connection, path)

    async def connection(self, from_client, to_client):
        began = asyncio.get_running_loop().time()
        try:
            from_server, to_server = await asyncio.open_unix_connection(self.server)
            forward = asyncio.create_task(self.forward(from_client, to_server))
            count = 0
            while message := await from_server.read(65536):
                count += 1
                await self.wait(began)
                if not self.drop or count % self.drop:
                    to_client.write(message * self.copies)
            await self.wait(began)
            forward.cancel()
            to_server.close()
        except OSError:
            pass  # One of the two is gone: so is the connection.
        to_client.close()

    async def wait(self, began):
        since = asyncio.get_running_loop().time() - began
        await asyncio.sleep(self.delay + since * (self.rate - 1))

    async def forward(self, from_client, to_server):
        while message := await from_client.read(65536):
            to_server.write(message)
        to_server.close()
