/* A system for tests that `tamper harness --as c` wrote: the washing machine of washer.xml. The variable WASHER_FAULT (early, late, wrong or deaf)
 * makes it misbehave. cc -o suite suite.c suite_glue.c */
#include <stdlib.h>
#include <string.h>

struct sut_time { long long top, bottom; }; /* A number of time units, exactly. */

static enum { IDLE, FILLING, WASHING, DRAINING } state;
static struct sut_time since;
static const char *fault = "";
static int has(const char *name) { return strcmp(fault, name) == 0; }

static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }

static struct sut_time reduced(long long top, long long bottom) {
    long long g = gcd(top, bottom);
    struct sut_time t = { g ? top / g : 0, g ? bottom / g : 1 };
    return t;
}

static void enter(int next) {
    state = next;
    since = reduced(0, 1);
}

void sut_reset(void) {
    const char *wanted = getenv("WASHER_FAULT");
    fault = wanted ? wanted : "";
    enter(IDLE);
}

int sut_give(const char *action) { /* Takes an input; 0 if it is refused. */
    if (strcmp(action, "start") == 0 && state == IDLE) enter(FILLING);
    else if (strcmp(action, "stop") != 0 || (state != FILLING && state != WASHING)) return 0;
    else if (!has("deaf")) enter(DRAINING);
    return 1;
}

int sut_due(struct sut_time *time) { /* How long until its next output, if nothing is given; 0: there will be none. */
    static const int times[] = { 0, 3, 25, 1 };
    int late = state != FILLING ? 0 : has("early") ? -2 : has("late") ? 4 : 0;
    *time = reduced((times[state] + late) * since.bottom - since.top, since.bottom);
    if (time->top < 0) *time = reduced(0, 1);
    return state != IDLE;
}

void sut_wait(struct sut_time time) { /* No output is due before its end. */
    since = reduced(since.top * time.bottom + time.top * since.bottom, since.bottom * time.bottom);
}

const char *sut_output(void) { /* Makes the output that is due now. */
    const char *name = state == FILLING ? "full" : state == WASHING ? "done" : has("wrong") ? "full" : "drained";
    enter(state == FILLING ? WASHING : IDLE);
    return name;
}
