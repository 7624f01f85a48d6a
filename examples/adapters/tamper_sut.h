/* tamper-sut for C: between `tamper run` and a C program, in virtual time or on the wall clock. The protocol: docs/book/src/sut-protocol.md.
 *
 * Include it first, in one file, the adapter. It needs a C99 compiler and POSIX. The program is given this clock in place of its own:
 *   sut_now()                   the time since the reset, in nanoseconds
 *   sut_units(3, 2)             how many nanoseconds 3/2 time units of the model last: write the program's timeouts with it
 *   sut_after(wait, f, what)    a timer: f(what) is called when so many nanoseconds have passed; its number is never 0
 *   sut_cancel(timer)           it does not fire; nothing happens if it has, or if it is 0
 *   sut_say("is_%d", 2)         the program makes this output now; tamper writes the model's is[2] as is_2
 * sut_serve speaks with tamper. What the program prints goes to standard error, where tamper keeps it with the test. All of this is for one thread. */
#ifndef TAMPER_SUT_H
#define TAMPER_SUT_H
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

typedef long long sut_time; /* Nanoseconds. */

/* How long a time unit lasts in virtual time: it can be halved 18 times, and has whole thousandths. On the wall clock tamper says it. */
#ifndef SUT_UNIT
#define SUT_UNIT 4096000000LL
#endif

/* What the adapter says of the program. */
struct sut_program {
    void (*reset)(void);              /* Makes it anew; no timer is left, and time is 0. */
    int (*input)(const char *action); /* Gives it an input; 0: it refuses that. */
    void (*teardown)(void);           /* Cleans up before the next reset and at the end; may be NULL. */
};

enum { SUT_TIMERS = 1024, SUT_OUTPUTS = 1024, SUT_LINE = 4096, SUT_AT_ONCE = 100000 };
struct sut_timer { sut_time due; int id; void (*fire)(void *); void *what; };

static struct {
    FILE *out;
    int real;             /* Whether the wall clock counts. */
    sut_time unit, clock; /* In real time `clock` is the moment of the reset. */
    struct sut_timer timers[SUT_TIMERS];
    int timers_set, last_id, fired_at_once;
    char outputs[SUT_OUTPUTS][SUT_LINE / 16];
    int first_output, outputs_made;
} sut = { .unit = SUT_UNIT };

/* What cannot go on ends the program: tamper says that it crashed, and shows this. */
static inline void sut_fail(const char *why, const char *what) {
    fprintf(stderr, "tamper_sut.h: %s%s\n", why, what);
    exit(70);
}

static inline sut_time sut_wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline sut_time sut_now(void) { return sut.real ? sut_wall() - sut.clock : sut.clock; }

static inline long long sut_gcd(long long a, long long b) { return b ? sut_gcd(b, a % b) : a; }

static inline sut_time sut_units(long long top, long long bottom) {
    char text[64];
    long long common, part, each;
    snprintf(text, sizeof text, "%lld/%lld", top, bottom);
    if (top < 0 || bottom < 1) sut_fail("no time: ", text);
    common = sut_gcd(sut.unit, bottom), part = bottom / common, each = sut.unit / common;
    if (!sut.real && top % part) sut_fail("time units that are no whole number of nanoseconds; another SUT_UNIT or --grid helps: ", text);
    if (top / part >= LLONG_MAX / each) sut_fail("too long: ", text);
    return top / part * each + top % part * each / part;
}

static inline sut_time sut_later(sut_time wait) {
    if (wait > LLONG_MAX - sut_now()) sut_fail("too late for this clock", "");
    return sut_now() + (wait > 0 ? wait : 0);
}

static inline int sut_after(sut_time wait, void (*fire)(void *), void *what) {
    struct sut_timer timer = { sut_later(wait), ++sut.last_id, fire, what };
    if (sut.timers_set == SUT_TIMERS) sut_fail("too many timers", "");
    sut.timers[sut.timers_set++] = timer;
    return timer.id;
}

static inline void sut_cancel(int id) {
    for (int i = 0; i < sut.timers_set; i++)
        if (sut.timers[i].id == id) { sut.timers[i] = sut.timers[--sut.timers_set]; return; }
}

/* The timer that is due first, of several the one that was set first. */
static inline struct sut_timer *sut_first(void) {
    struct sut_timer *first = NULL;
    for (struct sut_timer *one = sut.timers; one < sut.timers + sut.timers_set; one++)
        if (!first || one->due < first->due || (one->due == first->due && one->id < first->id)) first = one;
    return first;
}

/* Fires one timer that is due by then, and says whether there was one. */
static inline int sut_fire(sut_time until) {
    struct sut_timer *first = sut_first(), timer;
    if (!first || first->due > until) return 0;
    timer = *first;
    sut_cancel(timer.id);
    if (!sut.real && timer.due > sut.clock) { sut.clock = timer.due; sut.fired_at_once = 0; }
    if (++sut.fired_at_once > SUT_AT_ONCE) sut_fail("timers fire and no time passes", "");
    timer.fire(timer.what);
    return 1;
}

