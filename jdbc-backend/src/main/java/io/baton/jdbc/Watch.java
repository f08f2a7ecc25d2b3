package io.baton.jdbc;

import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Looks for what a server without pushes does not tell: own entries that wait, and followed topics. A look every few
 * milliseconds at first; the longer nothing happens, the seldomer, up to {@link #LONGEST}.
 */
final class Watch {

    static final Duration LONGEST = Duration.ofMillis(250);
    private static final Duration SHORTEST = Duration.ofMillis(5);

    private final Events to;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final Map<Topic, Long> versions = new ConcurrentHashMap<>();
    private volatile Duration pause = SHORTEST;

    Watch(Events to) {
        this.to = to;
    }

    void add(String name) {
        waiting.add(name);
        pause = SHORTEST;
    }

    void remove(String name) {
        waiting.remove(name);
    }

    void follow(Topic topic, long version) {
        versions.put(topic, version);
    }

    void unfollow(Topic topic) {
        versions.remove(topic);
    }

    /** Waits a while, during which the thread runs its other tasks, and looks. */
    void await(StoreSteps steps, Connection connection, TaskThread thread, Consumer<Runnable> loop) throws SQLException {
        try {
            thread.runOthers(pause);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        List<String> names = List.copyOf(waiting);
        List<Topic> topics = List.copyOf(versions.keySet());
        boolean news = false;
        if (!names.isEmpty() || !topics.isEmpty()) {
            Beaten seen = steps.look(connection, names, topics);
            List<String> gone = new ArrayList<>(names);
            for (Standing own : seen.own()) {
                gone.remove(own.name());
                if (own.clear() && waiting.remove(own.name())) {
                    news = true;
                    loop.accept(() -> to.cleared(own.name(), own.token()));
                }
            }
            for (String name : gone) {
                if (waiting.remove(name)) {
                    news = true;
                    loop.accept(() -> to.gone(name));
                }
            }
            for (Topic topic : topics) {
                Long now = Objects.requireNonNull(seen.versions().get(topic));
                Long before = versions.replace(topic, now);
                if (before != null && !before.equals(now)) {
                    news = true;
                    loop.accept(() -> to.changed(topic, now));
                }
            }
        }
        Duration longer = pause.plus(pause.dividedBy(4));
        pause = news ? SHORTEST : longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
}
