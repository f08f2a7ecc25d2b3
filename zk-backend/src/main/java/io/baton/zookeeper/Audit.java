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
 * Checks periodically, and soon after each reconnect, for events that a server has lost. It checks whether waiting
 * places still have their predecessors, whether observers have the first entry of their line, and the records.
 *
 * <p>A round checks one line after the other with a bounded number of requests in flight, so it delays neither
 * heartbeats nor other requests. The next round is planned, with jitter, when this one has ended.
 *
 * <p>A line without observers that has moved since the last round is skipped, unless one of its waiting places waited
 * then, too. The line may move on without that place if its entry has gone as well.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;
    private static final long SOON_MILLIS = 500;

    /** The number of a round's requests in flight at a time. */
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

    /** In contact again: a new round replaces one from before the break. */
    void runSoon() {
        moved.clear();
        plan(SOON_MILLIS);
    }

    /** A place of this line has become clear. */
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

    /** The paths of the lines to check. */
    private Set<String> due() {
        List<LinePlace> waiting =
                places.all().stream().filter(LinePlace::isWaiting).toList();
        Set<String> due = new LinkedHashSet<>();
        waiting.stream()
                .filter(place -> !moved.contains(place.line()) || waitedBefore.contains(place))
                .forEach(place -> due.add(place.linePath()));
        due.addAll(session.lineWatches().paths());
        moved.clear();
        waitedBefore.clear();
        waitedBefore.addAll(waiting);
        return due;
    }
}
