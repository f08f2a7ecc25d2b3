package io.baton.etcd;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import java.net.URI;
import java.util.Set;

/** Serves {@code etcd://host:port[,host:port...][/root]}, and {@code etcds} for TLS. */
public final class EtcdStoreProvider implements StoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public EtcdStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(EtcdAddress.PLAIN, EtcdAddress.SECURE);
    }

    @Override
    public Store create(URI uri) {
        return new LiveEtcdStore(EtcdAddress.parse(uri));
    }
}
