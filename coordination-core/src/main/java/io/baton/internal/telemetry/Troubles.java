package io.baton.internal.telemetry;

import io.baton.Trouble;
import io.baton.recipe.LogLimit;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The present troubles of a coordinator. Each is written to the log, but repeated only now and then, and all together
 * within a limit. Any thread.
 */
public final class Troubles {

    /** How many are known at a time; a client whose every request is refused has one for each entry. */
    static final int MOST = 1_000;

    /** Lines within {@link #PERIOD}, of all troubles together. */
    static final int LINES = 20;

    static final Duration PERIOD = Duration.ofMinutes(1);

    /** One trouble. */
    private static final class Known {

        private final Instant since;
        private final long sinceNanos;
        private final boolean ofSession;
        private final RepeatedWarning warning = new RepeatedWarning();
        private String why = "";
        private boolean logged;

        Known(Instant since, long sinceNanos, boolean ofSession) {
            this.since = since;
            this.sinceNanos = sinceNanos;
            this.ofSession = ofSession;
        }
    }

    private final String where;
    private final Supplier<Instant> clock;
    private final LongSupplier nanoTime;
    private final Logger log;
    private final Map<String, Known> present = new LinkedHashMap<>();
    private final LogLimit limit = new LogLimit(LINES, PERIOD);

    /**
     * Starts without troubles.
     *
     * @param where the store, for people
     * @param clock says since when there is a trouble
     * @param nanoTime says for how long there was, whatever happens to the clock
     */
    public Troubles(String where, Supplier<Instant> clock, LongSupplier nanoTime, Logger log) {
        this.where = where;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.log = log;
    }

    /** Reports a trouble that begins or goes on. */
    public void report(String what, String why) {
        report(what, why, false);
    }

    /** As {@link #report(String, String)}. The end of the session ends the trouble, too. */
    public void reportOfSession(String what, String why) {
        report(what, why, true);
    }

    private synchronized void report(String what, String why, boolean ofSession) {
        Instant now = clock.get();
        Known known = present.get(what);
        if (known == null && present.size() < MOST) {
            known = new Known(now, nanoTime.getAsLong(), ofSession);
            present.put(what, known);
        }
        if (known != null) {
            known.why = why;
            known.warning.line(what, why, now).ifPresent(line -> write(what, line, now));
        } else {
            write(what, what + ": " + why, now);
        }
    }

    private void write(String what, String line, Instant now) {
        OptionalLong keptBack = limit.admit(now);
        if (keptBack.isPresent()) {
            long others = keptBack.getAsLong();
            log.warn("{}: {}{}", where, line, others == 0 ? "" : " (" + others + " other warnings were kept back)");
            Known known = present.get(what);
            if (known != null) {
                known.logged = true;
            }
        }
    }

    /** Reports what has failed and is not tried again, so that no trouble stays. */
    public synchronized void reportFailed(String what, String why) {
        write(what, what + ": " + why, clock.get());
    }

    /** Ends a trouble: it works again, or is no longer wanted. */
    public synchronized void resolved(String what) {
        Known known = present.remove(what);
        if (known != null && known.logged) {
            Duration lasted = Duration.ofNanos(nanoTime.getAsLong() - known.sinceNanos);
            log.info("{}: over after {}: {}", where, Texts.of(lasted), what);
        }
    }

    /** Drops the troubles of the session. */
    public synchronized void sessionEnded() {
        present.values().removeIf(known -> known.ofSession);
    }

    /** Drops all troubles. */
    public synchronized void clear() {
        present.clear();
    }

    /** Returns all troubles, oldest first. */
    public synchronized List<Trouble> present() {
        return present.entrySet().stream()
                .map(each -> new Trouble(each.getValue().since, each.getKey(), each.getValue().why))
                .toList();
    }
}
