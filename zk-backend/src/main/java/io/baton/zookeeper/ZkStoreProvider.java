package io.baton.zookeeper;

import io.baton.spi.Store;
import io.baton.spi.inspect.InspectableProvider;
import io.baton.spi.inspect.StoreInspector;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Serves {@code zk://host:port[,host:port...][/chroot][?tick=2s&create=no&config=FILE]}, and {@code zks} for TLS.
 * Credentials and key stores come from that file and from the environment.
 */
public final class ZkStoreProvider implements InspectableProvider {

    /** For {@link java.util.ServiceLoader}. */
    public ZkStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(ZkAddress.PLAIN, ZkAddress.SECURE);
    }

    @Override
    public Store create(URI uri) {
        ZkAddress address = ZkAddress.parse(uri);
        return ZkStore.at(address, settings(uri, address));
    }

    @Override
    public StoreInspector inspector(URI uri, Duration patience) {
        ZkAddress address = ZkAddress.parse(uri);
        return new ZkInspector(address, settings(uri, address), patience);
    }

    private static Settings settings(URI uri, ZkAddress address) {
        return Settings.read(address.secure(), ZkAddress.config(uri), System.getenv());
    }
}
