/* Between tests that `tamper harness --as c` wrote and a system: here the washing machine of adapter.c, with the fault that WASHER_FAULT
 * names. cc -o suite suite.c suite_glue.c */
#define main adapter_main
#include "adapter.c"
#undef main

struct sut_time { long long top, bottom; };

void sut_reset(void) {
    const char *wanted = getenv("WASHER_FAULT");
    fault = wanted ? wanted : "";
    reset();
}

int sut_give(const char *action) { return give(action); }

int sut_due(struct sut_time *time) {
    Time next;
    int is_due = due(&next);
    time->top = next.top;
    time->bottom = next.bottom;
    return is_due;
}

void sut_wait(struct sut_time time) {
    Time delay = { time.top, time.bottom };
    wait_for(delay);
}

const char *sut_output(void) { return output(); }
