package io.baton.election.internal.handover;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.election.Pause;
import io.baton.election.internal.line.CandidateText;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.election.internal.line.PauseText;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Pauses or resumes an election by its record. A pause names the leader. Its transaction is conditional on that leader
 * still standing, and on no agreed hand-over. So no other candidate has been elected before, and each reads the pause
 * when it is elected. On the loop.
 */
public final class Pausing {

    private static final Duration BETWEEN = Duration.ofMillis(100);

    private final ElectionLine line;
    private final HandOverRecord handOverRecord;
    private final PauseRecord record;
    private final long endNanos;
    private Subscription ending = () -> {};

    private Pausing(ElectionLine line, Duration timeout) {
        this.line = line;
        this.handOverRecord = new HandOverRecord(line);
        this.record = handOverRecord.pauses();
        this.endNanos = line.loop().nanoTime() + timeout.toNanos();
    }

    /**
     * Pauses; completes on the loop with the pause in effect, which may be an earlier one. Any thread.
     *
     * @param timeout how long to wait for the end of a current hand-over
     */
    public static CompletableFuture<Pause> pause(ElectionLine line, String by, String why, Duration timeout) {
        CompletableFuture<Pause> result = new CompletableFuture<>();
        begin(line, result, () -> new Pausing(line, timeout).pause(by, why, result));
        return result;
    }

    /** Resumes; completes on the loop with the pause that was in effect, empty if there was none. Any thread. */
    public static CompletableFuture<Optional<Pause>> resume(ElectionLine line, Duration timeout) {
        CompletableFuture<Optional<Pause>> result = new CompletableFuture<>();
        begin(line, result, () -> new Pausing(line, timeout).resume(Optional.empty(), result));
        return result;
    }

    private static void begin(ElectionLine line, CompletableFuture<?> result, Runnable task) {
        if (!line.loop().post(task)) {
            result.completeExceptionally(RecipeContext.closedException());
        }
    }

    // ---- pause

    private void pause(String by, String why, CompletableFuture<Pause> result) {
        onAnswer(result, record.read(), present -> {
            if (present.isPresent()) {
                result.complete(present.get());
            } else {
                onAnswer(
                        result,
                        handOverRecord.read(),
                        note -> onAnswer(result, line.entries(), entries -> {
                            write(by, why, note, entries, result);
                        }));
            }
        });
    }

    private void write(
            String by, String why, HandOverRecord.Seen note, List<Entry> entries, CompletableFuture<Pause> result) {
        Runnable again = () -> pause(by, why, result);
        Optional<Entry> first = entries.stream().findFirst();
        Optional<String> agreed =
                note.note().filter(present -> agreedBy(present, first)).map(HandOverNote::to);
        if (agreed.isPresent()) {
            later(result, again, "a hand-over to '" + agreed.get() + "' is under way");
            return;
        }
        Pause pause = new Pause(
                by,
                Instant.ofEpochMilli(line.loop().wallMillis()),
                why,
                first.map(entry -> CandidateText.decode(entry).id()));
        var conditions = new ArrayList<Condition>();
        conditions.add(handOverRecord.unchanged(note));
        first.ifPresent(entry -> conditions.add(new Condition.Stands(entry.peer())));
        onWritten(result, record.write(pause, conditions), again, () -> result.complete(pause));
    }

    /** Returns whether the first candidate is about to hand over; notes of an earlier leader have no effect. */
    private static boolean agreedBy(HandOverNote note, Optional<Entry> first) {
        boolean offered = note.kind() == HandOverNote.Kind.OFFER || note.kind() == HandOverNote.Kind.READY;
        return offered
                && first.isPresent()
                && note.offer()
                        .filter(what -> what.term() == first.get().token())
                        .isPresent();
    }

    // ---- resume

    private void resume(Optional<Pause> before, CompletableFuture<Optional<Pause>> result) {
        onAnswer(result, record.item(), present -> {
            if (present.isEmpty()) {
                result.complete(before);
                return;
            }
            Item item = present.get();
            Optional<Pause> ended = Optional.of(PauseText.decode(item));
            onWritten(result, record.remove(item), () -> resume(ended, result), () -> result.complete(ended));
        });
    }

    // ---- the store

    private <T> void onAnswer(CompletableFuture<?> result, CompletableFuture<T> answer, Consumer<T> to) {
        Futures.onDone(answer, (value, failure) -> {
            if (failure == null) {
                to.accept(value);
            } else {
                result.completeExceptionally(known(failure));
            }
        });
    }

    /** Repeats also if the outcome is unknown, because the record shows it. */
    private void onWritten(
            CompletableFuture<?> result, CompletableFuture<Boolean> written, Runnable again, Runnable done) {
        Futures.onDone(written, (applied, failure) -> {
            if (failure == null && applied) {
                done.run();
            } else if (failure == null || Futures.cause(failure) instanceof OutcomeUnknownException) {
                later(result, again, "the store has not taken it");
            } else {
                result.completeExceptionally(known(failure));
            }
        });
    }

    private void later(CompletableFuture<?> result, Runnable again, String why) {
        if (endNanos - line.loop().nanoTime() > 0) {
            waitFor(result, again);
        } else {
            result.completeExceptionally(new StoreUnavailableException(
                    "election '" + line.name() + "' could not be paused or resumed in time: " + why));
        }
    }

    /** Closing the coordinator drops timers, so its hook ends the wait. Requests are answered without it. */
    private void waitFor(CompletableFuture<?> result, Runnable again) {
        Loop.Timer next = line.loop().after(BETWEEN, () -> {
            ending.close();
            again.run();
        });
        ending = line.beforeClosing(() -> {
            next.cancel();
            result.completeExceptionally(RecipeContext.closedException());
            return CompletableFuture.completedStage(null);
        });
    }

    private static CoordinationException known(Throwable failure) {
        return Futures.cause(failure) instanceof CoordinationException known
                ? known
                : new CoordinationException("the pause could not be read or written", failure);
    }
}
