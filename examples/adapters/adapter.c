/* Between tamper and a program under test: put yours in the place of the system. The protocol: docs/book/src/sut-protocol.md.
 * cc -o adapter adapter.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { long long top, bottom; } Time; /* A number of time units, exactly. */

static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
static Time reduced(long long top, long long bottom) {
    long long g = gcd(top, bottom);
    Time t = { g ? top / g : 0, g ? bottom / g : 1 };
    return t;
}
static Time units(long long n) { Time t = { n, 1 }; return t; }
static Time sum(Time a, Time b) { return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom); }
static Time minus(Time a, Time b) { Time n = { -b.top, b.bottom }; return sum(a, n); }
static int less(Time a, Time b) { return a.top * b.bottom < b.top * a.bottom; }

/* ---- The system: a washing machine, that of washer.xml; --fault early, late, wrong or deaf misbehaves. ---------------- */

static enum { IDLE, FILLING, WASHING, DRAINING } state;
static Time since;
static const char *fault = "";
static int has(const char *name) { return strcmp(fault, name) == 0; }

static void reset(void) { state = IDLE; since = units(0); }

static int give(const char *action) { /* Takes an input; 0 if it is refused. */
    if (strcmp(action, "start") == 0 && state == IDLE) state = FILLING;
    else if (strcmp(action, "stop") == 0 && (state == FILLING || state == WASHING)) {
        if (has("deaf")) return 1;
        state = DRAINING;
    } else return 0;
    since = units(0);
    return 1;
}

static int due(Time *time) { /* How long until its next output, if nothing is given; 0: there will be none. */
    static const int times[] = { 0, 3, 25, 1 };
    int late = state != FILLING ? 0 : has("early") ? -2 : has("late") ? 4 : 0;
    *time = minus(units(times[state] + late), since);
    if (less(*time, units(0))) *time = units(0);
    return state != IDLE;
}

static void wait_for(Time time) { since = sum(since, time); } /* No output is due before its end. */

static const char *output(void) { /* Makes the output that is due now. */
    const char *name = state == FILLING ? "full" : state == WASHING ? "done" : has("wrong") ? "full" : "drained";
    state = state == FILLING ? WASHING : IDLE;
    since = units(0);
    return name;
}

/* ---- From here on nothing depends on the system. ----------------------------------------------------------------------- */

int main(int argc, char **argv) {
    char line[4200];
    if (argc > 2) fault = argv[2];
    reset();
    while (fgets(line, sizeof line, stdin)) {
        Time time, next;
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, "tamper 1 accelerated") == 0) puts("ready");
        else if (strcmp(line, "reset") == 0) { reset(); puts("ready"); }
        else if (strncmp(line, "input ", 6) == 0) puts(give(line + 6) ? "ok" : "refused");
        else if (strncmp(line, "delay ", 6) == 0) {
            time.bottom = 1;
            if (sscanf(line + 6, "%lld/%lld", &time.top, &time.bottom) < 1) return 2;
            if (!due(&next) || less(time, next)) { wait_for(time); puts("done"); }
            else { wait_for(next); printf("output %s after %lld/%lld\n", output(), next.top, next.bottom); }
        } else if (strcmp(line, "quit") == 0) return 0;
        else { fprintf(stderr, "run tamper with --accelerated (unknown: %s)\n", line); return 2; }
        fflush(stdout);
    }
    return 0;
}
