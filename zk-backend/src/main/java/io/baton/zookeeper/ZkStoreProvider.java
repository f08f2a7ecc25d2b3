package io.baton.zookeeper;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import java.net.URI;
import java.util.Set;

/** Serves {@code zk://host:port[,host:port...][/chroot][?tick=2s]}. */
public final class ZkStoreProvider implements StoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public ZkStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zk");
    }

    @Override
    public Store create(URI uri) {
        ZkAddress address = ZkAddress.parse(uri);
        return new ZkStore(address, loop -> LiveZkWire.to(address.hosts(), loop));
    }
}
