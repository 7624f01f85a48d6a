"""The circuit breaker of pybreaker under tamper."""

from tamper.sut import serve


def start(sut):
    from pybreaker import STATE_CLOSED, CircuitBreaker, CircuitBreakerError, CircuitMemoryStorage

    store = CircuitMemoryStorage(STATE_CLOSED)
    breakers = []

    def join():
        breakers.append(CircuitBreaker(fail_max=2, reset_timeout=sut.seconds(10), state_storage=store))

    def call(fails):
        ran = []

        def run():
            ran.append(True)
            if fails:
                raise ValueError

        try:
            breakers[-1].call(run)
        except (CircuitBreakerError, ValueError):
            pass
        sut.say("ran" if ran else "refused")

    join()
    return {"join": join, "well": lambda: call(False), "badly": lambda: call(True)}


serve(start)
