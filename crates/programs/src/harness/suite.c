/* Timed tests, written by {{tool}} as plain C (C99). Give the system five functions of this form, in a file of their own:
 *
 *     struct sut_time { long long top, bottom; };    a number of time units, exactly: top / bottom, bottom > 0
 *     void sut_reset(void);                          back to the start
 *     int sut_give(const char *action);              takes an input now; 0 if it is refused
 *     int sut_due(struct sut_time *time);            how long until its next output, if nothing is given; 0: there will be none
 *     void sut_wait(struct sut_time time);           lets time pass; no output is due before its end
 *     const char *sut_output(void);                  makes the output that is due now
 *
 *     cc -o suite suite.c system.c && ./suite [TEST...]
 *
 * The results are lines of the Test Anything Protocol; the exit code is 0 if no test failed, 1 if one did, 2 if there is no such test
 * or a time is too fine for the numbers here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sut_time { long long top, bottom; };
void sut_reset(void);
int sut_give(const char *action);
int sut_due(struct sut_time *time);
void sut_wait(struct sut_time time);
const char *sut_output(void);

enum { LT, LE, EQ, GE, GT };
enum { PASS = -1, FAIL = -2, INCONCLUSIVE = -3 };
enum { MOST_CLOCKS = {{most_clocks}}, MOST_OUTPUTS = {{most_outputs}}, MOST_STEPS = 100000 };
/* Whether a refused input is a fail, or is ignored. */
enum { REFUSALS_FAIL = {{refusals}} };
/* Stands behind a time. */
static const char time_unit[] = {{unit}};

/* A clock, or what one is more than another, beside a bound. */
struct atom { int left, right, sign; struct sut_time bound; };
struct reset { int clock; long long value; };
/* Where a test goes: a node, or a verdict. */
struct jump { const struct atom *when; int n_when; const struct reset *resets; int n_resets; int next; };
struct rule { const struct atom *from; int n_from; const struct atom *when; int n_when; const char *input; const struct jump *then; int n_then; int stop; };
struct output { const char *action; struct jump jump; };
struct node { const struct rule *rules; int n_rules; const struct output *outputs; int n_outputs; int otherwise; };
struct test { const char *id, *purpose; int n_clocks; const struct node *nodes; };

{{tests}}
/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }

static struct sut_time reduced(long long top, long long bottom) {
    const long long most = 1LL << 30;
    long long g = gcd(top, bottom);
    struct sut_time t = { top / g, bottom / g };
    if (t.top > most || t.top < -most || t.bottom > most) {
        puts("Bail out! A time is too fine or too long for this program.");
        exit(2);
    }
    return t;
}
static struct sut_time units(long long n) { return reduced(n, 1); }
static struct sut_time sum(struct sut_time a, struct sut_time b) { return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom); }
static struct sut_time minus(struct sut_time a, struct sut_time b) { b.top = -b.top; return sum(a, b); }
static struct sut_time half(struct sut_time a) { return reduced(a.top, 2 * a.bottom); }
static int compare(struct sut_time a, struct sut_time b) {
    long long left = a.top * b.bottom, right = b.top * a.bottom;
    return left < right ? -1 : left > right;
}
/* As a decimal, if twelve digits are enough. */
static void show(struct sut_time t) {
    char digits[12];
    int n = 0;
    long long rest = t.top % t.bottom;
    for (; rest && n < 12; n++, rest %= t.bottom) {
        rest *= 10;
        digits[n] = (char)('0' + rest / t.bottom);
    }
    if (rest) printf("%lld/%lld", t.top, t.bottom);
    else if (n) printf("%lld.%.*s", t.top / t.bottom, n, digits);
    else printf("%lld", t.top);
    printf("%s", time_unit);
}

/* ---- Conditions ------------------------------------------------------------------------------------------------------ */

static struct sut_time clocks[MOST_CLOCKS];
static struct sut_time now;
/* What was given and what came, and when. */
static struct event { const char *action; char mark; struct sut_time at; } events[MOST_STEPS];
static int n_events;

static int holds_at(const struct atom *atom) {
    struct sut_time value = clocks[atom->left];
    int order;
    if (atom->right >= 0) value = minus(value, clocks[atom->right]);
    order = compare(value, atom->bound);
    switch (atom->sign) {
        case LT: return order < 0;
        case LE: return order <= 0;
        case EQ: return order == 0;
        case GE: return order >= 0;
        default: return order > 0;
    }
}

static int holds(const struct atom *atoms, int n) {
    for (int i = 0; i < n; i++) if (!holds_at(&atoms[i])) return 0;
    return 1;
}

/* The delays after which a condition holds. */
struct window { struct sut_time low, high; int after, before, ends; };

