package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.election.ActiveStandby;
import io.baton.examples.Bookkeeping.Books;
import io.baton.memory.MemoryStore;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BookkeepingTest {

    @Test
    void start_activeClosed_theNextOneGoesOnAndNobodyIsFenced() throws Exception {
        List<String> off = new CopyOnWriteArrayList<>();
        try (Coordinator one = Coordinator.connect("mem:bookkeeping");
                Coordinator two = Coordinator.connect("mem:bookkeeping")) {
            Books first = new Books(one);
            Books second = new Books(two);
            ActiveStandby a = Bookkeeping.start(one, "node-1", "10.0.0.1:80", first, off::add);
            await().until(() -> a.state() == ActiveStandby.State.ACTIVE);
            ActiveStandby b = Bookkeeping.start(two, "node-2", "10.0.0.2:80", second, off::add);
            assertThat(first.enter("1", "10 in")).isTrue();
            assertThat(second.enter("2", "20 in")).isFalse();

            a.close();

            await().until(() -> b.state() == ActiveStandby.State.ACTIVE);
            assertThat(first.enter("3", "10 out")).isFalse();
            assertThat(second.enter("3", "20 out")).isTrue();
            b.close();
        }
        assertThat(off).isEmpty();
    }

    @Test
    void start_activeOneCrashed_isPoweredOffByTheNext() throws Exception {
        assertThat(poweredOffBy("node-2", "10.0.0.2:80")).containsExactly("10.0.0.1:80");
    }

    /** Its own machine is the last one that a process should switch off. */
    @Test
    void start_sameProcessAfterACrash_powersNobodyOff() throws Exception {
        assertThat(poweredOffBy("node-1", "10.0.0.1:80")).isEmpty();
    }

    /** Who is switched off once node-1 has gone without a word, and this one becomes active. */
    private static List<String> poweredOffBy(String id, String address) throws Exception {
        String name = "bookkeeping-" + UUID.randomUUID();
        MemoryStore store = MemoryStore.named(name);
        List<String> off = new CopyOnWriteArrayList<>();
        try (Coordinator one = connect(name, "one");
                Coordinator two = connect(name, "two")) {
            ActiveStandby crashing = Bookkeeping.start(one, "node-1", "10.0.0.1:80", new Books(one), off::add);
            await().until(() -> crashing.state() == ActiveStandby.State.ACTIVE);
            store.suspend("one");
            store.expireSessions("one");

            try (ActiveStandby next = Bookkeeping.start(two, id, address, new Books(two), off::add)) {
                await().until(() -> next.state() == ActiveStandby.State.ACTIVE);
            }
            store.resume();
        }
        return off;
    }

    private static Coordinator connect(String store, String client) throws InterruptedException {
        return Coordinator.connect(
                "mem:" + store, CoordinatorOptions.builder().client(client).build());
    }
}
