package io.baton.election.internal.handover;

import io.baton.OutcomeUnknownException;
import io.baton.Subscription;
import io.baton.election.HandOverException;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Requests a hand-over from the leader by the record, and waits for the outcome. On the loop. */
public final class HandOverRequest {

    /** The time to find out the outcome after the timeout. */
    private static final Duration LAST_WORD = Duration.ofSeconds(1);

    private final HandOverRecord handOverRecord;
    private final ElectionLine line;
    private final String number;
    private final String to;
    private final Duration timeout;
    private final Optional<Pin.Wish> wish;
    private final long begunNanos;
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private Subscription watching = () -> {};
    private Subscription ending = () -> {};
    private Loop.Timer limit = () -> {};
    private boolean over;
    private boolean writing;
    private boolean late;

    private HandOverRequest(ElectionLine line, String to, Duration timeout, Optional<Pin.Wish> wish) {
        this.handOverRecord = new HandOverRecord(line);
        this.line = line;
        this.number = handOverRecord.number();
        this.to = to;
        this.timeout = timeout;
        this.wish = wish;
        this.begunNanos = line.loop().nanoTime();
    }

    /**
     * Requests it; completes on the loop, or fails with a {@link HandOverException}. Any thread.
     *
     * @param wish how a person wants to pin the new leader; empty for a request by priority
     */
    public static CompletableFuture<Void> ask(ElectionLine line, String to, Duration timeout, Optional<Pin.Wish> wish) {
        if (line.exact()) {
            return CompletableFuture.failedFuture(new HandOverException(HandOverDispatcher.NOT_AT_EXACT_PATHS));
        }
        HandOverRequest asking = new HandOverRequest(line, to, timeout, wish);
        if (!line.loop().post(asking::begin)) {
            asking.fail("the coordinator is closed", null);
        }
        return asking.result;
    }

    private void begin() {
        ending = line.beforeClosing(this::closing);
        limit = line.loop().after(timeout, this::late);
        Futures.onDone(line.peers(), (peers, failure) -> {
            if (over) {
                return;
            }
            if (failure != null) {
                fail("the line could not be read", failure);
            } else if (peers.isEmpty()) {
                fail("nobody leads election '" + line.name() + "'", null);
            } else {
                watching = handOverRecord.observe(this::onRecord);
            }
        });
    }

    private void onRecord(HandOverRecord.Seen now) {
        if (over || writing || late) {
            return;
        }
        Optional<HandOverNote> note = now.note();
        switch (HandOverRules.asker(note, number)) {
            case ASK -> write(now);
            case WAIT -> {}
            case DONE -> succeed();
            case FAILED -> fail(note.map(HandOverNote::why).orElse(""), null);
        }
    }

    /** The leader gets half of the remaining time, which leaves time for its work to stop. */
    private void write(HandOverRecord.Seen seen) {
        writing = true;
        Duration left = timeout.minusNanos(line.loop().nanoTime() - begunNanos);
        Duration within = left.dividedBy(2).plusMillis(1);
        HandOverNote request = HandOverNote.ask(number, to, within, wish).following(seen.note());
        Futures.onDone(handOverRecord.write(seen, request, List.of()), (done, failure) -> {
            if (failure == null || Futures.cause(failure) instanceof OutcomeUnknownException) {
                readAgain();
            } else {
                fail("the store did not take the request", failure);
            }
        });
    }

    private void readAgain() {
        Futures.onDone(handOverRecord.read(), (seen, failure) -> {
            writing = false;
            if (over) {
                return;
            }
            if (failure == null) {
                onRecord(seen);
            } else {
                fail("the record of hand-overs could not be read", failure);
            }
        });
    }

    private void late() {
        late = true;
        limit = line.loop().after(LAST_WORD, () -> fail("the store did not answer in time", null));
        String why = "whoever asked for it has given up";
        Futures.onDone(handOverRecord.abort(number, HandOverNote.Kind.NOT_AGREED, why), (last, failure) -> {
            HandOverNote.Kind kind = last.map(HandOverNote::kind).orElse(HandOverNote.Kind.FAILED);
            switch (kind) {
                case DONE -> succeed();
                case READY -> fail("it has been agreed, and is still under way after " + waited(), null);
                case ASK, OFFER, FAILED -> fail(reason(last, why), null);
            }
        });
    }

    private String reason(Optional<HandOverNote> last, String ours) {
        String why = last.map(HandOverNote::why).orElse("");
        return why.isEmpty() || why.equals(ours)
                ? "the leader of election '" + line.name() + "' has not handed over within " + waited()
                : why;
    }

    private String waited() {
        return timeout.toMillis() + " ms";
    }

    private CompletionStage<Void> closing() {
        fail("the coordinator is being closed", null);
        return CompletableFuture.completedStage(null);
    }

    private void succeed() {
        end();
        result.complete(null);
    }

    private void fail(String why, @Nullable Throwable failure) {
        end();
        result.completeExceptionally(
                failure == null
                        ? new HandOverException(why)
                        : new HandOverException(
                                why + ": " + Futures.cause(failure).getMessage(), Futures.cause(failure)));
    }

    private void end() {
        over = true;
        limit.cancel();
        watching.close();
        ending.close();
    }
}
