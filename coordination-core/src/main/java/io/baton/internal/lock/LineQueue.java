package io.baton.internal.lock;

import io.baton.QueueEntry;
import io.baton.internal.line.LineEntries;
import io.baton.internal.session.Requests;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads who stands in the line of a lock. Any thread. */
record LineQueue(Resource lock, Requests requests) {

    /** Returns the contenders, in order. */
    List<QueueEntry> read() throws InterruptedException {
        return Futures.interruptibly(requests.send(
                "a look at the queue of " + lock,
                session -> LineEntries.readOnce(session, lock.line()).thenApply(LineQueue::described)));
    }

    private static List<QueueEntry> described(List<Entry> entries) {
        List<QueueEntry> queue = new ArrayList<>();
        Set<Claim> ahead = new HashSet<>(); // each once: there are few, and may be many entries
        for (Entry entry : entries) {
            boolean waits = ahead.stream().anyMatch(entry.peer().claim()::conflictsWith);
            QueueEntry one = QueueEntry.of(entry, !waits);
            queue.add(one);
            ahead.add(one.claim());
        }
        return List.copyOf(queue);
    }
}
