package io.baton;

import io.baton.Telemetry.NotGranted.Reason;
import io.baton.Telemetry.Request.Outcome;
import io.baton.recipe.LogLimit;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs the events that need attention, and none for an ordinary acquisition. Each line is a full sentence and carries
 * its parts as key-value pairs ({@code lock}, {@code token}, {@code session}, {@code seconds}, ...).
 *
 * <table>
 * <caption>What is logged</caption>
 * <tr><th>level</th><th>event</th></tr>
 * <tr><td>ERROR</td><td>a hold was lost</td></tr>
 * <tr><td>WARN</td><td>a session was lost; a hold was in jeopardy for long; a long wait goes on, or timed out; an
 * acquisition failed; a waiter lost its place; a request was not answered, or failed; events were dropped</td></tr>
 * <tr><td>INFO</td><td>contact with the store was made or lost; a lock was granted after a long wait</td></tr>
 * </table>
 *
 * <p>At most 20 lines of each kind are written within 10 seconds; of failed requests and of dropped events, one. The
 * next line has the number of the lines that were left out. The logger is {@code io.baton.telemetry} unless another is
 * set.
 *
 * <p>Terms, fencing and health are logged without this class, by {@code io.baton.election.Candidacy} and
 * {@code io.baton.election.ActiveStandby}.
 *
 * <p><b>Threads.</b> One instance may serve several coordinators.
 */
public final class Slf4jTelemetry implements Telemetry {

    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final int MOST = 20;

    private final Logger log;
    private final Duration longWait;
    private final Duration longJeopardy;
    private final LogLimit losses = new LogLimit(MOST, PERIOD);
    private final LogLimit sessions = new LogLimit(MOST, PERIOD);
    private final LogLimit jeopardies = new LogLimit(MOST, PERIOD);
    private final LogLimit waits = new LogLimit(MOST, PERIOD);
    private final LogLimit failures = new LogLimit(MOST, PERIOD);
    private final LogLimit places = new LogLimit(MOST, PERIOD);
    private final LogLimit requests = new LogLimit(1, PERIOD);
    private final LogLimit drops = new LogLimit(1, PERIOD);

    private Slf4jTelemetry(Builder b) {
        log = b.log;
        longWait = b.longWait;
        longJeopardy = b.longJeopardy;
    }

