package io.baton.zookeeper;

import io.baton.Dialect;

/**
 * The other libraries' locks and elections on ZooKeeper that Baton can share. Each dialect is tested against the real
 * library.
 */
public final class ZooKeeperDialects {

    /**
     * Apache Curator's {@code InterProcessMutex}: {@code _c_<uuid>-lock-0000000007}. Baton and Curator clients exclude
     * each other and acquire the lock in the order of their entries.
     */
    public static final Dialect CURATOR = new Dialect("curator");

    /**
     * kazoo's {@code Lock} (Python): {@code <32 hex>__lock__0000000007}. Baton and kazoo clients exclude each other and
     * acquire the lock in the order of their entries. kazoo needs no option for it.
     */
    public static final Dialect KAZOO = new Dialect("kazoo");

    /**
     * Apache Curator's {@code LeaderLatch}: {@code _c_<uuid>-latch-0000000007}. For elections: Baton and Curator
     * candidates have one leader at a time, in the order of their entries.
     */
    public static final Dialect CURATOR_LATCH = new Dialect("curator-latch");

    private ZooKeeperDialects() {}
}
