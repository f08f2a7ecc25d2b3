package io.baton.election;

import io.baton.internal.OwnLoop;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** Which nodes run on the coordinators of this process, so that none runs twice. Any thread. */
final class RunningNodes {

    private static final Map<OwnLoop, Set<String>> RUNNING = new WeakHashMap<>();

    private RunningNodes() {}

    /** False if it runs already. */
    static boolean add(OwnLoop coordinator, String name, String id) {
        synchronized (RUNNING) {
            return RUNNING.computeIfAbsent(coordinator, any -> new HashSet<>()).add(key(name, id));
        }
    }

    static void remove(OwnLoop coordinator, String name, String id) {
        synchronized (RUNNING) {
            RUNNING.getOrDefault(coordinator, new HashSet<>()).remove(key(name, id));
        }
    }

    private static String key(String name, String id) {
        return name.length() + ":" + name + id;
    }
}
