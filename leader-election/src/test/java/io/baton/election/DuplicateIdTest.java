package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.StoreUnavailableException;
import io.baton.election.internal.StoreProxy;
import io.baton.memory.MemoryStore;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two candidates of one id, of which the second cannot see who stands at first. */
@Timeout(60)
class DuplicateIdTest {

    private static final String STORE = "duplicate-id";

    private final AtomicInteger reads = new AtomicInteger();

    @AfterEach
    void drop() {
        MemoryStore.drop(STORE);
    }

    @Test
    void run_sameIdAndTheLineCannotBeReadAtFirst_isFoundAllTheSame() throws InterruptedException {
        try (Coordinator one = Coordinator.connect("mem:" + STORE);
                Coordinator two =
                        Coordinator.connect(unreadable(MemoryStore.named(STORE)), CoordinatorOptions.defaults());
                Candidacy first = run(one)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> first.leadership().isPresent());
            Candidacy second = run(two);
            await().atMost(Duration.ofSeconds(30)).until(() -> second.trouble().isPresent());
            assertThat(second.trouble().orElseThrow()).hasMessageContaining("another candidate 'a'");
        }
    }

    private static Candidacy run(Coordinator baton) {
        return LeaderElection.named(baton, "boss").run(Candidate.of("a"), Leadership::awaitStop);
    }

    private Store unreadable(Store store) {
        return StoreProxy.wrapped(Store.class, store, (method, arguments) -> {
            Object answer = StoreProxy.call(store, method, arguments);
            return answer instanceof Session session ? unreadable(session) : answer;
        });
    }

    private Session unreadable(Session session) {
        return StoreProxy.wrapped(
                Session.class,
                session,
                (method, arguments) -> method.getName().equals("peers") && reads.incrementAndGet() <= 2
                        ? CompletableFuture.failedStage(new StoreUnavailableException("no answer in time"))
                        : StoreProxy.call(session, method, arguments));
    }
}
