package io.baton.jdbc;

import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Looks for what a server without pushes does not tell: own entries that wait, and followed topics. It looks every few
 * milliseconds while lines move, and the seldomer the longer nothing happens, at least every {@link #LONGEST}. Of the
 * entries that wait, the foremost is looked at as soon as the one ahead of it goes, if the server has a {@link
 * SqlDialect.Hint}.
 */
final class Watch {

    static final Duration LONGEST = Duration.ofMillis(250);
    private static final Duration SHORTEST = Duration.ofMillis(5);

    /** In one look. */
    private static final int MOST_TOPICS = 64;

    private static final int MOST_NAMES = 256;

    /** In each line. */
    private static final int FOREMOST = 32;

    private final Events to;
    private final Map<String, Standing> waiting = new ConcurrentHashMap<>();
    private final Map<Line, Long> heads = new HashMap<>();
    private final Map<Topic, Long> versions = new ConcurrentHashMap<>();
    private volatile Duration pause = SHORTEST;

    /** The looks that are left of this round, which is of all that is to be seen. Of the pulse's thread. */
    private final Deque<Part> round = new ArrayDeque<>();

    private boolean news;

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

    /** On the loop. Only the follower that has asked is told this version, so others are told a change here. */
    void follow(Topic topic, long version) {
        Long before = versions.put(topic, version);
        if (before != null && before != version) {
            to.changed(topic, version);
        }
    }

    void unfollow(Topic topic) {
        versions.remove(topic);
    }

    /**
     * Makes the next look. Waits a while before the first one of each round, during which the thread runs its other
     * tasks.
     *
     * @throws OtherEpochException if entries are gone because the session is
     */
    void await(StoreSteps steps, Connection connection, TaskThread thread, Consumer<Runnable> loop)
            throws SQLException, OtherEpochException {
        if (round.isEmpty()) {
            Optional<String> awaited = ahead.filter(name -> thread.isIdle());
            ahead = Optional.empty();
            // A thread that waits for a hint runs nothing else, so it does so for long only if nothing else is to be
            // seen.
            Duration most = waiting.size() == 1 && versions.isEmpty() ? LONGEST : pause;
            if (awaited.isEmpty()) {
                pause(thread);
            }
            begin();
            Part first = round.poll();
            if (first != null) {
                Optional<String> foremost = waiting.values().stream()
                        .min(Comparator.comparing(Standing::token))
                        .map(Standing::name);
                LookSteps.Looked looked =
                        steps.looks.look(connection, first.names, first.topics, foremost, awaited, most);
                // One that stands although it was hinted that it has gone: its owner is on another connection now.
                ahead = looked.ahead()
                        .filter(name -> !looked.hinted() || !Optional.of(name).equals(awaited));
                seen(first, looked.seen(), steps, connection, loop);
            }
        } else {
            Part next = round.remove();
            LookSteps.Looked looked = steps.looks.look(
                    connection, next.names, next.topics, Optional.empty(), Optional.empty(), Duration.ZERO);
            seen(next, looked.seen(), steps, connection, loop);
        }
        if (round.isEmpty() && news) {
            pause = SHORTEST;
        }
    }

    private void begin() {
        Duration longer = pause.plus(pause.dividedBy(4));
        pause = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
        news = false;
        Map<Line, List<Standing>> lines = new HashMap<>();
        waiting.values()
                .forEach(own -> lines.computeIfAbsent(own.line(), line -> new ArrayList<>())
                        .add(own));
        heads.keySet().retainAll(lines.keySet());
        List<Part> parts = new ArrayList<>(List.of(new Part()));
        lines.values().stream()
                .map(Watch::foremost)
                .sorted(Comparator.comparing(own -> own.get(0).token()))
                .forEach(own -> part(parts).add(own));
        versions.keySet().forEach(topic -> part(parts).topics.add(topic));
        parts.stream().filter(part -> !part.topics.isEmpty()).forEach(round::add);
    }

    /** Those behind are not clear before these. */
    private static List<Standing> foremost(List<Standing> own) {
        return own.stream()
                .sorted(Comparator.comparing(Standing::token))
                .limit(FOREMOST)
                .toList();
    }

    private static Part part(List<Part> parts) {
        Part last = parts.get(parts.size() - 1);
        if (last.isFull()) {
            last = new Part();
            parts.add(last);
        }
        return last;
    }

    private void seen(Part part, Beaten seen, StoreSteps steps, Connection connection, Consumer<Runnable> loop)
            throws SQLException, OtherEpochException {
        List<String> gone = new ArrayList<>(part.names);
        for (Standing own : seen.own()) {
            gone.remove(own.name());
            if (own.clear() && waiting.remove(own.name()) != null) {
                loop.accept(() -> to.cleared(own.name(), own.token()));
            }
        }
        if (!gone.isEmpty() && !steps.session.exists(connection)) {
            throw new OtherEpochException();
        }
        for (String name : gone) {
            if (waiting.remove(name) != null) {
                loop.accept(() -> to.gone(name));
            }
        }
        for (Topic topic : part.topics) {
            Long now = Objects.requireNonNull(seen.versions().get(topic));
            Long before = versions.replace(topic, now);
            news |= topic instanceof Topic.Head head
                    && part.lines.contains(head.line())
                    && !now.equals(heads.put(head.line(), now));
            if (before != null && !before.equals(now)) {
                news = true;
                loop.accept(() -> to.changed(topic, now));
            }
        }
    }

    /** What one look asks for: so little that heartbeats are not kept for long. */
    private static final class Part {

        private final List<String> names = new ArrayList<>();
        private final Set<Line> lines = new HashSet<>();
        private final List<Topic> topics = new ArrayList<>();

        void add(List<Standing> ownOfALine) {
            ownOfALine.forEach(own -> names.add(own.name()));
            Line line = ownOfALine.get(0).line();
            lines.add(line);
            topics.add(new Topic.Head(line));
        }

        boolean isFull() {
            return topics.size() >= MOST_TOPICS || names.size() >= MOST_NAMES;
        }
    }

    private void pause(TaskThread thread) {
        try {
            thread.runOthers(pause);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
