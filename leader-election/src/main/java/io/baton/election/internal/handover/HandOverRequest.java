package io.baton.election.internal.handover;

import io.baton.OutcomeUnknownException;
import io.baton.Subscription;
import io.baton.election.HandOverException;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.support.Pauses;
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
    private boolean reading;
    private boolean late;
    /** Whether the request is in the record, was, or may come to be in it. */
    private boolean mayBeWritten;
    /** The record that a request without an answer was to replace: while it is there, the request is not. */
    private HandOverRecord.@Nullable Seen unanswered;

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
     * Requests it; completes on the loop, or fails with a {@link HandOverException}. If the store does not say how the
     * request has ended, it fails with an {@link OutcomeUnknownException}. Any thread.
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
        if (over || writing || reading || late) {
            return;
        }
        // What is observed may be older than the request, and what is read is not.
        act(now, () -> readAgain(0));
    }

    private void act(HandOverRecord.Seen now, Runnable look) {
        Optional<HandOverNote> note = now.note();
        boolean asked = mayBeWritten && !(unanswered != null && unanswered.same(now));
        switch (HandOverRules.asker(note, number, asked)) {
            case ASK -> write(now);
            case WAIT -> {}
            case DONE -> succeed();
            case FAILED -> refuse(note.map(HandOverNote::why).orElse(""));
            case LOOK -> look.run();
        }
    }

    /** The leader gets half of the remaining time, which leaves time for its work to stop. */
    private void write(HandOverRecord.Seen seen) {
        boolean before = mayBeWritten;
        writing = true;
        mayBeWritten = true;
        Duration left = timeout.minusNanos(line.loop().nanoTime() - begunNanos);
        Duration within = left.dividedBy(2).plusMillis(1);
        HandOverNote request = HandOverNote.ask(number, to, within, wish).following(seen.note());
        Futures.onDone(handOverRecord.write(seen, request, List.of()), (done, failure) -> {
            writing = false;
            boolean unknown = failure != null && Futures.cause(failure) instanceof OutcomeUnknownException;
            mayBeWritten = before || unknown || (failure == null && done);
            unanswered = unknown ? seen : unanswered;
            if (late) {
                withdraw();
            } else if (failure == null || unknown) {
                readAgain(0);
            } else {
                fail("the store did not take the request", failure);
            }
        });
    }

    /** Repeats a read that the store does not answer: the request stays valid until it is withdrawn. */
    private void readAgain(int failures) {
        reading = true;
        Futures.onDone(handOverRecord.read(), (seen, failure) -> {
            if (over || late) {
                return;
            }
            if (failure == null) {
                reading = false;
                act(seen, this::readHead);
            } else if (Futures.isTransient(Futures.cause(failure))) {
                line.loop().after(Pauses.before(failures + 1, line.loop().raw()), () -> {
                    if (!over && !late) {
                        readAgain(failures + 1);
                    }
                });
            } else {
                fail("the record of hand-overs could not be read", failure);
            }
        });
    }

    /** Reads the line once, as the record does not say any more whether the request was carried out. */
    private void readHead() {
        reading = true;
        Futures.onDone(line.entries(), (entries, failure) -> {
            if (over) {
                return;
            }
            boolean leads = failure == null
                    && entries.stream()
                            .findFirst()
                            .map(CandidateEntry::of)
                            .filter(first -> first.id().equals(to))
                            .isPresent();
            if (leads) {
                succeed();
            } else {
                fail("its record is of another hand-over now, or of none", failure);
            }
        });
    }

    private void late() {
        late = true;
        limit = line.loop().after(LAST_WORD, () -> fail("the store did not answer in time", null));
        if (!writing) {
            withdraw();
        }
    }

    /** Withdraws a request that was written, also if nobody waits for the outcome any more. */
    private void withdraw() {
        String why = "whoever asked for it has given up";
        Futures.onDone(handOverRecord.abort(number, HandOverNote.Kind.NOT_AGREED, why), (last, unread) -> {
            if (over) {
                return;
            }
            if (unread == null && last.isPresent()) {
                switch (last.get().kind()) {
                    case DONE -> succeed();
                    case READY -> refuse("it has been agreed, and is still under way after " + waited());
                    case ASK, OFFER, FAILED -> refuse(reason(last.get().why(), why));
                }
            } else if (!mayBeWritten) {
                fail(notWithin(), null);
            } else if (unread == null) {
                readHead();
            } else {
                fail("the request could not be withdrawn", unread);
            }
        });
    }

    private String reason(String why, String ours) {
        return why.isEmpty() || why.equals(ours) ? notWithin() : why;
    }

    private String notWithin() {
        return "the leader of election '" + line.name() + "' has not handed over within " + waited();
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

    /** The record says that it has failed. */
    private void refuse(String why) {
        end();
        result.completeExceptionally(new HandOverException(why));
    }

    /** Only if nothing was written is it certain that no hand-over follows. */
    private void fail(String why, @Nullable Throwable failure) {
        end();
        Throwable cause = failure == null ? null : Futures.cause(failure);
        String all = cause == null ? why : why + ": " + cause.getMessage();
        result.completeExceptionally(
                mayBeWritten
                        ? new OutcomeUnknownException("whether it was handed over is not known: " + all, cause)
                        : new HandOverException(all, cause));
    }

    private void end() {
        over = true;
        limit.cancel();
        watching.close();
        ending.close();
    }
}