static inline void sut_settle(void) {
    sut.fired_at_once = 0;
    while (sut_fire(sut_now())) {}
}

static inline void sut_say(const char *format, ...) {
    char *text = sut.outputs[(sut.first_output + sut.outputs_made) % SUT_OUTPUTS];
    va_list values;
    int length;
    if (sut.outputs_made++ == SUT_OUTPUTS) sut_fail("too many outputs at once", "");
    va_start(values, format);
    length = vsnprintf(text, sizeof sut.outputs[0], format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= sizeof sut.outputs[0]) sut_fail("a long output: ", text);
}

static inline const char *sut_heard(void) {
    const char *text = sut.outputs[sut.first_output];
    sut.first_output = (sut.first_output + 1) % SUT_OUTPUTS;
    sut.outputs_made--;
    return text;
}

static inline void sut_flush(void) {
    while (sut.real && sut.outputs_made) fprintf(sut.out, "output %s\n", sut_heard());
    fflush(sut.out);
}

/* In real time: lets timers fire until there is something to read. */
static inline void sut_wait(void) {
    for (;;) {
        struct sut_timer *first = sut_first();
        sut_time rest = first ? first->due - sut_now() : 0;
        struct timespec time = { rest > 0 ? rest / 1000000000 : 0, rest > 0 ? rest % 1000000000 : 0 };
        fd_set input;
        FD_ZERO(&input);
        FD_SET(0, &input);
        if (pselect(1, &input, NULL, NULL, first ? &time : NULL, NULL) > 0) return;
        sut_settle();
        sut_flush();
    }
}

/* The tester's next line; NULL: the end. */
static inline char *sut_line(void) {
    static char text[SUT_LINE + 1];
    static size_t used, taken;
    memmove(text, text + taken, used -= taken);
    for (;;) {
        char *end = memchr(text, '\n', used);
        ssize_t more;
        if (end) { taken = (size_t)(end - text) + 1; *end = 0; return text; }
        if (used == sizeof text) sut_fail("a long line", "");
        if (sut.real) sut_wait();
        more = read(0, text + used, sizeof text - used);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return NULL;
        used += (size_t)more;
    }
}

static inline void sut_delay(const char *text) {
    long long top, bottom = 1, passed, common;
    sut_time begun = sut.clock, end;
    if (sscanf(text, "%lld/%lld", &top, &bottom) < 1) sut_fail("no time: ", text);
    end = sut_later(sut_units(top, bottom));
    while (!sut.outputs_made && sut_fire(end)) {}
    if (!sut.outputs_made) { sut.clock = end; fputs("done\n", sut.out); return; }
    passed = sut.clock - begun, common = sut_gcd(sut.unit, passed);
    fprintf(sut.out, "output %s after %lld/%lld\n", sut_heard(), passed / common, sut.unit / common);
}

static inline void sut_input(const struct sut_program *program, const char *action) {
    int taken = program->input(action);
    sut_settle();
    if (!sut.real) fputs(taken ? "ok\n" : "refused\n", sut.out);
    else if (!taken) fprintf(sut.out, "refused %s\n", action);
}

static inline void sut_reset(const struct sut_program *program, int begun) {
    if (begun && program->teardown) program->teardown();
    sut.timers_set = sut.outputs_made = 0;
    sut.clock = sut.real ? sut_wall() : 0;
    program->reset();
    sut_settle();
    fputs("ready\n", sut.out);
}

/* Speaks with tamper until it says `quit`: the end of main. */
static inline int sut_serve(struct sut_program program) {
    char *line;
    int begun = 0;
    long long micros;
    sut.out = fdopen(dup(1), "w");
    if (!sut.out || dup2(2, 1) < 0) sut_fail("no standard output", "");
    while ((line = sut_line()) && strcmp(line, "quit") != 0) {
        if (strcmp(line, "tamper 1 accelerated") == 0) fputs("ready\n", sut.out);
        else if (sscanf(line, "tamper 1 real %lld", &micros) == 1) {
            sut.real = 1;
            sut.unit = micros * 1000;
            fputs("ready\n", sut.out);
        } else if (strcmp(line, "reset") == 0) { sut_reset(&program, begun); begun = 1; }
        else if (begun && strncmp(line, "input ", 6) == 0) sut_input(&program, line + 6);
        else if (begun && !sut.real && strncmp(line, "delay ", 6) == 0) sut_delay(line + 6);
        else sut_fail("not a line for now: ", line);
        sut_flush();
    }
    if (begun && program.teardown) program.teardown();
    return 0;
}

#endif
