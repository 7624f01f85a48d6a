// What the kit for Java offers, each once: scripts/check-adapters.sh speaks with it.
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class Every {
    static ScheduledFuture<?> repeated;

    public static void main(String[] args) {
        TamperSut.serve(sut -> {
            sut.after(() -> System.out.println("ended"));
            return Map.of(
                    "set", values -> {
                        if (values.length != 1) return false;
                        sut.scheduler().schedule(() -> sut.say("is", values), sut.units(1, 2).toNanos(), TimeUnit.NANOSECONDS);
                        return true;
                    },
                    "both", values -> {
                        sut.scheduler().execute(() -> sut.say("one"));
                        sut.scheduler().submit(() -> sut.say("two"));
                        return true;
                    },
                    "repeat", values -> {
                        long period = sut.units(3).toNanos();
                        repeated = sut.scheduler().scheduleAtFixedRate(() -> sut.say("again"), period, period, TimeUnit.NANOSECONDS);
                        return true;
                    },
                    "stop", values -> repeated.cancel(false));
        });
    }
}
