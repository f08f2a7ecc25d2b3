package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Reply;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Loop;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.FairQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds a session's unanswered requests, to fewer the longer the answers take, and queues the rest. Lines and other
 * flows take turns, and the requests of each flow are first come, first served. A request is built only when it is
 * sent, with the epoch and the lease of that moment. A request no longer wanted in its turn is dropped.
 *
 * <p>Queued requests stay queued without contact. They were never sent, so they are not in doubt. Heartbeats and other
 * requests that decide whether the session lives bypass the window.
 */
final class RequestWindow {

    /** The queue of a request. While both have requests, they take turns. */
    enum Priority {
        /** Requests that move a line on or that a caller waits for: line reads, removals, single reads. */
        HIGH,
        /** Requests that are many and can wait: joins, audits. */
        LOW
    }

    /** Sends the single request of a turn. */
    interface Sender {
        void txn(Txn txn, Reply<Result> reply);
    }

    /** The maximum of unanswered requests. */
    static final int LIMIT = 64;

    /** The minimum, however slow the answers. */
    static final int LEAST = 2;

    private static final int FEW = 256;

    /** A request that can be queued repeatedly, but at most once at a time. */
    final class Request {

        private final Object flow;
        private final Priority priority;
        private final BooleanSupplier wanted;
        private final Consumer<Sender> task;
        private boolean queued;

        private Request(Object flow, Priority priority, BooleanSupplier wanted, Consumer<Sender> task) {
            this.flow = flow;
            this.priority = priority;
            this.wanted = wanted;
            this.task = task;
        }

        /** Sends it in its turn, perhaps at once. Has no effect while it is queued. */
        void send() {
            if (!queued) {
                queued = true;
                add(this);
            }
        }

        /** Whether it is queued. */
        boolean queued() {
            return queued;
        }

        private boolean unwanted() {
            boolean unwanted = !wanted.getAsBoolean();
            if (unwanted) {
                queued = false;
            }
            return unwanted;
        }
    }

    private final EtcdWire wire;
    private final Loop loop;
    private final BooleanSupplier inContact;
    private final AdaptiveLimit limit;
    private final FairQueue<Request> high = new FairQueue<>();
    private final FairQueue<Request> low = new FairQueue<>();
    private int unanswered;
    private boolean lowIsNext;
    // A request was lost. Whether the connection broke with it is known after the loop's current task.
    private boolean paused;
    private int purgeAt = FEW;

    RequestWindow(EtcdWire wire, Loop loop, BooleanSupplier inContact, AdaptiveLimit limit) {
        this.wire = wire;
        this.loop = loop;
        this.inContact = inContact;
        this.limit = limit;
    }

    /**
     * Returns a request whose turn runs {@code task}, which sends one transaction or none. Requests of one flow, such
     * as a line, are sent in order, and take turns with those of other flows.
     */
    Request request(Object flow, Priority priority, BooleanSupplier wanted, Consumer<Sender> task) {
        return new Request(flow, priority, wanted, task);
    }

    /** In contact again. */
    void connected() {
        paused = false;
        limit.connected();
        sendNext();
    }

    /** The session has ended: requests in flight get no answer any more. */
    void clear() {
        high.clear();
        low.clear();
        unanswered = 0;
    }

    /** The number of queued requests. */
    int queued() {
        return high.size() + low.size();
    }

    private void add(Request request) {
        (request.priority == Priority.HIGH ? high : low).add(request.flow, request);
        if (queued() >= purgeAt) {
            high.removeIf(Request::unwanted);
            low.removeIf(Request::unwanted);
            purgeAt = Math.max(FEW, 2 * queued());
        }
        sendNext();
    }

    private void sendNext() {
        while (unanswered < limit.current() && !paused && inContact.getAsBoolean()) {
            Request next = next();
            if (next == null) {
                return;
            }
            if (!next.unwanted()) {
                next.queued = false;
                begin(next);
            }
        }
    }

    /** Keeps the queue moving even if one request throws. */
    private void begin(Request request) {
        boolean begun = false;
        try {
            request.task.accept(this::txn);
            begun = true;
        } finally {
            if (!begun) {
                loop.execute(this::sendNext);
            }
        }
    }

    private @Nullable Request next() {
        FairQueue<Request> first = lowIsNext ? low : high;
        FairQueue<Request> second = lowIsNext ? high : low;
        lowIsNext = !lowIsNext;
        Request next = first.poll();
        return next != null ? next : second.poll();
    }

    private void txn(Txn txn, Reply<Result> reply) {
        long sent = loop.nanoTime();
        if (unanswered == 0) {
            limit.resumed(sent);
        }
        unanswered++;
        wire.txn(txn, (fault, result) -> {
            updateLimit(txn.writes() ? Kind.COMMIT : Kind.READ, fault.code(), sent);
            unanswered--;
            if (fault.code() == Code.LOST) {
                pause();
            }
            answer(reply, fault, result);
        });
    }

    private void updateLimit(Kind kind, Code code, long sent) {
        long now = loop.nanoTime();
        if (code == Code.OVERLOADED || code == Code.LOST) {
            limit.overloaded(sent, now);
        } else if (code == Code.OK) { // a refusal comes before the work, so its time is no measure
            limit.answered(kind, sent, now, unanswered >= limit.current() && queued() > 0);
        }
    }

    private void answer(Reply<Result> reply, Fault fault, @Nullable Result result) {
        try {
            reply.accept(fault, result);
        } finally {
            sendNext();
        }
    }

    private void pause() {
        if (!paused) {
            paused = true;
            loop.execute(() -> {
                paused = false;
                sendNext();
            });
        }
    }
}
