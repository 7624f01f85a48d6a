"""Networks after the published descriptions of well-known protocols, in UPPAAL's text format, in any size.

Each is written anew from what its paper says; names, constants and details are not those of anybody's file. Sources:
bridge (a puzzle; Rote 2002); two doors of an airlock (a lecture example); CSMA/CD (Yovine 1997, slot 26, frame 808); FDDI's
token ring (Daws, Olivero, Tripakis, Yovine 1996); dual chamber pacemaker (Jiang, Pajic, Moarref, Alur, Mangharam 2012);
token ring with a holding time (IEEE 802.5); production cells around one resource (Berthomieu, Menasche 1983, in spirit);
Fischer's mutual exclusion (Lamport 1987) and the railway crossing are in uppaal-models/networks.
"""

import pathlib
import re

MODELS = pathlib.Path(__file__).resolve().parent.parent / "uppaal-models/networks"


def committed(name):
    """A model that is in the repository."""
    return (MODELS / f"{name}.xml").read_text()


def sized(name, size):
    """One of these whose size is its constant N."""
    return re.sub(r"const int N = \d+;", f"const int N = {size};", committed(name), count=1)


def bridge():
    return """
// Four walkers, one lamp, a bridge for two: who crosses with another takes the slower one's time.
chan lift, drop; int[0,1] side;
process Walker(const int pace) {
  clock w;
  state Near, Going, Far, Coming; init Near;
  trans Near -> Going { guard side == 0; sync lift!; assign w = 0; }, Going -> Far { guard w >= pace; sync drop!; },
    Far -> Coming { guard side == 1; sync lift!; assign w = 0; }, Coming -> Near { guard w >= pace; sync drop!; };
}
process Lamp() {
  state Lying, Lifted, One, Two; urgent Lifted; init Lying;
  trans Lying -> Lifted { sync lift?; }, Lifted -> Two { sync lift?; }, Lifted -> One { },
    Two -> One { sync drop?; }, One -> Lying { sync drop?; assign side = 1 - side; };
}
A = Walker(1); B = Walker(2); C = Walker(5); D = Walker(10); L = Lamp();
system A, B, C, D, L;
"""


def doors():
    return """
// Two doors of which one at most is open; each has a button beside it.
typedef int[0,1] id_t;
chan push[id_t]; urgent chan turn; bool wanted[id_t]; bool busy[id_t];
process Door(const id_t me) {
  clock d;
  state Shut, Asked, Opening { d <= 6 }, Open { d <= 8 }, Closing { d <= 6 }; init Shut;
  trans Shut -> Asked { sync push[me]?; assign wanted[me] = true; },
    Asked -> Opening { guard !busy[1 - me]; sync turn!; assign d = 0, busy[me] = true; },
    Opening -> Open { guard d == 6; assign d = 0, wanted[me] = false; },
    Open -> Open { guard d <= 4; sync push[me]?; assign d = 0; },
    Open -> Closing { guard d >= 4; assign d = 0; },
    Closing -> Opening { guard d <= 3; sync push[me]?; assign d = 0; },
    Closing -> Shut { guard d == 6; assign busy[me] = false; };
}
process Person(const id_t me) {
  clock p;
  state Away; init Away;
  trans Away -> Away { guard p >= 5 && !wanted[me]; sync push[me]!; assign p = 0; };
}
process Motor() { state On; init On; trans On -> On { sync turn?; }; }
system Door, Person, Motor;
"""


def csmacd(size):
    return f"""
// Stations on one cable: who starts within a slot of another collides, and both wait.
const int N = {size}; const int SLOT = 26; const int FRAME = 808;
typedef int[1,N] id_t;
chan start, finish, taken; broadcast chan clash;
process Cable() {{
  clock c;
  state Quiet, Used, Clash {{ c < SLOT }}; init Quiet;
  trans Quiet -> Used {{ sync start?; assign c = 0; }}, Used -> Used {{ guard c >= SLOT; sync taken!; }},
    Used -> Quiet {{ sync finish?; assign c = 0; }}, Used -> Clash {{ guard c < SLOT; sync start?; assign c = 0; }},
    Clash -> Quiet {{ guard c < SLOT; sync clash!; assign c = 0; }};
}}
process Station(const id_t me) {{
  clock s;
  state Idle, Sending {{ s <= FRAME }}, Again {{ s < 2 * SLOT }}; init Idle;
  trans Idle -> Sending {{ sync start!; assign s = 0; }}, Idle -> Again {{ sync taken?; assign s = 0; }},
    Idle -> Again {{ sync clash?; assign s = 0; }}, Sending -> Idle {{ guard s == FRAME; sync finish!; assign s = 0; }},
    Sending -> Again {{ guard s < 2 * SLOT; sync clash?; assign s = 0; }},
    Again -> Sending {{ guard s < 2 * SLOT; sync start!; assign s = 0; }},
    Again -> Again {{ sync taken?; assign s = 0; }}, Again -> Again {{ sync clash?; assign s = 0; }};
}}
system Cable, Station;
"""


