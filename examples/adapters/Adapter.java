// Between tamper and a Java program under test: put yours in the place of Lamp. The kit is TamperSut.java, which says more.
// javac -d classes Adapter.java TamperSut.java && java -cp classes Adapter
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

public class Adapter {
    /** A touch lamp, the system of lamp.xml; --fault late-dim, wrong-output or no-auto-off misbehaves. */
    static class Lamp {
        enum Light { OFF, DIM, BRIGHT }
        final Clock clock;
        final ScheduledExecutorService timers;
        final Duration unit;
        final String fault;
        final Consumer<Light> listener;
        Light light = Light.OFF;
        Instant changed;
        ScheduledFuture<?> change;

        Lamp(Clock clock, ScheduledExecutorService timers, Duration unit, String fault, Consumer<Light> listener) {
            this.clock = clock;
            this.timers = timers;
            this.unit = unit;
            this.fault = fault;
            this.listener = listener;
        }

        void turn(Light next, Duration wait) {
            if (change != null) change.cancel(false);
            change = timers.schedule(() -> {
                light = next;
                changed = clock.instant();
                listener.accept(light);
                if (light == Light.BRIGHT && !fault.equals("no-auto-off")) turn(Light.OFF, unit.multipliedBy(20));
            }, wait.toNanos(), TimeUnit.NANOSECONDS);
        }

        void press() {
            Duration half = unit.dividedBy(2);
            if (light == Light.OFF)
                turn(fault.equals("wrong-output") ? Light.BRIGHT : Light.DIM, half.multipliedBy(fault.equals("late-dim") ? 5 : 3));
            else if (light == Light.DIM && clock.instant().isBefore(changed.plus(unit.multipliedBy(5)))) turn(Light.BRIGHT, half.multipliedBy(3));
            else turn(Light.OFF, half);
        }
    }

    // The adapter, called at each reset: what an input does, and which event is which output.
    public static void main(String[] args) {
        TamperSut.serve(sut -> {
            Lamp lamp = new Lamp(sut.clock(), sut.scheduler(), sut.units(1), args.length > 1 ? args[1] : "",
                    light -> sut.say(light.name().toLowerCase()));
            return Map.of("press", values -> {
                lamp.press();
                return true;
            });
        });
    }
}
