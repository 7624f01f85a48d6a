/* Between tamper and a C program under test: put yours in the place of the lamp. The kit is tamper_sut.h, which says more.
 * cc -o adapter adapter.c */
#include "tamper_sut.h"

/* ---- A touch lamp, the system of lamp.xml; --fault late-dim, wrong-output or no-auto-off misbehaves. -------------------- */

enum light { OFF, DIM, BRIGHT };
static struct { enum light light, next; int change; sut_time touched; } lamp;
static void (*on_light)(enum light);
static const char *fault = "";
static int has(const char *name) { return strcmp(fault, name) == 0; }

static void turn(void *to);
static void turn_after(sut_time wait, enum light next) {
    sut_cancel(lamp.change);
    lamp.next = next;
    lamp.change = sut_after(wait, turn, &lamp.next);
}

static void turn(void *to) {
    lamp.light = *(enum light *)to;
    lamp.touched = sut_now();
    on_light(lamp.light);
    if (lamp.light == BRIGHT && !has("no-auto-off")) turn_after(sut_units(20, 1), OFF);
}

static void press(void) {
    if (lamp.light == OFF) turn_after(sut_units(has("late-dim") ? 5 : 3, 2), has("wrong-output") ? BRIGHT : DIM);
    else if (lamp.light == DIM && sut_now() - lamp.touched < sut_units(5, 1)) turn_after(sut_units(3, 2), BRIGHT);
    else turn_after(sut_units(1, 2), OFF);
}

/* ---- The adapter: which event is which output, what an input does, how the program begins. ----------------------------- */

static void shines(enum light light) { sut_say(light == OFF ? "off" : light == DIM ? "dim" : "bright"); }

static int input(const char *action) {
    if (strcmp(action, "press") != 0) return 0;
    press();
    return 1;
}

static void reset(void) {
    memset(&lamp, 0, sizeof lamp);
    on_light = shines;
}

int main(int argc, char **argv) {
    if (argc > 2) fault = argv[2];
    return sut_serve((struct sut_program){ reset, input, NULL });
}
