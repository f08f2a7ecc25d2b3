package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.spi.Condition;
import io.baton.spi.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The size of a semaphore: a record with the number of permits that its first contender declared, and the present one.
 *
 * @param declared the first size
 * @param size the present size
 */
record SemaphoreSize(int declared, int size) {

    /** The tree of the records. */
    static final String TREE = "baton.semaphores";

    private static final String DECLARED = "declared";
    private static final String SIZE = "size";

    /** Returns the key of the record of the semaphore of this name. */
    static RecordKey key(String name) {
        return new RecordKey(TREE, name);
    }

    /**
     * Returns what a record says.
     *
     * @throws CoordinationException if it says nothing that can be understood
     */
    static SemaphoreSize of(Item record) {
        Map<String, String> lines = TextLines.decode(record.value());
        int declared = (int) TextLines.number(lines.getOrDefault(DECLARED, ""));
        int size = (int) TextLines.number(lines.getOrDefault(SIZE, ""));
        if (declared < 1 || size < 1) {
            throw new CoordinationException("the record " + record.key()
                    + " should have the lines 'declared=N' and 'size=N' of a semaphore's size, and has other text");
        }
        return new SemaphoreSize(declared, size);
    }

    /** Returns the operation that writes this size. */
    Op put(RecordKey key) {
        return Op.put(
                key,
                new TextLines()
                        .add(DECLARED, Integer.toString(declared))
                        .add(SIZE, Integer.toString(size))
                        .bytes());
    }

    /** Returns the same declaration with another present size. */
    SemaphoreSize resized(int to) {
        return new SemaphoreSize(declared, to);
    }

    /** Reads the present size; empty if no contender has declared one. */
    static CompletionStage<Optional<SemaphoreSize>> read(Session session, RecordKey key) {
        return session.get(key).thenApply(record -> record.map(SemaphoreSize::of));
    }

    /** Reads the present size. If there is none, it is declared. */
    static CompletableFuture<SemaphoreSize> declare(Session session, RecordKey key, int permits) {
        return read(session, key).toCompletableFuture().thenCompose(known -> known.map(
                        CompletableFuture::completedFuture)
                .orElseGet(() -> create(session, key, new SemaphoreSize(permits, permits))));
    }

    private static CompletableFuture<SemaphoreSize> create(Session session, RecordKey key, SemaphoreSize first) {
        return session.transact(List.of(new Condition.Absent(key)), List.of(first.put(key)))
                .toCompletableFuture()
                .exceptionallyCompose(failure -> Futures.cause(failure) instanceof OutcomeUnknownException
                        ? CompletableFuture.completedFuture(false) // the next reading shows it
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(applied -> applied
                        ? CompletableFuture.completedFuture(first)
                        : declare(session, key, first.declared()));
    }

    /**
     * Checks that this many permits may be asked for by a program that declares this size.
     *
     * @throws CoordinationException if the program declares another size than the first and the present one, or the
     *     permits are more than there are
     */
    void check(String name, int declares, int wanted) {
        if (declares != declared && declares != size) {
            String now = size == declared ? "" : ", and has " + size + " now";
            throw new CoordinationException("the semaphore '" + name + "' was set up with " + declared + " permits" + now
                    + "; this program asks for one of " + declares + ". To change the size, call resize(" + size + ", "
                    + declares + ") once, or let this program ask for " + size);
        }
        if (wanted > size) {
            throw new CoordinationException("the semaphore '" + name + "' has " + size + " permits, so " + wanted
                    + " of them cannot be acquired");
        }
    }
}
