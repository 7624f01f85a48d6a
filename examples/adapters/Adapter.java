// Between tamper and a program under test: put yours in the place of System. The protocol: docs/book/src/sut-protocol.md.
// javac Adapter.java && java Adapter       (or, without compiling: java Adapter.java)
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Optional;

public class Adapter {
    /** A number of time units, exactly. */
    record Time(long top, long bottom) implements Comparable<Time> {
        static Time of(long top, long bottom) {
            long a = Math.abs(top), b = bottom;
            while (b != 0) { long rest = a % b; a = b; b = rest; }
            return new Time(top / a, bottom / a);
        }
        static Time of(String text) {
            String[] parts = text.split("/");
            return of(Long.parseLong(parts[0]), parts.length > 1 ? Long.parseLong(parts[1]) : 1);
        }
        Time plus(Time other) { return of(top * other.bottom + other.top * bottom, bottom * other.bottom); }
        Time minus(Time other) { return plus(new Time(-other.top, other.bottom)); }
        public int compareTo(Time other) { return Long.compare(top * other.bottom, other.top * bottom); }
        public String toString() { return top + "/" + bottom; }
    }

    /** A washing machine, the system of washer.xml; --fault early, late, wrong or deaf misbehaves. */
    static class System {
        enum State { IDLE, FILLING, WASHING, DRAINING }
        static final Time ZERO = new Time(0, 1);
        final String fault;
        State state;
        Time since;

        System(String fault) { this.fault = fault; reset(); }
        void reset() { go(State.IDLE); }
        void go(State next) { state = next; since = ZERO; }

        /** Takes an input; false if it is refused. */
        boolean give(String action) {
            boolean runs = state == State.FILLING || state == State.WASHING;
            if (action.equals("start") && state == State.IDLE) go(State.FILLING);
            else if (action.equals("stop") && runs) { if (!fault.equals("deaf")) go(State.DRAINING); }
            else return false;
            return true;
        }
        /** How long until its next output, if time passes and nothing is given; empty: never. */
        Optional<Time> due() {
            int late = state != State.FILLING ? 0 : fault.equals("early") ? -2 : fault.equals("late") ? 4 : 0;
            int end = switch (state) { case IDLE -> 0; case FILLING -> 3; case WASHING -> 25; case DRAINING -> 1; };
            Time rest = Time.of(end + late, 1).minus(since);
            return state == State.IDLE ? Optional.empty() : Optional.of(rest.compareTo(ZERO) < 0 ? ZERO : rest);
        }
        /** Lets time pass; no output is due before its end. */
        void await(Time time) { since = since.plus(time); }
        /** Makes the output that is due now. */
        String output() {
            State from = state;
            go(from == State.FILLING ? State.WASHING : State.IDLE);
            return switch (from) { case FILLING -> "full"; case WASHING -> "done"; default -> fault.equals("wrong") ? "full" : "drained"; };
        }
    }

    // ---- From here on nothing depends on the system. ----------------------------------------------------------------------

    static String answer(System system, String word, String rest) {
        switch (word) {
            case "reset": system.reset(); return "ready";
            case "input": return system.give(rest) ? "ok" : "refused";
            case "delay":
                Time time = Time.of(rest);
                Optional<Time> due = system.due().filter(next -> next.compareTo(time) <= 0);
                system.await(due.orElse(time));
                return due.map(next -> "output " + system.output() + " after " + next).orElse("done");
            case "tamper": if (rest.equals("1 accelerated")) return "ready";
            default: throw new IllegalArgumentException("run tamper with --accelerated (unknown: " + word + " " + rest + ")");
        }
    }

    public static void main(String[] args) throws Exception {
        System system = new System(args.length > 1 ? args[1] : "");
        BufferedReader lines = new BufferedReader(new InputStreamReader(java.lang.System.in));
        for (String line; (line = lines.readLine()) != null && !line.equals("quit"); ) {
            String[] words = line.split(" ", 2);
            java.lang.System.out.println(answer(system, words[0], words.length > 1 ? words[1] : ""));
        }
    }
}