def fddi(size):
    return f"""
// A ring of stations: each may send its urgent data for SYNC, and the rest until the token is late.
const int N = {size}; const int SYNC = 20; const int TURN = 50 * N;
typedef int[0,N-1] id_t;
chan token[id_t], back[id_t];
process Ring() {{
  clock r; id_t at;
  state Passing {{ r <= 0 }}, Held; init Passing;
  trans Passing -> Held {{ select i : id_t; guard i == at; sync token[i]!; }},
    Held -> Passing {{ select i : id_t; guard i == at; sync back[i]?; assign r = 0, at = (at + 1) % N; }};
}}
process Station(const id_t me) {{
  clock held, last, before;
  state Idle, Urgent {{ held <= SYNC }}, Rest {{ before <= TURN + SYNC }},
    Idle2, Urgent2 {{ held <= SYNC }}, Rest2 {{ last <= TURN + SYNC }}; init Idle;
  trans Idle -> Urgent {{ sync token[me]?; assign held = 0, last = 0; }},
    Urgent -> Idle2 {{ guard held == SYNC && before >= TURN; sync back[me]!; }},
    Urgent -> Rest {{ guard held == SYNC && before < TURN; }}, Rest -> Idle2 {{ sync back[me]!; }},
    Idle2 -> Urgent2 {{ sync token[me]?; assign held = 0, before = 0; }},
    Urgent2 -> Idle {{ guard held == SYNC && last >= TURN; sync back[me]!; }},
    Urgent2 -> Rest2 {{ guard held == SYNC && last < TURN; }}, Rest2 -> Idle {{ sync back[me]!; }};
}}
system Ring, Station;
"""


def pacemaker():
    return """
// Two chambers, sensed and paced: five timers of the pacemaker and a heart that beats as it likes.
const int AVI = 150, LRI = 1000, PVARP = 100, VRP = 150, URI = 400, BLANK = 50;
broadcast chan beatA, beatV, senseA, senseV, paceA, paceV;
clock rate;
process Lower() {
  clock t;
  state Wait { t <= LRI - AVI }, Sensed; init Wait;
  trans Wait -> Wait { guard t >= LRI - AVI; sync paceA!; assign t = 0; }, Wait -> Wait { sync senseV?; assign t = 0; },
    Wait -> Wait { sync paceV?; assign t = 0; }, Wait -> Sensed { sync senseA?; },
    Sensed -> Wait { sync senseV?; assign t = 0; }, Sensed -> Wait { sync paceV?; assign t = 0; };
}
process Conduct() {
  clock t;
  state Rest, Delay { t <= AVI }, Hold { rate <= URI }; init Rest;
  trans Rest -> Delay { sync senseA?; assign t = 0; }, Rest -> Delay { sync paceA?; assign t = 0; },
    Delay -> Rest { sync senseV?; }, Delay -> Rest { guard t >= AVI && rate >= URI; sync paceV!; },
    Delay -> Hold { guard t >= AVI && rate < URI; }, Hold -> Rest { sync senseV?; },
    Hold -> Rest { guard rate >= URI; sync paceV!; };
}
process Upper() {
  state On; init On;
  trans On -> On { sync senseV?; assign rate = 0; }, On -> On { sync paceV?; assign rate = 0; };
}
process Atrium() {
  clock t;
  state Open, Heard, Blank { t <= BLANK }, Deaf { t <= PVARP }; commit Heard; init Open;
  trans Open -> Heard { sync beatA?; }, Heard -> Open { sync senseA!; },
    Open -> Blank { sync senseV?; assign t = 0; }, Open -> Blank { sync paceV?; assign t = 0; },
    Blank -> Deaf { guard t >= BLANK; assign t = 0; }, Deaf -> Open { guard t >= PVARP; };
}
process Ventricle() {
  clock t;
  state Open, Heard, Deaf { t <= VRP }; commit Heard; init Open;
  trans Open -> Heard { sync beatV?; }, Heard -> Deaf { sync senseV!; assign t = 0; },
    Open -> Deaf { sync paceV?; assign t = 0; }, Deaf -> Open { guard t >= VRP; };
}
process HeartA() {
  clock t;
  state Beat { t <= 1200 }; init Beat;
  trans Beat -> Beat { guard t >= 300; sync beatA!; assign t = 0; }, Beat -> Beat { sync paceA?; assign t = 0; };
}
process HeartV() {
  clock t;
  state Beat { t <= 1200 }; init Beat;
  trans Beat -> Beat { guard t >= 300; sync beatV!; assign t = 0; }, Beat -> Beat { sync paceV?; assign t = 0; };
}
system Lower, Conduct, Upper, Atrium, Ventricle, HeartA, HeartV;
"""


