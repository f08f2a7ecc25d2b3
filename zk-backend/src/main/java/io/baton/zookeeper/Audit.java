package io.baton.zookeeper;

import io.baton.spi.Line;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then, and soon after each reconnection, for events that a server has lost: whether waiting places still
 * stand behind those they watch, whether observers know who stands first in their line, and what the records are.
 *
 * <p>A round asks about one line after the other, with a bounded number of requests under way, so that it delays neither
 * heartbeats nor anybody's requests. The next round is planned, at a jittered time, when this one has ended. A line that
 * nobody observes is left out if it has moved since the last round, unless a place that waits there waited then, too: the
 * line moves on without that place if its entry has gone as well.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;
    private static final long SOON_MILLIS = 500;

    /** How many requests of a round are under way at a time. */
    static final int WINDOW = 16;

    private final ZkSession session;
    private final Places places;
    private final LineAudit lines;
    private final Set<Line> moved = new HashSet<>();
    private final Set<LinePlace> waitedBefore = new HashSet<>();
    private @Nullable BoundedRequests round;
    private Loop.@Nullable Timer timer;

    Audit(ZkSession session, Places places) {
        this.session = session;
        this.places = places;
        this.lines = new LineAudit(session, places);
    }

    /** In contact again: a round of before the break is given up for a new one. */
    void runSoon() {
        moved.clear();
        plan(SOON_MILLIS);
    }

    /** A place of this line was told that the one ahead has gone. */
    void lineMoved(Line line) {
        moved.add(line);
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
        if (round != null) {
            round.drop();
            round = null;
        }
    }

    private void plan(long millis) {
        stop();
        long jittered = millis / 2 + Math.floorMod(session.loop().randomLong(), millis);
        timer = session.loop().after(Duration.ofMillis(jittered), this::run);
    }

    private void run() {
        BoundedRequests[] mine = {null};
        var begun = new BoundedRequests(WINDOW, () -> {
            if (round == mine[0]) {
                plan(EVERY_MILLIS);
            }
        });
        mine[0] = begun;
        round = begun;
        if (session.connected()) {
            Set<String> due = due();
            due.forEach(path -> begun.add(answered -> lines.audit(path, begun, answered)));
            begun.add(session.observers()::audit);
        }
        begun.start();
    }

    /** The paths of the lines to ask about. */
    private Set<String> due() {
        List<LinePlace> waiting =
                places.all().stream().filter(LinePlace::isWaiting).toList();
        Set<String> due = new LinkedHashSet<>();
        waiting.stream()
                .filter(place -> !moved.contains(place.line()) || waitedBefore.contains(place))
                .forEach(place -> due.add(place.linePath()));
        due.addAll(session.headWatches().paths());
        moved.clear();
        waitedBefore.clear();
        waitedBefore.addAll(waiting);
        return due;
    }
}
