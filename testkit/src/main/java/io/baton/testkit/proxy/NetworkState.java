package io.baton.testkit.proxy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The present state of a proxy's network, shared by its connections. Confined to the proxy's thread. */
final class NetworkState {

    private final Map<Direction, Long> delays = new EnumMap<>(Direction.class);
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private long patienceNanos;

    void delay(Direction direction, Duration delay) {
        delays.put(direction, delay.toNanos());
    }

    /** The time at which bytes that arrive now become due. */
    long dueNanos(Direction direction) {
        return System.nanoTime() + delays.getOrDefault(direction, 0L);
    }

    void patience(Duration patience) {
        patienceNanos = patience.toNanos();
    }

    /** How long the proxy retries a target that refuses. */
    long patienceNanos() {
        return patienceNanos;
    }

    void hold(Direction direction) {
        held.add(direction);
    }

    void release(Direction direction) {
        held.remove(direction);
    }

    boolean held(Direction direction) {
        return held.contains(direction);
    }
}
