package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.IncompatibleOptionsException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.spi.Condition;
import io.baton.spi.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * The size of a semaphore: a record with the number of permits that its first contender declared, and the present one.
 *
 * @param declared the first size
 * @param size the present size
 * @param former sizes between the first and the present one, the latest last; some of them, as they are many
 */
record SemaphoreSize(int declared, int size, List<Integer> former) {

    /** The tree of the records. */
    static final String TREE = "baton.semaphores";

    private static final String DECLARED = "declared";
    private static final String SIZE = "size";
    private static final String FORMER = "former";
    private static final int MOST_FORMER = 10;

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
        return of(record.key(), record.value());
    }

    private static SemaphoreSize of(RecordKey key, byte[] value) {
        Map<String, String> lines = TextLines.decode(value);
        int declared = (int) TextLines.number(lines.getOrDefault(DECLARED, ""));
        int size = (int) TextLines.number(lines.getOrDefault(SIZE, ""));
        List<Integer> former = Arrays.stream(lines.getOrDefault(FORMER, "").split(" ", -1))
                .map(text -> (int) TextLines.number(text))
                .filter(one -> one > 0)
                .toList();
        if (declared < 1 || size < 1) {
            throw new CoordinationException("the record " + key
                    + " should have the lines 'declared=N' and 'size=N' of a semaphore's size, and has other text");
        }
        return new SemaphoreSize(declared, size, former);
    }

    /** Returns the size of a semaphore that nobody has used. */
    static SemaphoreSize first(int permits) {
        return new SemaphoreSize(permits, permits, List.of());
    }

    /** Returns the operation that writes this size. */
    Op put(RecordKey key) {
        TextLines lines =
                new TextLines().add(DECLARED, Integer.toString(declared)).add(SIZE, Integer.toString(size));
        if (!former.isEmpty()) {
            lines.add(FORMER, former.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        return Op.put(key, lines.bytes());
    }

    /** Returns the same declaration with another present size. */
    SemaphoreSize resized(int to) {
        var before = new ArrayList<>(former);
        before.remove(Integer.valueOf(size));
        before.add(size);
        return new SemaphoreSize(declared, to, before.subList(Math.max(0, before.size() - MOST_FORMER), before.size()));
    }

    /** Reads the present size; empty if no contender has declared one. */
    static CompletionStage<Optional<SemaphoreSize>> read(Session session, RecordKey key) {
        return session.getValue(key).thenApply(value -> value.map(text -> of(key, text)));
    }

    /** Reads the present size. If there is none, it is declared. */
    static CompletableFuture<SemaphoreSize> declare(Session session, RecordKey key, int permits) {
        return read(session, key)
                .toCompletableFuture()
                .thenCompose(known -> known.map(CompletableFuture::completedFuture)
                        .orElseGet(() -> create(session, key, first(permits))));
    }

    private static CompletableFuture<SemaphoreSize> create(Session session, RecordKey key, SemaphoreSize first) {
        return session.transact(List.of(new Condition.Absent(key)), List.of(first.put(key)))
                .toCompletableFuture()
                .exceptionallyCompose(failure -> Futures.cause(failure) instanceof OutcomeUnknownException
                        ? CompletableFuture.completedFuture(false) // the next reading shows it
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(applied ->
                        applied ? CompletableFuture.completedFuture(first) : declare(session, key, first.declared()));
    }

    /**
     * Checks that a program may declare this size: the first one, the present one, or one in between.
     *
     * @throws IncompatibleOptionsException if it is another; the message has all that matter
     */
    void checkDeclared(String name, int declares) {
        if (declares != declared && declares != size && !former.contains(declares)) {
            String now = size == declared ? "" : ", and has " + size + " now";
            throw new IncompatibleOptionsException("the semaphore '" + name + "' was set up with " + declared
                    + " permits"
                    + now
                    + "; this program asks for one of " + declares + ". To change the size, call resize(" + size + ", "
                    + declares + ") once, or let this program ask for " + size);
        }
    }

    /**
     * Checks that there are as many permits as this.
     *
     * @throws IncompatibleOptionsException if there are fewer
     */
    void checkWanted(String name, int wanted) {
        if (wanted > size) {
            throw new IncompatibleOptionsException("the semaphore '" + name + "' has " + size + " permits, so " + wanted
                    + " of them cannot be acquired");
        }
    }
}
