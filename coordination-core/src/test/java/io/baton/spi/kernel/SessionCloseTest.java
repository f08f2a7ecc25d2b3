package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.spi.kernel.StepWire.Attached;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that is closed is done once it has closed its wire, on which connections and threads hang. */
class SessionCloseTest {

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private boolean answers = true;
    private int ended;
    private int closed;
    private Object lastAttach;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> {
                lastAttach = with[2];
                if (answers) {
                    attached();
                }
            }
            case "end" -> {
                ended++;
                if (answers) {
                    kernel.answer(with[0], true);
                }
            }
            case "close" -> closed++;
            default -> {}
        }
    }

    private void attached() {
        kernel.answer(lastAttach, new Attached(List.of(), Map.of(), "history", Duration.ZERO));
    }

    @BeforeEach
    void attach() {
        kernel.attach(new NoListener());
    }

    private CompletableFuture<Void> closeOutOfContact() {
        answers = false;
        kernel.events.disconnected("broken");
        loop.run();
        CompletableFuture<Void> done = kernel.session.close().toCompletableFuture();
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
        kernel.events.disconnected("closed");
        loop.run();
        assertThat(ended).isZero();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void close_storeNeverAnswersTheEnd_closesTheWireAfterATtl() {
        answers = false;
        CompletableFuture<Void> done = kernel.session.close().toCompletableFuture();
        loop.run();
        assertThat(ended).isEqualTo(1);
        assertThat(done).isNotDone();

        loop.pass(TTL);

        assertThat(done).isCompleted();
        assertThat(closed).isEqualTo(1);
        assertThat(loop.timers()).isZero();
    }
}
