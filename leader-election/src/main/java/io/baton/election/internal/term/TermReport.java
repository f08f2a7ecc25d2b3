package io.baton.election.internal.term;

import io.baton.ElectionTelemetry.TermBegan;
import io.baton.ElectionTelemetry.TermEnded;
import io.baton.ElectionTelemetry.TermEnded.Reason;
import io.baton.ElectionTelemetry.TermLate;
import io.baton.ElectionTelemetry.TermStopping;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.StopReason;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.LogLimit;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports one term of a candidate to telemetry and the log. On the loop, unless stated otherwise. */
public final class TermReport {

    /** The log that the terms of one candidate share, and its limit. */
    public static final class Log {

        /** Work that ends at once starts again every few seconds. */
        private static final int MOST = 20;

        private final Logger log;
        private final LogLimit limit = new LogLimit(MOST, Duration.ofMinutes(1));

        public Log() {
            this(LoggerFactory.getLogger(Candidacy.class));
        }

        public Log(Logger log) {
            this.log = log;
        }

        private void info(Instant at, Supplier<String> line) {
            OptionalLong keptBack = log.isInfoEnabled() ? limit.admit(at) : OptionalLong.empty();
            if (keptBack.isPresent()) {
                long more = keptBack.getAsLong();
                String rest = more == 0 ? "" : " (" + more + " lines like this were kept back before)";
                log.info("{}{}", line.get(), rest);
            }
        }
    }

    private final ElectionLine line;
    private final Candidate candidate;
    private final Term term;
    private final Duration waited;
    private final Log log;

    private @Nullable StopReason stopReason;
    private long begunNanos;
    private long toldNanos;
    private boolean late;
    private volatile boolean lastResort;

    /**
     * Creates the report of a term that has not begun.
     *
     * @param waited how long the candidate has waited for it
     */
    public TermReport(ElectionLine line, Candidate candidate, Term term, Duration waited, Log log) {
        this.line = line;
        this.candidate = candidate;
        this.term = term;
        this.waited = waited;
        this.log = log;
    }

    /** Reports that the work is about to start. */
    public void began() {
        begunNanos = line.loop().nanoTime();
        log.info(now(), () -> candidate + " leads " + term + ", after waiting for " + Texts.of(waited));
        line.reportReliably(() -> {
            var event = new TermBegan(now(), term.election(), candidate.id(), term.term(), waited);
            return to -> to.termBegan(event);
        });
    }

    /** Reports that the work must stop. */
    public void stopping(StopReason why) {
        stopReason = why;
        toldNanos = line.loop().nanoTime();
        Duration remaining = term.remaining();
        log.info(
                now(),
                () -> candidate + " has to stop leading " + term + " (" + why + "); it is certain to lead for "
                        + Texts.of(remaining));
        line.reportReliably(() -> {
            var event =
                    new TermStopping(now(), term.election(), candidate.id(), term.term(), reason(why, null), remaining);
            return to -> to.termStopping(event);
        });
    }

    /** Reports once that the work has not stopped in time. */
    public void late() {
        if (late) {
            return;
        }
        late = true;
        line.reportReliably(() -> {
            Reason reason = reason(stopReason, null);
            var event = new TermLate(now(), term.election(), candidate.id(), term.term(), reason, since(toldNanos));
            return to -> to.termLate(event);
        });
    }

    /** Notes that the user's last resort is about to be called. Any thread. */
    void lastResort() {
        lastResort = true;
    }

    /** Reports that the work has stopped, with the exception if it threw one. */
    public void ended(@Nullable Throwable thrown) {
        Reason reason = reason(stopReason, thrown);
        Duration lasted = since(begunNanos);
        Duration stopTook = stopReason == null ? Duration.ZERO : since(toldNanos);
        log.info(
                now(),
                () -> candidate + " no longer leads " + term + ", after " + Texts.of(lasted) + ": "
                        + how(reason, stopTook));
        line.reportReliably(() -> {
            var event = new TermEnded(
                    now(),
                    term.election(),
                    candidate.id(),
                    term.term(),
                    reason,
                    lasted,
                    stopTook,
                    late,
                    lastResort,
                    failure(thrown));
            return to -> to.termEnded(event);
        });
    }

    private String how(Reason reason, Duration stopTook) {
        return switch (reason) {
            case RETURNED -> "its work has returned by itself";
            case THREW -> "its work has thrown";
            case JEOPARDY, LOST, RESIGNED, HANDED_OVER, CLOSED ->
                "its work has stopped " + Texts.of(stopTook) + " after it was told to (" + reason + ")"
                        + (late ? ", too late" : "");
        };
    }

    private String failure(@Nullable Throwable thrown) {
        boolean asAsked = thrown instanceof InterruptedException && stopReason != null;
        return thrown == null || asAsked ? "" : thrown.toString();
    }

    private static Reason reason(@Nullable StopReason told, @Nullable Throwable thrown) {
        if (told == null) {
            return thrown == null ? Reason.RETURNED : Reason.THREW;
        }
        return switch (told) {
            case JEOPARDY -> Reason.JEOPARDY;
            case LOST -> Reason.LOST;
            case RESIGNED -> Reason.RESIGNED;
            case HANDED_OVER -> Reason.HANDED_OVER;
            case CLOSED -> Reason.CLOSED;
        };
    }

    private Instant now() {
        return Instant.ofEpochMilli(line.loop().wallMillis());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(line.loop().nanoTime() - nanos);
    }
}