def token_ring(size):
    return f"""
// Stations that pass one token on; who has something to send holds it for a while.
const int N = {size}; const int HOLD = 10; const int HOP = 2;
typedef int[0,N-1] id_t;
chan pass[id_t];
process Station(const id_t me) {{
  clock s; bool wants;
  state Idle, Looks {{ s <= HOP }}, Sends {{ s <= HOLD }}, First {{ s <= 0 }}; init First;
  trans First -> Looks {{ guard me == 0; }}, First -> Idle {{ guard me != 0; }},
    Idle -> Idle {{ guard !wants; assign wants = true; }}, Idle -> Looks {{ sync pass[me]?; assign s = 0; }},
    Looks -> Sends {{ guard wants; assign s = 0; }}, Looks -> Idle {{ guard !wants && s >= 1; sync pass[(me + 1) % N]!; }},
    Sends -> Idle {{ guard s >= 3; sync pass[(me + 1) % N]!; assign wants = false; }};
}}
system Station;
"""


def cells(size):
    return f"""
// Production cells that need one tool, which is offered to each in turn.
const int N = {size}; const int PACE = 20;
typedef int[1,N] id_t;
chan enter[id_t], leave[id_t]; int[0,N] turn;
process Counter() {{
  state Off, On; init Off;
  trans Off -> On {{ guard turn == 0; assign turn = 1; }}, On -> On {{ guard turn > 0 && turn < N; assign turn = turn + 1; }},
    On -> On {{ guard turn == N; assign turn = 1; }};
}}
process Arbiter(const id_t me) {{
  state Free, Given; init Free;
  trans Free -> Given {{ guard turn == me; sync enter[me]?; assign turn = 0; }},
    Given -> Free {{ sync leave[me]?; assign turn = me; }};
}}
process Cell(const id_t me) {{
  clock c;
  state Idle, Checks {{ c <= PACE }}, Asks, Works {{ c <= 2 * PACE }}, Tests {{ c <= PACE }}, Done, Late; init Idle;
  trans Idle -> Checks {{ guard c <= 2 * PACE; assign c = 0; }}, Checks -> Idle {{ guard c >= PACE; assign c = 0; }},
    Checks -> Asks {{ guard c <= PACE - 1; }}, Asks -> Works {{ sync enter[me]!; assign c = 0; }},
    Works -> Late {{ guard c >= 2 * PACE; }}, Works -> Tests {{ guard c <= PACE - 1; sync leave[me]!; assign c = 0; }},
    Tests -> Late {{ guard c >= PACE; }}, Tests -> Done {{ guard c <= PACE - 1; }};
}}
system Counter, Arbiter, Cell;
"""


# Family, sizes, how the file ends, how a model is made.
FAMILIES = [
    ("railway crossing", [3, 5, 6, 8], "xml", lambda size: sized("crossing", size)),
    ("Fischer", [3, 4, 5, 6, 7, 8], "xml", lambda size: sized("fischer", size)),
    ("gear controller", [None], "xml", lambda _: committed("gear-controller")),
    ("collision avoidance", [None], "xml", lambda _: committed("collision-avoidance")),
    ("car alarm", [None], "xml", lambda _: committed("car-alarm")),
    ("bridge", [None], "xta", lambda _: bridge()),
    ("two doors", [None], "xta", lambda _: doors()),
    ("CSMA/CD", [2, 4, 6, 8], "xta", csmacd),
    ("FDDI", [4, 6, 8, 10], "xta", fddi),
    ("pacemaker", [None], "xta", lambda _: pacemaker()),
    ("token ring", [3, 5, 7], "xta", token_ring),
    ("production cells", [2, 3], "xta", cells),
]
