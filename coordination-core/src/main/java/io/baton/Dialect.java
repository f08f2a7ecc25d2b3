package io.baton;

/**
 * Whose names the entries of a line bear: the names that a client writes, and the only ones of others that it
 * understands. A line has one dialect; an entry of another in it makes joining fail, because its owner would not
 * respect ours.
 *
 * <p>For {@link Coordinator#lockAt} and for elections at a path, to share them with clients that do not use Baton.
 */
public enum Dialect {
    /**
     * The store's own. On ZooKeeper the same names as {@link #CURATOR}. On etcd an entry may have any name below the
     * lock's path, and the order is that of creation, as for {@code etcdctl lock} and the locks of etcd's client
     * libraries: both sides exclude each other, and all are granted in the order of their entries. Whoever compares their
     * fencing tokens with Baton's takes the revision that created their entry, not {@code ETCD_LOCK_REV}, which after a
     * wait is a later one.
     */
    BATON,
    /**
     * Apache Curator's {@code InterProcessMutex} on ZooKeeper: {@code _c_<uuid>-lock-0000000007}. Both sides exclude
     * each other, and all are granted in the order of their entries.
     */
    CURATOR,
    /**
     * kazoo's {@code Lock} on ZooKeeper (Python): {@code <32 hex>__lock__0000000007}. Both sides exclude each other, and
     * all are granted in the order of their entries; kazoo needs no option for it.
     */
    KAZOO,
    /**
     * Apache Curator's {@code LeaderLatch} on ZooKeeper: {@code _c_<uuid>-latch-0000000007}. For elections: one leads of
     * both sides together, in the order of their entries.
     */
    CURATOR_LATCH
}
