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
 * The terms of a candidacy whose work throws or ends at once. Determines the pause before the candidate stands again,
 * and logs series of failures. On the loop.
 */
public final class WorkFailures {

    /** Work that lasts this long has succeeded; a later exception starts a new series. */
    public static final Duration LASTING = Duration.ofMinutes(1);

    /** Work that ends by itself sooner than this is not restarted at once. */
    static final Duration SHORT = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int KINDS = 5;

    private final String who;
    private final ClientLoop loop;
    private final Logger log;
    private final LogLimit again = new LogLimit(1, PERIOD);
    private final LogLimit whileStopping = new LogLimit(1, PERIOD);

    /** The kinds whose stack was logged, and the time of that. */
    private final Map<String, Instant> shown = new HashMap<>();

    private Loop.Timer lasting = () -> {};
    private int brief;
    private int thrown;
    private boolean told;
    private Instant since = Instant.EPOCH;
    private @Nullable Ended untold;

    /**
     * The end of a term's work.
     *
     * @param term the term
     * @param lasted how long the term lasted
     * @param stop why the work had to stop; null if it ended by itself
     * @param thrown what it threw; null if it returned, or ended by an expected interrupt
     */
    record Ended(
            long term,
            Duration lasted,
            @Nullable StopReason stop,
            @Nullable Throwable thrown) {}

    /**
     * Starts without failures.
     *
     * @param who the owner of the work, for people
     */
    public WorkFailures(String who, ClientLoop loop, Logger log) {
        this.who = who;
        this.loop = loop;
        this.log = log;
    }

    /** Returns how many terms in a row have failed so far: their work has thrown, or has ended by itself at once. */
    public int consecutive() {
        return Math.max(thrown, brief);
    }

    /** Returns how many terms in a row have thrown so far. */
    public int thrown() {
        return thrown;
    }

    /** Handles the start of a term; its work has succeeded if it is still running after a while. */
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

    /** Handles the end of a term. */
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
     * Returns the pause after this many failures in a row, of any kind, with jitter.
     *
     * @param longest how many of them lengthen it
     */
    public Duration pause(int failures, int longest) {
        int doublings = Math.min(failures, longest);
        return doublings == 0 ? Duration.ZERO : loop.jittered(FIRST_PAUSE.multipliedBy(1L << doublings));
    }

    /** Logs the pause before the candidate stands again, together with the exception of the last term, if any. */
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

    /** The place of the exception identifies its kind, because messages may differ each time. */
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
