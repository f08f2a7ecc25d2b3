package io.baton.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;

/** Requests that are sent in order, a bounded number at a time: each answer lets the next one go. */
final class BoundedRequests {

    /** Something to ask a server. */
    interface Request {
        /** Sends it; {@code answered} is run once it has been answered, or at once if there is nothing to ask. */
        void send(Runnable answered);
    }

    private final int most;
    private final Runnable done;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean sending;
    private boolean over;

    /** At most so many at a time; {@code done} is run once, when there is nothing left to send or to be answered. */
    BoundedRequests(int most, Runnable done) {
        this.most = most;
        this.done = done;
    }

    /** Adds a request behind the others; it is not sent before {@link #start}. */
    void add(Request request) {
        waiting.addLast(request);
    }

    /** Adds a request ahead of those that wait, for what follows from an answer. */
    void addNext(Request request) {
        waiting.addFirst(request);
    }

    void start() {
        send();
    }

    /** Sends nothing more. */
    void drop() {
        waiting.clear();
    }

    private void send() {
        if (sending) {
            return; // answered at once, from within the loop below
        }
        sending = true;
        try {
            while (underWay < most && !waiting.isEmpty()) {
                underWay++;
                waiting.remove().send(this::answered);
            }
        } finally {
            sending = false;
        }
        if (underWay == 0 && !over) {
            over = true;
            done.run();
        }
    }

    private void answered() {
        underWay--;
        send();
    }
}
