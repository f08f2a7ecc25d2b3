package io.baton.config;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import io.baton.testkit.sim.VirtualLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Configurations on one store in memory, on virtual time: everything runs on the test's thread. */
public final class Rig {

    static final Duration TTL = Duration.ofSeconds(8);

    public final VirtualLoop loop = new VirtualLoop();
    public final MemoryStore store;
    private final Coordinator writer;

    public Rig(String name) {
        MemoryStore.drop(name);
        store = MemoryStore.named(name);
        writer = client("writer");
    }

    public DefaultCoordinator client(String name) {
        return DefaultCoordinator.start(
                store,
                loop,
                loop,
                CoordinatorOptions.builder().client(name).ttl(TTL).build());
    }

    /** Of a client of its own, by the name {@code app}. */
    public LiveConfigBuilder builder() {
        return LiveConfig.builder(client("app"));
    }

    public LiveConfig open() {
        return open(builder());
    }

    public LiveConfig open(LiveConfigBuilder builder) {
        CompletableFuture<LiveConfig> opened = builder.openAsync();
        loop.pass(Duration.ofSeconds(6));
        return opened.join();
    }

    /** Writes one transaction: key, text, key, text; no text deletes. */
    public void write(@org.jspecify.annotations.Nullable String... keysAndTexts) {
        send(keysAndTexts);
        loop.run();
    }

    /** The same, but nobody has been told yet. */
    void send(@org.jspecify.annotations.Nullable String... keysAndTexts) {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            RecordKey key = new RecordKey("config", String.valueOf(keysAndTexts[i]));
            String text = keysAndTexts[i + 1];
            ops.add(text == null ? Op.delete(key) : Op.put(key, text.getBytes(StandardCharsets.UTF_8)));
        }
        var unused = writer.transactAsync(List.of(), ops);
    }

    /** The contact of the application is cut for so long. */
    public void cutFor(Duration time, Runnable meanwhile) {
        store.suspend("app");
        loop.run();
        meanwhile.run();
        loop.pass(time);
        store.resume();
        loop.run();
    }

    public void pass(Duration time) {
        loop.pass(time);
    }
}
