package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Reply;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that is closed is done once it has closed its wire, on which connections and threads hang. */
class SessionCloseTest {

    private static final Duration TTL = Duration.ofSeconds(4);

    private final HandLoop loop = new HandLoop();
    private boolean answers = true;
    private int ended;
    private int closed;
    private Object lastAttach;
    private StepWire.Events events;
    private Session session;

    private final StepWire wire = (StepWire) Proxy.newProxyInstance(
            StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, step, with) -> {
                switch (step.getName()) {
                    case "attach" -> {
                        lastAttach = with[2];
                        if (answers) {
                            attached();
                        }
                    }
                    case "end" -> {
                        ended++;
                        if (answers) {
                            answer(with[0], true);
                        }
                    }
                    case "close" -> closed++;
                    default -> {}
                }
                return null;
            });

    private void attached() {
        answer(lastAttach, new Attached(List.of(), Map.of(), "history", Duration.ZERO));
    }

    @SuppressWarnings("unchecked")
    private <T> void answer(Object reply, T with) {
        loop.execute(() -> ((Reply<T>) reply).answered(with));
    }

    @BeforeEach
    void attach() {
        session = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events = to;
                    return wire;
                },
                "session",
                new SessionSpec(TTL, "test"),
                Duration.ofSeconds(2),
                loop,
                new NoListener());
        loop.run();
    }

    private CompletableFuture<Void> closeOutOfContact() {
        answers = false;
        events.disconnected("broken");
        loop.run();
        CompletableFuture<Void> done = session.close().toCompletableFuture();
        loop.run();
        assertThat(done).isNotDone();
        assertThat(closed).isZero();
        return done;
    }

    /** It would keep the session, and its entries, for another ttl. */
    @Test
    void close_outOfContactAndTheAttachUnderWayIsAnswered_endsTheSessionAndThenClosesTheWire() {
        CompletableFuture<Void> done = closeOutOfContact();
        answers = true;

        attached();
        loop.run();

        assertThat(ended).isEqualTo(1);
        assertThat(done).isCompleted();
        assertThat(closed).isEqualTo(1);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void close_outOfContactForATtl_closesTheWireThenAndAttachesNoMore() {
        CompletableFuture<Void> done = closeOutOfContact();

        loop.pass(TTL);

        assertThat(done).isCompleted();
        assertThat(closed).isEqualTo(1);
        attached();
        events.disconnected("closed");
        loop.run();
        assertThat(ended).isZero();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void close_storeNeverAnswersTheEnd_closesTheWireAfterATtl() {
        answers = false;
        CompletableFuture<Void> done = session.close().toCompletableFuture();
        loop.run();
        assertThat(ended).isEqualTo(1);
        assertThat(done).isNotDone();

        loop.pass(TTL);

        assertThat(done).isCompleted();
        assertThat(closed).isEqualTo(1);
        assertThat(loop.timers()).isZero();
    }
}