static int window_of(const struct atom *atoms, int n, struct window *w) {
    int order;
    w->low = w->high = units(0);
    w->after = w->before = w->ends = 0;
    for (int i = 0; i < n; i++) {
        const struct atom *atom = &atoms[i];
        struct sut_time at;
        if (atom->right >= 0) {
            if (!holds_at(atom)) return 0;
            continue;
        }
        at = minus(atom->bound, clocks[atom->left]);
        if (atom->sign >= EQ) {
            order = compare(at, w->low);
            if (order > 0 || (order == 0 && atom->sign == GT)) { w->low = at; w->after = atom->sign == GT; }
        }
        if (atom->sign <= EQ) {
            order = compare(at, w->high);
            if (!w->ends || order < 0 || (order == 0 && atom->sign == LT)) { w->high = at; w->before = atom->sign == LT; w->ends = 1; }
        }
    }
    if (!w->ends) return 1;
    order = compare(w->low, w->high);
    return w->high.top >= 0 && (order < 0 || (order == 0 && !w->after && !w->before));
}

/* The first delay, or one soon after where there is no first. */
static struct sut_time earliest(const struct window *w) {
    struct sut_time end = sum(w->low, units(1));
    if (!w->after) return w->low;
    if (w->ends && compare(w->high, end) < 0) end = w->high;
    return half(sum(w->low, end));
}

/* ---- Runs ------------------------------------------------------------------------------------------------------------ */

static void pass_time(const struct test *test, struct sut_time delay) {
    now = sum(now, delay);
    for (int i = 0; i < test->n_clocks; i++) clocks[i] = sum(clocks[i], delay);
}

static int jump_to(const struct jump *jump) {
    for (int i = 0; i < jump->n_resets; i++) clocks[jump->resets[i].clock] = units(jump->resets[i].value);
    return jump->next;
}

/* Outputs that a node allows: from when on, or (no low) from when it was entered. */
struct allowed { const char *action; struct window w; };

static int has_low(const struct window *w) { return w->after || w->low.top; }

static int begins_before(const struct window *a, const struct window *b) {
    int order = compare(a->low, b->low);
    if (has_low(a) != has_low(b)) return has_low(a) ? 1 : -1;
    return order ? order : a->after - b->after;
}

static int by_action(const struct allowed *a, const struct allowed *b) {
    int order = strcmp(a->action, b->action);
    return order ? order : begins_before(&a->w, &b->w);
}

static int by_time(const struct allowed *a, const struct allowed *b) {
    int order = begins_before(&a->w, &b->w);
    return order ? order : strcmp(a->action, b->action);
}

static void sort(struct allowed *list, int n, int (*order)(const struct allowed *, const struct allowed *)) {
    for (int i = 1; i < n; i++) for (int j = i; j > 0 && order(&list[j - 1], &list[j]) > 0; j--) {
        struct allowed moved = list[j];
        list[j] = list[j - 1];
        list[j - 1] = moved;
    }
}

/* Whether no moment lies between the two, of which the second begins no earlier. */
static int meet(const struct allowed *a, const struct allowed *b) {
    int order = compare(b->w.low, a->w.high);
    if (strcmp(a->action, b->action) != 0) return 0;
    return !a->w.ends || !has_low(&b->w) || order < 0 || (order == 0 && !(a->w.before && b->w.after));
}

static void join(struct allowed *a, const struct allowed *b) {
    int order = compare(b->w.high, a->w.high);
    if (!a->w.ends) return;
    if (!b->w.ends || order > 0 || (order == 0 && a->w.before)) {
        a->w.ends = b->w.ends;
        a->w.high = b->w.high;
        a->w.before = b->w.before;
    }
}

/* What the node allowed when it was entered, the clocks being as they were then, in words; the number of windows. `only` is their
 * action if there is one. */
static int show_allowed(const struct node *node, const struct sut_time *was, struct sut_time entered, const char **only) {
    struct allowed list[MOST_OUTPUTS];
    struct sut_time there[MOST_CLOCKS];
    int n = 0, joined = 0;
    memcpy(there, clocks, sizeof there);
    memcpy(clocks, was, sizeof there);
    for (int i = 0; i < node->n_outputs; i++) {
        const struct jump *jump = &node->outputs[i].jump;
        list[n].action = node->outputs[i].action;
        if (jump->next != FAIL && window_of(jump->when, jump->n_when, &list[n].w)) n++;
    }
    memcpy(clocks, there, sizeof there);
    sort(list, n, by_action);
    for (int i = 0; i < n; i++) {
        if (joined && meet(&list[joined - 1], &list[i])) join(&list[joined - 1], &list[i]);
        else list[joined++] = list[i];
    }
    sort(list, joined, by_time);
    for (int i = 0; i < joined; i++) {
        const struct window *w = &list[i].w;
        int is_moment = w->ends && w->low.top && !w->after && !w->before && compare(w->low, w->high) == 0;
        printf("%s%s!", i ? " or " : "", list[i].action);
        if (has_low(w)) { printf(is_moment ? " at " : w->after ? " after " : " from "); show(sum(entered, w->low)); }
        if (w->ends && !is_moment) { printf(w->before ? " before " : " by "); show(sum(entered, w->high)); }
    }
    *only = joined == 1 ? list[0].action : 0;
    return joined;
}

