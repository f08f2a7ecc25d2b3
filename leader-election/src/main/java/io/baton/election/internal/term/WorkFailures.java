package io.baton.election.internal.term;

import io.baton.election.StopReason;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LogLimit;
import io.baton.recipe.Texts;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The terms of a candidacy whose work throws, or ends at once: how long the candidate waits before it stands again, and
 * what the log is told of a series of them. On the loop.
 */
public final class WorkFailures {

    /** Work that goes on for so long has succeeded: what it throws then begins a new series. */
    public static final Duration LASTING = Duration.ofMinutes(1);

    /** Work that ends by itself sooner than this is not begun again at once. */
    static final Duration SHORT = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int KINDS = 5;

    private final String who;
    private final ClientLoop loop;
    private final Logger log;
    private final LogLimit again = new LogLimit(1, PERIOD);
    private final LogLimit whileStopping = new LogLimit(1, PERIOD);

    /** The kinds whose stack was logged, and when. */
    private final Map<String, Instant> shown = new HashMap<>();

    private Loop.Timer lasting = () -> {};
    private int brief;
    private int thrown;
    private boolean told;
    private Instant since = Instant.EPOCH;
    private @Nullable Ended untold;

    /**
     * How a term's work has ended.
     *
     * @param term which
     * @param lasted how long the term lasted
     * @param stop why the work had been told to stop; null if it ended by itself
     * @param thrown what it threw; null if it returned, or was interrupted as it should be
     */
    record Ended(
            long term,
            Duration lasted,
            @Nullable StopReason stop,
            @Nullable Throwable thrown) {}

    /**
     * Nothing has failed yet.
     *
     * @param who whose work, for people
     */
    public WorkFailures(String who, ClientLoop loop, Logger log) {
        this.who = who;
        this.loop = loop;
        this.log = log;
    }

    /** How many terms in a row have failed so far: their work has thrown, or has ended by itself at once. */
    public int consecutive() {
        return Math.max(thrown, brief);
    }

    /** How many terms in a row have thrown so far. */
    public int thrown() {
        return thrown;
    }

    /** A term begins; its work has succeeded if it still goes on in a while. */
    public void termStarted(BooleanSupplier goesOn) {
        if (thrown > 0) {
            lasting = loop.after(LASTING, () -> {
                if (goesOn.getAsBoolean()) {
                    succeeded();
                    brief = 0;
                }
            });
        }
    }

    /** A term is over. */
    public void termEnded(Ended how) {
        lasting.cancel();
        if (how.lasted().compareTo(LASTING) >= 0) {
            succeeded();
        }
        boolean byItself = how.stop() == null;
        boolean atOnce = how.lasted().compareTo(SHORT) < 0;
        brief = byItself && atOnce ? brief + 1 : 0;
        if (byItself && how.thrown() != null) {
            thrown++;
            untold = how;
        } else if (how.thrown() != null) {
            logFailureWhileStopping(how, how.thrown());
        } else if (byItself || !atOnce) {
            succeeded();
        }
    }

    /**
     * How long to wait after so many failures in a row, whatever these were: jittered.
     *
     * @param longest how many of them lengthen it
     */
    public Duration pause(int failures, int longest) {
        int doublings = Math.min(failures, longest);
        return doublings == 0 ? Duration.ZERO : loop.jittered(FIRST_PAUSE.multipliedBy(1L << doublings));
    }

    /** The candidate stands again in so long. That is told with what the last term has thrown, if it has. */
    public void retryIn(Duration pause) {
        Ended last = untold;
        untold = null;
        if (last != null && last.thrown() != null) {
            logFailure(last, last.thrown(), Texts.of(pause));
        }
    }

    private void succeeded() {
        if (told) {
            log.info("{}: the work goes on again, after it has thrown {} times in a row", who, thrown);
        }
        told = false;
        thrown = 0;
    }

    private void logFailure(Ended last, Throwable what, String pause) {
        Instant now = now();
        if (thrown == 1) {
            since = now;
            shown.values().removeIf(at -> !now.isBefore(at.plus(PERIOD)));
        }
        OptionalLong admitted = again.admit(now);
        if (isNew(what, now)) {
            told = true;
            log.warn(
                    "{}: the work of term {} threw after {}{}; it stands again in {}",
                    who,
                    last.term(),
                    Texts.of(last.lasted()),
                    thrown == 1 ? "" : ", as one of " + thrown + " terms in a row",
                    pause,
                    what);
        } else if (admitted.isPresent()) {
            told = true;
            log.warn(
                    "{}: the work has thrown {} times in a row since {}, last in term {}: {}; it stands again in {}",
                    who,
                    thrown,
                    since,
                    last.term(),
                    what.toString(),
                    pause);
        }
    }

    /** A kind is known by where it is thrown: messages may differ each time. */
    private boolean isNew(Throwable what, Instant now) {
        StackTraceElement[] trace = what.getStackTrace();
        String kind = what.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
        return shown.size() < KINDS && shown.putIfAbsent(kind, now) == null;
    }

    private void logFailureWhileStopping(Ended how, Throwable what) {
        OptionalLong keptBack = whileStopping.admit(now());
        if (keptBack.isPresent()) {
            long others = keptBack.getAsLong();
            log.warn(
                    "{}: the work of term {} threw when told to stop ({}){}",
                    who,
                    how.term(),
                    how.stop(),
                    others == 0 ? "" : "; so it did " + others + " times before, which were not logged",
                    what);
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(loop.wallMillis());
    }
}
