package io.baton.tck;

import io.baton.memory.MemoryStore;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** A store in memory, one per test. */
final class MemoryUnderTest implements StoreUnderTest {

    private final String name = UUID.randomUUID().toString();
    private final MemoryStore store = MemoryStore.named(name);

    @Override
    public String uri() {
        return "mem:" + name;
    }

    @Override
    public Optional<String> steadyUri() {
        return Optional.of(uri());
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void expire(String sessionId) {
        store.expireSession(sessionId);
    }

    @Override
    public void breakContact() {
        store.suspend("tck");
    }

    @Override
    public void restoreContact() {
        store.resume();
    }

    @Override
    public Optional<Cuts> cuts() {
        return Optional.of(new MemoryCuts(store));
    }

    @Override
    public void removeEntry(Peer peer) {
        store.removeEntry(peer);
    }

    @Override
    public void close() {
        MemoryStore.drop(name);
    }
}
