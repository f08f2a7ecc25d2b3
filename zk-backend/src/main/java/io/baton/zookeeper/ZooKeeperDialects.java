package io.baton.zookeeper;

import io.baton.Dialect;

/** Whose locks and elections on ZooKeeper Baton can share; each is tested against the real library. */
public final class ZooKeeperDialects {

    /**
     * Apache Curator's {@code InterProcessMutex}: {@code _c_<uuid>-lock-0000000007}. Both sides exclude each other, and
     * all are granted in the order of their entries.
     */
    public static final Dialect CURATOR = new Dialect("curator");

    /**
     * kazoo's {@code Lock} (Python): {@code <32 hex>__lock__0000000007}. Both sides exclude each other, and all are
     * granted in the order of their entries; kazoo needs no option for it.
     */
    public static final Dialect KAZOO = new Dialect("kazoo");

    /**
     * Apache Curator's {@code LeaderLatch}: {@code _c_<uuid>-latch-0000000007}. For elections: one leads of both sides
     * together, in the order of their entries.
     */
    public static final Dialect CURATOR_LATCH = new Dialect("curator-latch");

    private ZooKeeperDialects() {}
}
