package io.baton.election.internal.standby;

import io.baton.election.LeaderState;
import io.baton.election.internal.term.Term;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a node's progress in one term to the store, for people: the newest state, one write at a time, while it
 * leads. Nothing waits for it. What the store refuses again and again is a trouble of the coordinator meanwhile. On the
 * loop.
 */
final class StateTeller {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int LONGEST_PAUSE_DOUBLINGS = 7;

    private final StateRecord record;
    private final Term term;
    private final ClientLoop loop;
    private final RepeatedRefusal refusals;
    private Loop.Timer again = () -> {};
    private int failures;
    private boolean writing;
    private boolean over;
    private @Nullable LeaderState newest;
    private @Nullable LeaderState told;

    StateTeller(StateRecord record, Object node, Term term, ClientLoop loop) {
        this.record = record;
        this.term = term;
        this.loop = loop;
        this.refusals = record.refusals(node);
    }

    /** Publishes this phase. */
    void publish(LeaderState.Phase phase, String about) {
        newest = new LeaderState(term.term(), phase, about, Instant.ofEpochMilli(loop.wallMillis()));
        again.cancel();
        write();
    }

    /** Publishes more about the present phase. */
    void publishDetail(String about) {
        LeaderState before = newest;
        if (before != null) {
            publish(before.phase(), about);
        }
    }

    /** Ends publication: the term is over, or its entry is about to go. */
    void end() {
        over = true;
        again.cancel();
        refusals.resolved();
    }

    /** What cannot be written, as it is too large, must not keep the node from its work. */
    private CompletableFuture<Boolean> send(LeaderState next) {
        try {
            return record.write(term.guard(), next);
        } catch (Throwable refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void write() {
        LeaderState next = newest;
        if (writing || over || next == null || next.equals(told)) {
            return;
        }
        writing = true;
        Futures.onDone(send(next), (applied, failure) -> {
            writing = false;
            if (failure == null) {
                told = next;
                failures = 0;
                refusals.resolved();
                over |= !applied;
                write();
            } else if (!over) {
                if (record.inContact()) {
                    refusals.refused(String.valueOf(Futures.cause(failure).getMessage()));
                }
                Duration least = FIRST_PAUSE.multipliedBy(1L << Math.min(failures++, LONGEST_PAUSE_DOUBLINGS));
                again = loop.after(loop.jittered(least), this::write);
            }
        });
    }
}
