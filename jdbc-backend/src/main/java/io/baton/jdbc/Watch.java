package io.baton.jdbc;

import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Looks for what a server without pushes does not tell: own entries that wait, and followed topics. It looks every few
 * milliseconds while lines move, and the seldomer the longer nothing happens, at least every {@link #LONGEST}. Of the
 * entries that wait, the foremost is looked at as soon as the one ahead of it goes, if the server has a {@link
 * SqlDialect.Hint}.
 */
final class Watch {

    static final Duration LONGEST = Duration.ofMillis(250);
    private static final Duration SHORTEST = Duration.ofMillis(5);

    private final Events to;
    private final Map<String, Standing> waiting = new ConcurrentHashMap<>();
    private final Map<Line, Long> heads = new HashMap<>();
    private final Map<Topic, Long> versions = new ConcurrentHashMap<>();
    private volatile Duration pause = SHORTEST;

    /** The entry ahead of the foremost that waits, if its owner gives a hint when it goes. Of the pulse's thread. */
    private Optional<String> ahead = Optional.empty();

    Watch(Events to) {
        this.to = to;
    }

    /** An entry waits. */
    void add(Standing entry, TaskThread thread) {
        waiting.put(entry.name(), entry);
        pause = SHORTEST;
        thread.execute(() -> {}); // ends the present pause
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

    /**
     * Waits a while, during which the thread runs its other tasks, and looks.
     *
     * @throws StoreSteps.OtherEpochException if entries are gone because the session is
     */
    void await(StoreSteps steps, Connection connection, TaskThread thread, Consumer<Runnable> loop)
            throws SQLException, StoreSteps.OtherEpochException {
        Optional<String> awaited = ahead.filter(name -> thread.isIdle());
        ahead = Optional.empty();
        // A thread that waits for a hint runs nothing else, so it does so for long only if nothing else is to be seen.
        Duration most = waiting.size() == 1 && versions.isEmpty() ? LONGEST : pause;
        if (awaited.isEmpty()) {
            pause(thread);
        }
        List<String> names = List.copyOf(waiting.keySet());
        Set<Topic> topics = new LinkedHashSet<>(versions.keySet());
        Set<Line> lines = waiting.values().stream().map(Standing::line).collect(Collectors.toSet());
        lines.forEach(line -> topics.add(new Topic.Head(line)));
        heads.keySet().retainAll(lines);
        boolean news = false;
        if (!topics.isEmpty()) {
            Optional<String> foremost = waiting.values().stream()
                    .min(Comparator.comparing(Standing::token))
                    .map(Standing::name);
            StoreSteps.Looked looked = steps.look(connection, names, List.copyOf(topics), foremost, awaited, most);
            Beaten seen = looked.seen();
            // One that stands although it was hinted that it has gone: its owner is on another connection now.
            ahead = looked.ahead()
                    .filter(name -> !looked.hinted() || !Optional.of(name).equals(awaited));
            List<String> gone = new ArrayList<>(names);
            for (Standing own : seen.own()) {
                gone.remove(own.name());
                if (own.clear() && waiting.remove(own.name()) != null) {
                    loop.accept(() -> to.cleared(own.name(), own.token()));
                }
            }
            if (!gone.isEmpty() && !steps.exists(connection)) {
                throw new StoreSteps.OtherEpochException();
            }
            for (String name : gone) {
                if (waiting.remove(name) != null) {
                    loop.accept(() -> to.gone(name));
                }
            }
            for (Topic topic : topics) {
                Long now = Objects.requireNonNull(seen.versions().get(topic));
                Long before = versions.replace(topic, now);
                news |= topic instanceof Topic.Head head
                        && lines.contains(head.line())
                        && !now.equals(heads.put(head.line(), now));
                if (before != null && !before.equals(now)) {
                    news = true;
                    loop.accept(() -> to.changed(topic, now));
                }
            }
        }
        Duration longer = pause.plus(pause.dividedBy(4));
        pause = news ? SHORTEST : longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }

    private void pause(TaskThread thread) {
        try {
            thread.runOthers(pause);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
