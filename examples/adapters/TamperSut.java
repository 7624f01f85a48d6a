// tamper-sut for Java: between `tamper run` and a Java program, in virtual time or on the wall clock. It needs Java 17 and nothing else.
// The protocol: docs/book/src/sut-protocol.md.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The program under test from one reset to the next: its clock, its timers and its outputs. What it does afterwards is not heard. */
public final class TamperSut {
    /** What an input of the model does; `values` are those of the action: set_2, the model's set[2], has 2. False: it is refused. */
    public interface Input { boolean give(int... values) throws Exception; }

    /** Makes the program anew, and says what each input does. */
    public interface Start { Map<String, Input> begin(TamperSut sut) throws Exception; }

    /** How long a time unit lasts in virtual time, in nanoseconds: it can be halved 18 times, and has whole thousandths. */
    public static final long UNIT = 4_096_000_000L;

    private static final Instant BEGIN = Instant.parse("2024-01-01T00:00:00Z");
    private static final int AT_ONCE = 100_000;

    private final boolean real;
    private final long unit;
    private final PrintStream out;
    private final long begun = System.nanoTime();
    private final Deque<String> outputs = new ArrayDeque<>();
    private final List<Runnable> cleanups = new ArrayList<>();
    private final Virtual virtual = new Virtual();
    private final ScheduledExecutorService scheduler;
    private Map<String, Input> inputs;
    private boolean ready;
    private boolean ended;

    private TamperSut(boolean real, long unit, PrintStream out) {
        this.real = real;
        this.unit = unit;
        this.out = out;
        scheduler = real ? Executors.newSingleThreadScheduledExecutor() : virtual;
    }

    /** The program makes this output now; values follow its name: say("is", 2) is is_2, which tamper calls the model's is[2]. */
    public synchronized void say(String output, int... values) {
        StringBuilder text = new StringBuilder(output);
        for (int value : values) text.append('_').append(value);
        if (ended) return;
        outputs.add(text.toString());
        if (real && ready) flush();
    }

    /** How long so many time units of the model last: write the program's timeouts with it. */
    public Duration units(long top, long bottom) {
        BigInteger[] parts = BigInteger.valueOf(top).multiply(BigInteger.valueOf(unit)).divideAndRemainder(BigInteger.valueOf(bottom));
        if (!real && parts[1].signum() != 0)
            throw new IllegalArgumentException(top + "/" + bottom + " time units are no whole number of nanoseconds; another unit or --grid helps");
        return Duration.ofNanos(parts[0].longValueExact());
    }

    public Duration units(long number) { return units(number, 1); }

    /** Nanoseconds since the reset, in place of System.nanoTime. */
    public long nanoTime() { return real ? System.nanoTime() - begun : virtual.now; }

    /** The clock that the program is given: at each reset 2024 begins. */
    public Clock clock() { return new Wall(ZoneOffset.UTC); }

    /** The timers that the program is given. In virtual time they fire one by one when time passes, in the thread of the tester. */
    public ScheduledExecutorService scheduler() { return scheduler; }

    /** Calls `cleanup` at the next reset and at the end, the last one first. */
    public void after(Runnable cleanup) { cleanups.add(cleanup); }

    /** Speaks with tamper until it says `quit`. `start` is called at each reset. */
    public static void serve(Start start) { serve(start, UNIT); }

    /** The same; in virtual time a time unit lasts `unit` nanoseconds. */
    public static void serve(Start start, long unit) {
        PrintStream out = System.out;
        System.setOut(System.err); // What the program prints is kept with the test.
        try {
            new Session(start, unit, out).talk();
        } catch (Throwable wrong) {
            wrong.printStackTrace(); // tamper says that the program crashed, and shows this.
            Runtime.getRuntime().halt(70);
        }
        Runtime.getRuntime().halt(0); // Threads that the program has left do not hold it.
    }

    private synchronized void flush() {
        while (!outputs.isEmpty()) line("output " + outputs.remove());
    }

    private void line(String text) {
        out.print(text + "\n");
        out.flush();
    }

    private void begin(Start start) throws Exception {
        inputs = real ? scheduler.submit(() -> start.begin(this)).get() : start.begin(this);
        virtual.settle();
        synchronized (this) {
            line("ready");
            ready = true;
            if (real) flush();
        }
    }

    private void end() {
        synchronized (this) { ended = true; }
        Collections.reverse(cleanups);
        cleanups.forEach(Runnable::run);
        scheduler.shutdownNow();
    }

    private boolean give(String action) throws Exception {
        String name = action;
        Deque<Integer> values = new ArrayDeque<>();
        while (!inputs.containsKey(name)) {
            int at = name.lastIndexOf('_');
            if (at < 1 || !name.substring(at + 1).matches("\\d{1,9}")) return false;
            values.addFirst(Integer.valueOf(name.substring(at + 1)));
            name = name.substring(0, at);
        }
        return inputs.get(name).give(values.stream().mapToInt(value -> value).toArray());
    }

    private void input(String action) throws Exception {
        if (real) {
            if (!scheduler.submit(() -> give(action)).get()) line("refused " + action);
            return;
        }
        boolean taken = give(action);
        virtual.settle();
        line(taken ? "ok" : "refused");
    }

    private String delay(String text) {
        String[] parts = text.split("/");
        long from = virtual.now;
        long end = Math.addExact(from, units(Long.parseLong(parts[0]), parts.length > 1 ? Long.parseLong(parts[1]) : 1).toNanos());
        while (outputs.isEmpty() && virtual.fire(end)) { }
        if (!outputs.isEmpty()) {
            long common = BigInteger.valueOf(unit).gcd(BigInteger.valueOf(virtual.now - from)).longValueExact();
            return "output " + outputs.remove() + " after " + (virtual.now - from) / common + "/" + unit / common;
        }
        virtual.now = end;
        return "done";
    }

