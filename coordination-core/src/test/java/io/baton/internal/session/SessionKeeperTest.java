package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.internal.HandLoop;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opening sessions again, on a store that can refuse them. */
@Timeout(60)
class SessionKeeperTest {

    private final MemoryStore memory = MemoryStore.named(SessionKeeperTest.class.getName());
    private final HandLoop loop = new HandLoop();
    private final List<Long> openedAtMillis = new ArrayList<>();
    private final List<SessionListener> told = new ArrayList<>();
    private boolean refuses;
    private boolean noThreads;

    private final Store store = new Store() {
        @Override
        public Guarantees guarantees() {
            return memory.guarantees();
        }

        @Override
        public void check(Line line) {}

        @Override
        public Session open(SessionSpec spec, Loop on, SessionListener to) {
            openedAtMillis.add(loop.wallMillis());
            told.add(to);
            if (noThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            if (refuses) {
                throw new IllegalArgumentException("no sessions today");
            }
            return memory.open(spec, on, to);
        }
    };

    @AfterEach
    void drop() {
        MemoryStore.drop(SessionKeeperTest.class.getName());
    }

    private DefaultCoordinator start() {
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, loop, CoordinatorOptions.defaults());
        loop.run();
        return client;
    }

    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < openedAtMillis.size(); i++) {
            pauses.add(openedAtMillis.get(i) - openedAtMillis.get(i - 1));
        }
        return pauses;
    }

    @Test
    void open_refused_failsTheFirstContactWithTheReason() {
        refuses = true;
        DefaultCoordinator client = start();

        assertThatThrownBy(client.ready()::get).hasRootCauseMessage("no sessions today");
    }

    @Test
    void trouble_sessionsRefused_isToldUntilThereIsOne() {
        refuses = true;
        DefaultCoordinator client = start();
        assertThat(client.trouble()).singleElement().hasToString("Cannot open a session: no sessions today");

        refuses = false;
        loop.pass(Duration.ofSeconds(10));

        assertThat(client.trouble()).isEmpty();
    }

    @Test
    void trouble_sessionLost_isToldUntilThereIsAnotherAndTakesItsOwnAlong() {
        DefaultCoordinator client = start();
        told.get(0).troubled("Cannot remove an entry", "denied");
        assertThat(client.trouble()).singleElement().hasToString("Cannot remove an entry: denied");

        memory.expireSessions();
        loop.run();
        assertThat(client.trouble())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.what()).contains("session was lost"));
        loop.pass(Duration.ofSeconds(10));

        assertThat(client.trouble()).isEmpty();
    }

    @Test
    void trouble_mended_isOver() {
        DefaultCoordinator client = start();
        told.get(0).troubled("Cannot remove an entry", "denied");
        told.get(0).resolved("Cannot remove an entry");

        assertThat(client.trouble()).isEmpty();
    }

    @Test
    void open_noThreadToBeHad_triesAgain() {
        noThreads = true;
        DefaultCoordinator client = start();
        assertThatThrownBy(client.ready()::get).hasRootCauseMessage("unable to create native thread");

        noThreads = false;
        loop.pass(Duration.ofSeconds(10));

        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
    }

    @Test
    void lost_againAndAgain_pausesLongerButNeverPastFiveSeconds() {
        refuses = true;
        start();
        loop.pass(Duration.ofMinutes(1));

        assertThat(pauses()).hasSizeBetween(10, 40).allMatch(pause -> pause >= 100 && pause <= 5_000);
        assertThat(pauses().get(0)).isLessThanOrEqualTo(200);
        assertThat(pauses().get(8)).isGreaterThanOrEqualTo(2_500);
        assertThat(pauses()).doesNotHaveDuplicates();
    }

    @Test
    void lost_afterContact_startsWithAShortPauseAgain() {
        refuses = true;
        start();
        loop.pass(Duration.ofMinutes(1));
        refuses = false;
        loop.pass(Duration.ofSeconds(5));
        openedAtMillis.clear();
        openedAtMillis.add(loop.wallMillis());

        memory.expireSessions();
        loop.pass(Duration.ofSeconds(5));

        assertThat(pauses()).hasSize(1).allMatch(pause -> pause <= 200);
    }

    @Test
    void close_betweenSessions_opensNone() {
        DefaultCoordinator client = start();
        memory.expireSessions();
        loop.run();

        client.closeAsync();
        loop.pass(Duration.ofMinutes(1));

        assertThat(openedAtMillis).hasSize(1);
        assertThat(client.closeAsync()).isCompleted();
    }
}
