package io.baton.memory;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import java.net.URI;
import java.util.Set;

/** Serves {@code mem:name} with {@link MemoryStore#named}. */
public final class MemoryStoreProvider implements StoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public MemoryStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("mem");
    }

    @Override
    public Store create(URI uri) {
        String name = uri.getSchemeSpecificPart();
        if (name.startsWith("/") || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "cannot read the store URI '" + uri + "': it should be mem: and a name, as mem:test");
        }
        return MemoryStore.named(name);
    }
}
