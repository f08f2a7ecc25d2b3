package io.baton.zookeeper;

import io.baton.spi.Line;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then, and soon after each reconnection, whether the waiting places still stand behind whom they watch,
 * and whether observers know who stands in their line, and what the records are: servers have lost events before. One
 * listing per line, at
 * jittered times; where nobody observes, none if the line has moved since the last look, unless somebody waited then who
 * still does: the line moves on without him if his entry has gone as well.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;
    private static final long SOON_MILLIS = 500;

    private final ZkSession session;
    private final Set<LinePlace> places;
    private final Set<Line> moved = new HashSet<>();
    private final Set<LinePlace> waitedBefore = new HashSet<>();
    private Loop.@Nullable Timer timer;

    Audit(ZkSession session, Set<LinePlace> places) {
        this.session = session;
        this.places = places;
    }

    void soon() {
        moved.clear();
        plan(SOON_MILLIS);
    }

    /** A place of this line was told that the one ahead has gone. */
    void moved(Line line) {
        moved.add(line);
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void plan(long millis) {
        stop();
        long jittered = millis / 2 + Math.floorMod(session.loop().randomLong(), millis);
        timer = session.loop().after(Duration.ofMillis(jittered), this::run);
    }

    private void run() {
        Set<String> lines = new LinkedHashSet<>();
        if (session.connected()) {
            List<LinePlace> waiting =
                    places.stream().filter(LinePlace::isWaiting).toList();
            waiting.stream()
                    .filter(place -> !moved.contains(place.line()) || waitedBefore.contains(place))
                    .forEach(place -> lines.add(place.linePath()));
            lines.addAll(session.headWatches().paths());
            moved.clear();
            waitedBefore.clear();
            waitedBefore.addAll(waiting);
            session.observers().audit();
        }
        lines.forEach(this::list);
        plan(EVERY_MILLIS);
    }

    private void list(String path) {
        session.wire().children(path, (code, names) -> {
            if (code == Code.OK && names != null) {
                Set<String> standing = Set.copyOf(names);
                List.copyOf(places).stream()
                        .filter(place -> place.linePath().equals(path))
                        .forEach(place -> place.audit(standing));
                session.headWatches().audit(path, standing);
            } else if (code == Code.NONODE) {
                session.headWatches().audit(path, Set.of());
            }
        });
    }
}
