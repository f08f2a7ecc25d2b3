package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a server makes of a transaction before it hands it to anybody: neither branch may be impossible, nor too long. */
final class SimRequests {

    private static final int MOST = 128;

    private SimRequests() {}

    /** {@link Fault#NONE} if it may be tried. */
    static Fault judge(Txn txn) {
        int longest = Math.max(
                txn.ifs().size(), Math.max(txn.then().size(), txn.otherwise().size()));
        if (longest > MOST) {
            return new Fault(Code.TOO_LARGE, "etcdserver: too many operations in txn request");
        }
        return twice(txn.then()) || twice(txn.otherwise())
                ? new Fault(Code.REFUSED, "etcdserver: duplicate key given in txn request")
                : Fault.NONE;
    }

    /** Whether a key is put twice, or put and deleted; one that is deleted twice may be. */
    private static boolean twice(List<Request> branch) {
        if (branch.size() < 2) {
            return false;
        }
        Set<String> changed = branch.stream()
                .filter(Delete.class::isInstance)
                .map(request -> ((Delete) request).key())
                .collect(Collectors.toCollection(HashSet::new));
        return branch.stream().anyMatch(request -> request instanceof Put put && !changed.add(put.key()));
    }
}
