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
    private volatile boolean broken;

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
        broken = true;
        store.suspend("tck");
    }

    @Override
    public void restoreContact() {
        broken = false;
        store.resume();
    }

    @Override
    public Optional<Cuts> cuts() {
        return Optional.of(new MemoryCuts(store));
    }

    /** Contact ends for all, and is back. Nothing is lost, as long as the process lives. */
    @Override
    public Optional<FailOver> failOver() {
        return Optional.of(new FailOver() {
            @Override
            public void fallBehind() {}

            @Override
            public void takeOver() {
                store.suspend();
                store.resume();
                if (broken) {
                    store.suspend("tck");
                }
            }

            @Override
            public boolean keepsDisk() {
                return true;
            }
        });
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
