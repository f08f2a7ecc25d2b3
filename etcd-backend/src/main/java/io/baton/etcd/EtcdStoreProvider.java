package io.baton.etcd;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.Settings;
import io.baton.spi.Store;
import io.baton.spi.inspect.InspectableProvider;
import io.baton.spi.inspect.StoreInspector;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Serves {@code etcd://host:port[,host:port...][/root][?config=FILE]}, and {@code etcds} for TLS. Credentials and key
 * stores come from that file and from the environment.
 */
public final class EtcdStoreProvider implements InspectableProvider {

    /** For {@link java.util.ServiceLoader}. */
    public EtcdStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(EtcdAddress.PLAIN, EtcdAddress.SECURE);
    }

    @Override
    public Store create(URI uri) {
        EtcdAddress address = EtcdAddress.parse(uri);
        return new LiveEtcdStore(address, settings(uri, address));
    }

    @Override
    public StoreInspector inspector(URI uri, Duration patience) {
        EtcdAddress address = EtcdAddress.parse(uri);
        return new EtcdInspector(address, settings(uri, address), patience);
    }

    private static Settings settings(URI uri, EtcdAddress address) {
        return Settings.read(address.secure(), EtcdAddress.config(uri), System.getenv());
    }
}
