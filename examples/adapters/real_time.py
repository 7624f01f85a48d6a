"""Between tamper and a program under test, in real time: put yours in the place of TAKES and THEN. The protocol: docs/book/src/sut-protocol.md."""
import select, time
stdin = open(0, "rb", buffering=0)  # Without a buffer, so that select sees every line.
TAKES = {("idle", "start"): "filling", ("filling", "stop"): "draining", ("washing", "stop"): "draining"}
THEN = {"filling": (3, "full", "washing"), "washing": (25, "done", "idle"), "draining": (1, "drained", "idle")}

def enter(new):
    global state, due
    state, due = new, time.monotonic() + THEN[new][0] * unit if new in THEN else None

word, due = "", None
while word != "quit":
    if not select.select([stdin], [], [], due and max(0, due - time.monotonic()))[0]:
        print("output", THEN[state][1], flush=True)
        enter(THEN[state][2])
        continue
    word, _, rest = (stdin.readline().decode() or "quit").strip().partition(" ")
    if word == "tamper":
        unit = int(rest.split()[2]) / 1e6  # "1 real MICROS": seconds per time unit.
    if word in ("tamper", "reset"):
        enter("idle")
        print("ready", flush=True)
    if word == "input" and (state, rest) in TAKES:
        enter(TAKES[state, rest])
    elif word == "input":
        print("refused", rest, flush=True)
