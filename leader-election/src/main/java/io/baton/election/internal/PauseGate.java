package io.baton.election.internal;

import io.baton.ElectionTelemetry.ElectionPause;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.election.Candidate;
import io.baton.election.Pause;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines whether the election is paused and this candidate must keep out of it. The observed record shows a pause
 * soon. A candidate about to lead reads the record again, which is certain: a pause names the leader at its time. On
 * the loop, except {@link #pause}.
 */
final class PauseGate {

    /** The owner of the gate. */
    interface Owner {
        /** Handles a change of the known pause. */
        void pauseChanged();
    }

    private static final Logger log = LoggerFactory.getLogger(PauseGate.class);
    private static final Duration BETWEEN_READS = Duration.ofMillis(100);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final ElectionLine line;
    private final Candidate candidate;
    private final PauseRecord record;
    private final Owner owner;
    private final RepeatedRefusal unread;
    private final String unreadable;
    private Subscription watching = () -> {};
    private Optional<Pause> observed = Optional.empty();
    private Loop.Timer lookingAgain = () -> {};
    private Loop.Timer tryingAgain = () -> {};
    private boolean over;
    private volatile @Nullable Pause present;

    PauseGate(ElectionLine line, Candidate candidate, Owner owner) {
        this.line = line;
        this.candidate = candidate;
        this.record = new PauseRecord(line);
        this.owner = owner;
        this.unread =
                new RepeatedRefusal(() -> unknown() + ", and does not lead", line::reportTrouble, line::resolveTrouble);
        this.unreadable = unknown() + ", and leads all the same";
    }

    private String unknown() {
        return candidate + " cannot find out whether election '" + line.name() + "' is paused";
    }

    /** Starts to observe the record; on shared paths there is none. */
    void begin() {
        if (!line.exact()) {
            watching = record.observe(now -> {
                observed = now;
                update(now);
            });
        }
    }

    void end() {
        over = true;
        watching.close();
        lookingAgain.cancel();
        unread.resolved();
        readable();
    }

    /** Returns the pause, as far as it is known. Any thread. */
    Optional<Pause> pause() {
        return Optional.ofNullable(present);
    }

    /** Returns whether this candidate is among those who must not lead. */
    private boolean isFor(Pause pause) {
        return !pause.leader().equals(Optional.of(candidate.id()));
    }

    /** Returns whether this candidate must not stand, as far as is known. */
    boolean blocks() {
        Pause now = present;
        return now != null && isFor(now);
    }

    /**
     * Reads the record, with the next answer of the store. If it refuses again and again, reports that and asks it ever
     * more seldom.
     *
     * @param wanted whether the result is still of interest; otherwise {@code to} does not run
     * @param to runs once {@link #blocks} is certain, or the record may not be read
     */
    void check(BooleanSupplier wanted, Runnable to) {
        if (line.exact()) {
            to.run();
            return;
        }
        check(wanted, to, 0);
    }

    private void check(BooleanSupplier wanted, Runnable to, int refusals) {
        Futures.onDone(record.read(), (answer, failure) -> {
            if (!wanted.getAsBoolean()) {
                unread.resolved();
                return;
            }
            if (failure == null) {
                unread.resolved();
                readable();
                read(answer);
                if (wanted.getAsBoolean()) {
                    to.run();
                }
            } else if (Futures.cause(failure) instanceof StoreUnavailableException unavailable) {
                // Without contact there is no refusal, and the place in the line may soon be lost.
                boolean refused = line.inContact();
                if (refused) {
                    unread.refused(String.valueOf(unavailable.getMessage()));
                }
                checkLater(wanted, to, refused ? refusals + 1 : 0);
            } else {
                unread.resolved();
                // Without read access, a pause cannot be detected, and must not keep all candidates from leading.
                unreadable(failure, 0);
                to.run();
            }
        });
    }

    /** A trouble until a later attempt may read the record. */
    private void unreadable(Throwable failure, int refusals) {
        line.reportTrouble(unreadable, String.valueOf(Futures.cause(failure).getMessage()));
        tryingAgain.cancel();
        tryingAgain =
                line.loop().after(Pauses.afterRefusals(refusals, line.loop().raw()), () -> tryAgain(refusals));
    }

    private void tryAgain(int refusals) {
        Futures.onDone(record.read(), (answer, failure) -> {
            if (failure == null) {
                readable();
            } else if (!over) {
                unreadable(failure, refusals + 1);
            }
        });
    }

    private void readable() {
        tryingAgain.cancel();
        line.resolveTrouble(unreadable);
    }

    private void checkLater(BooleanSupplier wanted, Runnable to, int refusals) {
        int many = refusals - RepeatedRefusal.MANY;
        Duration pause = many < 0
                ? BETWEEN_READS
                : Pauses.afterRefusals(many, line.loop().raw());
        line.loop().after(pause, () -> {
            if (wanted.getAsBoolean()) {
                check(wanted, to, refusals);
            } else {
                unread.resolved();
            }
        });
    }

    private void read(Optional<Pause> now) {
        update(now);
        readAgainLater();
    }

    /**
     * An observation may skip a pause that came and went. If such a pause was read, the observation does not report its
     * end. An answer may also be older than the observation. So the gate reads until both agree.
     */
    private void readAgainLater() {
        lookingAgain.cancel();
        if (isUnobserved()) {
            lookingAgain = line.loop().after(line.loop().jittered(LOOK_AGAIN), this::readAgain);
        }
    }

    private boolean isUnobserved() {
        return !over && !observed.equals(Optional.ofNullable(present));
    }

    private void readAgain() {
        if (isUnobserved()) {
            Futures.onDone(record.read(), (answer, failure) -> {
                if (failure == null && isUnobserved()) {
                    read(answer);
                } else {
                    readAgainLater();
                }
            });
        }
    }

    private void update(Optional<Pause> now) {
        Pause before = present;
        present = now.orElse(null);
        if (now.equals(Optional.ofNullable(before))) {
            return;
        }
        if (now.isPresent()) {
            String what = isFor(now.get())
                    ? "stands aside until it is resumed"
                    : "may lead on, and nobody else takes over until it is resumed";
            log.warn("Election '{}' is {}; {} {}", line.name(), now.get(), candidate, what);
        } else {
            log.info("Election '{}' is resumed; {} takes part again", line.name(), candidate);
        }
        report(now);
        owner.pauseChanged();
    }

    private void report(Optional<Pause> now) {
        line.report(() -> {
            var event = new ElectionPause(
                    Instant.ofEpochMilli(line.loop().wallMillis()),
                    line.name(),
                    candidate.id(),
                    now.isPresent(),
                    blocks(),
                    now.map(Pause::by).orElse(""),
                    now.map(Pause::why).orElse(""));
            return to -> to.electionPause(event);
        });
    }
}
