package io.baton.jdbc;

import io.baton.spi.Store;
import io.baton.spi.inspect.InspectableProvider;
import io.baton.spi.inspect.StoreInspector;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Serves {@code jdbc:postgresql:}, {@code jdbc:mariadb:} and {@code jdbc:mysql:}. The rest of the URI is the driver's,
 * which must be on the class path. Credentials come from a file ({@code baton.config=FILE}) and from the environment.
 */
public final class JdbcStoreProvider implements InspectableProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JdbcStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Store create(URI uri) {
        JdbcAddress address = JdbcAddress.parse(uri.toString(), System.getenv());
        return new LiveJdbcStore(address.database(), address.toString());
    }

    @Override
    public StoreInspector inspector(URI uri, Duration patience) {
        return new JdbcInspector(JdbcAddress.parse(uri.toString(), System.getenv()), patience);
    }
}
