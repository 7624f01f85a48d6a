/* What the kit for C offers, each once: scripts/check-adapters.sh speaks with it. */
#include "tamper_sut.h"

static int repeated;
static int last;

static void is(void *value) { sut_say("is_%d", *(int *)value); }

static void again(void *unused) {
    repeated = sut_after(sut_units(3, 1), again, unused);
    sut_say("again");
}

static int input(const char *action) {
    if (sscanf(action, "set_%d", &last) == 1) sut_after(sut_units(1, 2), is, &last);
    else if (strcmp(action, "both") == 0) { sut_say("one"); sut_say("two"); }
    else if (strcmp(action, "repeat") == 0) repeated = sut_after(sut_units(3, 1), again, NULL);
    else if (strcmp(action, "stop") == 0) sut_cancel(repeated);
    else return 0;
    return 1;
}

static void reset(void) { repeated = 0; }
static void teardown(void) { puts("ended"); fflush(stdout); }
int main(void) { return sut_serve((struct sut_program){ reset, input, teardown }); }
