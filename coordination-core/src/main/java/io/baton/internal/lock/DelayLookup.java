package io.baton.internal.lock;

import io.baton.Item;
import io.baton.LockDelays;
import io.baton.internal.line.LineEntries;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Session;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads what is on record of a lock that may rest between two holds. Any thread. */
record DelayLookup(Resource lock, LockParts parts) {

    private static final int MOST_LOOKS = 3;

    /** Returns the options and the rest; empty if no contender has set any. */
    Optional<LockDelays> read() throws InterruptedException {
        return Futures.interruptibly(
                parts.requests().send("a look at the delays of " + lock, session -> look(session, 1)));
    }

    /** What is on record before and after a look at the line was so at that look. */
    private CompletionStage<Optional<LockDelays>> look(Session session, int looks) {
        return record(session).thenCompose(before -> {
            if (before.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return LineEntries.readOnce(session, lock.line())
                    .thenCompose(line -> record(session).thenCompose(after -> {
                        boolean same = before.map(Item::revision).equals(after.map(Item::revision));
                        if (!same && looks < MOST_LOOKS) {
                            return look(session, looks + 1);
                        }
                        return CompletableFuture.completedFuture(after.map(record -> weigh(record, line, same)));
                    }));
        });
    }

    /** A record that changes with each look is that of a lock in use. */
    private LockDelays weigh(Item record, List<Entry> line, boolean same) {
        DelayRecord last = DelayRecord.of(record);
        boolean stands = line.stream().anyMatch(entry -> entry.token() == last.token());
        return stands || !same
                ? last.standing()
                : last.resting(parts.acquisitions().loop().wallMillis());
    }

    private CompletionStage<Optional<Item>> record(Session session) {
        return session.get(lock.record(DelayRecord.TREE));
    }
}
