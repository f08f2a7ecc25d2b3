package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sees from outside which of its transitions a session takes, and counts them. */
final class SimJournal {

    private final SimCounts counts;
    private final SimLoop loop;
    private final String line;
    private final Set<String> doubtful = new HashSet<>();

    /** {@code line} is how the keys of the line begin. */
    SimJournal(SimCounts counts, SimLoop loop, String line) {
        this.counts = counts;
        this.loop = loop;
        this.line = line;
    }

    /** True if it may change something. */
    boolean sent(Txn txn) {
        return Stream.concat(txn.then().stream(), txn.otherwise().stream())
                .anyMatch(request -> !(request instanceof Range));
    }

    void answered(Txn txn, Fault fault, @Nullable Result result) {
        String joins = joins(txn);
        if (joins != null && fault.code() == Code.LOST) {
            counts.add("joins in doubt");
            doubtful.add(joins);
        } else if (joins != null && result != null && txn.then().size() > 2) {
            counts.add("joins that took departures along");
        }
        if (moves(txn)) {
            counts.add(
                    result == null
                            ? "moves to another lease in doubt"
                            : result.met() ? "moves to another lease" : "moves to another lease refused");
        }
        if (raises(txn) && result != null) {
            counts.add(result.met() ? "epochs raised" : "epochs found raised");
        }
        if (result != null
                && txn.ifs().isEmpty()
                && txn.then().size() == 1
                && txn.then().get(0) instanceof Range read) {
            if (doubtful.remove(read.key())) {
                counts.add(result.parts().get(0).kvs().isEmpty() ? "doubts: not joined" : "doubts: joined");
            }
        }
    }

    void watching(Range range) {
        if (range.key().startsWith(line)) {
            counts.add(range.prefix() ? "lines followed" : "predecessors watched");
        }
        loop.note("watch " + range.key());
    }

    String text(Txn txn) {
        return "txn " + txn.ifs().size() + " "
                + txn.then().stream()
                        .map(request -> request instanceof Put put
                                ? "put " + put.key()
                                : request instanceof Delete delete
                                        ? "delete " + delete.key()
                                        : "get " + ((Range) request).key())
                        .collect(Collectors.joining(", "));
    }

    private @Nullable String joins(Txn txn) {
        return written(txn)
                .filter(key -> txn.ifs().contains(new Compare.Created(key, 0)))
                .findFirst()
                .orElse(null);
    }

    /** Writes what is there already. */
    private boolean moves(Txn txn) {
        return written(txn).anyMatch(key -> !txn.ifs().contains(new Compare.Created(key, 0)));
    }

    private Stream<String> written(Txn txn) {
        return txn.then().stream()
                .filter(request -> request instanceof Put put && put.key().startsWith(line))
                .map(request -> ((Put) request).key());
    }

    private static boolean raises(Txn txn) {
        return txn.ifs().size() == 1
                && txn.ifs().get(0) instanceof Compare.Written written
                && txn.then().size() == 1
                && txn.then().get(0) instanceof Put put
                && put.key().equals(written.key());
    }
}
