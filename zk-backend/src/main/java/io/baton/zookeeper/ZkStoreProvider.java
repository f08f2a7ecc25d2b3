package io.baton.zookeeper;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.util.Set;

/**
 * Serves {@code zk://host:port[,host:port...][/chroot][?tick=2s&create=no&config=FILE]}, and {@code zks} for TLS; with
 * credentials and key stores from that file and from the environment.
 */
public final class ZkStoreProvider implements StoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public ZkStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(ZkAddress.PLAIN, ZkAddress.SECURE);
    }

    @Override
    public Store create(URI uri) {
        ZkAddress address = ZkAddress.parse(uri);
        return ZkStore.at(address, Settings.read(address.secure(), ZkAddress.config(uri), System.getenv()));
    }
}
