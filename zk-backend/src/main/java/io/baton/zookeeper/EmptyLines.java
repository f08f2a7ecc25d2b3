package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Removes nodes of lines that this session was the last to use, some time after leaving them. Without that, lock names
 * by the thousand pile up as empty nodes. Servers look for empty containers once a minute, remove a bounded number, and
 * keep those that never had an entry.
 *
 * <p>One read shows whether the line is empty and whether this session made its newest entry. Only then is it deleted.
 * A line that other clients still use is left to them. The server refuses to delete a line that has an entry again. A
 * contender that joins a deleted line recreates it.
 *
 * <p>This is best effort: failed deletions, and lines beyond the limits, are left to the servers. Lines at exact paths
 * belong to other programs and stay. With {@code create=no}, so do lines that Baton has not made.
 */
final class EmptyLines {

    /** How long this session must not have used a line. */
    static final Duration QUIET = Duration.ofSeconds(5);

    /** The number of lines remembered. Beyond that, the one left longest ago is checked, or forgotten. */
    static final int MOST = 10_000;

    /** The number of lines checked or deleted at a time. */
    static final int WINDOW = 16;

    /** The number of lines deleted when the session is closed. The close waits behind them. */
    static final int MOST_AT_CLOSE = 1_000;

    /**
     * A line that was left.
     *
     * @param since when it was left
     * @param made how many entries it had had with the newest one of this session; 0 if none
     * @param ours whether this session made the line's node
     */
    private record Left(long since, int made, boolean ours) {}

    private final ZkSession session;
    private final Places places;
    /** By path; the one left longest ago comes first. */
    private final Map<String, Left> left = new LinkedHashMap<>();

    private final Map<String, Left> underWay = new HashMap<>();
    private Loop.@Nullable Timer timer;

    EmptyLines(ZkSession session, Places places) {
        this.session = session;
        this.places = places;
    }

    /** A place has ended: its line may be empty. */
    void placeClosed(LinePlace place) {
        OptionalInt made = place.made();
        if (place.line().exact() || made.isEmpty()) {
            return;
        }
        String path = place.linePath();
        Left before = left.remove(path);
        int most = before == null ? made.getAsInt() : Math.max(before.made(), made.getAsInt());
        remember(path, most, place.madeLine() || (before != null && before.ours()));
        if (left.size() > MOST) {
            String oldest = left.keySet().iterator().next();
            Left over = left.remove(oldest);
            if (over != null && !used(oldest) && underWay.size() < WINDOW && session.connected()) {
                check(oldest, over);
            }
        }
    }

    /**
     * On close, deletes the lines that this session made and that may be empty, without a check. The deletes precede
     * the session's end on the same connection, and their answers are not awaited. Nodes made by others may have data,
     * so they are left to the servers.
     */
    void close() {
        stop();
        if (!session.connected()) {
            return;
        }
        places.all().stream().filter(LinePlace::isReleased).forEach(this::placeClosed);
        stop();
        left.putAll(underWay);
        var last = new ArrayList<String>();
        left.forEach((path, line) -> {
            if (line.ours() && !used(path)) {
                last.add(path);
            }
        });
        last.stream().limit(MOST_AT_CLOSE).forEach(path -> session.wire().delete(path, (code, nothing) -> {}));
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void remember(String path, int made, boolean ours) {
        left.put(path, new Left(session.loop().nanoTime(), made, ours));
        plan(QUIET.toNanos());
    }

    private void plan(long nanos) {
        if (timer == null) {
            timer = session.loop().after(Duration.ofNanos(nanos), () -> {
                timer = null;
                checkQuiet();
            });
        }
    }

    private void checkQuiet() {
        if (!session.connected()) {
            plan(QUIET.toNanos());
            return;
        }
        long now = session.loop().nanoTime();
        while (underWay.size() < WINDOW && !left.isEmpty()) {
            Map.Entry<String, Left> oldest = left.entrySet().iterator().next();
            long quiet = now - oldest.getValue().since();
            if (quiet < QUIET.toNanos()) {
                plan(QUIET.toNanos() - quiet);
                return;
            }
            left.remove(oldest.getKey());
            check(oldest.getKey(), oldest.getValue());
        }
    }

    private void check(String path, Left line) {
        if (used(path)) {
            remember(path, line.made(), line.ours());
        } else if (mayDelete(path, line)) {
            underWay.put(path, line);
            session.wire().read(path, (code, node) -> {
                if (code == Code.OK && node != null && isUnused(node, line) && !used(path)) {
                    session.wire().delete(path, (done, nothing) -> {
                        session.lengths().forget(path);
                        ended(path);
                    });
                } else {
                    ended(path);
                }
            });
        }
    }

    private void ended(String path) {
        underWay.remove(path);
        if (timer == null) {
            checkQuiet();
        }
    }

    /** Whether the line is empty, without data, and without a join since this session's last one. */
    private static boolean isUnused(ZkWire.Node node, Left line) {
        return node.children() == 0 && node.made() == line.made() && node.data().length == 0;
    }

    private boolean mayDelete(String path, Left line) {
        return !used(path) && (line.ours() || session.address().create());
    }

    private boolean used(String path) {
        List<LinePlace> here = places.in(path);
        return here.stream().anyMatch(place -> !place.isReleased())
                || session.lineWatches().observes(path);
    }
}
