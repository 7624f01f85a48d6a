"""The timeouts of transitions' AsyncMachine under tamper."""

from tamper.sut import serve


def start(sut):
    from transitions.extensions.asyncio import AsyncMachine, AsyncTimeout
    from transitions.extensions.states import add_state_features

    @add_state_features(AsyncTimeout)
    class Machine(AsyncMachine):
        pass

    states = [
        "idle",
        {"name": "ringing", "timeout": sut.seconds(5), "on_timeout": "give_up"},
        {"name": "message", "timeout": sut.seconds(3), "on_timeout": "end", "on_enter": lambda: sut.say("recording")},
    ]
    edges = [
        ["ring", "idle", "ringing"],
        ["again", ["ringing", "message"], "ringing"],
        ["answer", ["ringing", "message"], "idle"],
        ["give_up", "ringing", "message"],
        {"trigger": "end", "source": "message", "dest": "idle", "after": lambda: sut.say("over")},
    ]
    call = Machine(states=states, transitions=edges, initial="idle", queued=True)
    return {"ring": lambda: call.ring(), "again": lambda: call.again(), "answer": lambda: call.answer()}


serve(start)
