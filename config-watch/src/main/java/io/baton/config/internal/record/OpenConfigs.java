package io.baton.config.internal.record;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many live configurations of one coordinator follow each tree. Any thread. */
final class OpenConfigs {

    private final Map<String, Integer> byTree = new ConcurrentHashMap<>();

    void opened(String tree) {
        byTree.merge(tree, 1, Integer::sum);
    }

    /** Returns whether no other one of the tree is open. */
    boolean closed(String tree) {
        return byTree.computeIfPresent(tree, (any, open) -> open == 1 ? null : open - 1) == null;
    }
}
