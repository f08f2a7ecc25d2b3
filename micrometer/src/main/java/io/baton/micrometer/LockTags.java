package io.baton.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The values of the tag {@code lock} or {@code election}. The first names get values of their own, and all others share
 * one. Any thread.
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
