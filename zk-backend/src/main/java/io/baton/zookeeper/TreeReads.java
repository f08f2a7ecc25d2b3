package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The reads that a tree's follower has to make: of the tree's root and of records, one after the other, so many at a time
 * at most. What is to be read and has not been answered is not asked for twice: the event of a change comes before the
 * answers that are of the time after it, so an answer that is still to come knows of the change.
 */
final class TreeReads {

    /** The root, among the names of its children. */
    static final String ROOT = "";

    /** Fewer than a server takes from all its clients before it lets them wait (globalOutstandingLimit, 1,000). */
    private static final int WINDOW = 512;

    /** Takes the answers. */
    interface Reader {
        /**
         * A node as it is now, null if there is none.
         *
         * @param announced whether an event, or a listing, has told that there may be something new
         */
        void read(String child, Code code, ZkWire.@Nullable Node node, boolean announced);

        /** An answer has been taken in. */
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

    /** There may be something new to be read. */
    void readChanged(String child) {
        add(child, true);
    }

    /** There should be nothing new. */
    void check(String child) {
        add(child, false);
    }

    /** Whether everything has been answered. */
    boolean isIdle() {
        return asked == answered;
    }

    /** How often, since the last rest, all that was to be read at one time has been read, and there was more to be read by then. */
    int rounds() {
        return rounds;
    }

    /** Counts them anew. */
    void resetRounds() {
        rounds = 0;
        roundEnds = asked;
    }

    /** Asks for nothing more. */
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