static void note(const char *action, char mark) {
    const struct event event = { action, mark, now };
    events[n_events++] = event;
}

static void show_log(void) {
    printf("#   log: %s", n_events ? "" : "nothing");
    for (int i = 0; i < n_events; i++) {
        printf("%s%s%c at ", i ? ", " : "", events[i].action, events[i].mark);
        show(events[i].at);
    }
    puts("");
}

/* Runs a test; why it fails is printed. */
static int run(const struct test *test, int number) {
    int at = 0;
    sut_reset();
    now = units(0);
    n_events = 0;
    for (int i = 0; i < MOST_CLOCKS; i++) clocks[i] = units(0);
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        const struct node *node = &test->nodes[at];
        const struct rule *rule = 0;
        struct sut_time was[MOST_CLOCKS], entered = now, delay, due;
        struct window w;
        const char *came = 0, *refused = 0;
        memcpy(was, clocks, sizeof was);
        for (int i = 0; i < node->n_rules && !rule; i++) if (holds(node->rules[i].from, node->rules[i].n_from)) rule = &node->rules[i];
        if (!rule || !window_of(rule->when, rule->n_when, &w)) return INCONCLUSIVE;
        delay = earliest(&w);
        if (sut_due(&due)) due = reduced(due.top, due.bottom);
        else due = sum(delay, units(1));
        if (compare(due, delay) <= 0) {
            sut_wait(due);
            came = sut_output();
            pass_time(test, due);
            note(came, '!');
            at = node->otherwise;
            for (int i = 0; i < node->n_outputs; i++) {
                const struct output *output = &node->outputs[i];
                if (strcmp(output->action, came) == 0 && holds(output->jump.when, output->jump.n_when)) { at = jump_to(&output->jump); break; }
            }
        } else {
            sut_wait(delay);
            pass_time(test, delay);
            at = rule->stop;
            if (rule->input) note(rule->input, '?');
            if (rule->input && !sut_give(rule->input) && REFUSALS_FAIL) { refused = rule->input; at = FAIL; }
            else if (rule->input) {
                at = PASS;
                for (int i = 0; i < rule->n_then; i++) {
                    const struct jump *jump = &rule->then[i];
                    if (holds(jump->when, jump->n_when)) { at = jump_to(jump); break; }
                }
            }
        }
        if (at == FAIL) {
            printf("not ok %d - %s # expected ", number, test->id);
            if (refused) printf("%s? to be accepted; it was refused at ", refused);
            else if (!came && rule->input) printf("%s? to be refused; it was accepted at ", rule->input);
            else {
                const char *only;
                if (!show_allowed(node, was, entered, &only)) printf(came ? "no output" : "an output");
                if (came && only && strcmp(only, came) == 0) printf("; it came at ");
                else if (came) printf("; %s! came at ", came);
                else printf("; nothing came by ");
            }
            show(now);
            printf(" (%s)\n", test->purpose);
            show_log();
        }
        if (at < 0) return at;
    }
    return INCONCLUSIVE;
}

static int is_wanted(const struct test *test, int argc, char **argv) {
    for (int i = 1; i < argc; i++) if (strcmp(argv[i], test->id) == 0) return 1;
    return argc == 1;
}

int main(int argc, char **argv) {
    const int n = (int)(sizeof tests / sizeof *tests);
    int failed = 0, number = 0, n_wanted = 0;
    for (int i = 1; i < argc; i++) {
        int known = 0;
        for (int j = 0; j < n; j++) known |= strcmp(argv[i], tests[j].id) == 0;
        if (!known) { fprintf(stderr, "there is no test %s\n", argv[i]); return 2; }
    }
    for (int j = 0; j < n; j++) n_wanted += is_wanted(&tests[j], argc, argv);
    printf("# %s\n1..%d\n", title, n_wanted);
    for (int j = 0; j < n; j++) {
        int verdict;
        if (!is_wanted(&tests[j], argc, argv)) continue;
        verdict = run(&tests[j], ++number);
        if (verdict == FAIL) failed++;
        else printf("ok %d - %s%s\n", number, tests[j].id, verdict == PASS ? "" : " # purpose not reached");
        fflush(stdout);
    }
    printf("# %d of %d tests failed\n", failed, number);
    return failed > 0;
}
