package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides whether a member that answered belongs to the cluster of this client. A wrong address in the list, or a member
 * that was set up again alone, is passed over: it knows nothing of the holds that the others grant. The store was replaced,
 * as by a restored backup, if more than half of the members of the list answer for one other cluster without contact in
 * between.
 */
final class ClusterCheck {

    enum Verdict {
        SAME,
        /** A member of another cluster. */
        FOREIGN,
        /** Most members are of this other cluster, which is the client's from now on. */
        REPLACED
    }

    /** The id of the client's cluster, also in its later sessions; 0 before the first contact. */
    private final AtomicLong cluster;

    private final int members;

    /** The clusters of members that answered for another one since the last contact. */
    private final Map<Host, Long> others = new HashMap<>();

    ClusterCheck(AtomicLong cluster, int members) {
        this.cluster = cluster;
        this.members = members;
    }

    Verdict judge(Host host, long answering) {
        cluster.compareAndSet(0, answering);
        if (cluster.get() == answering) {
            others.clear();
            return Verdict.SAME;
        }
        others.put(host, answering);
        if (2L * others.values().stream().filter(id -> id == answering).count() <= members) {
            return Verdict.FOREIGN;
        }
        cluster.set(answering);
        others.clear();
        return Verdict.REPLACED;
    }

    /** Says what is wrong with such a member. */
    String text(Host host, long answering) {
        return host + " belongs to another cluster, " + Long.toHexString(answering)
                + ", than the one that this client is in, " + Long.toHexString(cluster.get());
    }
}
