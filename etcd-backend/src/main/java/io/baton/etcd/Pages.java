package io.baton.etcd;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads all keys with a prefix as they were at one revision: that of the first page's answer. A single answer with a
 * large tree could exceed the time limit.
 *
 * <p>A page is sized for about {@value #BYTES} bytes, judged by the previous page. After a failure, the next attempt
 * uses shorter pages.
 */
final class Pages {

    /** Called once with the result. */
    interface Done {
        /** All keys, and the header of the answer with their revision. */
        void read(List<Kv> all, Header header);

        /** May be {@link Code#COMPACTED}; another attempt may then succeed. */
        void failed(Fault why);
    }

    private static final int BYTES = 1 << 20;
    private static final int LEAST_BYTES = 1 << 12;
    private static final int FIRST = 16;
    private static final int MOST = 1_000;
    /** The next values may be larger than the first ones. */
    private static final int GROWTH = 8;

    private final int first;
    private int bytes = BYTES;
    private int limit;

    /** For keys with values, which may be large. */
    Pages() {
        this(FIRST);
    }

    private Pages(int first) {
        this.first = first;
        this.limit = first;
    }

    /** For keys without values, which are small: the first page has the maximum size. */
    static Pages ofKeys() {
        return new Pages(MOST);
    }

    /** Reads the pages. Once {@code wanted} is false, {@code done} is not called any more. */
    void read(RequestWindow window, Range below, BooleanSupplier wanted, Done done) {
        new Reading(window, below, wanted, done).next();
    }

    /** The last page was too large. */
    private void shorter() {
        bytes = Math.max(LEAST_BYTES, bytes / 2);
        limit = Math.max(1, limit / 2);
    }

    private void size(List<Kv> page) {
        long size = page.stream()
                .mapToLong(kv -> kv.key().length() + kv.value().length)
                .sum();
        long fit = (long) bytes * page.size() / Math.max(1, size);
        limit = (int) Math.max(1, Math.min(fit, Math.min(MOST, (long) limit * GROWTH)));
    }

    private final class Reading {

        private final RequestWindow.Request request;
        private final Range below;
        private final BooleanSupplier wanted;
        private final Done done;
        private final List<Kv> all = new ArrayList<>();
        private @Nullable Header begun;

        Reading(RequestWindow window, Range below, BooleanSupplier wanted, Done done) {
            this.request = window.request(below, Priority.HIGH, wanted, this::send);
            this.below = below;
            this.wanted = wanted;
            this.done = done;
        }

        void next() {
            request.send();
        }

        private void send(Sender turn) {
            String after = all.isEmpty() ? "" : all.get(all.size() - 1).key();
            long revision = begun == null ? 0 : begun.revision();
            turn.txn(Txn.read(below.page(after, limit, revision)), (fault, result) -> {
                if (!wanted.getAsBoolean()) {
                    return;
                }
                if (result != null) {
                    page(result);
                } else if (fault.code() == Code.TOO_LARGE && limit > 1) {
                    shorter();
                    next();
                } else {
                    shorter();
                    done.failed(fault);
                }
            });
        }

        private void page(Result result) {
            Header header = begun == null ? result.header() : begun;
            begun = header;
            Part page = result.parts().get(0);
            all.addAll(page.kvs());
            if (page.count() > page.kvs().size() && !page.kvs().isEmpty()) {
                size(page.kvs());
                next();
            } else {
                bytes = BYTES;
                limit = first;
                done.read(all, header);
            }
        }
    }
}
