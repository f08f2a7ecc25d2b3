package io.baton.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The value of the tag {@code lock}, or {@code election}: the names that came first, and one value for all others. Any
 * thread.
 */
final class LockTags {

    static final String OTHER = "other";

    private final UnaryOperator<String> group;
    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    LockTags(UnaryOperator<String> group, int most) {
        this.group = group;
        this.most = most;
    }

    String of(String lock) {
        String value = group.apply(lock);
        if (known.contains(value)) {
            return value;
        }
        synchronized (known) {
            if (known.size() == most) {
                return OTHER;
            }
            known.add(value);
            return value;
        }
    }
}
