package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Order;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what was asked and answered so that it is the same for any two servers that do the same: revisions are counted from
 * the first that was seen, leases have names, keys are told from the root on, and of clusters, members and terms only
 * whether they have changed.
 */
final class AgreementText {

    private static final int MANY = 8;

    private final String root;
    private final Map<Long, String> leases = new HashMap<>();
    private final long first;
    private @Nullable Header home;

    /** {@code first} is what revisions are counted from. */
    AgreementText(String root, long first) {
        this.root = root;
        this.first = first;
    }

    void name(long lease, String name) {
        leases.put(lease, name);
    }

    /** From now on another member may answer. */
    void moved() {
        home = null;
    }

    String header(Header header) {
        var seen = new Header(header.cluster(), header.member(), 0, header.term());
        if (home == null) {
            home = seen;
        }
        return "at " + revision(header.revision()) + (seen.equals(home) ? "" : " elsewhere");
    }

    String revision(long revision) {
        return revision == 0 ? "none" : revision < first ? "before" : "+" + (revision - first);
    }

    String lease(long lease) {
        return lease == 0 ? "" : " of " + leases.getOrDefault(lease, "another lease");
    }

    String fault(Fault fault) {
        String message = fault.code() == Code.COMPACTED && fault.message().matches(".*\\d.*")
                ? fault.message().replaceAll("\\d+", "")
                        + revision(Long.parseLong(fault.message().replaceAll("\\D", "")))
                : fault.message();
        return fault.code() + ": " + message;
    }

    String key(String key) {
        return key.startsWith(root) ? key.substring(root.length()) : key;
    }

    String txn(Txn txn) {
        String ifs = txn.ifs().isEmpty() ? "" : "if " + list(txn.ifs(), this::compare) + " then ";
        return ifs
                + list(txn.then(), this::request)
                + (txn.otherwise().isEmpty() ? "" : " else " + list(txn.otherwise(), this::request));
    }

    String range(Range range) {
        return (range.values() ? "" : "presence of ")
                + (range.order() == Order.KEY ? "" : range.order() + " ")
                + (range.limit() > 0 ? range.limit() + " of " : "")
                + key(range.key())
                + (range.prefix() ? "*" : "")
                + (range.after().isEmpty() ? "" : " after " + key(range.after()))
                + (range.maxCreated() > 0 ? " made by " + revision(range.maxCreated()) : "")
                + (range.revision() > 0 ? " as of " + revision(range.revision()) : "");
    }

    String result(Result result) {
        return header(result.header()) + (result.met() ? " met" : " unmet") + " "
                + result.parts().stream().map(this::part).toList();
    }

    /** All that is told at once of one revision. */
    String events(List<Event> events) {
        return revision(events.get(0).revision()) + " " + list(events, this::event);
    }

    private String event(Event event) {
        return (event.deleted() ? "gone " : "put ") + key(event.key()) + "=" + new String(event.value(), UTF_8)
                + " made " + revision(event.created());
    }

    private String compare(Compare compare) {
        if (compare instanceof Compare.Created created) {
            return key(created.key()) + " made " + revision(created.revision());
        }
        Compare.Written written = (Compare.Written) compare;
        return key(written.key()) + " written " + revision(written.revision());
    }

    private String request(Request request) {
        if (request instanceof Put put) {
            return "put " + key(put.key()) + "=" + new String(put.value(), UTF_8) + lease(put.lease());
        } else if (request instanceof Delete delete) {
            return "delete " + key(delete.key());
        }
        return "read " + range((Range) request);
    }

    private String part(Part part) {
        return part.count() + (part.kvs().isEmpty() ? "" : ": " + list(part.kvs(), this::kv));
    }

    private String kv(Kv kv) {
        return key(kv.key()) + "=" + new String(kv.value(), UTF_8) + " made " + revision(kv.created()) + " written "
                + revision(kv.written()) + lease(kv.lease());
    }

    private static <T> String list(List<T> all, java.util.function.Function<T, String> text) {
        return all.stream().limit(MANY).map(text).collect(Collectors.joining(", "))
                + (all.size() > MANY ? " and so on, " + all.size() : "");
    }
}
