package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The reads that follow a tree: of its root and of records, in order, with a bounded number in flight. A node with an
 * unanswered read is not read twice. A change's event arrives before any answer from after the change, so an
 * outstanding answer includes the change.
 */
final class TreeReads {

    /** The root, as a child name. */
    static final String ROOT = "";

    /**
     * The most reads in flight, below the number of requests at which a server makes its clients wait ({@code
     * globalOutstandingLimit}, 1,000). Heartbeats wait behind them. Once a server restarts, all its clients read their
     * trees, so each has fewer in flight while answers take long.
     */
    private static final int MOST = 512;

    /** Receives the answers. */
    interface Reader {
        /**
         * Receives a node as it is now; null if it does not exist.
         *
         * @param announced whether an event or a listing has announced a possible change
         */
        void read(String child, Code code, ZkWire.@Nullable Node node, boolean announced);

        /** An answer has been processed. */
        void answerTaken();
    }

    private final ZkWire wire;
    private final String root;
    private final AdaptiveLimit limit;
    private final Loop clock;
    private final Reader to;
    private final Queue<String> waiting = new ArrayDeque<>();
    private final Map<String, Boolean> announced = new HashMap<>();
    private int underWay;
    private long asked;
    private long answered;
    private long roundEnds;
    private int rounds;

    TreeReads(ZkSession session, String root, Reader to) {
        this.wire = session.wire();
        this.clock = session.loop();
        this.limit = AdaptiveLimit.between(RequestWindow.LEAST, MOST, session.timeout());
        this.root = root;
        this.to = to;
    }

    /** Reads a node that may have changed. */
    void readChanged(String child) {
        add(child, true);
    }

    /** Reads a node that should not have changed. */
    void check(String child) {
        add(child, false);
    }

    /** Whether all reads have been answered. */
    boolean isIdle() {
        return asked == answered;
    }

    /**
     * The number of rounds since the last pause. A round reads all that was outstanding at one time, and ends with new
     * reads.
     */
    int rounds() {
        return rounds;
    }

    /** Restarts the count. */
    void resetRounds() {
        rounds = 0;
        roundEnds = asked;
    }

    /** Sends no more reads. */
    void stop() {
        waiting.clear();
    }

    private void add(String child, boolean something) {
        Boolean before = announced.put(child, something);
        if (before == null) {
            asked++;
            waiting.add(child);
            send();
        } else if (before) {
            announced.put(child, true);
        }
    }

    private void send() {
        while (underWay < limit.current() && !waiting.isEmpty()) {
            String child = waiting.remove();
            long sent = clock.nanoTime();
            if (underWay == 0) {
                limit.resumed(sent);
            }
            underWay++;
            wire.read(child.equals(ROOT) ? root : root + "/" + child, (code, node) -> {
                adapt(code, sent);
                answered(child, code, node);
            });
        }
    }

    private void adapt(Code code, long sent) {
        if (Errors.passes(code)) {
            limit.overloaded(sent, clock.nanoTime());
        } else {
            limit.answered(Kind.READ, sent, clock.nanoTime(), underWay >= limit.current() && !waiting.isEmpty());
        }
    }

    private void answered(String child, Code code, ZkWire.@Nullable Node node) {
        underWay--;
        answered++;
        boolean something = Boolean.TRUE.equals(announced.remove(child));
        to.read(child, code, node, something);
        if (answered >= roundEnds) {
            rounds++;
            roundEnds = asked;
        }
        to.answerTaken();
        send();
    }
}
