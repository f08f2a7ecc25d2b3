package io.baton.spi.kernel;

import io.baton.Op;
import io.baton.Telemetry.Request.Kind;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.spi.support.PendingRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * The transactions of a session. One that was not answered is settled by the next attach: the store has its verdict, or
 * it was not applied and never will be, and is sent again under the same number.
 */
final class Verdicts {

    private static final class Open {
        private final PendingRequest<Boolean> request;
        private final List<Condition> conditions;
        private final List<Op> ops;
        private final List<Peer> removed;
        private boolean inDoubt;

        Open(PendingRequest<Boolean> request, List<Condition> conditions, List<Op> ops, List<Peer> removed) {
            this.request = request;
            this.conditions = conditions;
            this.ops = ops;
            this.removed = removed;
        }
    }

    private final KernelSession session;
    private final SortedMap<Long, Open> open = new TreeMap<>();
    private long last;

    Verdicts(KernelSession session) {
        this.session = session;
    }

    /** Returns the number up to which every verdict is known here, or not wanted any more. */
    long acknowledged() {
        return open.isEmpty() ? last : open.firstKey() - 1;
    }

    CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
        long n = ++last;
        String what = ops.isEmpty()
                ? "removing " + removed.get(0).name()
                : "writing " + ops.get(0).key();
        PendingRequest<Boolean> request = session.request(what, within);
        open.put(n, new Open(request, List.copyOf(conditions), List.copyOf(ops), List.copyOf(removed)));
        request.answer().whenComplete((done, failed) -> open.remove(n));
        send(n);
        return request.answer();
    }

    /** A contact has begun; these are the verdicts that the store has. */
    void settle(Map<Long, Boolean> verdicts) {
        for (Long n : List.copyOf(open.keySet())) {
            Open each = open.get(n);
            Boolean verdict = verdicts.get(n);
            if (each == null || !each.inDoubt) {
                continue;
            }
            if (verdict != null) {
                decided(each, verdict);
            } else {
                each.request.notWritten();
                send(n);
            }
        }
    }

    private void send(long n) {
        Open each = open.get(n);
        if (each == null) {
            return; // its time is over
        }
        if (!session.isAttached()) {
            session.whenAttached(each.request::isPending, () -> send(n));
            return;
        }
        each.inDoubt = false;
        each.request.writing();
        session.wire()
                .transact(
                        n,
                        acknowledged(),
                        each.conditions,
                        each.ops,
                        each.removed,
                        session.calls()
                                .expect(
                                        Kind.TRANSACT,
                                        each.request::isPending,
                                        verdict -> decided(each, verdict),
                                        each.request::fail,
                                        () -> each.inDoubt = true));
    }

    private void decided(Open transaction, boolean committed) {
        if (committed) {
            transaction.removed.forEach(peer -> session.gone(peer.name()));
        }
        transaction.request.complete(committed);
    }
}
