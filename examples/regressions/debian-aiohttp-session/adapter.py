"""The sessions of aiohttp-session under tamper."""

import time

from tamper.sut import serve


def start(sut):
    from aiohttp.test_utils import make_mocked_request
    from aiohttp.web import Response
    from aiohttp_session import SimpleCookieStorage, get_session, session_middleware

    sessions = session_middleware(SimpleCookieStorage(max_age=round(sut.seconds(10))))
    browser = {}  # Its cookies, and until when it keeps them.

    async def visit(page):
        async def answer(request):
            page(await get_session(request))
            return Response()

        kept = [cookie for cookie, until in browser.values() if time.time() < until]
        response = await sessions(make_mocked_request("GET", "/", headers={"Cookie": "; ".join(kept)}), answer)
        for name, cookie in response.cookies.items():
            browser[name] = (f"{name}={cookie.coded_value}", time.time() + int(cookie["max-age"]))

    return {
        "write": lambda: visit(lambda session: session.update(name="visitor")),
        "forget": lambda: visit(lambda session: session.invalidate()),
        "ask": lambda: visit(lambda session: sut.say("known" if "name" in session else "unknown")),
    }


serve(start)