    /** The lines of the tester, one after the other. */
    private static final class Session {
        private final Start start;
        private final PrintStream out;
        private long unit;
        private boolean real;
        private TamperSut sut;

        Session(Start start, long unit, PrintStream out) {
            this.start = start;
            this.unit = unit;
            this.out = out;
        }

        void talk() throws Exception {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            greet(lines.readLine());
            for (String line; (line = lines.readLine()) != null && !line.equals("quit"); ) {
                if (line.equals("reset")) {
                    if (sut != null) sut.end();
                    sut = new TamperSut(real, unit, out);
                    sut.begin(start);
                } else if (sut != null && line.startsWith("input ")) sut.input(line.substring(6));
                else if (sut != null && !real && line.startsWith("delay ")) sut.line(sut.delay(line.substring(6)));
                else throw new IllegalArgumentException("not a line for now: " + line);
            }
            if (sut != null) sut.end();
        }

        private void greet(String line) {
            String[] words = line == null ? new String[0] : line.split(" ");
            real = words.length == 4 && words[2].equals("real");
            if (!real && !"tamper 1 accelerated".equals(line)) throw new IllegalArgumentException("not a tester that this kit knows: " + line);
            if (real) unit = Math.multiplyExact(Long.parseLong(words[3]), 1000L);
            out.print("ready\n");
            out.flush();
        }
    }

    /** The time of the kit as a clock of Java. */
    private final class Wall extends Clock {
        private final ZoneId zone;

        Wall(ZoneId zone) { this.zone = zone; }
        @Override public ZoneId getZone() { return zone; }
        @Override public Clock withZone(ZoneId other) { return new Wall(other); }
        @Override public Instant instant() { return BEGIN.plusNanos(nanoTime()); }
    }

    /** Timers that fire when the tester lets time pass, those that are due first before the others, of several those that were set first. */
    private final class Virtual extends AbstractExecutorService implements ScheduledExecutorService {
        private final PriorityQueue<Timer<?>> timers = new PriorityQueue<>();
        private long now;
        private long set;
        private int firedAtOnce;
        private boolean shut;

        private synchronized <V> Timer<V> add(Timer<V> timer) {
            if (shut) throw new java.util.concurrent.RejectedExecutionException("the scheduler is shut down");
            timers.add(timer);
            return timer;
        }

        private synchronized Timer<?> take(long until) {
            timers.removeIf(FutureTask::isCancelled);
            return timers.isEmpty() || timers.peek().due > until ? null : timers.remove();
        }

        /** Fires one timer that is due by then, and says whether there was one. */
        boolean fire(long until) {
            Timer<?> timer = take(until);
            if (timer == null) return false;
            if (timer.due > now) {
                now = timer.due;
                firedAtOnce = 0;
            }
            if (++firedAtOnce > AT_ONCE) throw new IllegalStateException("timers fire and no time passes");
            timer.fire();
            return true;
        }

        void settle() {
            firedAtOnce = 0;
            while (fire(now)) { }
        }

        private final class Timer<V> extends FutureTask<V> implements ScheduledFuture<V> {
            private final long number = set++;
            private final long period;
            private final boolean fixedRate;
            private long due;

            Timer(Callable<V> task, long wait, long period, boolean fixedRate) {
                super(task);
                due = Math.addExact(now, Math.max(0, wait));
                this.period = period;
                this.fixedRate = fixedRate;
            }

            void fire() {
                if (period == 0) run();
                else if (runAndReset() && !shut) {
                    due = Math.addExact(fixedRate ? due : now, period);
                    add(this);
                }
            }

            @Override protected void setException(Throwable wrong) {
                wrong.printStackTrace(); // Whoever asks the future is told as well.
                super.setException(wrong);
            }
            @Override public long getDelay(TimeUnit in) { return in.convert(due - now, TimeUnit.NANOSECONDS); }
            @Override public int compareTo(Delayed other) {
                Timer<?> timer = (Timer<?>) other;
                return due != timer.due ? Long.compare(due, timer.due) : Long.compare(number, timer.number);
            }
        }

        @Override public <V> ScheduledFuture<V> schedule(Callable<V> task, long wait, TimeUnit in) {
            return add(new Timer<>(task, in.toNanos(wait), 0, false));
        }
        @Override public ScheduledFuture<?> schedule(Runnable task, long wait, TimeUnit in) { return schedule(Executors.callable(task), wait, in); }
        @Override public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long wait, long period, TimeUnit in) {
            return repeat(task, in.toNanos(wait), in.toNanos(period), true);
        }
        @Override public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long wait, long period, TimeUnit in) {
            return repeat(task, in.toNanos(wait), in.toNanos(period), false);
        }
        private ScheduledFuture<?> repeat(Runnable task, long wait, long period, boolean fixedRate) {
            if (period <= 0) throw new IllegalArgumentException("a period of " + period);
            return add(new Timer<>(Executors.callable(task), wait, period, fixedRate));
        }
        @Override public void execute(Runnable task) { schedule(task, 0, TimeUnit.NANOSECONDS); }
        @Override public synchronized void shutdown() {
            shut = true;
            timers.removeIf(timer -> timer.period > 0); // What was set once still fires, as in ScheduledThreadPoolExecutor.
        }
        @Override public synchronized List<Runnable> shutdownNow() {
            shut = true;
            List<Runnable> left = new ArrayList<>(timers);
            timers.clear();
            return left;
        }
        @Override public boolean isShutdown() { return shut; }
        @Override public synchronized boolean isTerminated() { return shut && timers.isEmpty(); }
        @Override public boolean awaitTermination(long wait, TimeUnit in) { return isTerminated(); }
    }
}
