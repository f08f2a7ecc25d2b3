package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.QueueEntry;
import io.baton.internal.Eventually;
import io.baton.memory.MemoryStore;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an eviction asks of the store. */
@Timeout(60)
class EvictionsTest {

    private static final String STORE = "evictions-test";

    private final List<String> lookedAt = new CopyOnWriteArrayList<>();
    private Coordinator contenders;
    private Coordinator evictor;
    private DistributedLock theirs;
    private DistributedLock lock;

    @BeforeEach
    void connect() throws InterruptedException {
        contenders = Coordinator.connect("mem:" + STORE);
        evictor = Coordinator.connect(watched(Store.class, MemoryStore.named(STORE)), CoordinatorOptions.defaults());
        theirs = contenders.lock("orders");
        lock = evictor.lock("orders");
    }

    @AfterEach
    void drop() {
        evictor.close();
        contenders.close();
        MemoryStore.drop(STORE);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 100})
    void evict_manyStandInTheLine_readsTheOneEntry(int many) throws InterruptedException {
        List<QueueEntry> queue = stand(many);

        assertThat(lock.evict(queue.get(1), "stuck")).isTrue();

        assertThat(lookedAt).containsExactly("peers", "details");
        assertThat(theirs.queue()).hasSize(many - 1).doesNotContain(queue.get(1));
    }

    @Test
    void evict_entryHasAnotherToken_isNotThatContender() throws InterruptedException {
        QueueEntry first = stand(1).get(0);
        var other = new QueueEntry(
                true, first.token() + 1, "worker", "host", 1, Optional.empty(), first.claim(), first.entry());

        assertThat(lock.evict(other, "stuck")).isFalse();

        assertThat(theirs.queue()).containsExactly(first);
    }

    private List<QueueEntry> stand(int many) throws InterruptedException {
        for (int i = 0; i < many; i++) {
            var unused = theirs.acquireAsync();
        }
        Eventually.holds(() -> MemoryStore.named(STORE).peers("locks/orders").size() == many);
        return theirs.queue();
    }

    /** Notes the looks at lines. */
    private <T> T watched(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, call, with) -> {
            if (List.of("peers", "details").contains(call.getName())) {
                lookedAt.add(call.getName());
            }
            Object answer = invoke(real, call, with);
            return answer instanceof Session session ? watched(Session.class, session) : answer;
        }));
    }

    private static Object invoke(Object on, Method call, Object[] with) throws Throwable {
        try {
            return call.invoke(on, with);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
