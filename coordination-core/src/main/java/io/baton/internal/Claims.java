package io.baton.internal;

import io.baton.Subscription;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which ids are borne in which elections by candidates of one coordinator. Any thread. */
final class Claims {

    private record Claim(String line, String id) {}

    private final Set<Claim> all = ConcurrentHashMap.newKeySet();

    /**
     * Takes an id.
     *
     * @return gives it back, once
     * @throws IllegalArgumentException if it is taken
     */
    Subscription add(Contest election, String id) {
        Claim claim = new Claim(election.line().path(), id);
        if (!all.add(claim)) {
            throw new IllegalArgumentException("this coordinator has a candidate '" + id + "' in " + election
                    + " already; each candidate needs an id of its own, and keeps it until its candidacy has ended");
        }
        var taken = new AtomicBoolean(true);
        return () -> {
            if (taken.getAndSet(false)) {
                all.remove(claim);
            }
        };
    }
}
