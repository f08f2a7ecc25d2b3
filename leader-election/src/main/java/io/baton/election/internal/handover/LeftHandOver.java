package io.baton.election.internal.handover;

import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that a hand-over which nobody carries out has failed. Repeats that with growing pauses until the store has
 * answered, the record has changed, or the term is over. On the loop.
 */
final class LeftHandOver {

    private static final Logger log = LoggerFactory.getLogger(LeftHandOver.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int LONGEST_PAUSE_DOUBLINGS = 5;
    private static final Loop.Timer NONE = () -> {};

    private final HandOverRecord handOverRecord;
    private final ClientLoop loop;
    private HandOverRecord.@Nullable Seen left;
    private Loop.Timer again = NONE;
    private int failures;

    /** Answers to writes of an earlier turn are of no interest. */
    private int turn;

    LeftHandOver(HandOverRecord handOverRecord) {
        this.handOverRecord = handOverRecord;
        this.loop = handOverRecord.loop();
    }

    /**
     * Begins, unless it has begun with this record.
     *
     * @param leader the entry of this leader, on which the write depends
     * @param atOnce whether nothing else writes the failure, so that no pause comes first
     * @param written runs once the failure is written
     */
    void fail(HandOverRecord.Seen now, HandOverNote failed, Peer leader, boolean atOnce, Runnable written) {
        if (left != null && left.same(now)) {
            return;
        }
        stop();
        left = now;
        if (atOnce) {
            write(now, failed, leader, written);
        } else {
            later(now, failed, leader, written);
        }
    }

    /** The record has changed, or the term is over. */
    void stop() {
        again.cancel();
        again = NONE;
        left = null;
        failures = 0;
        turn++;
    }

    private void later(HandOverRecord.Seen now, HandOverNote failed, Peer leader, Runnable then) {
        Duration least = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, LONGEST_PAUSE_DOUBLINGS));
        again = loop.after(loop.jittered(least), () -> write(now, failed, leader, then));
    }

    private void write(HandOverRecord.Seen now, HandOverNote failed, Peer leader, Runnable then) {
        int own = turn;
        Futures.onDone(handOverRecord.write(now, failed, List.of(leader)), (written, failure) -> {
            if (failure == null && written) {
                then.run();
            }
            if (failure == null || own != turn) {
                return;
            }
            if (failures == 0) {
                log.warn(
                        "The store has not taken the end of the hand-over to '{}', and is asked again: {}",
                        failed.to(),
                        Futures.cause(failure).getMessage());
            }
            failures++;
            later(now, failed, leader, then);
        });
    }
}
