package io.baton.zookeeper;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then, and soon after each reconnection, whether the waiting places still stand behind whom they watch:
 * servers have lost events before. One listing per line, at jittered times.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;
    private static final long SOON_MILLIS = 500;

    private final ZkSession session;
    private final Set<LinePlace> places;
    private Loop.@Nullable Timer timer;

    Audit(ZkSession session, Set<LinePlace> places) {
        this.session = session;
        this.places = places;
    }

    void soon() {
        plan(SOON_MILLIS);
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
        var lines = new LinkedHashMap<String, LinePlace>();
        if (session.connected()) {
            places.forEach(place -> lines.putIfAbsent(place.line(), place));
        }
        for (Map.Entry<String, LinePlace> line : lines.entrySet()) {
            session.wire().children(line.getValue().linePath(), (code, names) -> {
                if (code == Code.OK && names != null) {
                    List.copyOf(places).stream()
                            .filter(place -> place.line().equals(line.getKey()))
                            .forEach(place -> place.audit(names));
                }
            });
        }
        plan(EVERY_MILLIS);
    }
}