    /** Returns one with the defaults. */
    public static Slf4jTelemetry create() {
        return builder().build();
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void lost(Lost event) {
        String text = "Lost " + lock(event.lock(), event.token()) + " after holding it for " + Texts.of(event.held())
                + ": " + line(event.why());
        log(Level.ERROR, losses, event.at(), text, event.held(), "lock", event.lock(), "token", event.token());
    }

    @Override
    public void steady(Steady event) {
        if (event.lasted().compareTo(longJeopardy) >= 0) {
            String text = "After " + Texts.of(event.lasted()) + " in jeopardy, " + lock(event.lock(), event.token())
                    + " is steady again";
            log(Level.WARN, jeopardies, event.at(), text, event.lasted(), "lock", event.lock(), "token", event.token());
        }
    }

    @Override
    public void waiting(Waiting event) {
        if (event.waited().compareTo(longWait) >= 0) {
            String text =
                    "Has waited for " + lock(event.lock()) + " for " + Texts.of(event.waited()) + ", and still does";
            log(Level.WARN, waits, event.at(), text, event.waited(), "lock", event.lock());
        }
    }

    @Override
    public void granted(Granted event) {
        if (event.waited().compareTo(longWait) >= 0) {
            String text = "Got " + lock(event.lock(), event.token()) + " after " + Texts.of(event.waited());
            log(Level.INFO, waits, event.at(), text, event.waited(), "lock", event.lock(), "token", event.token());
        }
    }

    @Override
    public void notGranted(NotGranted event) {
        if (event.reason() == Reason.FAILED) {
            String text = "Did not get " + lock(event.lock()) + ", after " + Texts.of(event.waited()) + ": "
                    + line(event.why());
            log(Level.WARN, failures, event.at(), text, event.waited(), "lock", event.lock());
        } else if (event.reason() == Reason.TIMED_OUT && event.waited().compareTo(longWait) >= 0) {
            String text = "Waited in vain for " + lock(event.lock()) + " for " + Texts.of(event.waited());
            log(Level.WARN, waits, event.at(), text, event.waited(), "lock", event.lock());
        }
    }

    @Override
    public void rejoined(Rejoined event) {
        String text = "Lost its place in the line of " + lock(event.lock()) + " and joins again, at the end: "
                + line(event.why());
        log(Level.WARN, places, event.at(), text, event.waited(), "lock", event.lock());
    }

    @Override
    public void session(SessionChange event) {
        String after = " after " + Texts.of(event.before());
        switch (event.state()) {
            case CONNECTED -> sessionLine(Level.INFO, event, "In contact with the store" + after);
            case SUSPENDED -> sessionLine(Level.INFO, event, "Out of contact with the store" + after);
            case LOST -> sessionLine(Level.WARN, event, "The session is lost" + after + ": " + line(event.why()));
            case CLOSED -> {}
        }
    }

    private void sessionLine(Level level, SessionChange event, String text) {
        log(level, sessions, event.at(), text, event.before(), "session", event.session(), "state", event.state());
    }

    @Override
    public void request(Request event) {
        if (event.outcome() == Outcome.UNANSWERED || event.outcome() == Outcome.FAILED) {
            String how = event.outcome() == Outcome.FAILED ? " failed after " : " was not answered within ";
            String text = "A " + event.kind() + " request to the store" + how + Texts.of(event.took());
            log(Level.WARN, requests, event.at(), text, event.took(), "kind", event.kind(), "outcome", event.outcome());
        }
    }

    @Override
    public void dropped(Dropped event) {
        String text = "Fell behind, and has missed " + event.events() + " events";
        log(Level.WARN, drops, event.at(), text, Duration.ZERO, "events", event.events());
    }

    private void log(Level level, LogLimit limit, Instant at, String text, Duration duration, Object... keysAndValues) {
        if (!log.isEnabledForLevel(level)) {
            return;
        }
        OptionalLong keptBack = limit.admit(at);
        if (keptBack.isEmpty()) {
            return;
        }
        LoggingEventBuilder line = log.atLevel(level);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            line = line.addKeyValue(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        line = line.addKeyValue("seconds", duration.toMillis() / 1000.0);
        long more = keptBack.getAsLong();
        if (more > 0) {
            line = line.addKeyValue("keptBack", more);
        }
        line.log(more > 0 ? text + " (" + more + " lines like this were kept back before)" : text);
    }

    private static String lock(String name) {
        return "lock '" + line(name) + "'";
    }

    private static String lock(String name, long token) {
        return lock(name) + " with token " + token;
    }

    /** Replaces control characters: names and reasons come from other programs and must not add lines to the log. */
    private static String line(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private Logger log = LoggerFactory.getLogger("io.baton.telemetry");
        private Duration longWait = Duration.ofSeconds(30);
        private Duration longJeopardy = Duration.ofSeconds(2);

        private Builder() {}

        /** The logger. Default {@code io.baton.telemetry}. */
        public Builder logger(Logger value) {
            log = value;
            return this;
        }

        /** The shortest wait that is logged. Default 30 s. */
        public Builder longWait(Duration value) {
            longWait = value;
            return this;
        }

        /** The shortest time in jeopardy that is logged, once the hold is out of it. Default 2 s. */
        public Builder longJeopardy(Duration value) {
            longJeopardy = value;
            return this;
        }

        /**
         * Checks the values and builds the listener.
         *
         * @throws IllegalArgumentException if a duration is negative
         */
        public Slf4jTelemetry build() {
            if (longWait.isNegative() || longJeopardy.isNegative()) {
                throw new IllegalArgumentException("longWait and longJeopardy must not be negative");
            }
            return new Slf4jTelemetry(this);
        }
    }
}
