package io.baton.internal.lock;

import io.baton.QueueEntry;
import io.baton.internal.line.LineEntries;
import io.baton.internal.session.Requests;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.List;

/** Reads who stands in the line of a lock. Any thread. */
record LineQueue(Resource lock, Requests requests) {

    /** Returns the contenders, in order. */
    List<QueueEntry> read() throws InterruptedException {
        return Futures.interruptibly(requests.send(
                "a look at the queue of " + lock,
                false,
                session -> LineEntries.readOnce(session, lock.line()).thenApply(LineQueue::described)));
    }

    private static List<QueueEntry> described(List<Entry> entries) {
        List<QueueEntry> queue = new ArrayList<>();
        for (Entry entry : entries) {
            Claim claim = entry.peer().claim();
            boolean waits = queue.stream().anyMatch(ahead -> claim.conflictsWith(ahead.claim()));
            queue.add(QueueEntry.of(entry, !waits));
        }
        return List.copyOf(queue);
    }
}
