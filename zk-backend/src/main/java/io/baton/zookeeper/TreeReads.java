package io.baton.zookeeper;

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
     * Below the number of requests at which a server makes its clients wait ({@code globalOutstandingLimit}, 1,000).
     */
    private static final int WINDOW = 512;

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
    private final Reader to;
    private final Queue<String> waiting = new ArrayDeque<>();
    private final Map<String, Boolean> announced = new HashMap<>();
    private int underWay;
    private long asked;
    private long answered;
    private long roundEnds;
    private int rounds;

    TreeReads(ZkWire wire, String root, Reader to) {
        this.wire = wire;
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
        while (underWay < WINDOW && !waiting.isEmpty()) {
            String child = waiting.remove();
            underWay++;
            wire.read(child.equals(ROOT) ? root : root + "/" + child, (code, node) -> answered(child, code, node));
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
