package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.Records;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.FencingToken;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Counts a lock's counter up by one: reads it and writes it back, guarded by the hold and by nothing else. */
final class CounterWrite {

    private final Coordinator baton;
    private final Hold hold;
    private final Notes notes;
    private final String id;

    CounterWrite(Coordinator baton, Hold hold, Notes notes) {
        this.baton = baton;
        this.hold = hold;
        this.notes = notes;
        this.id = notes.nextWrite();
    }

    /** Reads, and sends; done when the outcome has been noted down. Never fails. */
    CompletableFuture<Void> send() throws InterruptedException {
        Records counters = baton.records(ClientArguments.COUNTERS);
        CounterValue before;
        try {
            before = counters.get(hold.name())
                    .map(Item::text)
                    .map(CounterValue::parse)
                    .orElse(CounterValue.NONE);
        } catch (CoordinationException unreadable) {
            return CompletableFuture.completedFuture(null);
        }
        CounterValue next = new CounterValue(before.value() + 1, FencingToken.of(hold), id);
        notes.note(
                EventKind.ATTEMPTED,
                "write",
                id,
                "lock",
                hold.name(),
                "token",
                next.token(),
                "value",
                next.value(),
                "read",
                before.write());
        return baton.transactAsync(List.of(Guard.held(hold)), List.of(Op.put(counters.key(hold.name()), next.text())))
                .handle(this::ended);
    }

    private @Nullable Void ended(@Nullable Boolean applied, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null) {
            notes.note(Boolean.TRUE.equals(applied) ? EventKind.APPLIED : EventKind.REFUSED, "write", id);
        } else if (cause instanceof CoordinationException && !(cause instanceof OutcomeUnknownException)) {
            notes.note(EventKind.FAILED, "write", id, "why", cause.getClass().getSimpleName());
        } else {
            notes.note(EventKind.UNKNOWN, "write", id, "why", cause.getClass().getSimpleName());
        }
        return null;
    }
}
