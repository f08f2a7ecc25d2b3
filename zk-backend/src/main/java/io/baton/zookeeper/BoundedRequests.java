package io.baton.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;

/** Sends requests in order, with a bounded number in flight: each answer releases the next one. */
final class BoundedRequests {

    /** A request to a server. */
    interface Request {
        /** Sends it. {@code answered} runs once it is answered, or at once if there is nothing to send. */
        void send(Runnable answered);
    }

    private final int most;
    private final Runnable done;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean sending;
    private boolean over;

    /** {@code most} bounds the requests in flight. {@code done} runs once, when none is left to send or in flight. */
    BoundedRequests(int most, Runnable done) {
        this.most = most;
        this.done = done;
    }

    /** Appends a request. It is not sent before {@link #start}. */
    void add(Request request) {
        waiting.addLast(request);
    }

    /** Adds a request ahead of the waiting ones, for one that follows from an answer. */
    void addNext(Request request) {
        waiting.addFirst(request);
    }

    void start() {
        send();
    }

    /** Discards the requests not yet sent. */
    void drop() {
        waiting.clear();
    }

    private void send() {
        if (sending) {
            return; // answered at once, within the loop below
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
