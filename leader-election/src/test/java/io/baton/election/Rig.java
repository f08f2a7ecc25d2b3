package io.baton.election;

import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import io.baton.spi.Store;
import io.baton.testkit.sim.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Clients of one store in memory, on virtual time. */
public final class Rig {

    static final Duration TTL = Duration.ofSeconds(8);

    public final VirtualLoop loop = new VirtualLoop();
    public final MemoryStore store;

    /** What happened, and when. */
    final List<String> told = new ArrayList<>();

    /** What clients of these names see in place of the store. */
    final Map<String, Store> seenBy = new HashMap<>();

    /** Listens to clients that are made later. */
    final List<Telemetry> telemetry = new ArrayList<>();

    public Rig(String name) {
        MemoryStore.drop(name);
        store = MemoryStore.named(name);
    }

    public DefaultCoordinator client(String name) {
        return client(name, loop);
    }

    public DefaultCoordinator client(String name, Executor callbacks) {
        CoordinatorOptions.Builder options = options(name);
        telemetry.forEach(options::telemetry);
        return DefaultCoordinator.start(seenBy.getOrDefault(name, store), loop, callbacks, options.build());
    }

    public static CoordinatorOptions.Builder options(String name) {
        return CoordinatorOptions.builder().client(name).ttl(TTL);
    }

    /** How many stand in the election. */
    int standing() {
        return store.peers("elections/boss").size();
    }

    /** Work that ends when the test says so. */
    Work work(String name) {
        return new Work(name);
    }

    final class Work implements AsyncElectionListener {

        private final String name;
        final List<Leadership> terms = new ArrayList<>();
        private CompletableFuture<Void> end = new CompletableFuture<>();
        long stoppedAt;

        private Work(String name) {
            this.name = name;
        }

        @Override
        public CompletionStage<?> onElected(Leadership leadership) {
            told.add(name + " leads");
            terms.add(leadership);
            end = new CompletableFuture<>();
            leadership.onStop(why -> {
                stoppedAt = loop.elapsedMillis();
                told.add(name + " stops: " + why);
            });
            return end;
        }

        Leadership term() {
            return terms.get(terms.size() - 1);
        }

        /** The work has stopped. */
        void end() {
            told.add(name + " ends");
            end.complete(null);
            loop.run();
        }
    }
}
