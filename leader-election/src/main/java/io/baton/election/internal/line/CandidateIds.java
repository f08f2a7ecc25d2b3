package io.baton.election.internal.line;

import io.baton.Subscription;
import io.baton.recipe.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which ids are taken in which elections of one coordinator, and by what. Any thread. */
final class CandidateIds {

    private record Claim(String path, boolean exact, String id) {}

    private final Map<Claim, String> all = new ConcurrentHashMap<>();

    /**
     * Takes an id.
     *
     * @param as what takes it, for people: {@code candidate}, or another word
     * @return gives it back, once
     * @throws IllegalArgumentException if it is taken, by whatever; the message says by what
     */
    Subscription add(Resource election, String id, String as) {
        Claim claim = new Claim(election.line().path(), election.line().exact(), id);
        String holder = all.putIfAbsent(claim, as);
        if (holder != null) {
            throw new IllegalArgumentException("this coordinator has a " + holder + " '" + id + "' in " + election
                    + " already; each " + as + " needs an id of its own, and that one keeps it until it has ended");
        }
        var taken = new AtomicBoolean(true);
        return () -> {
            if (taken.getAndSet(false)) {
                all.remove(claim);
            }
        };
    }
}
