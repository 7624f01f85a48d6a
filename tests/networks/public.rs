//! Small models in the manner of public ones, a row for each construct that these have: the states that runs reach, derived by
//! hand, or the words in which the model is refused.

use tamper::formats::{read_network, read_xta_network};
use tamper::network::{View, compose};
use tamper::text::{Budget, Severity};

/// What a model is about, its text, and the reached states or the refusal.
type Row = (&'static str, &'static str, &'static [&'static str]);

const ROWS: &[Row] = &[
    (
        "a word of 32 bits whose sign flips",
        "int32_t r = 1; process Lfsr() { state Run; init Run; trans Run -> Run { guard r > 0; assign r ^= 1 << 31; }; }
         system Lfsr;",
        &["Lfsr.Run r=-2147483647", "Lfsr.Run r=1"],
    ),
    (
        "a neighbour that the first of a row does not have",
        "const int N = 2; typedef int[0,N-1] id_t; bool done[N];
         process Node(const id_t me) { state A, B; init A;
             trans A -> B { guard me == 0 || done[me - 1]; assign done[me] = true; }; }
         system Node;",
        &[
            "Node(0).A Node(1).A done[0]=0 done[1]=0",
            "Node(0).B Node(1).A done[0]=1 done[1]=0",
            "Node(0).B Node(1).B done[0]=1 done[1]=1",
        ],
    ),
    (
        "all others of one process: nobody",
        "const int N = 1; typedef int[0,N-2] other_t;
         process P() { state A, B; init A; trans A -> B { guard forall (i : other_t) false; }; }
         system P;",
        &["P.A", "P.B"],
    ),
    (
        "a mean, once something was counted",
        "int total = 9, n; process Mean() { state A, B; init A;
             trans A -> A { guard n == 0; assign n = 3; }, A -> B { guard n > 0 && total / n > 2; }; }
         system Mean;",
        &["Mean.A total=9 n=0", "Mean.A total=9 n=3", "Mean.B total=9 n=3"],
    ),
    (
        "a partial instance",
        "typedef int[0,1] id_t; int total;
         process Valve(const id_t i, const int limit) { state Shut; init Shut;
             trans Shut -> Shut { guard total == 0 && i == 1; assign total = limit + i; }; }
         Pump(const id_t i) = Valve(i, 4);
         system Pump;",
        &["Pump(0).Shut Pump(1).Shut total=0", "Pump(0).Shut Pump(1).Shut total=5"],
    ),
    (
        "a clock that starts at 3: too late for 2, in time for 4",
        "clock age = 3; process P() { state A { age <= 4 }, Late, Old; init A;
             trans A -> Late { guard age <= 2; }, A -> Old { guard age >= 4; assign age = 0; }, Old -> A { guard age < 1; }; }
         system P;",
        // Once it is set it is early as well: the state that comes back is another one.
        &["P.A", "P.A", "P.Late", "P.Old"],
    ),
    (
        "an array of clocks that start apart",
        "clock ages[2] = { 4, 0 }; process P() { state A, Apart, Equal; init A;
             trans A -> Apart { guard ages[0] >= 4 && ages[1] <= 0; }, A -> Equal { guard ages[0] < 4; }; }
         system P;",
        &["P.A", "P.Apart"],
    ),
    (
        "a clock that starts before 0",
        "clock age = -1; process P() { state A, B; init A; trans A -> B { guard age > 0; }; } system P;",
        &["refused: the clock `age`, with which something is compared, starts at a value that is no constant natural number"],
    ),
    (
        "timers handed over, to a process and to a function",
        "typedef struct { clock since; int[0,3] tries; } timer_t; timer_t timers[2];
         void restart(timer_t &t) { t.since = 0; t.tries++; }
         process Client(timer_t &own) { state Idle { own.since <= 2 }, Soon, Late; init Idle;
             trans Idle -> Idle { guard own.since >= 2 && own.tries < 1; assign restart(own); },
                   Idle -> Soon { guard own.tries == 1 && own.since < 1; },
                   Idle -> Late { guard timers[0].since < 1 && own.tries == 1; }; }
         C = Client(timers[1]);
         system C;",
        &[
            "C.Idle timers[0].tries=0 timers[1].tries=0",
            "C.Idle timers[0].tries=0 timers[1].tries=1",
            "C.Soon timers[0].tries=0 timers[1].tries=1",
        ],
    ),
    (
        "one of several clocks handed over, through two functions",
        "clock xs[3]; int[0,2] at = 1;
         void set(clock &c, int to) { c = to; }
         void both(clock &own[3], int i) { set(own[i], 5); set(own[0], 7); }
         process P() { state A, B, C, D; init A; trans A -> B { guard xs[2] <= 0; assign both(xs, at); },
             B -> C { guard xs[0] == 7 && xs[1] == 5 && xs[2] == 0; }, B -> D { guard xs[1] < 5; }; }
         system P;",
        &["P.A at=1", "P.B at=1", "P.C at=1"],
    ),
    (
        "a power",
        "int v; process P() { state A, B; init A; trans A -> B { assign v = 3 ** 4; }; } system P;",
        &["P.A v=0", "P.B v=81"],
    ),
    (
        "built-in functions",
        "int v = 7; process P() { state A, B; init A; trans A -> B { assign v = fint(v) + floor(2) - abs(-3); }; } system P;",
        &["P.A v=7", "P.B v=6"],
    ),
    (
        "a built-in function of a number that is no integer",
        "int v; process P() { state A, B; init A; trans A -> B { assign v = fint(2.5); }; } system P;",
        &["refused: floating-point numbers are not supported"],
    ),
    (
        "built-in types and constants",
        "uint8_t low = UINT8_MAX; int16_t v = INT16_MIN; process P() { state A, B; init A; trans A -> B { assign low = low - 255; }; }
         system P;",
        &["P.A low=255 v=-32768", "P.B low=0 v=-32768"],
    ),
    (
        "a synchronisation on one branch",
        "chan go; int tries; process S() { state A, B, D; branchpoint C; init A;
             trans A -> C { guard tries < 1; assign tries++; }, C -> B { sync go!; probability 3; }, C -> D { probability 1; }; }
         process R() { state P, Q; init P; trans P -> Q { sync go?; }; }
         system S, R;",
        &[
            "noted: not read, because no guard or invariant asks for it: 2 branch weights",
            "S.A R.P tries=0",
            "S.B R.Q tries=1",
            "S.D R.P tries=1",
        ],
    ),
    (
        "one of two arrays handed over, to a function and to a process",
        "const int DAY[2] = { 1, 2 }, NIGHT[2] = { 10, 20 }; bool late = true; int total, log[2], other[2];
         int both(const int v[2]) { return v[0] + v[1]; }
         void note(int &v[2], int n) { v[0] = n; }
         process P(const int &prices[2]) { state A, B; init A;
             trans A -> B { assign total = both(late ? NIGHT : DAY) + prices[0], note(late ? log : other, total); }; }
         Q = P(DAY[0] > 1 ? NIGHT : DAY);
         system Q;",
        &[
            "Q.A late=1 total=0 log[0]=0 log[1]=0 other[0]=0 other[1]=0",
            "Q.B late=1 total=31 log[0]=31 log[1]=0 other[0]=0 other[1]=0",
        ],
    ),
    (
        "an urgent handshake from 3 on: nobody sees the clock above 3 before it",
        "urgent chan go; clock x; process S() { state A, B; init A; trans A -> B { guard x >= 3; sync go!; }; }
         process R() { state P, Q; init P; trans P -> Q { sync go?; }; }
         process W() { state Waits, Sees; init Waits; trans Waits -> Sees { guard x > 3; }; }
         system S, R, W;",
        &["S.A R.P W.Waits", "S.B R.Q W.Sees", "S.B R.Q W.Waits"],
    ),
    (
        "an urgent broadcast until 2: time stands at the start, and from 2 on after a step that takes the clock there",
        "urgent broadcast chan go; clock x; process S() { state A; init A; trans A -> A { guard x <= 2; sync go!; }; }
         process W() { state Waits, Jumped, Sees, Never; init Waits;
             trans Waits -> Never { guard x > 0; }, Waits -> Jumped { assign x = 3; }, Jumped -> Sees { guard x > 3; }; }
         system S, W;",
        &["S.A W.Jumped", "S.A W.Sees", "S.A W.Waits"],
    ),
    (
        "an urgent handshake under conditions on two clocks",
        "urgent chan go; clock x, y; process S() { state A, B; init A; trans A -> B { guard x >= 3; sync go!; }; }
         process R() { state P, Q; init P; trans P -> Q { guard y >= 2; sync go?; }; }
         system S, R;",
        &[
            "refused: S: A -> B (line 1) with R: P -> Q (line 2): a synchronisation on the urgent channel `go` depends on several \
           clocks at once, which is not supported: the moment at which time has to stop would depend on their difference",
        ],
    ),
    (
        "a live sequence chart",
        "<nta><declaration></declaration><template><name>P</name><location id='a'><name>A</name></location><init ref='a'/></template>
         <lsc><name>Chart</name></lsc><system>system P;</system></nta>",
        &["noted: a live sequence chart (<lsc>) is not read", "P.A"],
    ),
    (
        "a stopwatch",
        "clock busy; process P() { state Idle { busy' == 0 }, Done; init Idle; trans Idle -> Done { guard busy >= 3; }; } system P;",
        &["refused: the invariant of P.Idle: a clock that is compared runs at rate 0 here (only 1 is supported); at the start"],
    ),
    (
        "a fractional rate",
        "clock level; process P() { state Fill { level' == 0.5 }, Full; init Fill; trans Fill -> Full { guard level >= 3; }; }
         system P;",
        &["refused: the clock `level`, with which something is compared, runs at a rate that is no integer"],
    ),
    (
        "a dynamic template",
        "dynamic Worker(int id); process P() { state A; init A; } system P;",
        &["refused: dynamic templates are not supported"],
    ),
];

fn answer(text: &str) -> Vec<String> {
    let read = match text.starts_with('<') {
        true => read_network("m.xml", text.as_bytes()),
        false => read_xta_network("m.xta", text.as_bytes()),
    };
    let (file, warnings) = match read {
        Ok(read) => read,
        Err(refused) => {
            let mut errors = refused.diagnostics.iter();
            let first = errors.find(|found| found.severity == Severity::Error);
            return vec![format!("refused: {}", first.expect("an error").message)];
        }
    };
    let view = View::closed("S", &file.network);
    match compose(&file.network, &view, &Budget::unlimited()) {
        Ok(composed) => {
            let noted = warnings.iter().map(|warning| format!("noted: {}", warning.message));
            let mut states: Vec<String> = super::composition::states_in_words(&composed, &file.network);
            states.sort();
            noted.chain(states).collect()
        }
        Err(error) => vec![format!("refused: {error}")],
    }
}

#[test]
fn models_like_public_ones_are_read_or_refused_as_derived_by_hand() {
    let wrong = ROWS.iter().filter_map(|(about, text, expected)| {
        let found = answer(text);
        (found != *expected).then(|| format!("{about}: {found:#?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
