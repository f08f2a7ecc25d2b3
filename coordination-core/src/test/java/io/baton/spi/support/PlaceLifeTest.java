package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.internal.HandLoop;
import io.baton.spi.Entry;
import io.baton.spi.PlaceListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A place whose listener throws when it hears of a loss. */
class PlaceLifeTest {

    private final List<String> done = new ArrayList<>();
    private final PlaceLife life =
            new PlaceLife(new Driver(), new Throwing(), new HandLoop(), new RefusedRemovals(), refusal(), refusal());

    @BeforeEach
    void standBehind() {
        life.start();
        life.sent();
        life.joined();
        life.behind();
    }

    @Test
    void gone_listenerThrows_placeIsClosed() {
        assertThatThrownBy(() -> life.gone(new LockLostException("removed"))).hasMessage("on purpose");

        assertThat(done).containsExactly("join", "waiting", "stop", "lost", "closed");
        assertThat(life.leave().toCompletableFuture()).isCompleted();
    }

    @Test
    void stuck_listenerThrows_entryIsRemoved() {
        assertThatThrownBy(() -> life.stuck(new CoordinationException("refused")))
                .hasMessage("on purpose");

        assertThat(done).containsExactly("join", "waiting", "stop", "lost", "remove");
    }

    private static RepeatedRefusal refusal() {
        return new RepeatedRefusal(() -> "Cannot", (what, why) -> {}, what -> {});
    }

    private final class Throwing implements PlaceListener {

        @Override
        public void waiting() {
            done.add("waiting");
        }

        @Override
        public void clear(Entry mine) {
            done.add("clear");
        }

        @Override
        public void lost(CoordinationException why) {
            done.add("lost");
            throw new IllegalStateException("on purpose");
        }
    }

    private final class Driver implements LineDriver {

        @Override
        public void join() {
            done.add("join");
        }

        @Override
        public void stop() {
            done.add("stop");
        }

        @Override
        public Entry first() {
            throw new AssertionError("never first");
        }

        @Override
        public void remove() {
            done.add("remove");
        }

        @Override
        public void closed(PlaceMachine.Phase before) {
            done.add("closed");
        }

        @Override
        public CompletionStage<Void> closedWithSession() {
            return CompletableFuture.completedStage(null);
        }
    }
}
